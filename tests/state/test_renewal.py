"""A lease that is renewed for work whose length nobody knows."""

from __future__ import annotations

import asyncio
import time

import pytest

from services.state import keys, store
from services.state.errors import Busy, LeaseLost
from services.state.store import Store

from .conftest import THING, Things


async def test_a_holder_may_work_for_longer_than_its_lease(thing: Things, other: Store) -> None:
    """I-1. Nobody comes between, of another process or of this one; afterwards somebody does."""
    held = await thing.take(lease_ms=150)
    working = asyncio.create_task(thing.store.while_held(held, asyncio.to_thread(time.sleep, 0.4)))
    with pytest.raises(Busy):
        await other.acquire(THING, "a1", lease_ms=1_000, wait_s=0.3)
    with pytest.raises(Busy):
        await thing.take(wait_s=0.05)
    await working
    await thing.store.commit(held, b"long")
    assert (await other.acquire(THING, "a1", lease_ms=1_000, wait_s=1)).data == b"long"


async def test_what_the_work_returns_and_raises_comes_out(thing: Things) -> None:
    async def work(number: int) -> int:
        await asyncio.sleep(0)
        if number < 0:
            raise LookupError("nothing there")
        return number

    held = await thing.take()
    assert await thing.store.while_held(held, work(5)) == 5
    with pytest.raises(LookupError):
        await thing.store.while_held(held, work(-1))
    await thing.store.release(held)


async def test_a_lease_that_ran_out_is_not_renewed(thing: Things, other: Store) -> None:
    """I-5. A process that stood still takes nothing back, and what another holds stays its own."""
    late = await thing.take(lease_ms=30)
    await asyncio.sleep(0.05)
    with pytest.raises(LeaseLost):
        await thing.store.renew(late)
    second = await other.acquire(THING, "a1", lease_ms=50, wait_s=1)
    with pytest.raises(LeaseLost):
        await thing.store.renew(late)
    left = await other._client.pttl(keys.lease(THING, "a1"))
    assert 0 < left <= 50
    await other.commit(second, b"good")


async def test_work_without_end_does_not_hold_for_ever(
    thing: Things, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I-1."""
    monkeypatch.setattr(store, "LONGEST_WORK_S", 0.1)
    held = await thing.take(lease_ms=60)
    with pytest.raises(LeaseLost):
        await thing.store.while_held(held, asyncio.sleep(9))
    await other.release(await other.acquire(THING, "a1", lease_ms=1_000, wait_s=1))


async def test_a_caller_that_gives_up_ends_its_work(thing: Things, other: Store) -> None:
    held = await thing.take(lease_ms=90)
    stopped = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(9)
        finally:
            stopped.set()

    working = asyncio.create_task(thing.store.while_held(held, work()))
    await asyncio.sleep(0.05)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    await asyncio.wait_for(stopped.wait(), 1)
    await other.release(await other.acquire(THING, "a1", lease_ms=1_000, wait_s=1))
