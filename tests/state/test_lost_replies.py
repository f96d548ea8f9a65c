"""Every script when its reply is lost on a real wire: the client asks again, the effect is one."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from services.state import keys
from services.state.client import RETRIES, Client, connect
from services.state.cluster import Cluster
from services.state.errors import StoreUnavailable
from services.state.meters import Meters
from services.state.store import Answer, Batch, Store

from .conftest import THING
from .lossy import LossyWire, lossy_wire, lossy_wires

EVENTS = Batch(2, b"two")
SHARD = keys.shard_of("a1")
LOSSES = pytest.mark.parametrize("losses", [1, RETRIES])


class Lossy:
    """A store behind a lossy wire, and one with a sound wire beside it."""

    def __init__(self, store: Store, sound: Store, wire: LossyWire) -> None:
        self.store = store
        self.sound = sound
        self.wire = wire

    async def sent(self) -> int:
        """Return how many messages wait in the outbox."""
        return await self.sound.outbox_depth(SHARD)

    async def field(self, name: str) -> bytes:
        """Return a field of the record."""
        value = await self.sound._client.hget(keys.record(THING, "a1"), name)
        assert isinstance(value, bytes)
        return value

    async def logged(self) -> list[tuple[int, int]]:
        """Return first and last of each batch of the log."""
        batches = await self.sound.read_log(THING, "a1", after=0, limit=99)
        return [(batch.first, batch.last) for batch in batches]


@pytest.fixture
async def lossy(store: Store, valkey_url: str) -> AsyncIterator[Lossy]:
    async with _wire(store, valkey_url) as (wire, client):
        behind = Store(client, Meters(CollectorRegistry()))
        for text in behind._scripts.texts.values():  # so that none is loaded on the way
            await store._client.script_load(text)
        try:
            yield Lossy(behind, store, wire)
        finally:
            await behind.close()


@contextlib.asynccontextmanager
async def _wire(store: Store, url: str) -> AsyncIterator[tuple[LossyWire, Client]]:
    """Give a lossy wire to the server, or to every node of the cluster, and a client behind it."""
    if isinstance(store._client, Cluster):
        await store._client.initialize()
        ports = [int(node.port) for node in store._client.get_primaries()]
        async with lossy_wires(ports) as (wire, at):
            client = connect(f"redis-cluster://127.0.0.1:{at[ports[0]]}")
            assert isinstance(client, Cluster)
            client.nodes_manager.address_remap = lambda node: (node[0], at[node[1]])
            yield wire, client
    elif url.startswith("unix://"):
        server, _, query = url.removeprefix("unix://").partition("?")
        with tempfile.TemporaryDirectory(prefix="wire-") as folder:
            path = Path(folder) / "s"
            async with lossy_wire(Path(server), path) as wire:
                yield wire, connect(f"unix://{path}?{query}" if query else f"unix://{path}")
    else:
        pytest.skip("the lossy wire leads to a unix socket or a cluster")


@LOSSES
async def test_create(lossy: Lossy, losses: int) -> None:
    lossy.wire.lose_next(losses)
    assert await lossy.store.create(
        THING, "a1", b"x", events=EVENTS, messages=[b"m"], deadline_ms=1, parts={"p": b"1"}
    )
    assert lossy.wire.lost == losses
    assert await lossy.store.parts(THING, "a1", ["p"]) == [b"1"]
    assert await lossy.logged() == [(1, 2)]
    assert await lossy.sent() == 1
    assert not await lossy.store.create(THING, "a1", b"other")


@LOSSES
async def test_acquire_and_release(lossy: Lossy, losses: int) -> None:
    """I-2, I-7."""
    await lossy.sound.create(THING, "a1", b"x")
    lossy.wire.lose_next(losses)
    held = await lossy.store.acquire(THING, "a1", lease_ms=30_000, wait_s=0)
    assert lossy.wire.lost == losses
    assert await lossy.field("fence") == b"1"
    lossy.wire.lose_next(losses)
    await lossy.store.release(held)
    assert lossy.wire.lost == 2 * losses
    await lossy.sound.acquire(THING, "a1", lease_ms=1000, wait_s=0)


@LOSSES
@pytest.mark.parametrize("keep", [False, True])
async def test_commit(lossy: Lossy, losses: int, keep: bool) -> None:
    """I-7, I-16."""
    await lossy.sound.create(THING, "a1", b"x")
    held = await lossy.store.acquire(THING, "a1", lease_ms=30_000, wait_s=0)
    lossy.wire.lose_next(losses)
    kept = await lossy.store.commit(
        held,
        b"y",
        events=EVENTS,
        messages=[b"m"],
        answer=Answer("r1", b"f", b"reply"),
        keep=keep,
        parts={"p": b"1"},
    )
    assert lossy.wire.lost == losses
    assert await lossy.sound.parts(THING, "a1", ["p"]) == [b"1"]
    assert await lossy.field("version") == b"2"
    assert await lossy.logged() == [(1, 2)]
    assert await lossy.sent() == 1
    assert await lossy.sound.answer(THING, "a1", "r1", b"f") == b"reply"
    if kept is not None:
        lossy.wire.lose_next(losses)
        assert await lossy.store.commit(kept, b"z", events=EVENTS, messages=[b"m"]) is None
        assert await lossy.logged() == [(1, 2), (3, 4)]
        assert await lossy.sent() == 2
    await lossy.sound.acquire(THING, "a1", lease_ms=1000, wait_s=0)


async def test_a_commit_whose_outcome_stays_unknown_may_be_tried_again(lossy: Lossy) -> None:
    await lossy.sound.create(THING, "a1", b"x")
    held = await lossy.store.acquire(THING, "a1", lease_ms=30_000, wait_s=0)
    lossy.wire.lose_next(RETRIES + 1)
    with pytest.raises(StoreUnavailable):
        await lossy.store.commit(held, b"y", events=EVENTS, messages=[b"m"], parts={"p": b"y"})
    other = await lossy.sound.acquire(THING, "a1", lease_ms=1000, wait_s=0)  # it was committed
    assert other.data == b"y"
    await lossy.sound.commit(other, b"z", events=EVENTS, parts={"p": b"z"})
    again = await lossy.store.commit(held, b"y", events=EVENTS, messages=[b"m"], parts={"p": b"y"})
    assert again is None
    assert await lossy.sound.parts(THING, "a1", ["p"]) == [b"z"]
    assert (await lossy.sound.read(THING, "a1")).data == b"z"
    assert await lossy.logged() == [(1, 2), (3, 4)]
    assert await lossy.sent() == 1


@LOSSES
async def test_report(lossy: Lossy, losses: int) -> None:
    """I-7, I-11."""
    await lossy.sound.create(THING, "a1", b"x")
    held = await lossy.sound.acquire(THING, "a1", lease_ms=1000, wait_s=0)
    await lossy.sound.commit(held, b"y", expected_results=1)
    lossy.wire.lose_next(losses)
    await lossy.store.report(THING, "a1", "1:1", b"v", events=EVENTS, message=b"all in", look_ms=9)
    assert lossy.wire.lost == losses
    assert await lossy.sound.results(THING, "a1", ["1:1", "1:2"]) == [b"v", None]
    assert await lossy.logged() == [(1, 2)]
    assert await lossy.sent() == 1


@LOSSES
async def test_a_claim_that_nobody_heard_of_comes_up_again(lossy: Lossy, losses: int) -> None:
    await lossy.sound.create(THING, "a1", b"x", deadline_ms=100)
    lossy.wire.lose_next(losses)
    first = await lossy.store.claim_due(SHARD, now_ms=100, limit=9, hold_ms=50)
    again = await lossy.store.claim_due(SHARD, now_ms=150, limit=9, hold_ms=50)
    assert first == []
    assert again == [(THING, "a1")]
