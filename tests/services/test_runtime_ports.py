"""Ports that are kept for an arena while its API processes come and go."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import grpc
import pytest

from rummy_arena.client import Arena
from services.rpc.server import ArenaServer, PortTaken
from services.runtime.ports import hold, strangers
from services.runtime.probes import port_is_free
from services.state.context import Context


async def test_a_held_port_is_still_there_for_the_server_it_is_held_for(ctx: Context) -> None:
    with hold("127.0.0.1", 0) as held:
        port = held.getsockname()[1]
        for _ in range(3):
            server = ArenaServer(ctx)
            assert await server.start(f"127.0.0.1:{port}") == f"127.0.0.1:{port}"
            await server.stop(0)


async def test_replicas_share_a_held_port_and_a_lone_server_is_told_that_it_is_taken(
    ctx: Context,
) -> None:
    with hold("127.0.0.1", 0) as held:
        address = f"127.0.0.1:{held.getsockname()[1]}"
        first, second = (ArenaServer(ctx, share_port=True) for _ in range(2))
        assert await first.start(address) == await second.start(address) == address
        with pytest.raises(PortTaken):
            await ArenaServer(ctx).start(address)
        await first.stop(0)
        await second.stop(0)


async def test_a_server_does_not_take_the_unix_socket_of_one_that_listens(
    ctx: Context, tmp_path: Path
) -> None:
    address = f"unix:{tmp_path}/api.sock"
    old = ArenaServer(ctx)
    await old.start(address)
    with pytest.raises(PortTaken):
        await ArenaServer(ctx).start(address)
    async with Arena.connect(address) as arena:
        for _ in range(20):  # and a client finds each that comes after the one before has gone
            await arena.rules.list()
            await old.stop(0.1)
            old = ArenaServer(ctx)
            await old.start(address)
        await arena.rules.list()
    await old.stop(0)


def test_a_port_that_somebody_listens_on_cannot_be_held() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert not port_is_free("127.0.0.1", port)
        with pytest.raises(OSError, match="in use"):
            hold("127.0.0.1", port)


async def test_a_stranger_who_joins_a_shared_port_is_seen(ctx: Context) -> None:
    server = ArenaServer(ctx, share_port=True)
    address = await server.start("127.0.0.1:0")
    port = int(address.rpartition(":")[2])
    assert strangers(port, [os.getpid()]) == []
    assert len(strangers(port, [])) >= 1  # as if this process were none of ours
    await server.stop(0)
    assert strangers(port, []) == []


async def test_a_plain_grpc_server_does_not_join_a_port_that_is_not_shared(ctx: Context) -> None:
    server = ArenaServer(ctx)
    address = await server.start("127.0.0.1:0")
    other = grpc.aio.server(options=[("grpc.so_reuseport", 1)])
    with pytest.raises(RuntimeError):
        other.add_insecure_port(address)
    await server.stop(0)
