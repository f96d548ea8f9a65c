"""Deadlines: claimed once, in order, and again when a claimer died."""

from __future__ import annotations

import asyncio

from services.state import keys
from services.state.store import Store

from .conftest import THING


def ids_of_one_shard(number: int) -> list[str]:
    wanted = keys.shard_of("a1")
    ids = (f"a{n}" for n in range(1, 100_000))
    return [entity for entity in ids if keys.shard_of(entity) == wanted][:number]


async def test_two_claimers_claim_once(store: Store, other: Store) -> None:
    """I-10."""
    ids = ids_of_one_shard(60)
    for due_ms, entity in enumerate(ids):
        await store.create(THING, entity, b"x", deadline_ms=due_ms)
    shard = keys.shard_of("a1")
    claims = await asyncio.gather(
        *(
            claimer.claim_due(shard, now_ms=49, limit=7, hold_ms=1_000)
            for claimer in (store, other) * 5
        )
    )
    claimed = [entity for claim in claims for _, entity in claim]
    assert sorted(claimed) == sorted(ids[:50])
    assert len(set(claimed)) == 50
    assert all(claim == sorted(claim, key=lambda due: ids.index(due[1])) for claim in claims)
    # A claimer that died is made good for after the hold, and not before.
    assert await store.claim_due(shard, now_ms=1_048, limit=99, hold_ms=1) == [
        (THING, entity) for entity in ids[50:]
    ]
    assert len(await store.claim_due(shard, now_ms=1_049, limit=99, hold_ms=1)) == 60


async def test_a_commit_after_the_claim_decides(store: Store) -> None:
    """I-10."""
    await store.create(THING, "a1", b"x", deadline_ms=10)
    shard = keys.shard_of("a1")
    await store.claim_due(shard, now_ms=10, limit=9, hold_ms=5)
    held = await store.acquire(THING, "a1", lease_ms=1000, wait_s=1)
    await store.commit(held, b"y", deadline_ms=500)
    assert await store.claim_due(shard, now_ms=499, limit=9, hold_ms=5) == []


async def test_only_what_is_gone_loses_its_deadline(store: Store) -> None:
    await store.create(THING, "a1", b"x", deadline_ms=10)
    shard = keys.shard_of("a1")
    await store.forget_deadline(THING, "a1")
    assert await store.claim_due(shard, now_ms=10, limit=9, hold_ms=5) == [(THING, "a1")]
    await store._client.delete(keys.record(THING, "a1"))
    await store.forget_deadline(THING, "a1")
    assert await store.claim_due(shard, now_ms=500, limit=9, hold_ms=5) == []


async def test_milliseconds_are_kept_exactly(store: Store) -> None:
    now_ms = 1_796_083_200_123
    await store.create(THING, "a1", b"x", deadline_ms=now_ms)
    shard = keys.shard_of("a1")
    assert await store.claim_due(shard, now_ms=now_ms - 1, limit=9, hold_ms=7) == []
    assert len(await store.claim_due(shard, now_ms=now_ms, limit=9, hold_ms=7)) == 1
    assert await store._client.zscore(keys.deadlines(shard), f"{THING}:a1") == now_ms + 7
