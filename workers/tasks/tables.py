"""Tables: open one, play its house bots, report its result."""

from __future__ import annotations

import contextlib

from celery import shared_task

from rummy_arena.bots.registry import HOUSE_BOTS
from services.events.report_result import report_result as report_result_once
from services.events.seat_table import Seating, Wanted, seat_table
from services.play.close_table import call_off_table
from services.play.create_table import create_table
from services.play.curtail_table import curtail_table
from services.play.hold_table import hold_table, release_table
from services.play.play_bots import play_bots
from services.play.reseat_table import reseat_table
from services.state.context import Context
from services.state.store import NotFound
from workers.task import ArenaTask, context

SLICE_MS = 2_000
"""A task plays no longer than this, then makes room; far below the visibility timeout."""
WAIT_S = 0.25
"""A table that is held for longer is being played; one that is held for an action is not, and an
action that is refused sends for nobody."""
ARENA = ""
"""Who did what nobody asked for."""


@shared_task(base=ArenaTask, bind=True, name="workers.open_table")
def open_table(
    task: ArenaTask,
    tournament_id: str,
    round: int,  # noqa: A002  the message's field
    number: int,
    attempt: int = 0,
) -> None:
    """Bring a table of a round in line with its tournament."""
    task.perform(_open(context(), tournament_id, round, number, attempt))


async def create_seated(ctx: Context, seating: Seating) -> bool:
    """Create the table of a pairing unless it is there; return whether this call did."""
    return await create_table(
        ctx,
        seating.table_id,
        seating.rule_set,
        seating.seats,
        seating.seed,
        options=seating.options,
        origin=seating.origin,
        terms=seating.terms,
    )


async def _open(
    ctx: Context, tournament_id: str, round_number: int, number: int, attempt: int
) -> None:
    """Do what the tournament wants of the table, and look again whether it still does."""
    wanted = None
    while True:
        seating = await seat_table(ctx, tournament_id, round_number, number, attempt)
        if seating is None or seating.wanted is wanted:
            return
        wanted = seating.wanted
        if wanted is not Wanted.PLAYED:
            await _stopped(ctx, seating)
            return
        if not await create_seated(ctx, seating) or seating.curtailed:
            await _in_line(ctx, seating)
            await _play(ctx, seating.table_id)
            # Sent for again: perhaps because its result went missing on the way.
            await report_result_once(ctx, seating.table_id)
            return
        await _play(ctx, seating.table_id)


async def _stopped(ctx: Context, seating: Seating) -> None:
    with contextlib.suppress(NotFound):  # it was never opened
        if seating.wanted is Wanted.HELD:
            await hold_table(ctx, seating.table_id, by=ARENA, reason=seating.reason)
        else:
            await call_off_table(ctx, seating.table_id, by=ARENA, reason=seating.reason)


async def _in_line(ctx: Context, seating: Seating) -> None:
    """Let a table that was held go on, and seat whoever has an entrant's place by now."""
    await release_table(ctx, seating.table_id, by=ARENA)
    await reseat_table(ctx, seating.table_id, seating.seats)
    if seating.curtailed:
        await curtail_table(ctx, seating.table_id)


@shared_task(base=ArenaTask, bind=True, name="workers.play_table")
def play_table(task: ArenaTask, table_id: str) -> None:
    """Let the house bots of a table decide."""
    task.perform(_play(context(), table_id))


async def _play(ctx: Context, table_id: str) -> None:
    await play_bots(ctx, table_id, HOUSE_BOTS, slice_ms=SLICE_MS, wait_s=WAIT_S)


@shared_task(base=ArenaTask, bind=True, name="workers.report_result")
def report_result(task: ArenaTask, table_id: str) -> None:
    """Count a finished table in its tournament."""
    task.perform(report_result_once(context(), table_id))
