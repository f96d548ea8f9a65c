"""The client: which URLs it takes, and what the store says when the server is away."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from services.runtime.children import stop
from services.runtime.valkey import start_valkey
from services.state.client import connect
from services.state.errors import StoreUnavailable
from services.state.meters import Meters
from services.state.store import Store

from .conftest import keys_like, on_every_server


def options_of(url: str) -> dict[str, Any]:
    client: Any = connect(url)
    return dict(client.connection_pool.connection_kwargs)


def test_urls() -> None:
    assert options_of("redis://host:7000/3")["db"] == 3
    assert options_of("unix:///tmp/s?db=2")["path"] == "/tmp/s"
    both = options_of("redis+socket:///tmp/s?virtual_host=2")
    assert (both["path"], both["db"]) == ("/tmp/s", 2)
    with pytest.raises(ValueError, match="redis://"):
        connect("http://host")


def test_every_limit_is_stated() -> None:
    options = options_of("redis://host")
    assert options["socket_timeout"] == 5
    assert options["socket_connect_timeout"] == 3
    assert options["retry"].get_retries() == 3


async def test_nobody_there(tmp_path: Path) -> None:
    store = Store(connect(f"unix://{tmp_path}/none"), Meters(CollectorRegistry()))
    with pytest.raises(StoreUnavailable, match="does not answer"):
        await store.ping()
    with pytest.raises(StoreUnavailable):
        await store.read("thing", "a1")
    with pytest.raises(StoreUnavailable):
        await store.read_log("thing", "a1", after=0, limit=1)
    await store.close()


async def test_a_refusal_is_told(store: Store) -> None:
    await on_every_server(store, "CONFIG SET", "maxmemory", 1)
    try:
        with pytest.raises(StoreUnavailable, match="refused"):
            await store.create("thing", "a1", b"x")
    finally:
        await on_every_server(store, "CONFIG SET", "maxmemory", 0)
    assert await keys_like(store) == []


async def test_more_callers_than_connections(valkey_url: str) -> None:
    store = Store(connect(valkey_url, connections=2), Meters(CollectorRegistry()))
    await asyncio.gather(*(store.ping() for _ in range(50)))
    await store.close()


async def test_the_server_restarts(tmp_path: Path) -> None:
    """What was acknowledged is there again, calls and listeners go on with the same store."""
    child, url = start_valkey(tmp_path, log=tmp_path / "log", durability="always")
    store = Store(connect(url), Meters(CollectorRegistry()))
    try:
        await store.create("thing", "a1", b"one")
        held = await store.acquire("thing", "a1", lease_ms=60_000, wait_s=1)
        async with store.wakeups.listen("thing", "a1") as woken:
            woken.clear()
            child.process.kill()
            child.process.wait()
            child, again = start_valkey(tmp_path, log=tmp_path / "log", durability="always")
            assert again == url
            assert await woken.wait(5)
            woken.clear()
            await store.commit(held, b"two")
            assert await woken.wait(5)
        assert (await store.read("thing", "a1")).data == b"two"
    finally:
        await store.close()
        stop(child, grace_s=5)
