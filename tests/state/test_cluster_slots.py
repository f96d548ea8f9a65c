"""Every script on a cluster, which refuses keys of two slots in one call, in a whole tournament."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from redis.crc import key_slot

from services.runtime.wiring import new_id, now_ms
from services.state import keys
from services.state.client import connect
from services.state.context import Context
from services.state.meters import Meters
from services.state.records import Status
from services.state.scripts import NAMES
from services.state.store import Store
from tests.workers.carrying import Clock, drain, final_lines, started, status, sweep

from .conftest import on_every_server
from .servers import SLOTS, three_masters


@pytest.fixture
async def clustered(tmp_path: Path) -> AsyncIterator[Context]:
    """A context on a cluster of three masters."""
    with three_masters(tmp_path) as cluster:
        store = Store(connect(cluster.url), Meters(CollectorRegistry()))
        yield Context(
            store=store,
            meters=store.meters,
            now_ms=now_ms,
            new_id=new_id,
            random_bytes=secrets.token_bytes,
        )
        await store.close()


async def test_a_tournament_on_a_cluster(clustered: Context) -> None:
    """I-13."""
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
    stats = await on_every_server(ctx.store, "INFO", "commandstats")
    calls = [stat["cmdstat_evalsha"]["calls"] for stat in stats]
    assert min(calls) > 0
    assert sum(calls) > len(NAMES)


@pytest.mark.parametrize("entity", ["01jd", "x-r1-t3", "{tag}", "a}b{c", "é"])
def test_the_keys_of_an_aggregate_share_a_slot(entity: str) -> None:
    """I-13."""
    shard = keys.shard_of(entity)
    shared = [
        *(part("table", entity) for part in (keys.record, keys.log, keys.lease, keys.results)),
        *(part("table", entity) for part in (keys.requests, keys.older_requests)),
        keys.parts("table", entity),
        keys.outbox(shard),
        keys.deadlines(shard),
    ]
    assert len({key_slot(key.encode()) for key in shared}) == 1


def test_shards_spread_over_the_slots() -> None:
    slots = [key_slot(keys.outbox(shard).encode()) for shard in range(keys.SHARDS)]
    thirds = [slot * 3 // SLOTS for slot in slots]
    assert len(set(slots)) == keys.SHARDS
    assert set(thirds) == {0, 1, 2}  # three masters all have some
