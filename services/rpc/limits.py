"""How often a caller may call this server, and how many streams it may hold.

Each process counts the calls that reach it in fixed windows: ``burst`` calls in ``burst / calls a
second`` seconds, beginning with the first. Known callers are counted by player, all others by the
address from which they come. The strategy is that of the library ``limits``; its own memory storage
walks over all keys again and again, so counters live in one that looks only at the key it is asked
for.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from limits import RateLimitItem, RateLimitItemPerSecond
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from services.events.principals import HOSTS, Principal

from .refusals import RateLimited, TooManyStreams

MOST = 100_000
"""Callers counted at a time; then those whose window is over are forgotten, and then the first."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many calls a second in the long run, ``burst`` of them at once; 0 for no limit."""

    calls_per_s: int = 0
    burst: int = 0

    @property
    def window(self) -> RateLimitItem | None:
        """The same as calls per whole seconds."""
        if not self.calls_per_s:
            return None
        seconds = max(1, math.ceil(self.burst / self.calls_per_s))
        return RateLimitItemPerSecond(self.calls_per_s * seconds, seconds)


@dataclass(frozen=True, slots=True)
class Rates:
    """What this server lets callers do; by itself, anything."""

    players: Rate = Rate()
    hosts: Rate = Rate()  # and admins
    strangers: Rate = Rate()  # by address: calls that need no token, or come without a valid one
    player_streams: int = 0
    host_streams: int = 0


class Windows(Storage):
    """Counters that end, in this process: a look at one costs the same however many there are."""

    STORAGE_SCHEME = None

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._counted: dict[str, tuple[float, int]] = {}  # when it ends, and how many so far

    @property
    def base_exceptions(self) -> type[Exception]:
        """What using this may raise: nothing of its own."""
        return LookupError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count and return how many there are in the window, which begins if there is none."""
        now = self._clock()
        ends, count = self._counted.get(key, (0.0, 0))
        if ends <= now:
            self._counted.pop(key, None)  # to come last in order
            ends, count = now + expiry, 0
            if len(self._counted) >= MOST:
                self._make_room(now)
        self._counted[key] = (ends, count + amount)
        return count + amount

    def get(self, key: str) -> int:
        """Return how many there are in the window."""
        ends, count = self._counted.get(key, (0.0, 0))
        return count if ends > self._clock() else 0

    def get_expiry(self, key: str) -> float:
        """Return when the window ends, by the clock given."""
        return self._counted.get(key, (self._clock(), 0))[0]

    def check(self) -> bool:
        """Return True: it is always there."""
        return True

    def reset(self) -> int:
        """Forget all counters; return how many there were."""
        count = len(self._counted)
        self._counted.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget a counter."""
        self._counted.pop(key, None)

    def _make_room(self, now: float) -> None:
        self._counted = {key: kept for key, kept in self._counted.items() if kept[0] > now}
        for key in list(self._counted)[: len(self._counted) - MOST + 1]:
            del self._counted[key]


class Limits:
    """Counts the calls and streams of one process."""

    def __init__(self, rates: Rates, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._storage = Windows(clock)
        self._strategy = FixedWindowRateLimiter(self._storage)
        self._players, self._hosts = rates.players.window, rates.hosts.window
        self._strangers = rates.strangers.window
        self._most_streams = rates.player_streams, rates.host_streams
        self._streams: Counter[str] = Counter()

    def count(self, principal: Principal, cost: int = 1) -> None:
        """Count a call of a known caller, as so many; raises RateLimited."""
        window = self._hosts if principal.role in HOSTS else self._players
        if window is not None:
            self._hit(window, "player", principal.player_id, min(cost, window.amount))

    def count_stranger(self, peer: str) -> None:
        """Count a call by where it comes from, as gRPC names it; raises RateLimited.

        Callers on a unix socket are on this machine and have no address: they are not counted.
        """
        if self._strangers is not None and not peer.startswith("unix:"):
            self._hit(self._strangers, "address", peer.rpartition(":")[0])

    @contextlib.contextmanager
    def stream(self, principal: Principal) -> Iterator[None]:
        """Stand around a stream of a known caller; raises TooManyStreams."""
        most = self._most_streams[principal.role in HOSTS]
        name = principal.player_id
        if most and self._streams[name] >= most:
            raise TooManyStreams(most)
        self._streams[name] += 1
        try:
            yield
        finally:
            self._streams[name] -= 1
            if not self._streams[name]:
                del self._streams[name]

    def _hit(self, window: RateLimitItem, kind: str, name: str, cost: int = 1) -> None:
        if not self._strategy.hit(window, kind, name, cost=cost):
            ends = self._strategy.get_window_stats(window, kind, name).reset_time
            retry_ms = max(1, math.ceil((ends - self._clock()) * 1000))
            raise RateLimited(retry_ms, window.amount, window.get_expiry())
