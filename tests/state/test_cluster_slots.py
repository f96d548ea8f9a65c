"""Every script on a server in cluster mode, which refuses keys of two slots in one call.

One node that owns all slots is enough for that: it checks the slots all the same.
"""

from __future__ import annotations

import asyncio
import dataclasses
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from redis.crc import key_slot
from redis.exceptions import RedisError

from services.runtime.children import spawn, stop
from services.runtime.valkey import _binary
from services.state import keys
from services.state.client import connect
from services.state.context import Context
from services.state.meters import Meters
from services.state.records import Status
from services.state.scripts import NAMES
from services.state.store import Store
from tests.workers.carrying import Clock, drain, final_lines, started, status, sweep

SLOTS = 16_384


def free_port() -> int:
    """Return a port that nobody uses and whose cluster bus port (10,000 higher) exists."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if port < 55_000:
            return port


@pytest.fixture
async def clustered(ctx: Context, tmp_path: Path) -> AsyncIterator[Context]:
    """A context on a server in cluster mode."""
    port = free_port()
    options = {
        "port": port,
        "bind": "127.0.0.1",
        "dir": tmp_path,
        "save": "",
        "cluster-enabled": "yes",
    }
    command = [
        _binary(),
        *(str(x) for name, value in options.items() for x in (f"--{name}", value)),
    ]
    node = spawn("node", command, log=tmp_path / "log")
    client: Any = connect(f"redis://127.0.0.1:{port}")
    try:
        async with asyncio.timeout(20):
            await _until_answers(client)
            await client.execute_command("CLUSTER ADDSLOTSRANGE", 0, SLOTS - 1)
            while (await client.execute_command("CLUSTER INFO"))["cluster_state"] != "ok":  # noqa: ASYNC110  it has no event
                await asyncio.sleep(0.05)
        store = Store(client, Meters(CollectorRegistry()))
        yield dataclasses.replace(ctx, store=store, meters=store.meters)
        await store.close()
    finally:
        stop(node, grace_s=2.0)


async def _until_answers(client: Any) -> None:
    while True:
        try:
            await client.ping()
        except (RedisError, OSError):
            await asyncio.sleep(0.05)
        else:
            return


async def test_a_tournament_in_cluster_mode(clustered: Context) -> None:
    clock = Clock()
    ctx = clock.of(clustered)
    tournament_id = await started(ctx, 8, seed=b"cluster")
    for _ in range(20):
        await drain(ctx)
        if await status(ctx, tournament_id) is Status.FINISHED:
            break
        clock.now_ms += 20_000
        await sweep(ctx)
    assert len(await final_lines(ctx, tournament_id)) == 8
    await ctx.store.forget_deadline("thing", "nobody")
    stats = await ctx.store._client.info("commandstats")
    assert stats["cmdstat_evalsha"]["calls"] > len(NAMES)


@pytest.mark.parametrize("entity", ["01jd", "x-r1-t3", "{tag}", "a}b{c", "é"])
def test_the_keys_of_an_aggregate_share_a_slot(entity: str) -> None:
    shard = keys.shard_of(entity)
    shared = [
        *(part("table", entity) for part in (keys.record, keys.log, keys.lease, keys.results)),
        *(part("table", entity) for part in (keys.requests, keys.older_requests)),
        keys.outbox(shard),
        keys.deadlines(shard),
    ]
    assert len({key_slot(key.encode()) for key in shared}) == 1


def test_shards_spread_over_the_slots() -> None:
    slots = [key_slot(keys.outbox(shard).encode()) for shard in range(keys.SHARDS)]
    thirds = [slot * 3 // SLOTS for slot in slots]
    assert len(set(slots)) == keys.SHARDS
    assert set(thirds) == {0, 1, 2}  # three masters all have some
