"""What the tests of the state share: one aggregate, and a second store beside the first."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from prometheus_client import CollectorRegistry

from services.state.client import connect
from services.state.meters import Meters
from services.state.store import Held, Store

THING = "thing"


class Things:
    """Shorthand for work on one aggregate."""

    def __init__(self, store: Store, entity: str = "a1") -> None:
        self.store = store
        self.id = entity

    async def take(self, *, lease_ms: int = 5_000, wait_s: float = 5.0) -> Held:
        return await self.store.acquire(THING, self.id, lease_ms=lease_ms, wait_s=wait_s)


@pytest.fixture
async def thing(store: Store) -> Things:
    """An aggregate that was just created."""
    assert await store.create(THING, "a1", b"new")
    return Things(store)


@pytest.fixture
async def other(valkey_url: str) -> AsyncIterator[Store]:
    """A second store, as another process would have it: another client, no common line."""
    store = Store(connect(valkey_url), Meters(CollectorRegistry()))
    yield store
    await store.close()
