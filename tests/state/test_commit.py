"""Create, acquire, commit, release on a real server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from services.state import keys
from services.state.commits import commit_keys
from services.state.errors import Busy, Conflict, CorruptRecord, LeaseLost, NotFound, RequestReused
from services.state.store import Answer, Batch, Held, Store

from .conftest import THING, Things, keys_like


async def lease_of(store: Store, entity: str = "a1") -> bytes | None:
    lease: bytes | None = await store._client.get(keys.lease(THING, entity))
    return lease


def twice(store: Store, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Run one script twice each time, as when the first reply was lost and the client retried."""
    run = store._scripts.run

    async def run_twice(name: str, *arguments: Any) -> Any:
        if name == script:
            await run(name, *arguments)
        return await run(name, *arguments)

    monkeypatch.setattr(store._scripts, "run", run_twice)


async def test_create_once(store: Store) -> None:
    first = await store.create(
        THING, "a1", b"one", events=Batch(2, b"ev"), messages=[b"m"], deadline_ms=5
    )
    second = await store.create(
        THING, "a1", b"two", events=Batch(1, b"no"), messages=[b"n"], deadline_ms=6
    )
    assert (first, second) == (True, False)
    snapshot = await store.read(THING, "a1")
    assert (snapshot.data, snapshot.version, snapshot.seq) == (b"one", 1, 2)
    shard = keys.shard_of("a1")
    assert [entry.data for entry in await outbox(store, shard)] == [b"m"]
    assert await store.claim_due(shard, now_ms=5, limit=9, hold_ms=1) == [(THING, "a1")]


async def outbox(store: Store, shard: int) -> list[Any]:
    return await store.outbox_read(shard, "reader", count=100, block_ms=0)


async def test_create_repeated_for_want_of_a_reply_is_still_made(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I-7."""
    twice(store, monkeypatch, "create")
    assert await store.create(THING, "a1", b"one", events=Batch(2, b"ev"), messages=[b"m"])
    assert (await store.read(THING, "a1")).seq == 2
    assert len(await outbox(store, keys.shard_of("a1"))) == 1


async def test_what_is_not_there(store: Store) -> None:
    with pytest.raises(NotFound):
        await store.read(THING, "a1")
    with pytest.raises(NotFound):
        await Things(store).take()
    assert await keys_like(store) == []


async def test_commit_writes_everything_at_once(store: Store, thing: Things) -> None:
    """I-3, I-9."""
    held = await thing.take()
    assert (held.data, held.version, held.seq) == (b"new", 1, 0)
    done = await store.commit(
        held,
        b"next",
        events=Batch(3, b"events"),
        messages=[b"m1", b"m2"],
        deadline_ms=777,
        answer=Answer("r1", b"f" * 16, b"reply"),
    )
    assert done is None
    snapshot = await store.read(THING, "a1")
    assert (snapshot.data, snapshot.version, snapshot.seq) == (b"next", 2, 3)
    (batch,) = await store.read_log(THING, "a1", after=0, limit=10)
    assert (batch.first, batch.last, batch.data) == (1, 3, b"events")
    shard = keys.shard_of("a1")
    assert [entry.data for entry in await outbox(store, shard)] == [b"m1", b"m2"]
    assert await store._client.zscore(keys.deadlines(shard), f"{THING}:a1") == 777
    assert await store.answer(THING, "a1", "r1", b"f" * 16) == b"reply"
    assert await lease_of(store) is None


async def test_no_deadline_removes_it(store: Store, thing: Things) -> None:
    held = await store.commit(await thing.take(), b"x", deadline_ms=1, keep=True)
    assert held is not None
    await store.commit(held, b"y")
    assert await store.claim_due(keys.shard_of("a1"), now_ms=10, limit=9, hold_ms=1) == []


async def test_a_lease_is_exclusive(thing: Things, other: Store) -> None:
    """I-1."""
    held = await thing.take()
    with pytest.raises(Busy):
        await other.acquire(THING, "a1", lease_ms=1000, wait_s=0.05)
    with pytest.raises(Busy):
        await thing.take(wait_s=0.05)
    await thing.store.release(held)
    await other.release(await other.acquire(THING, "a1", lease_ms=1000, wait_s=0))


async def test_no_wait_still_takes_what_is_free(thing: Things) -> None:
    for _ in range(3):
        await thing.store.release(await thing.take(wait_s=0))


async def test_a_late_holder_is_refused_and_frees_nothing(thing: Things, other: Store) -> None:
    """I-4, I-5."""
    late = await thing.take(lease_ms=30)
    second = await other.acquire(THING, "a1", lease_ms=5000, wait_s=2)
    with pytest.raises(LeaseLost):
        await thing.store.commit(late, b"stale", events=Batch(1, b"stale"), messages=[b"stale"])
    await thing.store.release(late)
    assert await lease_of(other) == second.token.encode()
    await other.commit(second, b"good")
    assert (await other.read(THING, "a1")).data == b"good"
    assert await other.read_log(THING, "a1", after=0, limit=9) == []


async def test_a_late_holder_is_refused_even_if_nobody_came(thing: Things) -> None:
    """I-4."""
    late = await thing.take(lease_ms=20)
    await asyncio.sleep(0.05)
    with pytest.raises(LeaseLost):
        await thing.store.commit(late, b"stale")
    assert (await thing.store.read(THING, "a1")).data == b"new"


async def test_late_holders_do_not_end_the_turns_of_others(thing: Things) -> None:
    late = await thing.take(lease_ms=30)
    second = await thing.take()  # of the same process: the line went on with the lease's end
    with pytest.raises(LeaseLost):
        await thing.store.commit(late, b"stale")
    await thing.store.release(late)
    with pytest.raises(Busy):
        await thing.take(wait_s=0.05)
    await thing.store.commit(second, b"good")
    await thing.store.release(await thing.take(wait_s=0))


async def test_another_version_is_a_conflict(store: Store, thing: Things) -> None:
    """I-4."""
    held = await thing.take()
    kept = await store.commit(held, b"two", keep=True)
    with pytest.raises(Conflict):
        await store.commit(held, b"other than two")
    assert kept is not None
    assert (await store.read(THING, "a1")).data == b"two"


async def test_a_commit_repeated_for_want_of_a_reply_applies_once(
    store: Store, thing: Things, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I-7."""
    twice(store, monkeypatch, "commit")
    held: Held | None = await thing.take()
    for number in range(3):
        assert held is not None
        held = await store.commit(
            held,
            b"%d" % number,
            events=Batch(2, b"e"),
            messages=[b"m"],
            answer=Answer(f"r{number}", b"", b"reply"),
            keep=number < 2,
        )
    snapshot = await store.read(THING, "a1")
    assert (snapshot.version, snapshot.seq) == (4, 6)
    assert len(await outbox(store, keys.shard_of("a1"))) == 3


async def test_a_commit_is_known_after_others_have_written(thing: Things, other: Store) -> None:
    """I-7."""
    held = await thing.take()
    await thing.store.commit(held, b"mine", events=Batch(1, b"e"))
    for number in range(5):
        theirs = await other.acquire(THING, "a1", lease_ms=1000, wait_s=1)
        await other.commit(theirs, b"theirs %d" % number)
    await thing.store.commit(held, b"mine", events=Batch(1, b"e"))  # the reply came never
    snapshot = await other.read(THING, "a1")
    assert (snapshot.data, snapshot.version, snapshot.seq) == (b"theirs 4", 7, 1)


async def test_an_acquire_repeated_for_want_of_a_reply_gets_its_lease(
    store: Store, thing: Things, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I-7."""
    twice(store, monkeypatch, "acquire")
    held = await thing.take(wait_s=0)
    assert held.fence == 1
    await store.commit(held, b"done")


async def test_keep_chains(store: Store, thing: Things, other: Store) -> None:
    held: Held | None = await thing.take(lease_ms=300)
    for number in range(4):
        await asyncio.sleep(0.1)  # together longer than one lease
        assert held is not None
        held = await store.commit(held, b"%d" % number, events=Batch(1, b"e"), keep=True)
    assert held is not None
    assert (held.version, held.seq, held.data) == (5, 4, b"3")
    with pytest.raises(Busy):
        await other.acquire(THING, "a1", lease_ms=1000, wait_s=0)
    await store.release(held)
    assert await lease_of(store) is None


async def test_answers(store: Store, thing: Things) -> None:
    """I-8."""
    held = await thing.take()
    await store.commit(held, b"x", answer=Answer("r1", b"content", b"first"))
    again = await store.acquire(
        THING, "a1", lease_ms=1000, wait_s=0, request_id="r1", fingerprint=b"content"
    )
    assert again.reply == b"first"
    await store.release(again)
    with pytest.raises(RequestReused):
        await store.answer(THING, "a1", "r1", b"changed")
    with pytest.raises(RequestReused):
        await store.acquire(
            THING, "a1", lease_ms=1000, wait_s=0, request_id="r1", fingerprint=b"changed"
        )
    assert await lease_of(store) is None
    fresh = await store.acquire(
        THING, "a1", lease_ms=1000, wait_s=0, request_id="r2", fingerprint=b"content"
    )
    assert (fresh.reply, fresh.data) == (None, b"x")
    with pytest.raises(Conflict):  # whoever did not ask first is not let write a second time
        await store.commit(fresh, b"y", answer=Answer("r1", b"content", b"second"))
    assert (await store.read(THING, "a1")).data == b"x"
    assert await store.answer(THING, "a1", "r1", b"content") == b"first"
    await store.release(await thing.take(wait_s=0))


async def test_answers_are_bounded(
    store: Store, thing: Things, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I-8."""
    monkeypatch.setattr("services.state.commits.ANSWERS_KEPT", 10)
    for number in range(35):
        await store.commit(await thing.take(), b"x", answer=Answer(f"r{number}", b"", b"reply"))
    kept = [bool(await store.answer(THING, "a1", f"r{number}", b"")) for number in range(35)]
    assert all(kept[25:])
    assert sum(kept) <= 20


async def test_everything_of_what_ended_expires(store: Store, thing: Things) -> None:
    """I-12."""
    answer = Answer("r", b"", b"reply")
    held = await thing.take()
    await store.commit(held, b"over", events=Batch(1, b"e"), answer=answer, ttl_ms=100)
    await store.commit(await thing.take(), b"later", events=Batch(1, b"e"))  # keeps the time
    assert await store.report(
        THING, "a1", "t1", b"r", events=Batch(1, b"e"), message=b"m", look_ms=9
    )
    await asyncio.sleep(0.15)
    assert await keys_like(store, f"*{THING}*") == []
    with pytest.raises(NotFound):
        await store.read(THING, "a1")


async def test_damage_is_reported(store: Store, thing: Things) -> None:
    """I-15."""
    await store._client.hset(keys.record(THING, "a1"), "data", b"nem")
    with pytest.raises(CorruptRecord):
        await store.read(THING, "a1")
    with pytest.raises(CorruptRecord):
        await thing.take()
    await store.close()  # the lease that came with the damage is given back
    assert await lease_of(store) is None


async def test_fields_of_two_commits_are_damage(store: Store, thing: Things) -> None:
    """I-15."""
    await store.commit(await thing.take(), b"next")
    await store._client.hset(keys.record(THING, "a1"), "version", 1)
    with pytest.raises(CorruptRecord):
        await store.read(THING, "a1")


async def test_fifty_callers_in_order(thing: Things) -> None:
    """I-6."""
    order: list[int] = []

    async def append(number: int) -> None:
        held = await thing.take(wait_s=10)
        order.append(number)
        await thing.store.commit(held, held.data + b".", events=Batch(1, b"%d" % number))

    await asyncio.gather(*(append(number) for number in range(50)))
    assert order == list(range(50))
    snapshot = await thing.store.read(THING, "a1")
    assert (snapshot.data, snapshot.version, snapshot.seq) == (b"new" + b"." * 50, 51, 50)
    batches = await thing.store.read_log(THING, "a1", after=0, limit=100)
    assert [batch.data for batch in batches] == [b"%d" % number for number in range(50)]
    assert not thing.store._turns._locks


async def test_two_processes_share(thing: Things, other: Store) -> None:
    async def append(store: Store) -> None:
        held = await store.acquire(THING, "a1", lease_ms=5000, wait_s=10)
        await store.commit(held, held.data + b".", events=Batch(1, b"e"))

    await asyncio.gather(*(append(store) for store in (thing.store, other) * 25))
    assert (await other.read(THING, "a1")).data == b"new" + b"." * 50


async def test_cancelled_while_it_waits(thing: Things) -> None:
    held = await thing.take()
    waiting = asyncio.create_task(thing.take())
    await asyncio.sleep(0.02)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await thing.store.release(held)
    await thing.store.release(await thing.take(wait_s=0))


async def test_cancelled_while_the_lease_is_on_its_way(thing: Things) -> None:
    for delay in range(20):
        taking = asyncio.create_task(thing.take())
        for _ in range(delay):
            await asyncio.sleep(0)
        taking.cancel()
        (outcome,) = await asyncio.gather(taking, return_exceptions=True)
        if isinstance(outcome, Held):
            await thing.store.release(outcome)
        # Whatever the server had done by then, the next caller is not held up by a lease of 5 s.
        await thing.store.release(await thing.take(wait_s=1))


async def test_cancelled_while_the_commit_is_on_its_way(thing: Things) -> None:
    held = await thing.take()
    committing = asyncio.create_task(thing.store.commit(held, b"sent"))
    await asyncio.sleep(0)
    committing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await committing
    assert (await thing.store.read(THING, "a1")).data in (b"sent", b"new")
    await thing.store.release(await thing.take(wait_s=1))


async def test_scripts_survive_a_flush(store: Store, thing: Things) -> None:
    await store._client.script_flush()
    await store.commit(await thing.take(), b"x")
    assert (await store.read(THING, "a1")).data == b"x"


async def test_every_key_of_a_commit_is_in_one_slot(thing: Things) -> None:
    held = await thing.take()
    tags = {key[key.index("{") : key.index("}")] for key in commit_keys(held)}
    assert len(tags) == 1
    await thing.store.release(held)
