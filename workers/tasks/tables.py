"""Tables: open one, play its house bots, report its result."""

from __future__ import annotations

from celery import shared_task

from rummy_arena.bots.registry import HOUSE_BOTS
from services.events.report_result import report_result as report_result_once
from services.events.seat_table import Seating, seat_table
from services.play.create_table import create_table
from services.play.play_bots import play_bots
from services.state.context import Context
from workers.task import ArenaTask, context

SLICE_MS = 2_000
"""A task plays no longer than this, then makes room; far below the visibility timeout."""
WAIT_S = 0.25
"""A table that is held for longer is being played; one that is held for an action is not, and an
action that is refused sends for nobody."""


@shared_task(base=ArenaTask, bind=True, name="workers.open_table")
def open_table(task: ArenaTask, tournament_id: str, round: int, number: int) -> None:  # noqa: A002  the message's field
    """Create a table of a round unless it is there, and play it."""
    task.perform(_open(context(), tournament_id, round, number))


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


async def _open(ctx: Context, tournament_id: str, round_number: int, number: int) -> None:
    seating = await seat_table(ctx, tournament_id, round_number, number)
    if seating is None:
        return
    created = await create_seated(ctx, seating)
    await _play(ctx, seating.table_id)
    if not created:  # sent for again: perhaps because its result went missing on the way
        await report_result_once(ctx, seating.table_id)


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
