"""Tables that shared their deals: once all of these have been played, they are there to be seen."""

from __future__ import annotations

import contextlib

from celery import shared_task

from services.events.boards import tables_to_unseal
from services.events.tournament import table_id
from services.play.unseal_table import unseal_table
from services.state.context import Context
from services.state.errors import NotFound
from workers.task import ArenaTask, context


@shared_task(base=ArenaTask, bind=True, name="workers.unseal_tables")
def unseal_tables(
    task: ArenaTask,
    tournament_id: str,
    round: int,  # noqa: A002  the message's field
    first: int,
    step: int = 0,
) -> None:
    """Unseal tables of a round if it is over; one that is missed asks again by its deadline."""
    task.perform(_unseal(context(), tournament_id, round, first, step))


async def _unseal(ctx: Context, tournament_id: str, round_: int, first: int, step: int) -> None:
    for number in await tables_to_unseal(ctx, tournament_id, round_, first, step):
        with contextlib.suppress(NotFound):  # it was never opened
            await unseal_table(ctx, table_id(tournament_id, round_, number))
