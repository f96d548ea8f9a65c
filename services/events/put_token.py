"""Storing a token that the operator gives, as the first administrator's is."""

from __future__ import annotations

from services.state.codec import TOKEN
from services.state.context import Context
from services.state.records import TokenRecord

from .token_text import presented


async def put_token(ctx: Context, token: str, *, player_id: str, role: str, ttl_s: int) -> None:
    """Store a token's hash with all scopes of the role; it is neither listed nor rotated."""
    ttl_ms, now_ms = ttl_s * 1000, ctx.now_ms()
    shown = presented(token)
    record = TokenRecord(player_id, role, now_ms + ttl_ms, shown.digest, 0, now_ms)
    await ctx.store.put_token(shown.token_id, TOKEN.encode(record), ttl_ms=ttl_ms)
