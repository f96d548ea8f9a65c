"""Holders in processes of their own: stopped past their lease, or killed before their commit."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

from services.state import keys
from services.state.store import Batch

from .conftest import THING, Things

ROOT = Path(__file__).parents[2]


@contextlib.asynccontextmanager
async def holder(url: str, lease_ms: int) -> AsyncIterator[Process]:
    """Give a process that holds the thing's lease."""
    command = [sys.executable, "-m", "tests.state.holder", url, THING, "a1", str(lease_ms)]
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=ROOT)
    assert process.stdout is not None
    try:
        assert await process.stdout.readline() == b"held\n"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def outcome(process: Process, what: str) -> str:
    """Tell the holder what to do with its lease, and return what became of that."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(what.encode() + b"\n")
    return (await process.stdout.readline()).decode().strip()


async def test_a_holder_commits(thing: Things, valkey_url: str) -> None:
    async with holder(valkey_url, 5_000) as process:
        assert await outcome(process, "commit") == "done"
    assert (await thing.store.read(THING, "a1")).data == b"new+holder"


async def test_a_holder_that_was_stopped_past_its_lease_is_refused_and_frees_nothing(
    thing: Things, valkey_url: str
) -> None:
    """I-1, I-4, I-5. The next holder's lease is in the server before, between and after."""
    store = thing.store

    async def lease() -> tuple[bytes, int]:
        token = await store._client.get(keys.lease(THING, "a1"))
        return token, await store._client.pttl(keys.lease(THING, "a1"))

    async with holder(valkey_url, 300) as process:
        os.kill(process.pid, signal.SIGSTOP)
        first = await lease()
        assert 0 < first[1] <= 300
        held = await thing.take(lease_ms=60_000)
        assert held.fence == 2
        own, left_ms = await lease()
        assert own == held.token.encode() != first[0]
        os.kill(process.pid, signal.SIGCONT)
        assert await outcome(process, "commit") == "LeaseLost"
        assert await outcome(process, "release") == "done"
        assert await outcome(process, "free") == "done"
        again = await lease()
        assert again[0] == own
        assert left_ms - 10_000 < again[1] <= left_ms
        assert (await store.read(THING, "a1")).version == 1
        await store.commit(held, b"today", events=Batch(1, b"today"))
    assert (await store.read(THING, "a1")).data == b"today"
    batches = await store.read_log(THING, "a1", after=0, limit=9)
    assert [batch.data for batch in batches] == [b"today"]


async def test_a_holder_that_was_killed_holds_up_nobody_for_long(
    thing: Things, valkey_url: str
) -> None:
    """I-1."""
    async with holder(valkey_url, 400) as process:
        process.kill()
        started = time.monotonic()
        held = await thing.take(wait_s=5)
        assert time.monotonic() - started < 4
    assert held.data == b"new"
    assert held.seq == 0
