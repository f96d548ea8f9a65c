"""Rotating a token: a new secret takes over what the old one could do."""

from __future__ import annotations

from typing import NamedTuple

import structlog

from services.state.codec import TOKEN
from services.state.context import Context
from services.state.errors import NotFound
from services.state.records import TokenRecord

from .create_token import IssuedToken, issue, require_power_over
from .errors import InvalidOption, NotAuthenticated, TokenReplaced
from .principals import Principal
from .revoke_token import require_no_more, require_own_kind

LONGEST_GRACE_MS = 24 * 3600 * 1000
REPEAT_MS = 60_000
"""How long a token that was rotated out may still repeat its rotation, if the answer was lost."""

log = structlog.get_logger(__name__)


class RotatedToken(NamedTuple):
    """The new token, and when the old one ends."""

    issued: IssuedToken
    old_expires_ms: int


async def rotate_token(
    ctx: Context, principal: Principal, token_id: str, *, grace_ms: int, new_id: str
) -> RotatedToken:
    """Return a new token with the scopes and the end of this one, which lasts ``grace_ms`` more.

    ``new_id`` is derived from the request: its repeat returns the same token, and works for a
    minute even with the token that was rotated out. Raises NotFound, NotAllowed, ScopeMissing,
    InvalidOption, TokenReplaced or OperatorsToken.
    """
    if not 0 <= grace_ms <= LONGEST_GRACE_MS:
        raise InvalidOption("grace", f"give 0 to {LONGEST_GRACE_MS // 1000} seconds")
    data = await ctx.store.get_token(token_id)
    if data is None:
        raise NotFound("token", token_id)
    old = TOKEN.decode(data)
    await require_power_over(ctx, principal, old.player_id)
    require_own_kind(old)
    if token_id != principal.token_id:
        require_no_more(principal, old)
    if old.successor and old.successor != new_id:
        raise TokenReplaced(token_id, old.successor)
    now_ms = ctx.now_ms()
    if old.expires_ms <= now_ms and not old.successor:
        raise NotAuthenticated("the token has ended")
    return await _rotated(ctx, principal, token_id, old, grace_ms=grace_ms, new_id=new_id)


async def _rotated(
    ctx: Context,
    principal: Principal,
    token_id: str,
    old: TokenRecord,
    *,
    grace_ms: int,
    new_id: str,
) -> RotatedToken:
    now_ms = ctx.now_ms()
    new = TokenRecord(
        old.player_id,
        old.role,
        old.expires_ms,
        scopes=old.scopes,
        created_ms=now_ms,
        asked=f"{token_id}:{grace_ms}",
    )
    if old.successor and await ctx.store.get_token(new_id) is None:
        raise NotFound("token", new_id)  # revoked since: a repeat does not bring it back
    issued = await issue(ctx, principal, new_id, new)
    if not old.successor:
        old.successor = new_id
        old.expires_ms = min(old.expires_ms, now_ms + grace_ms)
        await ctx.store.replace_token(
            token_id,
            TOKEN.encode(old),
            player_id=old.player_id,
            ttl_ms=old.expires_ms - now_ms + REPEAT_MS,
            expires_ms=old.expires_ms,
        )
        log.info("token rotated", token=token_id, into=new_id, by=principal.player_id)
    return RotatedToken(issued, old.expires_ms)
