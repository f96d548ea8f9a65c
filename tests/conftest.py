"""Fixtures that every test may use: a real Valkey, a store on it, a context."""

from __future__ import annotations

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
    """The URL of a Valkey that runs for this test process."""
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
    await client.flushall()
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
