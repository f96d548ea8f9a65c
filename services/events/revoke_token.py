"""Revoking tokens: one, or all of a player's."""

from __future__ import annotations

import structlog

from services.state.codec import TOKEN
from services.state.context import Context
from services.state.records import TokenRecord

from .create_token import require_power_over
from .errors import OperatorsToken, ScopeMissing
from .principals import Principal
from .scopes import ROLE_SCOPES, Scope, names

log = structlog.get_logger(__name__)


async def revoke_token(ctx: Context, principal: Principal, token_id: str) -> int:
    """Revoke a token; return how many were: 1, or 0 where there is none (any more).

    A token revokes itself, and others of its player that can do no more than it. Raises NotAllowed,
    ScopeMissing or OperatorsToken.
    """
    data = await ctx.store.get_token(token_id)
    if data is None:
        return 0
    record = TOKEN.decode(data)
    await require_power_over(ctx, principal, record.player_id)
    if token_id != principal.token_id:
        require_no_more(principal, record)
    require_own_kind(record)
    return await _drop(ctx, principal, record.player_id, [token_id])


async def revoke_tokens_of(ctx: Context, principal: Principal, player_id: str) -> int:
    """Revoke all of a player's tokens, the caller's own among them; return how many there were."""
    await require_power_over(ctx, principal, player_id)
    missing = ROLE_SCOPES[principal.role] & ~principal.scopes
    for scope in missing:
        principal.require_scope(scope)
    dropped = 0
    for _ in range(2):
        # One that was just being issued may have come after the first look; its issuer's token is
        # gone by now, so that after the second none can come.
        token_ids = await ctx.store.player_tokens(player_id, now_ms=ctx.now_ms())
        dropped += await _drop(ctx, principal, player_id, token_ids)
    return dropped


async def _drop(ctx: Context, principal: Principal, player_id: str, token_ids: list[str]) -> int:
    dropped = await ctx.store.drop_tokens(player_id, token_ids)
    if dropped:
        log.info("tokens revoked", count=dropped, player=player_id, by=principal.player_id)
    return dropped


def require_no_more(principal: Principal, record: TokenRecord) -> None:
    """Raise ScopeMissing if a token of the caller's player can do what the caller's cannot."""
    more = (Scope(record.scopes) or ROLE_SCOPES[record.role]) & ~principal.scopes
    if record.player_id == principal.player_id and not principal.issues_freely:
        for scope in more:
            raise ScopeMissing(scope.name or "", names(principal.scopes))


def require_own_kind(record: TokenRecord) -> None:
    """Raise OperatorsToken for one that the servers themselves would store again."""
    if record.role == "admin" and not record.salt:
        raise OperatorsToken
