"""Parts of an aggregate: written with its commit or not at all, read one by one."""

from __future__ import annotations

import asyncio

import pytest

from services.state import keys, parts
from services.state.errors import Conflict, CorruptRecord, LeaseLost
from services.state.parts import MOST_WRITTEN
from services.state.store import Answer, Batch, Held, Store

from .conftest import THING, Things, keys_like


async def value(store: Store, field: str) -> bytes | None:
    """Return one part."""
    (found,) = await store.parts(THING, "a1", [field])
    return found


async def test_parts_are_read_in_the_order_asked_for(
    store: Store, thing: Things, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I-16. Also when they are asked for in several goes."""
    assert await store.parts(THING, "a1", ["x"]) == [None]
    await store.commit(await thing.take(), b"one", parts={"x": b"1", "y": b"", "z": b"\0\xff"})
    await store.commit(await thing.take(), b"two", parts={"x": b"2"})
    await store.commit(await thing.take(), b"three")
    monkeypatch.setattr(parts, "READ_AT_ONCE", 2)
    wanted = ["z", "none", "y", "x", "z"]
    assert await store.parts(THING, "a1", wanted) == [b"\0\xff", None, b"", b"2", b"\0\xff"]
    assert await store.parts(THING, "a1", []) == []
    assert await store.parts(THING, "nobody", ["x"]) == [None]


async def test_parts_do_not_pass_for_messages(store: Store) -> None:
    """I-9. Both are of any number, one behind the other."""
    messages = [b"m1", b"m2"]
    assert await store.create(THING, "a1", b"new", parts={"x": b"1"}, messages=messages)
    assert not await store.create(THING, "a1", b"other", parts={"x": b"2", "y": b"2"})
    held = await store.acquire(THING, "a1", lease_ms=5_000, wait_s=0)
    await store.commit(held, b"next", parts={"y": b"3", "z": b"4"}, messages=[b"m3"])
    assert await store.parts(THING, "a1", ["x", "y", "z"]) == [b"1", b"3", b"4"]
    entries = await store.outbox_read(keys.shard_of("a1"), "reader", count=9, block_ms=0)
    assert [entry.data for entry in entries] == [b"m1", b"m2", b"m3"]


async def test_a_late_holder_writes_no_part(thing: Things, other: Store) -> None:
    """I-3, I-4, I-16."""
    late = await thing.take(lease_ms=30)
    second = await other.acquire(THING, "a1", lease_ms=5_000, wait_s=2)
    with pytest.raises(LeaseLost):
        await thing.store.commit(late, b"stale", parts={"x": b"stale"})
    await other.commit(second, b"good", parts={"x": b"good"})
    with pytest.raises(LeaseLost):
        await thing.store.commit(late, b"stale", parts={"x": b"stale", "y": b"stale"})
    assert await other.parts(THING, "a1", ["x", "y"]) == [b"good", None]


async def test_no_part_of_another_version_or_of_an_answered_request(
    store: Store, thing: Things
) -> None:
    """I-4, I-8, I-16."""
    held = await thing.take()
    kept = await store.commit(held, b"two", keep=True, answer=Answer("r1", b"f", b"reply"))
    with pytest.raises(Conflict):
        await store.commit(held, b"other than two", parts={"x": b"stale"})
    assert kept is not None
    with pytest.raises(Conflict, match="answered"):
        await store.commit(kept, b"three", parts={"x": b"stale"}, answer=Answer("r1", b"f", b"no"))
    assert await value(store, "x") is None


async def test_a_repeated_commit_does_not_undo_what_others_wrote_since(
    thing: Things, other: Store
) -> None:
    """I-7, I-16. The reply never came, and somebody else was faster than the repeat."""
    held = await thing.take()
    await thing.store.commit(held, b"mine", parts={"x": b"mine"})
    theirs = await other.acquire(THING, "a1", lease_ms=5_000, wait_s=1)
    await other.commit(theirs, b"theirs", parts={"x": b"theirs"})
    await thing.store.commit(held, b"mine", parts={"x": b"mine"})
    assert await value(other, "x") == b"theirs"


async def test_whoever_read_the_record_finds_its_parts(thing: Things, other: Store) -> None:
    """I-16. A reader without a lease beside a writer of many commits."""
    done = False

    async def write() -> None:
        nonlocal done
        held: Held | None = await thing.take()
        for number in range(1, 101):
            assert held is not None
            fields = {f"n{number}": b"%d" % number, "last": b"%d" % number}
            held = await thing.store.commit(held, b"%d" % number, parts=fields, keep=True)
        done = True

    async def look() -> int:
        looks = 0
        while not done:
            data = (await other.read(THING, "a1")).data
            if data == b"new":
                continue
            own, last = await other.parts(THING, "a1", [f"n{int(data)}", "last"])
            assert own == data
            assert last is not None
            assert int(last) >= int(data)
            looks += 1
        return looks

    _, looks = await asyncio.gather(write(), look())
    assert looks > 0


async def test_parts_expire_with_the_aggregate(store: Store, thing: Things) -> None:
    """I-12. Those that were there before, and those that are written when it has ended."""
    await store.commit(await thing.take(), b"one", parts={"x": b"1"})
    await store.commit(await thing.take(), b"over", ttl_ms=100)
    await store.commit(await thing.take(), b"later", parts={"y": b"1"})
    await asyncio.sleep(0.15)
    assert await keys_like(store, f"*{THING}*") == []


async def test_parts_first_written_when_it_has_ended_expire(store: Store, thing: Things) -> None:
    """I-12."""
    await store.commit(await thing.take(), b"over", ttl_ms=100)
    await store.commit(await thing.take(), b"later", parts={"y": b"1"})
    await asyncio.sleep(0.15)
    assert await keys_like(store, f"*{THING}*") == []


async def test_damage_of_a_part_is_told(store: Store, thing: Things) -> None:
    """I-15. Its bytes, the value of another field, that of another aggregate, and a torn one."""
    assert await store.create(THING, "a2", b"new", parts={"x": b"1"})
    await store.commit(await thing.take(), b"one", parts={"x": b"1", "y": b"1"})
    key = keys.parts(THING, "a1")
    x, y = await store._client.hmget(key, "x", "y")
    elsewhere = await store._client.hget(keys.parts(THING, "a2"), "x")
    assert len({x, y, elsewhere}) == 3
    for damaged in (x[:-1] + b"2", y, elsewhere, x[:-1], x[:2], b""):
        await store._client.hset(key, "x", damaged)
        with pytest.raises(CorruptRecord, match=f"part x of {THING} a1"):
            await store.parts(THING, "a1", ["y", "x"])
        assert await value(store, "y") == b"1"
    await store._client.hset(key, "x", x)
    assert await value(store, "x") == b"1"


async def test_a_commit_that_fails_midway_has_written_no_part(store: Store, thing: Things) -> None:
    """I-3. The log has an entry that it should not have, so the server refuses to append."""
    await store._client.xadd(keys.log(THING, "a1"), {"n": 1, "b": b"", "c": 0}, id="99-0")
    with pytest.raises(Exception, match="refused"):
        await store.commit(await thing.take(), b"two", events=Batch(1, b"e"), parts={"x": b"1"})
    assert await value(store, "x") is None


async def test_one_commit_writes_many_parts_but_not_any_number(store: Store, thing: Things) -> None:
    many = {f"n{number}": b"%d" % number for number in range(MOST_WRITTEN)}
    held = await thing.take()
    with pytest.raises(ValueError, match="at most"):
        await store.commit(held, b"one", parts={**many, "one more": b""})
    await store.commit(held, b"one", parts=many)
    assert await store.parts(THING, "a1", list(many)) == list(many.values())
