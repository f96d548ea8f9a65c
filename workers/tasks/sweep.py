"""The sweep: act on every deadline that has passed, and take up work that nobody is doing."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from celery import shared_task

from services.events.advance_tournament import advance_tournament
from services.events.ladders.advance_ladder import advance_ladder
from services.play.expire_turn import expire_turn
from services.state.context import Context
from services.state.keys import SHARDS
from services.state.store import NotFound
from services.state.webhooks import WEBHOOKS
from workers.process import current_process
from workers.task import ArenaTask, context

CLAIM_AT_ONCE = 200
HOLD_MS = 5_000
"""A claimed deadline comes up again after this if its claimer dies."""

log = structlog.get_logger(__name__)


@shared_task(base=ArenaTask, bind=True, name="workers.sweep")
def sweep(task: ArenaTask) -> None:
    """Handle what is due in every shard."""
    task.perform(_sweep(context(), current_process().courier.hand))


async def _sweep(ctx: Context, hand: Callable[[str], None] = lambda _: None) -> None:
    """``hand`` takes over a webhook that is due, and does not wait for its receiver."""
    for shard in range(SHARDS):
        due = await ctx.store.claim_due(
            shard, now_ms=ctx.now_ms(), limit=CLAIM_AT_ONCE, hold_ms=HOLD_MS
        )
        for aggregate, entity in due:
            try:
                await _handle(ctx, aggregate, entity, hand)
            except NotFound:
                await ctx.store.forget_deadline(aggregate, entity)
            except Exception:  # one damaged table must not hold up the others
                log.exception("deadline not handled", aggregate=aggregate, id=entity)


async def _handle(ctx: Context, aggregate: str, entity: str, hand: Callable[[str], None]) -> None:
    if aggregate == "table":
        await expire_turn(ctx, entity)
    elif aggregate == "ladder":
        await advance_ladder(ctx, entity, watchdog=True)
    elif aggregate == WEBHOOKS:
        hand(entity)  # if it is lost, the claimed deadline comes again
    else:
        await advance_tournament(ctx, entity, watchdog=True)
