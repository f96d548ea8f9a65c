"""The outbox: at least once, whoever dies."""

from __future__ import annotations

import asyncio

import pytest

from services.state import keys
from services.state.client import LONGEST_BLOCK_MS
from services.state.outbox import OutboxEntry
from services.state.store import Store

from .conftest import THING

SHARD = keys.shard_of("a1")


async def fill(store: Store, number: int) -> None:
    assert await store.create(THING, "a1", b"x", messages=[b"%d" % n for n in range(number)])


async def test_read_and_acknowledge(store: Store) -> None:
    await fill(store, 5)
    first = await store.outbox_read(SHARD, "one", count=3, block_ms=0)
    second = await store.outbox_read(SHARD, "two", count=3, block_ms=0)
    assert [entry.data for entry in first + second] == [b"0", b"1", b"2", b"3", b"4"]
    assert await store.outbox_depth(SHARD) == 5
    await store.outbox_ack(SHARD, [entry.id for entry in first + second])
    await store.outbox_ack(SHARD, [entry.id for entry in first])  # for want of a reply
    await store.outbox_ack(SHARD, [])
    assert await store.outbox_depth(SHARD) == 0


async def test_what_a_dead_reader_held_is_taken_over(store: Store, other: Store) -> None:
    """I-9."""
    await fill(store, 4)
    held = await other.outbox_read(SHARD, "dead", count=2, block_ms=0)
    assert len(held) == 2
    rest = await store.outbox_read(SHARD, "alive", count=9, block_ms=0)
    await store.outbox_ack(SHARD, [entry.id for entry in rest])
    assert await store.outbox_reclaim(SHARD, "alive", idle_ms=60_000, count=9) == []
    await asyncio.sleep(0.03)
    taken = await store.outbox_reclaim(SHARD, "alive", idle_ms=20, count=9)
    assert [entry.data for entry in taken] == [b"0", b"1"]
    await store.outbox_ack(SHARD, [entry.id for entry in taken])
    assert await store.outbox_depth(SHARD) == 0


async def test_a_blocked_reader_is_woken(store: Store, other: Store) -> None:
    reading = asyncio.create_task(store.outbox_read(SHARD, "one", count=9, block_ms=2_000))
    await asyncio.sleep(0.05)
    await fill(other, 1)
    assert [entry.data for entry in await asyncio.wait_for(reading, 1)] == [b"0"]


async def test_nothing_to_read(store: Store) -> None:
    assert await store.outbox_read(SHARD, "one", count=9, block_ms=10) == []
    assert await store.outbox_read(SHARD, "one", count=9, block_ms=0) == []
    with pytest.raises(ValueError, match="block_ms"):
        await store.outbox_read(SHARD, "one", count=9, block_ms=LONGEST_BLOCK_MS + 1)


async def test_a_server_that_lost_everything(store: Store) -> None:
    await store.outbox_read(SHARD, "one", count=9, block_ms=0)
    await store._client.flushdb()
    await fill(store, 1)
    assert len(await store.outbox_read(SHARD, "one", count=9, block_ms=0)) == 1
    await store._client.flushdb()
    assert await store.outbox_reclaim(SHARD, "one", idle_ms=0, count=9) == []


def test_age() -> None:
    entry = OutboxEntry(b"1000-3", b"")
    assert (entry.age_ms(1500), entry.age_ms(900)) == (500, 0)
