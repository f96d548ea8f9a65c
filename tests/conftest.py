"""Fixtures that every test may use: a real Valkey, a store on it, a context."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from services.runtime.children import stop
from services.runtime.valkey import start_valkey
from services.runtime.wiring import new_id, now_ms
from services.state.client import connect
from services.state.context import Context
from services.state.meters import Meters
from services.state.store import Store


@pytest.fixture(scope="session")
def valkey_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server for this test process: a Valkey that runs for it alone.

    ``RUMMY_ARENA_TEST_REDIS_URL`` selects another server, whose databases 1 and up are emptied.
    """
    if external := os.environ.get("RUMMY_ARENA_TEST_REDIS_URL"):
        number = 1 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        yield f"{external}{'&' if '?' in external else '?'}db={number}"
        return
    folder: Path = tmp_path_factory.mktemp("valkey")
    child, url = start_valkey(folder, log=folder / "log")
    try:
        yield url
    finally:
        stop(child, grace_s=5.0)


@pytest.fixture
async def store(valkey_url: str) -> AsyncIterator[Store]:
    """A store on an empty database."""
    client = connect(valkey_url)
    await client.flushdb()
    store = Store(client, Meters(CollectorRegistry()))
    yield store
    await store.close()


@pytest.fixture
def ctx(store: Store) -> Context:
    """A context on the store, with the clock, ids and chance of a real process."""
    return Context(
        store=store,
        meters=store.meters,
        now_ms=now_ms,
        new_id=new_id,
        random_bytes=secrets.token_bytes,
    )
