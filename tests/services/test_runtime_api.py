"""The API server's look at its store: who is admitted, and for how long."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from services.events.authenticate import authenticate
from services.events.token_text import presented
from services.rpc.server import ArenaServer
from services.runtime import api
from services.runtime.health import Health
from services.state import keys
from services.state.context import Context


async def watched(ctx: Context, token: str, *, seconds: float) -> Health:
    """Return the health after the server has looked at its store for so long."""
    health = Health()
    looking = api._watch_store(ctx, ArenaServer(ctx), health, token)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(looking, seconds)
    return health


async def test_the_administrator_is_admitted_for_an_hour(ctx: Context) -> None:
    assert (await watched(ctx, "new", seconds=0.3)).problem() is None
    principal = await authenticate(ctx, "new")
    assert (principal.player_id, principal.role) == ("admin", "admin")
    left_ms = await ctx.store._client.pttl(keys.token(presented("new").token_id))
    assert 0 < left_ms <= api.ADMIN_TTL_S * 1000


async def test_a_store_that_forgot_the_administrator_is_told_again(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "CHECK_EVERY_S", 0.05)
    monkeypatch.setattr(api, "ADMIT_EVERY_S", 0.1)
    looking = asyncio.create_task(watched(ctx, "new", seconds=0.6))
    await asyncio.sleep(0.2)
    await ctx.store._client.flushdb()
    await looking
    assert (await authenticate(ctx, "new")).role == "admin"
