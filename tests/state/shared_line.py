"""A line to a real server, and a crowd that asks over it what has a reply of its own each."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
import signal
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from services.runtime.children import Child, stop
from services.runtime.valkey import start_valkey
from services.state.client import connect
from services.state.errors import StoreUnavailable
from services.state.lines import Lines
from services.state.meters import Meters
from services.state.store import Store

REPLY_S = 0.3
LATE_S = 1.25 * REPLY_S
BACKOFF = ExponentialWithJitterBackoff(base=0.02, cap=0.1)
ECHO = "return ARGV[1]"
REFUSE = "return redis.error_reply(ARGV[1])"
BIG = 5_000_000


@contextlib.asynccontextmanager
async def line_to(
    url: str, *, reply_s: float = REPLY_S, retries: int = 3, **options: Any
) -> AsyncIterator[Lines]:
    client: Any = connect(url)
    client.connection_pool.connection_kwargs.update(options)
    lines = Lines(client, reply_s=reply_s, retries=retries, backoff=BACKOFF)
    try:
        yield lines
    finally:
        await lines.close()
        await client.aclose()


@contextlib.asynccontextmanager
async def one_server(
    *, durability: Any = "everysec"
) -> AsyncIterator[tuple[Path, list[Child], str]]:
    """A server of this test alone; whoever starts it anew appends it to the list."""
    with tempfile.TemporaryDirectory(prefix="line-") as name:
        folder = Path(name)
        child, url = start_valkey(folder, log=folder / "log", durability=durability)
        children = [child]
        try:
            yield folder, children, url
        finally:
            for each in children:
                with contextlib.suppress(ProcessLookupError):
                    each.process.send_signal(signal.SIGCONT)
                stop(each, grace_s=5)


def server_pid(url: str) -> int:
    """The pid of the server itself, which runs below a launcher."""
    import redis

    return int(redis.Redis.from_url(url).info("server")["process_id"])


def ours(lines: Lines) -> set[asyncio.Task[Any]]:
    return {task for task in asyncio.all_tasks() if "Line." in str(task.get_coro())}


async def echo(lines: Lines, text: str) -> None:
    assert await lines.ask("EVAL", ECHO, 0, text) == text.encode()


async def a_distinct_one(lines: Lines, number: int, dice: random.Random) -> None:
    """Ask one of many kinds of commands, and see that the reply is its own."""
    kind = dice.randrange(100)
    text = f"{number}\0\r\n$5{dice.random()}"
    if number % 500 == 7:
        size = BIG + number
        reply = await lines.ask("EVAL", "return ARGV[1] .. string.rep('x', ARGV[2])", 0, text, size)
        assert reply == text.encode() + b"x" * size
    elif kind < 10:
        with pytest.raises(ResponseError, match=f"WRONGTYPE {number} "):
            await lines.ask("EVAL", REFUSE, 0, f"WRONGTYPE {number} !")
    elif kind < 20:
        with pytest.raises(NoScriptError):
            await lines.ask("EVALSHA", hashlib.sha1(text.encode()).hexdigest(), 0)
    elif kind < 30:
        with pytest.raises(ResponseError, match=f"^{number} !"):
            await lines.ask("EVAL", REFUSE, 0, f"OOM {number} !")
    elif kind < 40:
        assert await lines.ask("GET", f"nothing{number}") is None
    elif kind < 50:
        assert await lines.ask("HMGET", "none", *"abc"[: number % 3 + 1]) == [None] * (
            number % 3 + 1
        )
    else:
        assert await lines.ask("EVAL", ECHO, 0, text) == text.encode()


async def crowd(
    lines: Lines, commands: int, *, callers: int = 64, lost: bool = False, seed: int = 1
) -> tuple[int, int, int]:
    """Have so many ask, some of them cancelled; return how many got replies, lost and cancelled."""
    dice = random.Random(seed)
    numbers = iter(range(commands))
    replied = failed = gone = 0

    async def caller() -> None:
        nonlocal replied, failed, gone
        for number in numbers:
            asking = asyncio.ensure_future(a_distinct_one(lines, number, dice))
            if dice.random() < 0.1:
                for _ in range(dice.randrange(6)):
                    await asyncio.sleep(0)
                asking.cancel()
            try:
                await asking
                replied += 1
            except asyncio.CancelledError:
                gone += 1
            except (RedisConnectionError, RedisTimeoutError, OSError):
                assert lost
                failed += 1

    await asyncio.gather(*(caller() for _ in range(callers)))
    return replied, failed, gone


async def told_as_by_the_client(url: str, *, calls: int) -> None:
    store = Store(connect(url), Meters(CollectorRegistry()))
    with pytest.raises(StoreUnavailable, match="does not answer") as by_client:
        await store.ping()
    for _ in range(calls):
        started = time.monotonic()
        with pytest.raises(StoreUnavailable) as by_line:
            await store.read("thing", "a1")
        assert time.monotonic() - started < 8
        assert str(by_line.value) == str(by_client.value)
    await store.close()
