"""Many callers from two processes on few aggregates, cancelled at any moment: nothing breaks."""

from __future__ import annotations

import asyncio
import random

import pytest

from services.state import keys
from services.state.errors import Busy, LeaseLost
from services.state.store import Batch, Store

from .conftest import THING

IDS = ("a1", "b2", "c3")
CALLERS = 240


async def add_one(store: Store, entity: str, done: list[str], *, dice: random.Random) -> None:
    """Count up by one or two commits, as a table's burst does."""
    held = await store.acquire(THING, entity, lease_ms=5_000, wait_s=20)
    lease = held
    try:
        for keep in (True, False) if dice.random() < 0.3 else (False,):
            if dice.random() < 0.1:
                return  # finds nothing to do
            count = int(lease.data) + 1
            kept = await store.commit(
                lease, b"%d" % count, events=Batch(1, b"%d" % count), messages=[b"m"], keep=keep
            )
            done.append(entity)
            if kept is not None:
                lease = kept
    finally:
        await store.release(lease)


async def meddle(tasks: list[asyncio.Task[None]], dice: random.Random) -> None:
    """Cancel callers at random moments until all have ended."""
    while running := [task for task in tasks if not task.done()]:
        if dice.random() < 0.5:
            dice.choice(running).cancel()
        await asyncio.sleep(dice.random() * 0.004)


@pytest.mark.parametrize("seed", range(3))
async def test_counts_are_exact_under_cancellation(store: Store, other: Store, seed: int) -> None:
    dice = random.Random(seed)
    for entity in IDS:
        await store.create(THING, entity, b"0")
    done: list[str] = []
    tasks = [
        asyncio.create_task(add_one(dice.choice((store, other)), dice.choice(IDS), done, dice=dice))
        for _ in range(CALLERS)
    ]
    async with asyncio.timeout(30):
        await meddle(tasks, dice)
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(end) for end in ended} <= {type(None), asyncio.CancelledError}
    cancelled = sum(isinstance(end, asyncio.CancelledError) for end in ended)
    assert 0 < cancelled < CALLERS
    written = 0
    for entity in IDS:
        last = await store.acquire(THING, entity, lease_ms=100, wait_s=0.2)  # nobody holds it
        batches = await store.read_log(THING, entity, after=0, limit=9_999)
        assert last.seq == last.version - 1 == int(last.data) == len(batches)
        assert [int(batch.data) for batch in batches] == list(range(1, last.seq + 1))
        assert done.count(entity) <= last.seq  # a cancelled caller's commit may be in
        written += last.seq
    assert written - len(done) <= cancelled
    depth = [await store.outbox_depth(shard) for shard in {keys.shard_of(e) for e in IDS}]
    assert sum(depth) == written


async def test_leases_that_run_out_let_others_in_and_lose_nothing(
    store: Store, other: Store
) -> None:
    dice = random.Random(7)
    await store.create(THING, "a1", b"0")
    counts = {"done": 0, "lost": 0}

    async def slow(caller: Store) -> None:
        for _ in range(4):
            try:
                held = await caller.acquire(THING, "a1", lease_ms=30, wait_s=20)
            except Busy:
                continue
            await asyncio.sleep(dice.choice((0.0, 0.0, 0.05)))
            count = int(held.data) + 1
            try:
                await caller.commit(held, b"%d" % count, events=Batch(1, b"%d" % count))
                counts["done"] += 1
            except LeaseLost:
                counts["lost"] += 1

    async with asyncio.timeout(30):
        await asyncio.gather(*(slow(caller) for caller in (store, other) for _ in range(8)))
    last = await store.read(THING, "a1")
    assert int(last.data) == last.seq == counts["done"]
    assert counts["lost"] > 0
