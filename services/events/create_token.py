"""Issuing a token."""

from __future__ import annotations

from typing import NamedTuple

import structlog

from services.state.codec import TOKEN
from services.state.context import Context
from services.state.errors import RequestReused
from services.state.records import TokenRecord

from .errors import InvalidOption, NotAllowed, NotAuthenticated, TooManyTokens
from .get_player import get_player
from .principals import HOSTS, Principal
from .scopes import ROLE_SCOPES, Scope, names, roles_with
from .token_text import SALT_BYTES, presented, token_text

USUAL_TTL_MS = 30 * 24 * 3600 * 1000
LONGEST_TTL_MS = 400 * 24 * 3600 * 1000
MOST_TOKENS = 100
"""Live tokens of one player."""

log = structlog.get_logger(__name__)


class IssuedToken(NamedTuple):
    """A token as it is shown; only its hash is stored."""

    token: str
    token_id: str
    scopes: Scope
    expires_ms: int


async def create_token(
    ctx: Context,
    principal: Principal,
    *,
    player_id: str,
    ttl_ms: int | None,
    scopes: Scope,
    token_id: str,
) -> IssuedToken:
    """Issue a token for a player; raises NotFound, NotAllowed, InvalidOption, TooManyTokens.

    Players issue their own, hosts those of the players whom they created: whoever holds a player's
    token sees that player's cards. ``token_id`` is derived from the request: a repeat by the same
    bearer returns the same token, by another one RequestReused. ``ttl_ms`` None is 30 days, no
    ``scopes`` all that may be given.
    """
    await require_power_over(ctx, principal, player_id)
    role = (await get_player(ctx, player_id)).role
    created_ms = ctx.now_ms()
    record = TokenRecord(
        player_id,
        role,
        _end_ms(principal, ttl_ms, created_ms),
        b"",
        int(_scopes(principal, role, scopes)),
        created_ms,
        asked=f"{player_id}:{ttl_ms}:{int(scopes)}",
    )
    issued = await issue(ctx, principal, token_id, record)
    log.info("token issued", token=token_id, player=player_id, role=role, by=principal.player_id)
    return issued


async def issue(
    ctx: Context, principal: Principal, token_id: str, record: TokenRecord
) -> IssuedToken:
    """Store what a new token stands for and return it, or return it again for a repeat."""
    key = principal.key or ctx.random_bytes(SALT_BYTES)
    now_ms = ctx.now_ms()
    data = await ctx.store.get_token(token_id)
    if data is None:
        if len(await ctx.store.player_tokens(record.player_id, now_ms=now_ms)) >= MOST_TOKENS:
            raise TooManyTokens(record.player_id, MOST_TOKENS)
        salt = ctx.random_bytes(SALT_BYTES)
        token = token_text(key, salt, token_id)
        record.salt, record.digest = salt, presented(token).digest
        data = await ctx.store.add_token(
            token_id,
            TOKEN.encode(record),
            player_id=record.player_id,
            ttl_ms=record.expires_ms - now_ms,
            expires_ms=record.expires_ms,
        )
    kept = TOKEN.decode(data)
    token = token_text(key, kept.salt, token_id)
    if presented(token).digest != kept.digest or kept.asked != record.asked:
        raise RequestReused(token_id)
    await _require_issuer(ctx, principal, token_id, kept.player_id)
    return IssuedToken(token, token_id, Scope(kept.scopes), kept.expires_ms)


async def _require_issuer(
    ctx: Context, principal: Principal, token_id: str, player_id: str
) -> None:
    """Take the token back if its issuer's was revoked meanwhile; raises NotAuthenticated then."""
    if principal.token_id and await ctx.store.get_token(principal.token_id) is None:
        await ctx.store.drop_tokens(player_id, [token_id])
        raise NotAuthenticated("the token has been revoked")


async def require_power_over(ctx: Context, principal: Principal, player_id: str) -> None:
    """Raise unless the caller may issue, list and revoke tokens of this player."""
    if principal.player_id == player_id:
        return
    principal.require(*HOSTS)
    principal.require_scope(Scope.PLAYERS)
    principal.require_host_of("player", (await get_player(ctx, player_id)).created_by)


def _end_ms(principal: Principal, ttl_ms: int | None, now_ms: int) -> int:
    end_ms = now_ms + (USUAL_TTL_MS if ttl_ms is None else ttl_ms)
    if principal.issues_freely or not principal.expires_ms or end_ms <= principal.expires_ms:
        return end_ms
    if ttl_ms is None:
        return principal.expires_ms
    left_s = (principal.expires_ms - now_ms) // 1000
    raise InvalidOption("ttl", f"a token issues none that outlives it: give at most {left_s} s")


def _scopes(principal: Principal, role: str, wanted: Scope) -> Scope:
    """Return what the token gets: the wanted scopes, or all that may be given."""
    for scope in wanted:
        if scope not in ROLE_SCOPES[role]:
            raise NotAllowed(role, roles_with(scope))
    if principal.issues_freely:
        return wanted or ROLE_SCOPES[role]
    more = wanted & ~principal.scopes
    if more:
        raise InvalidOption(
            "scopes",
            f"a token gives no more than it has: leave out {', '.join(names(more))}",
        )
    return wanted or ROLE_SCOPES[role] & principal.scopes
