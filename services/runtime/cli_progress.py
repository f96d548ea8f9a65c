"""Shows on stderr how far a match is."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rummy_arena.bots.match import Record

_FIRST_AFTER_S = 1.0
_LIVE_EVERY_S, _LINE_EVERY_S = 0.5, 10.0


class MatchProgress(AbstractContextManager["MatchProgress"]):
    """Keeps the record of the pairs that are complete, and shows it now and then.

    A terminal has one line, redrawn; elsewhere there is a line now and then. If the first pair
    takes its time, a line says so.
    """

    record: Record

    def __init__(self, pairs: int, bots: int = 2) -> None:
        from rummy_arena.bots.match import Record

        self.record = Record.of(bots)
        self._pairs = pairs
        self._live = sys.stderr.isatty()
        self._every_s = _LIVE_EVERY_S if self._live else _LINE_EVERY_S
        self._next_s = time.monotonic() + _FIRST_AFTER_S
        self._open_line = False
        self._first = threading.Timer(1.5 * _FIRST_AFTER_S, self._show, (f"0 of {pairs} pairs",))
        self._first.daemon = True

    def __enter__(self) -> Self:
        self._first.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._first.cancel()
        if self._open_line:
            print(file=sys.stderr, flush=True)

    def __call__(self, record: Record) -> None:
        """Take the record after a pair."""
        self._first.cancel()
        # A copy, because the record goes on within a pair and Ctrl-C may come there.
        self.record = replace(
            record,
            boards=list(record.boards),
            penalties=list(record.penalties),
            hands=list(record.hands),
            deals_won=list(record.deals_won),
            games_won=list(record.games_won),
            ends=Counter(record.ends),
        )
        played = len(record.boards)
        now = time.monotonic()
        if played < self._pairs and now < self._next_s:
            return
        self._next_s = now + self._every_s
        text = f"{played} of {self._pairs} pairs, difference {record.mean():+.2f}"
        self._show(f"{text} ± {record.margin():.2f}" if played > 1 else text)

    def _show(self, text: str) -> None:
        start, end = ("\r\x1b[K", "") if self._live else ("", "\n")
        self._open_line = self._live
        print(start + text, end=end, file=sys.stderr, flush=True)
