"""Ladders: one step at a time, and their tables."""

from __future__ import annotations

from celery import shared_task

from services.events.ladders.advance_ladder import advance_ladder as advance
from services.events.ladders.seat_ladder_table import seat_ladder_table
from services.events.report_result import report_result as report_result_once
from services.state.context import Context
from workers.task import ArenaTask, context

from .tables import _play, create_seated


@shared_task(base=ArenaTask, bind=True, name="workers.advance_ladder")
def advance_ladder(task: ArenaTask, ladder_id: str) -> None:
    """Do what is due on a ladder, and pair whoever waits."""
    task.perform(advance(context(), ladder_id))


@shared_task(base=ArenaTask, bind=True, name="workers.open_ladder_table")
def open_ladder_table(task: ArenaTask, ladder_id: str, number: int) -> None:
    """Create a ladder's table unless it is there, and play it."""
    task.perform(_open(context(), ladder_id, number))


async def _open(ctx: Context, ladder_id: str, number: int) -> None:
    seating = await seat_ladder_table(ctx, ladder_id, number)
    if seating is None:
        return
    created = await create_seated(ctx, seating)
    await _play(ctx, seating.table_id)
    if not created:  # sent for again: perhaps because its result went missing on the way
        await report_result_once(ctx, seating.table_id)
