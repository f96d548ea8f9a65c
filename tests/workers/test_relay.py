"""The relay between a real store and a real broker that dies, comes back, and is asked nonsense."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from services.runtime.children import Child, stop
from services.runtime.health import Health
from services.runtime.settings import load_settings
from services.runtime.valkey import start_valkey
from services.state.client import connect
from services.state.context import Context
from services.state.keys import SHARDS
from services.state.messages import PlayTable, encode_message
from workers.app import TABLES_QUEUE, make_app
from workers.relay import Relay

THING = "thing"


class Broker:
    """A broker of its own, that can be killed and brought back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.child: Child | None = None
        self.url = ""
        self.start()

    def start(self) -> None:
        """Start it, with the data that it had."""
        self.child, self.url = start_valkey(
            self.folder, log=self.folder / "log", durability="always"
        )

    def kill(self) -> None:
        """SIGKILL it."""
        if self.child is not None:
            self.child.process.kill()
            self.child.process.wait()
            self.child = None

    async def queued(self) -> set[str]:
        """Return the tables that tasks in the queue are to play."""
        client: Any = connect(self.url)
        try:
            bodies = await client.lrange(TABLES_QUEUE, 0, -1)
        finally:
            await client.aclose()
        return {table for n in range(400) if any(_names(b, table := f"table-{n}") for b in bodies)}


def _names(body: bytes, table: str) -> bool:
    return f"'{table}'".encode() in body  # in the header that shows a task's arguments


@pytest.fixture
def broker() -> Any:
    with tempfile.TemporaryDirectory(prefix="broker-") as folder:
        made = Broker(Path(folder))
        yield made
        if made.child is not None:
            stop(made.child, grace_s=2.0)


@contextlib.asynccontextmanager
async def relaying(ctx: Context, broker: Broker) -> AsyncIterator[asyncio.Task[None]]:
    """Run a relay meanwhile."""
    halt = asyncio.Event()
    app = make_app(load_settings(redis_url="unix:///nowhere", broker_url=broker.url))
    task = asyncio.create_task(Relay(ctx, app, Health(), name="relay").run(halt))
    try:
        yield task
    finally:
        halt.set()
        await asyncio.wait_for(task, 10)


async def send(ctx: Context, numbers: range) -> None:
    """Commit a message for each number."""
    for number in numbers:
        entity = f"table-{number}"
        await ctx.store.create(THING, entity, b"x", messages=[encode_message(PlayTable(entity))])


async def until(done: Callable[[], Any], *, within_s: float = 30.0) -> None:
    """Wait until ``done()`` holds."""
    async with asyncio.timeout(within_s):
        while not await done():  # noqa: ASYNC110  what is waited for has no event
            await asyncio.sleep(0.05)


async def test_messages_outlive_the_broker(ctx: Context, broker: Broker) -> None:
    wanted = {f"table-{n}" for n in range(120)}
    async with relaying(ctx, broker) as task:
        await send(ctx, range(40))

        async def arrived() -> bool:
            return {f"table-{n}" for n in range(40)} <= await broker.queued()

        await until(arrived)
        for start in (40, 80):
            broker.kill()
            await send(ctx, range(start, start + 20))
            await asyncio.sleep(1.5)  # publishing and measuring fail meanwhile
            assert not task.done()
            broker.start()
            await send(ctx, range(start + 20, start + 40))

        async def all_arrived() -> bool:
            return wanted <= await broker.queued()

        await until(all_arrived)
        for shard in range(SHARDS):

            async def empty(shard: int = shard) -> bool:
                return await ctx.store.outbox_depth(shard) == 0

            await until(empty)


async def test_a_message_that_nobody_understands_holds_up_nobody(
    ctx: Context, broker: Broker
) -> None:
    for number, data in enumerate((b"{", b'{"type":"of_the_future"}', b"\xff")):
        await ctx.store.create(THING, f"odd-{number}", b"x", messages=[data])
    await send(ctx, range(40))
    async with relaying(ctx, broker) as task:

        async def arrived() -> bool:
            assert not task.done()
            return {f"table-{n}" for n in range(40)} <= await broker.queued()

        await until(arrived, within_s=10)
    depths = [await ctx.store.outbox_depth(shard) for shard in range(SHARDS)]
    assert sum(depths) == 3  # nothing is thrown away


async def test_what_a_dead_relay_had_in_hand_is_relayed(ctx: Context, broker: Broker) -> None:
    await send(ctx, range(10))
    for shard in range(SHARDS):
        await ctx.store.outbox_read(shard, "relay", count=99, block_ms=0)
    await asyncio.sleep(1.1)
    async with relaying(ctx, broker):

        async def arrived() -> bool:
            return {f"table-{n}" for n in range(10)} <= await broker.queued()

        await until(arrived, within_s=3)
