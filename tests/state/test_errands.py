"""Callers cancelled at every await: no lease stays taken, no answer is lost, nothing runs on."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from services.rpc.unfinished import Unfinished
from services.state import keys
from services.state.errands import Errands, is_uninterrupted, uninterrupted
from services.state.store import Answer, Batch, Held, Store

from .conftest import THING, Things

STEPS = 40
"""More steps of the loop than any call takes until it waits for the server."""
LEASE_MS = 60_000
ANSWER = Answer("r1", b"fp", b"said")


@pytest.fixture(autouse=True)
async def nothing_untold() -> AsyncIterator[None]:
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    yield
    gc.collect()
    await asyncio.sleep(0)
    assert [str(context) for context in told] == []


async def lease_of(store: Store) -> Any:
    return await store._client.get(keys.lease(THING, "a1"))


async def cancelled_after(steps: int, call: Callable[[], Awaitable[Any]]) -> bool:
    """Start a call, cancel it after so many steps of the loop; return whether it ended before."""
    task = asyncio.ensure_future(call())
    for _ in range(steps):
        await asyncio.sleep(0)
        if steps > STEPS // 2:
            await asyncio.sleep(0.0001)  # so that replies come meanwhile
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        return False
    return True


async def settled(store: Store) -> None:
    """Wait for what goes on, and see that nobody is left in line."""
    await store._errands.settled()
    assert not store._errands._tasks
    assert not store._turns._locks


async def test_acquire_cancelled_at_every_step(store: Store, thing: Things) -> None:
    early = 0
    for steps in range(STEPS):
        held: list[Held] = []

        async def acquire(held: list[Held] = held) -> None:
            held.append(await thing.take(lease_ms=LEASE_MS))

        if not await cancelled_after(steps, acquire):
            early += 1
            assert not held
        for each in held:
            await store.release(each)
        held.clear()
        await settled(store)
        assert await lease_of(store) is None, steps
    assert early > 3


async def test_commit_cancelled_at_every_step(store: Store, thing: Things) -> None:
    """It is written or it is not; its answer is there if it is, and the lease is free."""
    early = 0
    for steps in range(STEPS):
        held = await thing.take(lease_ms=LEASE_MS)
        answer = Answer(f"r{steps}", b"fp", b"said")

        async def commit(held: Held = held, answer: Answer = answer) -> None:
            try:
                await store.commit(held, b"new", events=Batch(1, b"e"), answer=answer)
            finally:
                await store.release(held)

        early += not await cancelled_after(steps, commit)
        if steps == 0:  # it never began
            await store.release(held)
        await settled(store)
        if steps:
            assert await store.answer(THING, "a1", answer.request_id, b"fp") == b"said"
        assert await lease_of(store) is None, steps
    assert early > 3


async def test_kept_commit_cancelled_at_every_step(store: Store, thing: Things) -> None:
    for steps in range(1, STEPS):
        held = await thing.take(lease_ms=LEASE_MS)
        kept: list[Held | None] = []

        async def commit(held: Held = held, kept: list[Held | None] = kept) -> None:
            kept.append(await store.commit(held, b"new", keep=True))

        await cancelled_after(steps, commit)
        for each in kept:
            assert each is not None
            await store.release(each)
        kept.clear()
        await settled(store)
        assert await lease_of(store) is None, steps


async def test_a_whole_use_case_cancelled_at_every_step(store: Store, thing: Things) -> None:
    """As the services run it: the caller goes, and the work is done to its end all the same."""
    unfinished = Unfinished()

    async def run(act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await unfinished.finish(act())

    for steps in range(1, STEPS):
        answer = Answer(f"r{steps}", b"fp", b"said")

        async def act(answer: Answer = answer) -> None:
            held = await thing.take(lease_ms=LEASE_MS)
            try:
                await store.commit(held, b"new", answer=answer)
            finally:
                await store.release(held)

        await cancelled_after(steps, partial(run, act))
        await unfinished.drained(5)
        assert not unfinished._tasks
        await settled(store)
        assert await lease_of(store) is None
        assert await store.answer(THING, "a1", answer.request_id, b"fp") == b"said"


async def test_uninterrupted_work_that_is_cancelled_itself(store: Store, thing: Things) -> None:
    """By a time limit within it, or by the server's stop: it ends, and its lease is given back."""

    async def run(acquire: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await uninterrupted(acquire())

    for steps in range(1, STEPS):
        held: list[Held] = []

        async def acquire(held: list[Held] = held) -> None:
            held.append(await thing.take(lease_ms=LEASE_MS))

        await cancelled_after(steps, partial(run, acquire))
        for each in held:
            await store.release(each)
        held.clear()
        await settled(store)
        assert await lease_of(store) is None, steps


async def test_a_time_limit_within_uninterrupted_work(store: Store, thing: Things) -> None:
    holder = await thing.take(lease_ms=LEASE_MS)

    async def work() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await thing.take(wait_s=5)

    await asyncio.wait_for(uninterrupted(work()), 4)
    await store.release(holder)
    await settled(store)
    assert await lease_of(store) is None


async def test_release_cancelled_at_every_step(store: Store, thing: Things) -> None:
    for steps in range(1, STEPS):
        held = await thing.take(lease_ms=LEASE_MS)
        await cancelled_after(steps, partial(store.release, held))
        await settled(store)
        assert await lease_of(store) is None, steps


async def test_what_an_uninterrupted_task_starts_may_be_cancelled() -> None:
    """It inherits the context, and is cancelled like any other: it needs errands of its own."""
    errands = Errands()
    done: list[str] = []

    async def slow() -> None:
        await asyncio.sleep(0.02)
        done.append("slow")

    async def child() -> None:
        assert not is_uninterrupted()
        await errands.to_its_end(slow())

    async def parent() -> None:
        assert is_uninterrupted()
        task = asyncio.ensure_future(child())
        await asyncio.sleep(0.005)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    await errands.start(parent())
    assert done == ["slow"]


async def test_settled_waits_for_what_errands_lead_to() -> None:
    errands = Errands()
    done: list[str] = []

    async def second() -> None:
        await asyncio.sleep(0.01)
        done.append("second")

    async def first() -> None:
        await asyncio.sleep(0.01)
        errands.start(second())

    errands.start(first())
    await errands.settled()
    assert done == ["second"]


async def test_work_that_fails_after_its_caller_went() -> None:
    """Nobody is told, and nothing is said about an exception that was never retrieved."""
    errands = Errands()
    unfinished = Unfinished()

    async def fails() -> None:
        await asyncio.sleep(0.01)
        raise ValueError

    async def failing(call: Callable[[Coroutine[Any, Any, None]], Awaitable[None]]) -> None:
        await call(fails())

    for call in (errands.to_its_end, unfinished.finish):
        assert not await cancelled_after(2, partial(failing, call))
    await unfinished.drained(1)
    await errands.settled()
