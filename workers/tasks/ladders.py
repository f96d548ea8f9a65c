"""Ladders: one step at a time, and their tables."""

from __future__ import annotations

import contextlib

from celery import shared_task

from services.events.ladders.advance_ladder import advance_ladder as advance
from services.events.ladders.ladder import table_id
from services.events.ladders.seat_ladder_table import seat_ladder_table
from services.events.report_result import report_result as report_result_once
from services.play.close_table import call_off_table
from services.state.context import Context
from services.state.errors import NotFound
from workers.task import ArenaTask, context

from .tables import _play, create_seated

TOO_LATE = "the ladder is over"


@shared_task(base=ArenaTask, bind=True, name="workers.advance_ladder")
def advance_ladder(task: ArenaTask, ladder_id: str) -> None:
    """Do what is due on a ladder, and pair whoever waits."""
    task.perform(advance(context(), ladder_id))


@shared_task(base=ArenaTask, bind=True, name="workers.open_ladder_table")
def open_ladder_table(task: ArenaTask, ladder_id: str, number: int) -> None:
    """Create a ladder's table unless it is there, and play it; call it off if it does not count."""
    task.perform(_open(context(), ladder_id, number))


async def _open(ctx: Context, ladder_id: str, number: int) -> None:
    seating = await seat_ladder_table(ctx, ladder_id, number)
    if seating is None:  # its result is in, or came too late
        with contextlib.suppress(NotFound):
            await call_off_table(ctx, table_id(ladder_id, number), by="", reason=TOO_LATE)
        return
    created = await create_seated(ctx, seating)
    await _play(ctx, seating.table_id)
    if not created:  # sent for again: perhaps because its result went missing on the way
        await report_result_once(ctx, seating.table_id)
