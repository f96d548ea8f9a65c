"""Results: counted once, and one message when the last is in."""

from __future__ import annotations

import asyncio
import random

import pytest

from services.state import keys
from services.state.errors import NotFound
from services.state.store import Batch, Store

from .conftest import THING, Things, keys_like

LOOK_MS = 5_000


async def awaiting(thing: Things, number: int) -> Store:
    await thing.store.commit(await thing.take(), b"round", expected_results=number)
    return thing.store


async def report(store: Store, field: str) -> bool:
    return await store.report(
        THING,
        "a1",
        field,
        field.encode(),
        events=Batch(1, b"e"),
        message=b"complete",
        look_ms=LOOK_MS,
    )


async def messages(store: Store) -> list[bytes]:
    entries = await store.outbox_read(keys.shard_of("a1"), "reader", count=99, block_ms=0)
    return [entry.data for entry in entries]


async def test_two_callers_at_once_count_once(thing: Things, other: Store) -> None:
    """I-11."""
    store = await awaiting(thing, 20)
    calls = [report(caller, f"t{field}") for field in range(20) for caller in (store, other)]
    random.Random(1).shuffle(calls)
    counted = await asyncio.gather(*calls)
    assert sum(counted) == 20
    fields = [f"t{field}" for field in range(21)]
    found = await store.results(THING, "a1", fields)
    assert found == [*(field.encode() for field in fields[:20]), None]
    assert (await store.read(THING, "a1")).seq == 20
    assert await messages(store) == [b"complete"]


async def test_no_message_before_the_last(thing: Things) -> None:
    """I-11."""
    store = await awaiting(thing, 3)
    for field in ("t1", "t2", "t2", "t1"):
        await report(store, field)
    assert await messages(store) == []
    assert await report(store, "t3")
    assert await messages(store) == [b"complete"]
    assert not await report(store, "t3")
    assert await messages(store) == []


async def test_rounds_add_up(thing: Things) -> None:
    store = await awaiting(thing, 1)
    await report(store, "r1t1")
    await awaiting(thing, 3)
    await report(store, "r2t1")
    await report(store, "r1t1")  # a repeat of an earlier round
    assert await messages(store) == [b"complete"]
    await report(store, "r2t2")
    assert await messages(store) == [b"complete"]
    found = await store.results(THING, "a1", ["r1t1", "r1t2", "r2t1", "r2t2"])
    assert [value is not None for value in found] == [True, False, True, True]


async def test_a_holder_commits_over_reports(thing: Things) -> None:
    """Reports take no lease; the log stays dense and nobody is refused."""
    store = await awaiting(thing, 9)
    held = await thing.take()
    await report(store, "t1")
    held2 = await store.commit(held, b"x", events=Batch(2, b"ee"), keep=True)
    assert held2 is not None
    assert held2.seq == 3
    await report(store, "t2")
    await store.commit(held2, b"y", events=Batch(1, b"e"))
    batches = await store.read_log(THING, "a1", after=0, limit=9)
    assert [(batch.first, batch.last) for batch in batches] == [(1, 1), (2, 3), (4, 4), (5, 5)]


async def test_nobody_to_report_to(store: Store) -> None:
    with pytest.raises(NotFound):
        await report(store, "t1")
    assert await keys_like(store) == []


async def test_the_result_that_completes_brings_the_deadline_forward(thing: Things) -> None:
    held = await thing.take()
    await thing.store.commit(held, b"round", expected_results=2, deadline_ms=90_000)
    shard = keys.shard_of("a1")
    await report(thing.store, "t1")
    assert await thing.store.claim_due(shard, now_ms=LOOK_MS, limit=9, hold_ms=1) == []
    await report(thing.store, "t2")
    assert await thing.store.claim_due(shard, now_ms=LOOK_MS, limit=9, hold_ms=1) == [(THING, "a1")]


async def test_a_completing_result_makes_no_deadline_where_there_is_none(thing: Things) -> None:
    store = await awaiting(thing, 1)
    await report(store, "t1")
    shard = keys.shard_of("a1")
    assert await store.claim_due(shard, now_ms=10**15, limit=9, hold_ms=1) == []
