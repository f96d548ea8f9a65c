"""The shared line and its callers, who go away and close it: no reply ever goes astray."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from redis.exceptions import ConnectionError as RedisConnectionError

from services.state.client import connect
from services.state.lines import QUICK, Lines
from services.state.meters import Meters
from services.state.store import Store

from .shared_line import (
    BACKOFF,
    crowd,
    echo,
    line_to,
    ours,
)

pytestmark = pytest.mark.usefixtures("nothing_left")


async def test_every_reply_goes_to_who_asked(server: str) -> None:
    async with line_to(server, reply_s=5) as lines:
        replied, _, gone = await crowd(lines, 10_000)
    assert replied > 8_000
    assert gone > 100


@pytest.mark.parametrize("steps", range(8))
async def test_cancelled_unsent_sent_and_answered(server: str, steps: int) -> None:
    """A caller that goes away at any step takes nobody's reply along."""
    async with line_to(server) as lines:
        for round_ in range(20):
            before = asyncio.ensure_future(echo(lines, f"before {round_}"))
            gone = asyncio.ensure_future(echo(lines, f"gone {round_}"))
            after = asyncio.ensure_future(echo(lines, f"after {round_}"))
            for _ in range(steps):
                await asyncio.sleep(0)
            gone.cancel()
            await asyncio.wait([gone])
            await asyncio.gather(before, after)


async def test_a_whole_crowd_cancelled(server: str) -> None:
    async with line_to(server) as lines:
        for steps in range(6):
            asking = [asyncio.ensure_future(echo(lines, f"{number}")) for number in range(2_000)]
            for _ in range(steps):
                await asyncio.sleep(0)
            for each in asking:
                each.cancel()
            await asyncio.wait(asking)
            await echo(lines, f"after {steps}")
        assert lines._line is not None
        assert not lines._line._waiting


@pytest.mark.parametrize("steps", range(12))
async def test_cancelled_while_connecting(server: str, steps: int) -> None:
    """The one who asked first may go; the line that it had made serves the others."""
    async with line_to(server) as lines:
        first = asyncio.ensure_future(echo(lines, "first"))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(echo(lines, "second"))
        for _ in range(steps):
            await asyncio.sleep(0)
        first.cancel()
        await second


@pytest.mark.parametrize("command", ["BLPOP", "XREAD", "SUBSCRIBE", "MULTI", "WAIT", "SELECT"])
async def test_what_blocks_or_changes_the_line_cannot_be_asked(server: str, command: str) -> None:
    assert command not in QUICK
    async with line_to(server) as lines:
        with pytest.raises(ValueError, match="client"):
            await lines.ask(command, "a", 0)
        assert lines._line is None


async def test_what_cannot_be_sent_disturbs_nobody(server: str) -> None:
    async with line_to(server) as lines:
        before = asyncio.ensure_future(echo(lines, "before"))
        await asyncio.sleep(0)
        with pytest.raises(TypeError):
            await lines.ask("GET", object())
        await before
        await echo(lines, "after")


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 8, 20])
async def test_closed_while_they_wait(server: str, steps: int) -> None:
    """During the connect or after: each is told, none asks over another line; twice is once."""
    client: Any = connect(server)
    lines = Lines(client, reply_s=5, retries=3, backoff=BACKOFF)
    asking = [asyncio.ensure_future(echo(lines, f"{number}")) for number in range(20)]
    await asyncio.sleep(0)
    for _ in range(steps):
        await asyncio.sleep(0)
    started = time.monotonic()
    await asyncio.gather(lines.close(), lines.close())
    await lines.close()
    got = await asyncio.gather(*asking, return_exceptions=True)
    assert time.monotonic() - started < 4  # a reply may take 5
    assert {type(each) for each in got} <= {RedisConnectionError, type(None)}
    with pytest.raises(RedisConnectionError, match="closed"):
        await lines.ask("GET", "a")
    assert len(ours(lines)) == 0
    await client.aclose()


async def test_closed_while_a_lost_line_hangs_up(server: str) -> None:
    client: Any = connect(server)
    lines = Lines(client, reply_s=5, retries=0, backoff=BACKOFF)
    for steps in range(8):
        lines = Lines(client, reply_s=5, retries=0, backoff=BACKOFF)
        await echo(lines, "before")
        line = lines._line
        assert line is not None
        line.hang_up()
        for _ in range(steps):
            await asyncio.sleep(0)
        await lines.close()
        assert not line._connection.is_connected
    await client.aclose()


def test_one_store_in_two_loops_one_after_the_other(server: str) -> None:
    """The first loop ended the line with its tasks; in the second a new one is made."""
    store = Store(connect(server), Meters(CollectorRegistry()))

    async def use() -> None:
        await store.create("thing", "two-loops", b"x")
        assert (await store.read("thing", "two-loops")).data == b"x"

    asyncio.run(use())

    async def use_again() -> None:
        assert (await store.read("thing", "two-loops")).data == b"x"
        await store.close()

    asyncio.run(use_again())


def test_a_line_is_not_shared_across_a_fork(server: str) -> None:
    """A child that uses its parent's store is refused before a byte goes out."""
    store = Store(connect(server), Meters(CollectorRegistry()))
    loop = asyncio.new_event_loop()
    loop.run_until_complete(store.create("thing", "forked", b"x"))
    pid = os.fork()
    if pid == 0:
        try:
            asyncio.new_event_loop().run_until_complete(store.read("thing", "forked"))
        except RuntimeError as error:
            os._exit(7 if "loop" in str(error) else 8)
        except BaseException:
            os._exit(9)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    assert loop.run_until_complete(store.read("thing", "forked")).data == b"x"
    loop.run_until_complete(store.close())
    loop.close()
