"""A cluster of three masters when it breaks: nothing acknowledged is lost, nothing is doubled."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import redis
from prometheus_client import CollectorRegistry
from redis.asyncio.connection import SSLConnection
from redis.crc import key_slot

from services.runtime.children import stop
from services.runtime.server_check import ServerError, require_server
from services.runtime.valkey import start_valkey
from services.state import keys
from services.state.client import LIMITS, Packing, connect
from services.state.cluster import Cluster
from services.state.errors import StoreError, StoreUnavailable
from services.state.meters import Meters
from services.state.store import Answer, Batch, Store

from .conftest import THING
from .servers import SLOTS, ThreeMasters, free_port, three_masters


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreeMasters]:
    """A cluster of their own: these tests break it."""
    with three_masters(tmp_path_factory.mktemp("cluster")) as masters:
        yield masters


@pytest.fixture
def masters(cluster: ThreeMasters) -> ThreeMasters:
    """The cluster, mended and empty."""
    cluster.mend()
    return cluster


@pytest.fixture
async def stores(masters: ThreeMasters) -> AsyncIterator[Callable[[], Store]]:
    """Makes stores, as processes would have them."""
    made: list[Store] = []

    def make() -> Store:
        made.append(Store(connect(masters.url), Meters(CollectorRegistry())))
        return made[-1]

    yield make
    for store in made:
        await store.close()


def home(entity: str) -> int:
    """Return which of the three masters has the aggregate."""
    return key_slot(keys.record(THING, entity).encode()) * 3 // SLOTS


def entity_at(master: int) -> str:
    """Return an id that this master has."""
    return next(f"e{n}" for n in itertools.count() if home(f"e{n}") == master)


async def count_up(store: Store, entity: str, request_id: str) -> None:
    """Add one, once for each request id, as a client does that asks again until it is answered."""
    while True:
        try:
            held = await store.acquire(
                THING, entity, lease_ms=1_000, wait_s=5, request_id=request_id, fingerprint=b"f"
            )
            if held.reply is None:
                await store.commit(
                    held,
                    b"%d" % (int(held.data) + 1),
                    events=Batch(1, request_id.encode()),
                    messages=[b"m"],
                    answer=Answer(request_id, b"f", b"done"),
                )
        except StoreError:
            await asyncio.sleep(0.05)
        else:
            return


async def assert_counted_once(store: Store, entity: str, requests: list[str]) -> None:
    """Every request is in the log once, and the record and the outbox agree with it."""
    batches = await store.read_log(THING, entity, after=0, limit=9_999)
    logged = [batch.data.decode() for batch in batches]
    assert sorted(logged) == sorted(requests)
    snapshot = await store.read(THING, entity)
    assert int(snapshot.data) == snapshot.seq == snapshot.version - 1 == len(requests)
    assert await store.outbox_depth(keys.shard_of(entity)) == len(requests)


async def test_connections_to_all_nodes_pack_with_hiredis(stores: Callable[[], Store]) -> None:
    store = stores()
    for master in range(3):
        await store.create(THING, entity_at(master), b"0")
    client = store._client
    assert isinstance(client, Cluster)
    used = [one for node in client.get_primaries() for one in node._connections]
    assert len(used) >= 3
    assert all(isinstance(connection, Packing) for connection in used)


async def test_one_node_is_enough_to_find_the_others(masters: ThreeMasters) -> None:
    for node in masters.nodes:
        store = Store(
            connect(f"redis-cluster://127.0.0.1:{node.port}"), Meters(CollectorRegistry())
        )
        assert await store.create(THING, f"of-{node.port}", b"0")
        await store.close()


async def test_a_dead_first_node_is_passed_over(masters: ThreeMasters) -> None:
    masters.kill(0)
    store = Store(connect(masters.url), Meters(CollectorRegistry()))
    await store.ping()
    assert await store.create(THING, entity_at(1), b"0")
    await store.close()


async def test_a_master_dies_and_the_tables_of_the_others_go_on(
    masters: ThreeMasters, stores: Callable[[], Store]
) -> None:
    store, lost, kept = stores(), entity_at(1), [entity_at(0), entity_at(2)]
    for entity in (lost, *kept):
        await store.create(THING, entity, b"0")
    await count_up(store, lost, "before")
    masters.kill(1)
    with pytest.raises(StoreUnavailable):
        await store.acquire(THING, lost, lease_ms=1_000, wait_s=1)
    with pytest.raises(StoreUnavailable):
        await store.read_log(THING, lost, after=0, limit=9)
    await store.ping()
    for entity in kept:
        async with asyncio.timeout(5):
            await count_up(store, entity, "meanwhile")
            await assert_counted_once(store, entity, ["meanwhile"])
    masters.start_again(1)
    await count_up(store, lost, "after")
    await assert_counted_once(store, lost, ["before", "after"])


async def test_masters_are_killed_under_load(
    masters: ThreeMasters, stores: Callable[[], Store]
) -> None:
    entities = [entity_at(master) for master in range(3)]
    callers = [stores(), stores()]
    for entity in entities:
        await callers[0].create(THING, entity, b"0")
    asked: dict[str, list[str]] = {entity: [] for entity in entities}
    stop = asyncio.Event()

    async def play(caller: int, entity: str) -> None:
        for number in itertools.count():
            if stop.is_set():
                return
            request_id = f"{caller}-{number}"
            asked[entity].append(request_id)
            await count_up(callers[caller], entity, request_id)

    playing = [
        asyncio.create_task(play(caller, entity)) for caller in range(2) for entity in entities
    ]
    for victim in (0, 2, 1):
        await asyncio.sleep(0.3)
        masters.kill(victim)
        await asyncio.sleep(0.2)
        masters.start_again(victim, wait=False)
    await asyncio.sleep(0.5)
    stop.set()
    async with asyncio.timeout(20):
        await asyncio.gather(*playing)
    for entity in entities:
        assert len(asked[entity]) >= 6  # some by each caller, however busy the machine
        await assert_counted_once(callers[1], entity, asked[entity])


async def test_a_slot_moves_under_load(masters: ThreeMasters, stores: Callable[[], Store]) -> None:
    """MOVED, ASK and TRYAGAIN: as long as keys are on their way calls may fail, never half."""
    callers, entity = [stores(), stores()], entity_at(0)
    await callers[0].create(THING, entity, b"0")
    asked: list[str] = []
    stop = asyncio.Event()

    async def play(caller: int) -> None:
        for number in itertools.count():
            if stop.is_set():
                return
            asked.append(f"{caller}-{number}")
            await count_up(callers[caller % 2], entity, asked[-1])

    playing = [asyncio.create_task(play(caller)) for caller in range(6)]
    for source, target in ((0, 1), (1, 2), (2, 0)):
        await asyncio.sleep(0.2)
        await asyncio.to_thread(move_slot, masters, keys.record(THING, entity), source, target)
    await asyncio.sleep(0.2)
    stop.set()
    async with asyncio.timeout(20):
        await asyncio.gather(*playing)
    assert len(asked) >= 20
    await assert_counted_once(callers[1], entity, asked)


def move_slot(masters: ThreeMasters, key: str, source: int, target: int) -> None:
    """Move a key's slot from one master to another, key by key, with a pause in between."""
    slot = key_slot(key.encode())
    clients = [node.ask() for node in masters.nodes]
    ids = [client.execute_command("CLUSTER MYID") for client in clients]
    clients[target].execute_command("CLUSTER SETSLOT", slot, "IMPORTING", ids[source])
    clients[source].execute_command("CLUSTER SETSLOT", slot, "MIGRATING", ids[target])
    while found := clients[source].execute_command("CLUSTER GETKEYSINSLOT", slot, 1):
        clients[source].execute_command(
            "MIGRATE", "127.0.0.1", masters.nodes[target].port, found[0], 0, 5_000
        )
        time.sleep(0.02)
    for index in (target, source, 3 - source - target):
        clients[index].execute_command("CLUSTER SETSLOT", slot, "NODE", ids[target])


async def test_listeners_go_to_another_node_when_theirs_dies(
    masters: ThreeMasters, stores: Callable[[], Store]
) -> None:
    store, other, entity = stores(), stores(), entity_at(0)
    await store.create(THING, entity, b"0")
    async with store.wakeups.listen(THING, entity) as woken:
        live = store.wakeups._live
        assert live is not None
        port = live.connection_pool.connection_kwargs["port"]
        number = next(n for n, node in enumerate(masters.nodes) if node.port == port)
        woken.clear()
        masters.kill(number)
        assert await woken.wait(5)  # it may have missed something
        woken.clear()
        if number == 0:
            masters.start_again(0)
        await count_up(other, entity, "after")
        assert await woken.wait(5)


@pytest.mark.parametrize("at", range(3))
async def test_what_is_published_at_any_node_is_heard(stores: Callable[[], Store], at: int) -> None:
    store, other, entity = stores(), stores(), entity_at(at)
    await store.create(THING, entity, b"0")
    async with store.wakeups.listen(THING, entity) as woken:
        await woken.wait(10)
        woken.clear()
        await count_up(other, entity, "one")
        assert await woken.wait(10)


async def test_a_relay_that_waits_at_a_master_that_dies(
    masters: ThreeMasters, stores: Callable[[], Store]
) -> None:
    store, entity = stores(), entity_at(2)
    shard = keys.shard_of(entity)
    await store.create(THING, entity, b"0", messages=[b"first"])
    assert [entry.data for entry in await store.outbox_read(shard, "r", count=9, block_ms=0)]
    waiting = asyncio.create_task(store.outbox_read(shard, "r", count=9, block_ms=3_000))
    await asyncio.sleep(0.1)
    masters.kill(2)
    with pytest.raises(StoreUnavailable):
        await waiting
    masters.start_again(2)
    await count_up(store, entity, "one")
    fresh = await store.outbox_read(shard, "r", count=9, block_ms=0)
    old = await store.outbox_reclaim(shard, "r", idle_ms=0, count=9)
    assert sorted(entry.data for entry in [*fresh, *old]) >= [b"first", b"m"]


async def test_a_master_that_hangs_holds_up_its_own_tables_only(
    masters: ThreeMasters, stores: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "socket_timeout", 0.3)
    store, entities = stores(), [entity_at(master) for master in range(3)]
    for entity in entities:
        await store.create(THING, entity, b"0")
    os.kill(masters.nodes[0].child.pid, signal.SIGSTOP)
    try:
        hung = asyncio.create_task(store.read(THING, entities[0]))
        for number in range(20):
            async with asyncio.timeout(2):
                await count_up(store, entities[1], f"{number}")
        with pytest.raises(StoreUnavailable):
            await hung
    finally:
        os.kill(masters.nodes[0].child.pid, signal.SIGCONT)
    await count_up(store, entities[0], "again")
    await assert_counted_once(store, entities[0], ["again"])


def test_a_cluster_is_looked_at_before_anything_starts(masters: ThreeMasters) -> None:
    require_server(masters.url, "RUMMY_ARENA_REDIS_URL")
    with pytest.raises(ServerError, match="name the cluster's nodes as redis-cluster://"):
        require_server(f"redis://127.0.0.1:{masters.nodes[0].port}", "RUMMY_ARENA_REDIS_URL")
    with pytest.raises(ServerError, match="cannot be used"):
        require_server("redis-cluster://127.0.0.1:1", "RUMMY_ARENA_REDIS_URL")


def test_a_server_that_is_no_cluster_is_refused_as_one(tmp_path: Path) -> None:
    child, url = start_valkey(tmp_path, log=tmp_path / "log", durability="always")
    client = redis.Redis(unix_socket_path=url.removeprefix("unix://"))
    try:
        port = free_port()
        client.config_set("port", port)
        with pytest.raises(ServerError, match="Cluster mode is not enabled"):
            require_server(f"redis-cluster://127.0.0.1:{port}", "RUMMY_ARENA_REDIS_URL")
    finally:
        client.close()
        stop(child, grace_s=5)


def test_urls_of_clusters() -> None:
    client = connect("rediss-cluster://user:p%40ss@one:7000,two?ssl_ca_certs=/ca")
    assert isinstance(client, Cluster)
    assert sorted(client.nodes_manager.startup_nodes) == ["one:7000", "two:6379"]
    options = client.connection_kwargs
    assert (options["username"], options["password"]) == ("user", "p@ss")
    assert options["ssl_ca_certs"] == "/ca"
    assert issubclass(options["connection_class"], SSLConnection)
    for wrong in ("redis-cluster://", "redis-cluster://a/1", "redis-cluster://,b"):
        with pytest.raises(ValueError, match="cluster"):
            connect(wrong)
