"""Listing a player's tokens, without their secrets."""

from __future__ import annotations

from typing import NamedTuple

from services.state.codec import TOKEN
from services.state.context import Context

from .create_token import require_power_over
from .principals import Principal
from .scopes import ROLE_SCOPES, Scope


class ListedToken(NamedTuple):
    """What may be shown of a token."""

    token_id: str
    player_id: str
    scopes: Scope
    created_ms: int
    expires_ms: int
    successor: str  # where it was rotated


async def list_tokens(ctx: Context, principal: Principal, player_id: str) -> list[ListedToken]:
    """Return a player's live tokens, the first to end first; raises NotFound, NotAllowed."""
    await require_power_over(ctx, principal, player_id)
    now_ms = ctx.now_ms()
    token_ids = await ctx.store.player_tokens(player_id, now_ms=now_ms)
    listed = []
    for token_id, data in zip(token_ids, await ctx.store.get_tokens(token_ids), strict=True):
        if data is not None:
            record = TOKEN.decode(data)
            scopes = Scope(record.scopes) or ROLE_SCOPES[record.role]
            token = ListedToken(
                token_id, player_id, scopes, record.created_ms, record.expires_ms, record.successor
            )
            listed.append(token)
    return [token for token in listed if token.expires_ms > now_ms]
