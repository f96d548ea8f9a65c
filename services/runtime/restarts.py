"""How often a process that died is started again, and when it is given up.

A process that died is started again after a pause that doubles with each death of the last minute;
one more death than the bound within a minute is a fault that a restart does not mend. A process
that was told to stop and ended as it should (status 0, after it had been healthy) is replaced at
once and counts for nothing: that is how a replica is renewed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

WITHIN_S = 60.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 5.0


@dataclass
class Past:
    """What became of one process so far."""

    deaths: deque[float] = field(default_factory=deque)  # monotonic, of the last minute
    starts: int = 0  # again, since the arena's start
    last: str = ""  # how it ended the last time, in words
    due_s: float | None = None  # monotonic; when it is to be started again


class Restarts:
    """The ends of all processes of an arena."""

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """``most`` deaths of one process in a minute are borne with; 0 bears with none."""
        self._most = most
        self._clock = clock
        self._pasts: dict[str, Past] = {}

    @property
    def wanted(self) -> bool:
        """Whether anything is started again at all."""
        return self._most > 0

    def ended(self, name: str, how: str, *, as_told: bool) -> bool:
        """Note an end; return whether the process may be started again.

        ``how`` is for the operator; ``as_told`` says that it ended because somebody told it to.
        """
        past = self._pasts.setdefault(name, Past())
        now_s = self._clock()
        past.last = how
        past.due_s = now_s
        if as_told:
            return self.wanted
        past.deaths.append(now_s)
        while now_s - past.deaths[0] > WITHIN_S:
            past.deaths.popleft()
        past.due_s += min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (len(past.deaths) - 1))
        return len(past.deaths) <= self._most

    def waits(self, name: str) -> bool:
        """Whether the process has ended and is yet to be started again."""
        past = self._pasts.get(name)
        return past is not None and past.due_s is not None

    def due(self) -> list[str]:
        """Return the processes to start now; each is told once."""
        now_s = self._clock()
        names = [n for n, past in self._pasts.items() if past.due_s and past.due_s <= now_s]
        for name in names:
            self._pasts[name].due_s = None
            self._pasts[name].starts += 1
        return names

    def starts(self, name: str) -> int:
        """Return how often the process was started again."""
        past = self._pasts.get(name)
        return past.starts if past else 0

    def facts(self, name: str) -> dict[str, Any]:
        """Return what the run record says of it; nothing where it never ended."""
        past = self._pasts.get(name)
        return {} if past is None else {"restarts": past.starts, "last_end": past.last}
