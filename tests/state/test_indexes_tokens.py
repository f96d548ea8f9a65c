"""The small records beside: indexes for listing, and bearer tokens."""

from __future__ import annotations

import asyncio

from redis.crc import key_slot

from services.state import keys
from services.state.indexes import Place
from services.state.store import Store
from services.state.tokens import CHANGED


async def test_pages_in_order(store: Store) -> None:
    for score, entity in enumerate("edcba"):
        await store.index_add("things", entity, score)
    await store.index_add("things", "a", 0)  # keeps its place
    seen, after = [], None
    while page := await store.index_page("things", after=after, limit=2):
        after = page[-1]
        seen.append("".join(place.entity for place in page))
    assert seen == ["ed", "cb", "a"]


async def test_a_list_goes_on_behind_what_has_left_it(store: Store) -> None:
    for entity in ("a", "b", "é", "z", "z1"):
        await store.index_add("things", entity, 7)  # all at one time
    await store.index_add("things", "later", 8)
    await store.index_drop("things", ["z"], before=8)
    page = await store.index_page("things", after=Place("things", 7, "z"), limit=2)
    assert page == [Place("things", 7, "z1"), Place("things", 7, "é")]
    page = await store.index_page("things", after=page[-1], limit=2)
    assert page == [Place("things", 8, "later")]
    assert await store.index_page("things", after=Place("things", 9, ""), limit=2) == []
    assert len(await store.index_page("things", after=None, limit=9)) == 5
    assert len(await store.index_page("things", after=None, limit=9, until=7)) == 4
    assert await store.index_page("things", after=page[-1], limit=9, until=7) == []


async def test_an_id_moves_once_and_only_from_where_it_is(store: Store) -> None:
    """I-7, I-13. What has a lower score than is kept leaves the index that it moves to."""
    for score, entity in enumerate("abc"):
        await store.index_add("live", entity, score)
    for entity, score in (("a", 50), ("b", 60), ("b", 70), ("nobody", 80)):
        await store.index_move("live", "ended", entity, score, drop_before=50)
    assert await store.index_page("live", after=None, limit=9) == [Place("live", 2, "c")]
    ended = [Place("ended", 50, "a"), Place("ended", 60, "b")]
    assert await store.index_page("ended", after=None, limit=9) == ended
    await store.index_move("live", "ended", "c", 90, drop_before=60)
    ended = [Place("ended", 60, "b"), Place("ended", 90, "c")]
    assert await store.index_page("ended", after=None, limit=9) == ended
    assert len({key_slot(keys.index(name).encode()) for name in ("live", "ended")}) == 1


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
