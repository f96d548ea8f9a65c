"""The log of a table, redacted for its viewer."""

from __future__ import annotations

from dataclasses import dataclass

from rummy_arena.game.events import EVENT_TYPES
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.view import redact
from services.state.context import Context
from services.state.event_codec import decode_events
from services.state.records import ENDED, TableRecord
from services.state.table_log import TableEvent
from services.state.tables import table_record

from .delayed import PastLogs, delay_of
from .rights import Person, require_cards, seat_held
from .table import TABLES

_GAME_TYPES = frozenset(EVENT_TYPES)
MOST_BATCHES = 100
"""Read at once: of a table of bots alone, a batch may hold two thousand events."""


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event with its place in the table's log, from 1, without gaps."""

    sequence: int
    event: TableEvent


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Events after a cursor; ``complete`` when the log of a table that has ended ends here."""

    events: tuple[NumberedEvent, ...]
    last_sequence: int  # of what the viewer may see
    complete: bool


async def history(
    ctx: Context, logs: PastLogs, table_id: str, person: Person, *, after: int, limit: int
) -> HistoryPage:
    """Return up to ``limit`` events after sequence ``after``, as the person may see them.

    A finished table hides what it hid before: the hands that a deal began with, and cards drawn.
    Raises NotFound, NotInvited, TableSealed, or CursorTooOld when the log no longer reaches back so
    far.
    """
    snapshot = await ctx.store.read(TABLES, table_id)
    record, rules = table_record(table_id, snapshot.data)
    require_cards(table_id, record, person)
    seat, seats = seat_held(record, person.player_id), len(record.seats)
    delay = delay_of(record, person.player_id)
    if delay is None:
        stored, _ = await stored_events(ctx, table_id, after=after, limit=limit)
        last, everything = snapshot.seq, snapshot.seq
    else:
        log = logs.of(table_id)
        await log.extend(ctx)
        last, everything = log.visible_end(delay, ctx.now_ms()), log.last
        stored = [NumberedEvent(*item) for item in log.page(after, last, limit)]
    reached = stored[-1].sequence if stored else after
    return HistoryPage(
        events=tuple(
            NumberedEvent(item.sequence, seen_by(item.event, seat, rules, seats)) for item in stored
        ),
        last_sequence=last,
        complete=has_ended(record) and reached >= everything,
    )


async def stored_events(
    ctx: Context, table_id: str, *, after: int, limit: int
) -> tuple[list[NumberedEvent], bool]:
    """Return up to ``limit`` events after ``after`` as they are stored, and whether more follow.

    They are for nobody's eyes yet.
    """
    most = min(limit, MOST_BATCHES)
    batches = await ctx.store.read_log(TABLES, table_id, after=after, limit=most)
    numbered: list[NumberedEvent] = []
    for batch in batches:
        if len(numbered) >= limit:
            return numbered, True
        events = decode_events(batch.data, what=f"the log of table {table_id}", first=batch.first)
        numbered += [
            NumberedEvent(sequence, event)
            for sequence, event in enumerate(events, start=batch.first)
            if sequence > after
        ]
    more = len(batches) == most or len(numbered) > limit
    return numbered[:limit], more


def seen_by(event: TableEvent, seat: int, rules: RuleSet, seats: int) -> TableEvent:
    """Return the event as ``seat`` (or a spectator, NONE) may see it."""
    if type(event) in _GAME_TYPES:
        return redact(event, seat, rules, seats)  # type: ignore[arg-type]
    return event  # what else happens to a table is open to all


def has_ended(record: TableRecord) -> bool:
    """Return whether nothing more will happen at the table."""
    return record.life in ENDED
