"""The API server's look at its store: who is admitted, and for how long."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

from services.events.authenticate import authenticate
from services.events.token_text import presented
from services.rpc.server import ArenaServer
from services.runtime import api
from services.runtime.datadir import DataDir
from services.runtime.health import Health
from services.runtime.process import Process
from services.runtime.settings import load_settings
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


async def test_a_server_that_cannot_look_at_its_store_any_more_ends(
    valkey_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(api, "_watch_store", broken)
    settings = load_settings(redis_url=valkey_url, data_dir=tmp_path / "arena", api_port=0)
    data_dir = DataDir(settings.data_dir)
    data_dir.create()
    monkeypatch.setattr(Process, "expose", lambda *_, **__: None)
    process = Process("api", settings, data_dir)
    assert await asyncio.wait_for(api.serve(process), 10) == 1
