"""The small records beside: indexes for listing, and bearer tokens."""

from __future__ import annotations

import asyncio

import pytest

from services.state.errors import NotFound
from services.state.store import Store
from services.state.tokens import CHANGED


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


async def test_a_players_tokens_are_listed_until_they_end_or_are_dropped(store: Store) -> None:
    names = [f"token{number}" for number in range(12)]  # in several shards
    for number, name in enumerate(names):
        kept = await store.add_token(
            name, name.encode(), player_id="ann", ttl_ms=60_000, expires_ms=1_000 + number
        )
        assert kept == name.encode()
    assert await store.player_tokens("ann", now_ms=1_001) == names[2:]
    assert await store.get_tokens([*names, "other"]) == [*(name.encode() for name in names), None]
    async with store.wakeups.listen(*CHANGED) as bell:
        bell.clear()
        assert await store.drop_tokens("ann", names[:6]) == 6
        assert await bell.wait(2)
    assert await store.drop_tokens("ann", names[:6]) == 0
    assert await store.player_tokens("ann", now_ms=0) == names[6:]
    assert await store.get_tokens(names[5:7]) == [None, names[6].encode()]


async def test_a_token_that_is_there_is_not_written_again(store: Store) -> None:
    for data in (b"first", b"second"):
        kept = await store.add_token(
            "token", data, player_id="ann", ttl_ms=60_000, expires_ms=1_000
        )
        assert kept == b"first"


async def test_a_replaced_token_rings_and_ends_when_it_says(store: Store) -> None:
    await store.add_token("token", b"old", player_id="ann", ttl_ms=60_000, expires_ms=9_000)
    async with store.wakeups.listen(*CHANGED) as bell:
        bell.clear()
        await store.replace_token("token", b"new", player_id="ann", ttl_ms=50, expires_ms=5_000)
        assert await bell.wait(2)
    assert await store.get_token("token") == b"new"
    assert await store.player_tokens("ann", now_ms=5_000) == []
    await asyncio.sleep(0.1)
    assert await store.get_token("token") is None
