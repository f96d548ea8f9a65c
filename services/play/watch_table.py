"""A table's log as a feed reads it: from where it stands, for each of its viewers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from rummy_arena.game.actions import NONE
from rummy_arena.game.events import EVENT_TYPES, GameEnded
from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import TableRecord
from services.state.table_log import TableEvent
from services.state.tables import table_record
from services.state.wakeups import Woken

from .delayed import PastLog, delay_of
from .feed import HEARTBEAT_S, Page
from .history import has_ended, seen_by, stored_events
from .rights import seat_held
from .table import TABLES
from .watcher import Ready

PAGE = 500
_USUAL = frozenset(EVENT_TYPES) - {GameEnded}
"""After any other event the record tells who sits where, and whether the table has ended."""


class Wire(Protocol):
    """How messages look on the wire."""

    def event(self, sequence: int, event: TableEvent, now_ms: int) -> bytes:
        """Return an event, redacted already."""
        ...

    def heartbeat(self, now_ms: int) -> bytes:
        """Return a message that says that nothing happened."""
        ...


class TableSource:
    """The log of a table as it grows."""

    def __init__(self, ctx: Context, table_id: str, wire: Wire) -> None:
        self._ctx = ctx
        self._table_id = table_id
        self._wire = wire
        self._version = 0
        self._record: TableRecord
        self._rules: RuleSet
        self._chunk: Sequence[tuple[int, TableEvent]] = ()
        self._public: dict[int, Ready] = {}
        self._now_ms = 0

    def listen(self) -> AbstractAsyncContextManager[Woken]:
        """Give a bell that rings when the log has grown."""
        return self._ctx.store.wakeups.listen(TABLES, self._table_id)

    async def end(self) -> int:
        """Return the last sequence of the log."""
        snapshot = await self._ctx.store.read(TABLES, self._table_id)
        if snapshot.version >= self._version:  # reads may overtake each other
            self._version = snapshot.version
            self._record, self._rules = table_record(self._table_id, snapshot.data)
        return snapshot.seq

    async def read(self, after: int) -> Page:
        """Return the events after a sequence; raises NotFound or CursorTooOld."""
        stored, more = await stored_events(self._ctx, self._table_id, after=after, limit=PAGE)
        events = [(item.sequence, item.event) for item in stored]
        if events and all(type(event) in _USUAL for _, event in events):
            return Page(events, complete=False, more=more)
        last = await self.end()
        reached = events[-1][0] if events else after
        complete = has_ended(self._record) and reached >= last
        return Page(events, complete=complete, more=more, reseated=True)

    def viewer(self, player_id: str) -> int:
        """Return the seat that the player holds, or NONE for a spectator."""
        return seat_held(self._record, player_id)

    def ready(self, events: Sequence[tuple[int, TableEvent]], viewer: int) -> list[Ready]:
        """Return the messages of events for a viewer.

        What a spectator may see whole is open to all, and made into bytes once for all.
        """
        if events is not self._chunk:
            self._chunk, self._public, self._now_ms = events, {}, self._ctx.now_ms()
        rules, seats = self._rules, len(self._record.seats)
        items = []
        for sequence, event in events:
            item = self._public.get(sequence)
            if item is None:
                seen = seen_by(event, NONE, rules, seats)
                public = seen is event
                if not public and viewer != NONE:
                    seen = seen_by(event, viewer, rules, seats)
                item = Ready(sequence, self._wire.event(sequence, seen, self._now_ms))
                if public:
                    self._public[sequence] = item
            items.append(item)
        return items

    def heartbeat(self) -> bytes:
        """Return a message that says that nothing happened."""
        return self._wire.heartbeat(self._ctx.now_ms())


class DelayedSource(TableSource):
    """The log of a table up to where it ends for spectators who are behind."""

    def __init__(self, ctx: Context, table_id: str, wire: Wire, log: PastLog) -> None:
        super().__init__(ctx, table_id, wire)
        self._log = log

    async def end(self) -> int:
        """Return the last sequence that spectators may know of."""
        await super().end()
        await self._log.extend(self._ctx)
        return self._visible_end()

    async def read(self, after: int) -> Page:
        """Return the events after a sequence that spectators may know of by now."""
        log = self._log
        new = log.last
        unusual = await log.extend(self._ctx)
        if unusual or log.last == new:
            await super().end()
        end = self._visible_end()
        events = log.page(after, end, PAGE)
        reached = events[-1][0] if events else after
        delay, wait_s = delay_of(self._record, ""), HEARTBEAT_S
        if delay is not None:
            due_ms = log.due_ms(delay, self._ctx.now_ms())
            wait_s = HEARTBEAT_S if due_ms is None else min(HEARTBEAT_S, due_ms / 1000)
        return Page(
            events,
            complete=has_ended(self._record) and reached >= log.last,
            more=reached < end,
            reseated=unusual,
            wait_s=wait_s,
        )

    def _visible_end(self) -> int:
        delay = delay_of(self._record, "")
        return self._log.last if delay is None else self._log.visible_end(delay, self._ctx.now_ms())
