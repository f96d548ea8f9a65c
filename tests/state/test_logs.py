"""Logs: dense, cut at any cursor, honest about what is gone."""

from __future__ import annotations

import itertools
import zlib

import pytest

from services.state import keys
from services.state.errors import CorruptRecord, CursorTooOld, NotFound
from services.state.store import Batch, Store

from .conftest import THING, Things

SIZES = (3, 1, 4, 1, 5, 2)


@pytest.fixture
async def filled(thing: Things) -> Store:
    """A log of batches of various sizes, 16 events in all; their data says which they hold."""
    numbers = itertools.count(1)
    for size in SIZES:
        data = bytes(itertools.islice(numbers, size))
        await thing.store.commit(await thing.take(), b"x", events=Batch(size, data))
    return thing.store


async def test_dense(filled: Store) -> None:
    """I-6."""
    batches = await filled.read_log(THING, "a1", after=0, limit=100)
    assert [batch.last - batch.first + 1 for batch in batches] == list(SIZES)
    assert b"".join(batch.data for batch in batches) == bytes(range(1, 17))


async def test_every_cursor_cuts(filled: Store) -> None:
    for after in range(18):
        batches = await filled.read_log(THING, "a1", after=after, limit=100)
        seen = b"".join(batch.data[max(after - batch.first + 1, 0) :] for batch in batches)
        assert seen == bytes(range(after + 1, 17))


async def test_pages(filled: Store) -> None:
    after, seen = 0, b""
    while batches := await filled.read_log(THING, "a1", after=after, limit=2):
        assert len(batches) <= 2
        seen += b"".join(batch.data for batch in batches)
        after = batches[-1].last
    assert seen == bytes(range(1, 17))


async def test_trimmed(filled: Store) -> None:
    assert await filled.trim_log(THING, "a1", before=9) == 3
    assert (await filled.read_log(THING, "a1", after=8, limit=9))[0].first == 9
    with pytest.raises(CursorTooOld) as refused:
        await filled.read_log(THING, "a1", after=7, limit=9)
    assert refused.value.first == 9


async def test_all_gone(filled: Store) -> None:
    await filled._client.delete(keys.log(THING, "a1"))
    with pytest.raises(CursorTooOld):
        await filled.read_log(THING, "a1", after=3, limit=9)
    assert await filled.read_log(THING, "a1", after=16, limit=9) == []


async def test_nothing_there(store: Store) -> None:
    with pytest.raises(NotFound):
        await store.read_log(THING, "a1", after=0, limit=9)


async def test_a_lost_entry_is_damage(filled: Store) -> None:
    """I-15."""
    await filled._client.xdel(keys.log(THING, "a1"), "8-0")
    with pytest.raises(CorruptRecord):
        await filled.read_log(THING, "a1", after=0, limit=9)


async def test_changed_bytes_are_damage(filled: Store) -> None:
    await filled._client.xadd(keys.log(THING, "a1"), {"n": 1, "b": b"other", "c": 1}, id="17-0")
    with pytest.raises(CorruptRecord):
        await filled.read_log(THING, "a1", after=16, limit=9)


async def test_batches_tell_when_they_happened(store: Store) -> None:
    assert await store.create(THING, "a1", b"new", events=Batch(2, b"ab", 1_000))
    held = await store.acquire(THING, "a1", lease_ms=5_000, wait_s=1)
    await store.commit(held, b"x", events=Batch(1, b"c", 1_700_000_000_123))
    await store.report(
        THING, "a1", "f", b"v", events=Batch(1, b"d", 1_700_000_000_124), message=b"m", look_ms=9
    )
    batches = await store.read_log(THING, "a1", after=0, limit=9)
    assert [(batch.data, batch.at_ms) for batch in batches] == [
        (b"ab", 1_000),
        (b"c", 1_700_000_000_123),
        (b"d", 1_700_000_000_124),
    ]


async def test_a_batch_from_before_times_were_kept_is_read(filled: Store) -> None:
    old = {"n": 1, "b": b"other", "c": zlib.crc32(b"other")}
    await filled._client.xadd(keys.log(THING, "a1"), old, id="17-0")
    [batch] = await filled.read_log(THING, "a1", after=16, limit=9)
    assert (batch.data, batch.at_ms) == (b"other", 0)
