"""A table that shared its deals tells their seeds, once every table that had them has ended.

| at                             | what a commit writes                                          |
|--------------------------------|---------------------------------------------------------------|
| the end of the game            | a deadline; no time to live, nothing for the archive          |
| the deadline                   | a message to look whether the others have ended, a deadline   |
| the word that they have ended  | the seeds at the end of the log, and what was put off         |

Whatever is lost on the way, the table stays sealed, and comes back by its deadline.
"""

from __future__ import annotations

from rummy_arena.game.events import DealRevealed
from services.state.codec import TABLE
from services.state.context import Context
from services.state.event_codec import encode_events
from services.state.messages import ArchiveTable, Message, UnsealTables, encode_message
from services.state.records import ENDED, TableRecord
from services.state.store import Batch, Held
from services.state.tables import is_sealed, table_record

from .archive_table import owes_archive, retry_at_ms
from .table import LEASE_MS, TABLES

WAIT_S = 1.0
SOONEST_LOOK_MS = 60_000
LATEST_LOOK_MS = 30 * 60_000


async def unseal_table(ctx: Context, table_id: str) -> bool:
    """Tell the seeds of an ended table's deals, and let it be seen; return whether this call did.

    Nothing happens to a table that is not sealed, or goes on: it asks again when it has ended. The
    caller knows that no table with the same deals goes on. Raises NotFound, and Busy, LeaseLost or
    Conflict where somebody else was about it.
    """
    stored = await ctx.store.read(TABLES, table_id)
    if not _is_due(table_record(table_id, stored.data)[0]):
        return False
    held = await ctx.store.acquire(TABLES, table_id, lease_ms=LEASE_MS, wait_s=WAIT_S)
    try:
        record, _ = table_record(table_id, held.data)
        if not _is_due(record):
            await ctx.store.release(held)
            return False
        now_ms = ctx.now_ms()
        told = [DealRevealed(*deal) for deal in sorted(record.deal_seeds)]
        record.deal_seeds, record.unsealed_ms = [], now_ms
        messages: list[Message] = []
        owed = ctx.archive is not None and owes_archive(record)
        if owed:
            messages.append(ArchiveTable(table_id))
        await ctx.store.commit(
            held,
            TABLE.encode(record),
            events=Batch(len(told), encode_events(told) if told else b"", now_ms),
            messages=tuple(map(encode_message, messages)),
            deadline_ms=retry_at_ms(record, now_ms) if owed else None,
            ttl_ms=None if owed else ctx.retention.tables_ms,
        )
    except BaseException:
        await ctx.store.release(held)
        raise
    return True


async def ask_to_unseal(ctx: Context, held: Held, record: TableRecord) -> Held | None:
    """Send for somebody who knows whether the others have ended; return the lease if none can."""
    origin = record.origin
    if origin is None:
        return held
    message = UnsealTables(origin.tournament_id, origin.round, origin.number)
    return await ctx.store.commit(
        held,
        TABLE.encode(record),
        messages=(encode_message(message),),
        deadline_ms=look_at_ms(record, ctx.now_ms()),
    )


def look_at_ms(record: TableRecord, now_ms: int) -> int:
    """Return when to look again at a sealed table that has ended: less often the longer it is."""
    waited_ms = now_ms - record.finished_ms
    return now_ms + min(max(waited_ms, SOONEST_LOOK_MS), LATEST_LOOK_MS)


def _is_due(record: TableRecord) -> bool:
    return record.life in ENDED and is_sealed(record)
