"""A whole API server on a unix socket, with the real store behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rummy_arena.client import Arena
from services.events.put_token import put_token
from services.rpc.server import ArenaServer
from services.state.context import Context
from tests.workers.carrying import Clock

from .event_world import World

ADMIN_TOKEN = "the-administrator"


@dataclass(frozen=True)
class Api:
    """A running server and what the tests need of it."""

    address: str
    ctx: Context
    server: ArenaServer
    admin: Arena


@pytest.fixture
def clock() -> Clock:
    """A clock that the test sets forward."""
    return Clock()


@pytest.fixture
def timed(ctx: Context, clock: Clock) -> Context:
    """The context with that clock."""
    return clock.of(ctx)


@pytest.fixture
async def api(ctx: Context, tmp_path: Path) -> AsyncIterator[Api]:
    await put_token(ctx, ADMIN_TOKEN, player_id="admin", role="admin", ttl_s=3600)
    server = ArenaServer(ctx)
    address = await server.start(f"unix:{tmp_path}/api.sock")
    await server.set_serving(serving=True)
    async with Arena.connect(address, token=ADMIN_TOKEN) as admin:
        yield Api(address, ctx, server, admin)
    await server.stop(0.2)


@pytest.fixture
async def world(ctx: Context, tmp_path: Path) -> AsyncIterator[World]:
    clock = Clock()
    await put_token(ctx, ADMIN_TOKEN, player_id="admin", role="admin", ttl_s=10**9)
    timed = clock.of(ctx)
    server = ArenaServer(timed)
    address = await server.start(f"unix:{tmp_path}/api.sock")
    async with Arena.connect(address, token=ADMIN_TOKEN) as admin:
        yield World(timed, clock, admin)
    await server.stop(0.2)
