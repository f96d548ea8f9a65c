"""What the public may see of a table that it follows with a delay, and the table as it was then.

Who holds a seat sees the table live; everybody else, its director too, sees it as its terms say:

| terms        | a spectator sees what happened ...                                                |
|--------------|-----------------------------------------------------------------------------------|
| delay in ms  | at least so long ago, by the time of each commit                                  |
| n deals      | up to the end of the n-th last deal that is over; before there are so many, what  |
|              | came before the first card; all of it once the game is over                       |
| both         | by both                                                                           |

``visible_end`` is where the log ends for them. Everything that they are told is cut there: events,
pages of history, and the table itself, which is made by playing the log again up to there. The
sequences are the log's own, so that a cursor means the same to everybody.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from dataclasses import dataclass

from rummy_arena.game.actions import NONE
from rummy_arena.game.events import (
    EVENT_TYPES,
    DealCommitted,
    DealEnded,
    DealStarted,
    Declined,
    GameEnded,
    Rebought,
)
from rummy_arena.game.replay import replay
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game
from services.state.context import Context
from services.state.errors import CursorTooOld
from services.state.event_codec import decode_events
from services.state.records import Life, TableRecord
from services.state.table_log import (
    TableAdjudicated,
    TableClosed,
    TableEvent,
    TableOpened,
    TablePaused,
    TableResumed,
    TableStarted,
    game_events,
)

from .rights import seat_held
from .table import TABLES

BATCHES = 100
KEPT_LOGS = 64
REUSE_MS = 1_000
"""Where time alone moves the end, a table as it was is shown for so long before it is made anew."""
_AFTER_DEAL = frozenset(EVENT_TYPES) - {DealCommitted, DealStarted, Rebought, Declined}
"""What belongs to the end of a deal that it follows."""
LIVES = {
    TableOpened: Life.OPEN,
    TableStarted: Life.PLAYING,
    TablePaused: Life.PAUSED,
    TableResumed: Life.PLAYING,
    GameEnded: Life.FINISHED,
    TableAdjudicated: Life.FINISHED,
    TableClosed: Life.CLOSED,
}
"""Where each of these events takes a table in its life."""
_OVER = (GameEnded, TableAdjudicated, TableClosed)


@dataclass(frozen=True, slots=True)
class Delay:
    """How far a spectator is behind."""

    deals: int
    ms: int


def delay_of(record: TableRecord, player_id: str) -> Delay | None:
    """Return how far a player is behind; None for one who sees the table live."""
    terms = record.terms
    live = not (terms.delay_deals or terms.delay_ms) or seat_held(record, player_id) != NONE
    return None if live else Delay(terms.delay_deals, terms.delay_ms)


class PastLog:
    """The log of a table as this process has read it so far, and where it ends for spectators."""

    def __init__(self, table_id: str) -> None:
        self.events: list[TableEvent] = []  # after ``before``
        self.before = 0  # the last sequence that is not kept any more
        self.over = False
        self._table_id = table_id
        self._times: list[tuple[int, int]] = []  # last sequence and time of each commit
        self._deal_ends: list[int] = []
        self._first_card: int | None = None  # the sequence before it
        self._closing = False
        self._visible = 0
        self._reading = asyncio.Lock()
        self._making = asyncio.Lock()
        self._then: tuple[int, int, Game | None] = (-1, 0, None)  # visible end, when made, game

    @property
    def last(self) -> int:
        """The last sequence that was read."""
        return self.before + len(self.events)

    async def extend(self, ctx: Context) -> bool:
        """Read what is new; return whether it may have changed more than the game."""
        unusual = False
        async with self._reading:
            while True:
                try:
                    batches = await ctx.store.read_log(
                        TABLES, self._table_id, after=self.last, limit=BATCHES
                    )
                except CursorTooOld as error:
                    if self.events:
                        raise
                    self.before = error.first - 1
                    continue
                for batch in batches:
                    events = decode_events(batch.data, what=self._what, first=batch.first)
                    for event in events[self.last + 1 - batch.first :]:
                        unusual = self._add(event) or unusual
                    # A time that is not known is now; clocks of other processes may be behind.
                    earliest_ms = self._times[-1][1] if self._times else 0
                    at_ms = max(batch.at_ms or ctx.now_ms(), earliest_ms)
                    self._times.append((batch.last, at_ms))
                if len(batches) < BATCHES:
                    return unusual

    @property
    def _what(self) -> str:
        return f"the log of table {self._table_id}"

    def _add(self, event: TableEvent) -> bool:
        kind = type(event)
        if self._first_card is None and kind in (DealCommitted, DealStarted):
            self._first_card = self.last
        self.events.append(event)
        self.over = self.over or kind in _OVER
        if kind is DealEnded:
            self._closing = True
            self._deal_ends.append(self.last)
        elif self._closing and kind in _AFTER_DEAL:
            self._deal_ends[-1] = self.last
        else:
            self._closing = False
        return kind in LIVES or kind not in _AFTER_DEAL

    def visible_end(self, delay: Delay, now_ms: int) -> int:
        """Return the last sequence that a spectator may know of; it never goes back."""
        end = self.last
        if delay.ms:
            at = bisect_right(self._times, now_ms - delay.ms, key=_time)
            end = self._times[at - 1][0] if at else 0
        if delay.deals and not self.over:
            end = min(end, self._end_by_deals(delay.deals))
        self._visible = max(self._visible, end)
        return self._visible

    def _end_by_deals(self, deals: int) -> int:
        if len(self._deal_ends) >= deals:
            return self._deal_ends[-deals]
        return self.last if self._first_card is None else self._first_card

    def due_ms(self, delay: Delay, now_ms: int) -> int | None:
        """Return in how many milliseconds time alone shows more; None if only play does."""
        if not delay.ms:
            return None
        at = bisect_right(self._times, now_ms - delay.ms, key=_time)
        return self._times[at][1] + delay.ms - now_ms if at < len(self._times) else None

    def page(self, after: int, end: int, limit: int) -> list[tuple[int, TableEvent]]:
        """Return up to ``limit`` events after a sequence, none after ``end``; or CursorTooOld."""
        if after < self.before:
            raise CursorTooOld(after, self.before + 1)
        upto = min(end, after + limit)
        events = self.events[after - self.before : max(0, upto - self.before)]
        return list(enumerate(events, start=after + 1))

    def parted(self, end: int) -> tuple[list[TableEvent], list[TableEvent]]:
        """Return what happened up to ``end``, and what did after it."""
        at = max(0, end - self.before)
        return self.events[:at], self.events[at:]

    async def game_then(
        self, rules: RuleSet, seats: int, end: int, now_ms: int, *, reuse_ms: int
    ) -> tuple[int, Game | None]:
        """Return the game as it stood at ``end``, or within ``reuse_ms`` before; and where."""
        async with self._making:
            made_end, made_ms, game = self._then
            if made_end == end or (0 <= made_end < end and now_ms - made_ms < reuse_ms):
                return made_end, game
            if self.before:
                raise CursorTooOld(0, self.before + 1)
            log = game_events(self.events[:end])
            game = await asyncio.to_thread(replay, rules, seats, log) if log else None
            self._then = (end, now_ms, game)
            return end, game


def _time(commit: tuple[int, int]) -> int:
    return commit[1]


class PastLogs:
    """The logs of delayed tables that this process has read lately."""

    def __init__(self) -> None:
        self._logs: OrderedDict[str, PastLog] = OrderedDict()

    def of(self, table_id: str) -> PastLog:
        """Return the log of a table, read as far as it was read before."""
        log = self._logs.get(table_id)
        if log is None:
            log = self._logs[table_id] = PastLog(table_id)
            if len(self._logs) > KEPT_LOGS:
                self._logs.popitem(last=False)
        self._logs.move_to_end(table_id)
        return log
