"""Wake-ups: one connection for all listeners, and nobody left asleep after it was lost."""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import AsyncExitStack

from services.state.store import Batch, Store
from services.state.wakeups import Wakeups, Woken

from .conftest import THING, Things, on_every_server

SOON_S = 10.0
"""For what comes in a moment, on a machine that is busy with something else."""


async def subscriptions(store: Store) -> list[dict[str, str]]:
    listed = await on_every_server(store, "CLIENT LIST")
    return [entry for each in listed for entry in each if entry["cmd"] == "subscribe"]


async def change(store: Store, entity: str = "a1") -> None:
    held = await store.acquire(THING, entity, lease_ms=1000, wait_s=5)
    await store.commit(held, b"x", events=Batch(1, b"e"))


async def test_a_change_rings(thing: Things, other: Store) -> None:
    async with thing.store.wakeups.listen(THING, "a1") as woken:
        # It is rung once, when the subscription stood.
        assert await asyncio.wait_for(woken.wait(SOON_S), SOON_S)
        woken.clear()
        assert not await woken.wait(0.05)
        await change(other)
        assert await woken.wait(SOON_S)
        woken.clear()
        await other.report(THING, "a1", "t1", b"r", events=Batch(1, b"e"), message=b"m", look_ms=9)
        assert await woken.wait(SOON_S)
        woken.clear()
        await change_elsewhere(other)
        assert not await woken.wait(0.05)


async def change_elsewhere(store: Store) -> None:
    await store.create(THING, "a2", b"x")
    await change(store, "a2")


async def test_creation_rings(store: Store, other: Store) -> None:
    async with store.wakeups.listen(THING, "a1") as woken:
        woken.clear()
        await other.create(THING, "a1", b"x")
        assert await woken.wait(SOON_S)


async def test_nothing_is_missed_between_reading_and_waiting(thing: Things, other: Store) -> None:
    for _ in range(20):
        async with thing.store.wakeups.listen(THING, "a1") as woken:
            woken.clear()
            before = await thing.store.read(THING, "a1")
            await change(other)
            assert await woken.wait(SOON_S)
            assert (await thing.store.read(THING, "a1")).seq == before.seq + 1


async def test_200_listeners_on_one_connection(thing: Things, other: Store) -> None:
    store = thing.store
    await other.create(THING, "a2", b"x")
    async with AsyncExitStack() as stack:
        bells = [
            await stack.enter_async_context(store.wakeups.listen(THING, entity))
            for entity in ("a1", "a2")
            for _ in range(100)
        ]
        for bell in bells:
            bell.clear()
        assert len(await subscriptions(other)) == 1
        await change(other, "a1")
        assert all(await asyncio.gather(*(bell.wait(SOON_S) for bell in bells[:100])))
        assert not any(await asyncio.gather(*(bell.wait(0.02) for bell in bells[100:])))
        await change(other, "a2")
        assert all(await asyncio.gather(*(bell.wait(SOON_S) for bell in bells[100:])))
    assert not store.wakeups._channels
    assert not any(await on_every_server(other, "PUBSUB CHANNELS", "*thing*"))


async def test_a_dropped_connection_wakes_everybody(thing: Things, other: Store) -> None:
    """I-14."""
    store = thing.store
    async with AsyncExitStack() as stack:
        bells = [
            await stack.enter_async_context(store.wakeups.listen(THING, "a1")) for _ in range(200)
        ]
        for _ in range(3):
            for bell in bells:
                bell.clear()
            await on_every_server(other, "CLIENT KILL", "TYPE", "pubsub")
            assert all(await asyncio.gather(*(bell.wait(2) for bell in bells)))
            for bell in bells:
                bell.clear()
            await change(other)
            assert all(await asyncio.gather(*(bell.wait(SOON_S) for bell in bells)))
        assert len(await subscriptions(other)) == 1


async def test_listeners_come_and_go_while_connections_drop(thing: Things, other: Store) -> None:
    """Whatever the order of events, a change that follows is heard."""
    store, stop = thing.store, asyncio.Event()

    async def listen() -> None:
        while not stop.is_set():
            async with store.wakeups.listen(THING, "a1") as woken:
                woken.clear()
                await woken.wait(0.01)

    async def kill() -> None:
        while not stop.is_set():
            with contextlib.suppress(Exception):
                await on_every_server(other, "CLIENT KILL", "TYPE", "pubsub")
            await asyncio.sleep(0.03)

    work = [asyncio.create_task(listen()) for _ in range(10)] + [asyncio.create_task(kill())]
    await asyncio.sleep(1.0)
    stop.set()
    await asyncio.gather(*work)
    async with store.wakeups.listen(THING, "a1") as woken:
        await woken.wait(3)
        woken.clear()
        await change(other)
        assert await woken.wait(3)


async def test_the_last_of_two_takes_the_channel_down(thing: Things, other: Store) -> None:
    store = thing.store
    async with store.wakeups.listen(THING, "a1") as kept:
        async with store.wakeups.listen(THING, "a1"):
            pass
        kept.clear()
        await change(other)
        assert await kept.wait(SOON_S)


async def test_a_ring_before_the_wait_counts() -> None:
    bell = Woken()
    bell.ring()
    assert await bell.wait(0)
    bell.clear()
    assert not await bell.wait(0)


async def test_closing_ends_whatever_is_in_flight(thing: Things) -> None:
    for round_ in range(100):
        wakeups = Wakeups(thing.store._client)
        stack = AsyncExitStack()
        for number in range(round_ % 5 + 1):
            await stack.enter_async_context(wakeups.listen(THING, f"{round_}-{number}"))
        leaving = asyncio.create_task(stack.aclose())
        await asyncio.sleep(0.0005 * (round_ % 4))
        async with asyncio.timeout(5):
            await wakeups.close()
        await leaving
