"""What the tests of the state share: one aggregate, and a second store beside the first.

Whatever goes through a store runs on every kind of server.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from services.runtime.children import stop
from services.runtime.valkey import start_valkey
from services.state.client import connect
from services.state.cluster import Cluster
from services.state.meters import Meters
from services.state.store import Held, Store

from .servers import OLDEST_REDIS, redis_server, redis_version, three_masters

THING = "thing"


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """How to have the URL of a server of a kind: it is started when it is first asked for.

    They run for this test process alone and until its end, as a cluster takes seconds to form.
    """
    with ExitStack() as stack:

        @cache
        def url_of(kind: str) -> str:
            folder = tmp_path_factory.mktemp(kind)
            if kind == "valkey":
                child, url = start_valkey(folder, log=folder / "log")
                stack.callback(stop, child, grace_s=5.0)
                return url
            if kind == "cluster":
                return stack.enter_context(three_masters(folder)).url
            if redis_version() < OLDEST_REDIS:
                pytest.skip("no redis-server 7 or later on this machine; the one of Debian will do")
            return stack.enter_context(redis_server(folder))

        yield url_of


@pytest.fixture(scope="session", params=["valkey", "cluster", "redis7"])
def valkey_url(request: pytest.FixtureRequest, servers: Callable[[str], str]) -> str:
    """The URL of a server of each kind.

    ``RUMMY_ARENA_TEST_REDIS_URL`` selects another server in place of them all.
    """
    kind: str = request.param
    if external := os.environ.get("RUMMY_ARENA_TEST_REDIS_URL"):
        if kind != "valkey":
            pytest.skip("the tests run on the server that RUMMY_ARENA_TEST_REDIS_URL names")
        number = 1 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        return f"{external}{'&' if '?' in external else '?'}db={number}"
    return servers(kind)


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


async def on_every_server(store: Store, *command: Any) -> list[Any]:
    """Run a command that belongs to no key on every server of the store; return their replies."""
    if not isinstance(store._client, Cluster):
        return [await store._client.execute_command(*command)]
    await store._client.initialize()
    return [await node.execute_command(*command) for node in store._client.get_primaries()]


async def keys_like(store: Store, pattern: str = "*") -> list[bytes]:
    """Return the keys that there are."""
    found = await on_every_server(store, "KEYS", pattern)
    return sorted(key for each in found for key in each)


@pytest.fixture(scope="module", params=["valkey", "redis7"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The URL of one server; of a cluster no line is used."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "valkey":
        child, url = start_valkey(folder, log=folder / "log")
        yield url
        stop(child, grace_s=5)
    elif redis_version() < OLDEST_REDIS:
        pytest.skip("no redis-server 7 or later on this machine")
    else:
        with redis_server(folder) as url:
            yield url


@pytest.fixture
async def nothing_left() -> AsyncIterator[list[dict[str, Any]]]:
    """No task, no error that nobody saw: asyncio tells them to the loop's handler."""
    told: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: told.append(context))
    before = asyncio.all_tasks()
    yield told
    gc.collect()
    await asyncio.sleep(0)
    assert [str(context) for context in told] == []
    assert [str(task) for task in asyncio.all_tasks() - before - {asyncio.current_task()}] == []
