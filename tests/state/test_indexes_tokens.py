"""The small records beside: indexes for listing, and bearer tokens."""

from __future__ import annotations

import asyncio

import pytest

from services.state.errors import NotFound
from services.state.store import Store


async def test_pages_in_order(store: Store) -> None:
    for score, entity in enumerate("edcba"):
        await store.index_add("things", entity, score)
    await store.index_add("things", "a", 0)  # keeps its place
    assert await store.index_page("things", after="", limit=2) == ["e", "d"]
    assert await store.index_page("things", after="d", limit=2) == ["c", "b"]
    assert await store.index_page("things", after="b", limit=2) == ["a"]
    assert await store.index_page("things", after="a", limit=2) == []
    with pytest.raises(NotFound):
        await store.index_page("things", after="z", limit=2)


async def test_tokens(store: Store) -> None:
    await store.put_token("hash1", b"who", ttl_ms=60)
    await store.put_token("hash2", b"else", ttl_ms=60_000)
    assert await store.get_token("hash1") == b"who"
    await asyncio.sleep(0.1)
    assert await store.get_token("hash1") is None
    assert await store.drop_token("hash2")
    assert not await store.drop_token("hash2")
    assert await store.get_token("hash2") is None
