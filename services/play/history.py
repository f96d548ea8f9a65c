"""The log of a table, redacted for its viewer."""

from __future__ import annotations

from dataclasses import dataclass

from rummy_arena.game.events import Event
from rummy_arena.game.view import redact
from services.state.context import Context
from services.state.event_codec import decode_events
from services.state.tables import table_record

from .read_table import viewer_seat
from .table import TABLES


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event with its place in the table's log, from 1, without gaps."""

    sequence: int
    event: Event


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Events after a cursor; ``complete`` when the log of a finished table ends here."""

    events: tuple[NumberedEvent, ...]
    last_sequence: int  # of the whole log
    complete: bool


async def history(
    ctx: Context, table_id: str, *, after: int, limit: int, player_id: str = ""
) -> HistoryPage:
    """Return up to ``limit`` events after sequence ``after``, as the player may see them.

    A finished table hides what it hid before: the hands that a deal began with, and cards drawn.
    Raises NotFound, or CursorTooOld when the log no longer reaches back so far.
    """
    snapshot = await ctx.store.read(TABLES, table_id)
    record, rules = table_record(table_id, snapshot.data)
    seat, seats = viewer_seat(record, player_id), len(record.seats)
    numbered: list[NumberedEvent] = []
    for batch in await ctx.store.read_log(TABLES, table_id, after=after, limit=limit):
        if len(numbered) == limit:
            break  # of a table of bots alone, a batch is a whole deal
        events = decode_events(batch.data, what=f"the log of table {table_id}", first=batch.first)
        for sequence, event in enumerate(events, start=batch.first):
            if after < sequence and len(numbered) < limit:
                numbered.append(NumberedEvent(sequence, redact(event, seat, rules, seats)))
    reached = numbered[-1].sequence if numbered else after
    return HistoryPage(
        events=tuple(numbered),
        last_sequence=snapshot.seq,
        complete=record.finished_ms > 0 and reached >= snapshot.seq,
    )
