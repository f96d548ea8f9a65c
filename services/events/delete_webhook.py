"""A host no longer wants to be told."""

from __future__ import annotations

import structlog

from services.state.context import Context
from services.state.errors import NotFound

from .principals import Principal
from .webhook import forget_webhook, hold_webhook, last_of_own

log = structlog.get_logger(__name__)


async def delete_webhook(ctx: Context, principal: Principal, *, tournament_id: str) -> bool:
    """Remove a tournament's webhook, secret and all; return whether there was one.

    A payload that is under way may still arrive. Raises NotFound (of the tournament), NotAllowed,
    Busy.
    """
    await last_of_own(ctx, principal, tournament_id)
    try:
        held = await hold_webhook(ctx, tournament_id)
    except NotFound:
        return False
    await forget_webhook(ctx, held)
    log.info("webhook removed", tournament=tournament_id, by=principal.player_id)
    return True
