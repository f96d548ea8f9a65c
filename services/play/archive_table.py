"""A table that has ended is archived before it may expire; until then its deadline stays.

| at                    | what a commit writes                                                   |
|-----------------------|------------------------------------------------------------------------|
| the end of the game   | a message to archive the table, and a deadline; no time to live        |
| the deadline          | the message again, and a deadline further away with each time          |
| the archive's "done"  | when it was archived, and the time to live; no deadline                |

Whatever is lost on the way, a message, a worker, the archive for a week, the deadline brings the
table back. The files are put before the commit that counts on them, and a table archived twice is
the same bytes twice, so that a death between the two costs nothing but the work.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime

from services.state.archive import ArchiveUnavailable
from services.state.codec import TABLE
from services.state.context import Context
from services.state.errors import CorruptRecord, CursorTooOld
from services.state.messages import ArchiveTable, encode_message
from services.state.records import ENDED, TableRecord
from services.state.store import Held
from services.state.tables import is_sealed, table_record

from .export_table import Export, export_of
from .table import LEASE_MS, TABLES

WAIT_S = 1.0
FIRST_RETRY_MS = 60_000
LONGEST_RETRY_MS = 30 * 60_000
Form = Callable[[Export], Iterator[bytes]]
"""Writes an ended table, in pieces."""


async def archive_table(ctx: Context, table_id: str, forms: Mapping[str, Form]) -> bool:
    """Put a table that has ended into the archive, a file for each form, and let it expire.

    ``forms`` are by the ending of their file's name, as "txt". Returns whether this call did it:
    not for a table that is archived already or goes on, nor without an archive. Raises NotFound,
    ArchiveUnavailable, CorruptRecord or CursorTooOld where there is no whole game to write, and
    Busy, LeaseLost or Conflict where somebody else was about it.
    """
    stored = await ctx.store.read(TABLES, table_id)
    record, rules = table_record(table_id, stored.data)
    if ctx.archive is None or not owes_archive(record):
        return False
    try:
        export = await export_of(ctx, table_id, record, rules, stored.seq)
        for suffix, form in forms.items():
            data = await asyncio.to_thread(_packed, form, export)
            await ctx.archive.put(archive_name(table_id, record.finished_ms, suffix), data)
    except (ArchiveUnavailable, CorruptRecord, CursorTooOld):
        ctx.meters.archive_failed()
        raise
    held = await ctx.store.acquire(TABLES, table_id, lease_ms=LEASE_MS, wait_s=WAIT_S)
    try:
        record, _ = table_record(table_id, held.data)
        if not owes_archive(record):
            await ctx.store.release(held)
            return False
        record.archived_ms = ctx.now_ms()
        await _let_expire(ctx, held, record)
    except BaseException:
        await ctx.store.release(held)
        raise
    ctx.meters.archived()
    return True


async def retry_archive(ctx: Context, held: Held, record: TableRecord) -> Held | None:
    """Send for a table again whose archiving is overdue; return the lease if it is not.

    Where there is no archive any more, it is let go of.
    """
    if not owes_archive(record):
        return held
    if ctx.archive is None:
        return await _let_expire(ctx, held, record)
    record.archive_tries += 1
    return await ctx.store.commit(
        held,
        TABLE.encode(record),
        messages=(encode_message(ArchiveTable(held.id)),),
        deadline_ms=retry_at_ms(record, ctx.now_ms()),
    )


def owes_archive(record: TableRecord) -> bool:
    """Return whether the table has a game that is over and not archived yet.

    One that is sealed has time: its seeds belong into the archive.
    """
    done = record.archived_ms or is_sealed(record)
    return record.life in ENDED and record.game is not None and not done


def retry_at_ms(record: TableRecord, now_ms: int) -> int:
    """Return when to send for the table again if it is not archived until then."""
    return now_ms + min(FIRST_RETRY_MS << min(record.archive_tries, 16), LONGEST_RETRY_MS)


def archive_name(table_id: str, finished_ms: int, suffix: str) -> str:
    """Return the name of a file in the archive, by the day on which the table ended, in UTC.

    >>> archive_name("01jz", 1_800_000_000_000, "txt")
    '2027/01/15/01jz.txt.gz'
    """
    day = datetime.fromtimestamp(finished_ms / 1000, UTC)
    return f"{day:%Y/%m/%d}/{table_id}.{suffix}.gz"


def _packed(form: Form, export: Export) -> bytes:
    # Without a time in it, the same game is the same bytes.
    return gzip.compress(b"".join(form(export)), mtime=0)


async def _let_expire(ctx: Context, held: Held, record: TableRecord) -> Held | None:
    return await ctx.store.commit(held, TABLE.encode(record), ttl_ms=ctx.retention.tables_ms)
