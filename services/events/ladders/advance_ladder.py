"""The one step of a ladder: what is due is done, and whoever waits is paired.

Idempotent: what it does is a function of the record, its parts and the time, done under the
ladder's lease, so any number of calls at any time open the same tables.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from rummy_arena.tournament.ladder_pairing import LadderPairing, pair
from services.state.context import Context
from services.state.ladder_log import LadderClosed, LadderPaired
from services.state.ladder_records import (
    LadderEntrantRecord,
    LadderRecord,
    LadderStatus,
    OpenTableRecord,
)
from services.state.messages import OpenLadderTable
from services.state.store import Busy

from .change import LARGE, LadderChange, hold_ladder, table_due
from .end_season import close_season
from .ladder import LADDERS, WAIT_S, pairing_terms, pool_of, read_active

EVENTS_KEPT = 20_000
TRIM_EVERY = 1_000


async def advance_ladder(ctx: Context, ladder_id: str, *, watchdog: bool = False) -> None:
    """Take the ladder as far as the time and its pool allow.

    ``watchdog`` says that the call comes from the sweep. Raises NotFound.
    """
    try:
        async with hold_ladder(ctx, ladder_id, wait_s=0.0 if watchdog else WAIT_S) as change:
            if change.record.status is LadderStatus.FINISHED:
                return
            await _step(change)
            if not watchdog and change.unchanged():
                return
            await change.commit()
    except Busy:
        if watchdog:
            return  # somebody is at it; the deadline comes up again
        raise
    for waited_ms in change.waits_ms:
        ctx.meters.ladder_waited(waited_ms / 1000)
    await _trim(change)


async def _step(change: LadderChange) -> None:
    record, now_ms = change.record, change.now_ms
    record.called_ms = 0
    if record.status is LadderStatus.OPEN and record.ends_ms and now_ms >= record.ends_ms:
        record.status, record.look_ms = LadderStatus.CLOSING, 0
        change.events.append(LadderClosed("", ""))
    if record.season_ends and now_ms >= record.season_ends:
        await close_season(change, by="", reason="")
    if record.status is LadderStatus.OPEN and now_ms >= record.starts_ms:
        await _pair(change)
    overtime_over = now_ms >= record.ends_ms + record.overtime_ms
    if record.status is LadderStatus.CLOSING and (not record.open or overtime_over):
        change.finish()
    _send_again(change)


async def _pair(change: LadderChange) -> None:
    record = change.record
    entrants = await read_active(change.ctx, change.id, record)
    pairing = paired_now(record, entrants, change.now_ms)
    paired = await asyncio.to_thread(pairing) if len(entrants) > LARGE else pairing()
    record.look_ms = paired.look_ms or 0
    record.fewest = paired.fewest
    for seats in paired.tables:
        record.tables += 1
        table = OpenTableRecord(record.tables, list(seats), change.now_ms, change.now_ms)
        record.open.append(table)
        change.messages.append(OpenLadderTable(change.id, table.number))
        for number in seats:
            entrant = entrants[number]
            if not entrant.anchor:
                change.waits_ms.append(max(change.now_ms - entrant.since_ms, 0))
            entrant.playing.append(table.number)
            entrant.since_ms = change.now_ms
            change.put(number, entrant)
    if paired.tables:
        opened = [(table.number, table.entrants) for table in record.open[-len(paired.tables) :]]
        change.events.append(LadderPaired(opened))


def paired_now(
    record: LadderRecord, entrants: dict[int, LadderEntrantRecord], now_ms: int
) -> Callable[[], LadderPairing]:
    """Return what works out which tables the pool gives at this moment; of thousands slowly."""
    return partial(
        pair,
        pool_of(entrants),
        pairing_terms(record.pairing),
        now_ms,
        seed=record.seed,
        number=record.tables + 1,
        open_tables=len(record.open),
    )


def _send_again(change: LadderChange) -> None:
    """Send for tables of which nothing was heard for long: their message may be lost."""
    for table in change.record.open:
        if table_due(table.sent_ms, table.tries) <= change.now_ms:
            table.sent_ms, table.tries = change.now_ms, min(table.tries + 1, 200)
            change.messages.append(OpenLadderTable(change.id, table.number))


async def _trim(change: LadderChange) -> None:
    """Keep the log from growing for ever: results are kept in parts as well."""
    before, after = change.held.seq, change.held.seq + len(change.events)
    if after > EVENTS_KEPT and before // TRIM_EVERY != after // TRIM_EVERY:
        await change.ctx.store.trim_log(LADDERS, change.id, before=after - EVENTS_KEPT)
