"""Where public tables stand in lists: what goes on in one index, what has ended in another.

To list what goes on costs as much as there is of it, however much was played before. A table whose
end is told later, to those who watch it with a delay, stands in both until then. The move is no
part of the commit: where it was not made, whoever comes upon the table in a list makes it.
"""

from __future__ import annotations

from services.state.context import DAY_MS, Context
from services.state.records import TableRecord, Visibility

from .delayed import delay_of

LIVE_INDEX = "tables"
"""Tables that have not ended and are no tournament's, by the time of their creation."""
ENDED_INDEX = "tables ended"
"""Those that have, by the time from which on everybody may know; it may be yet to come."""


def is_listed(record: TableRecord) -> bool:
    """Return whether the table is in lists: a public one that somebody, no tournament, opened."""
    terms = record.terms
    return (
        record.origin is None and bool(terms.created_by) and terms.visibility is Visibility.PUBLIC
    )


async def move_ended(ctx: Context, table_id: str, record: TableRecord) -> None:
    """Put a table that has ended among those that have, and out of those that go on once told."""
    if not is_listed(record):
        return
    now_ms, delay = ctx.now_ms(), delay_of(record, "")
    told_ms = record.finished_ms + (0 if delay is None else delay.ms)
    if told_ms > now_ms:
        await ctx.store.index_add(ENDED_INDEX, table_id, told_ms)
        return
    # A day late rather than early: an archive that is behind keeps its tables for longer.
    gone_ms = now_ms - ctx.retention.tables_ms - DAY_MS
    await ctx.store.index_move(
        LIVE_INDEX, ENDED_INDEX, table_id, told_ms, drop_before=max(0, gone_ms)
    )
