"""The shared line when the wire or the server fails: all are served or told, in bounded time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import ssl
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ReadOnlyError
from redis.exceptions import TimeoutError as RedisTimeoutError

from services.runtime.children import stop
from services.runtime.valkey import start_valkey
from services.state.client import connect
from tests.ports import free_port

from .servers import OLDEST_REDIS, REDIS, _spawn, _until_answers, redis_version
from .shared_line import (
    LATE_S,
    REPLY_S,
    crowd,
    echo,
    line_to,
    one_server,
    ours,
    server_pid,
    told_as_by_the_client,
)

pytestmark = pytest.mark.usefixtures("nothing_left")


async def test_connections_killed_at_random_points(server: str) -> None:
    """CLIENT KILL under load: nobody gets a reply of somebody else, and few get none."""
    client: Any = connect(server)
    dice = random.Random(3)
    kills = 0

    async def killer() -> None:
        nonlocal kills
        while True:
            await asyncio.sleep(0.01 + dice.random() * 0.1)
            kills += await client.client_kill_filter(_type="normal", skipme=True)

    await client.ping()
    files = len(os.listdir("/proc/self/fd"))
    killing = asyncio.ensure_future(killer())
    async with line_to(server, reply_s=5) as lines:
        replied, failed, gone = await crowd(lines, 4_000, lost=True)
        killing.cancel()
        await asyncio.wait([killing])
        await echo(lines, "after")
    assert len(os.listdir("/proc/self/fd")) <= files + 1  # the line's
    await client.aclose()
    assert kills > 5
    assert replied + failed + gone == 4_000
    assert replied > 2_000


async def test_wire_cut_at_random_bytes(server: str, tmp_path: Path) -> None:
    """A proxy that cuts in the middle of commands and of replies."""
    dice = random.Random(7)
    wires = cuts = 0

    async def carry(reader: Any, writer: Any, budget: list[int]) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                data = data[: max(budget[0], 0)]
                budget[0] -= len(data)
                writer.write(data)
                if budget[0] <= 0:
                    return

    async def serve(reader: Any, writer: Any) -> None:
        nonlocal wires, cuts
        wires += 1
        path = server.removeprefix("unix://").partition("?")[0]
        up_reader, up_writer = await asyncio.open_unix_connection(path)
        budgets = [[dice.randrange(500, 60_000)], [dice.randrange(500, 40_000_000)]]
        both = [
            asyncio.ensure_future(carry(reader, up_writer, budgets[0])),
            asyncio.ensure_future(carry(up_reader, writer, budgets[1])),
        ]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        cuts += any(budget[0] <= 0 for budget in budgets)
        for each in both:
            each.cancel()
        await asyncio.wait(both)
        writer.close()
        up_writer.close()

    with tempfile.TemporaryDirectory(prefix="cut-") as folder:
        listener = await asyncio.start_unix_server(serve, f"{folder}/s")
        async with line_to(f"unix://{folder}/s", reply_s=5) as lines:
            replied, failed, gone = await crowd(lines, 3_000, lost=True)
        listener.close()
        for _ in range(20):
            await asyncio.sleep(0.01)
    assert cuts > 5
    assert replied + failed + gone == 3_000
    assert replied > 1_000


async def test_server_stopped_for_longer_than_a_reply_may_take() -> None:
    async with one_server() as (_, _, url), line_to(url) as lines:
        await echo(lines, "before")
        pid = server_pid(url)
        os.kill(pid, signal.SIGSTOP)
        try:
            started = time.monotonic()
            got = await asyncio.gather(
                *(echo(lines, f"{number}") for number in range(200)), return_exceptions=True
            )
            took_s = time.monotonic() - started
        finally:
            os.kill(pid, signal.SIGCONT)
        assert all(isinstance(error, RedisTimeoutError) for error in got)
        assert "did not reply in time" in str(got[0])
        assert 4 * REPLY_S < took_s < 4 * (LATE_S + 0.1) + 4
        await asyncio.gather(*(echo(lines, f"after {number}") for number in range(200)))


async def test_server_stopped_and_continued_while_they_wait() -> None:
    """Those who wait are served over a new line; the late replies of the old one go nowhere."""
    async with one_server() as (_, _, url), line_to(url) as lines:
        await echo(lines, "before")
        pid = server_pid(url)
        os.kill(pid, signal.SIGSTOP)
        asking = [asyncio.ensure_future(echo(lines, f"{number}")) for number in range(500)]
        try:
            await asyncio.sleep(LATE_S + 0.2)
        finally:
            os.kill(pid, signal.SIGCONT)
        await asyncio.gather(*asking)
        await crowd(lines, 1_000)


async def test_this_process_held_up_is_no_late_reply(server: str) -> None:
    async with line_to(server) as lines:
        await echo(lines, "before")
        line = lines._line
        asking = asyncio.ensure_future(echo(lines, "meanwhile"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        time.sleep(2 * LATE_S)  # noqa: ASYNC251
        await asking
        assert lines._line is line


async def test_a_long_queue_whose_replies_come_is_not_cut(server: str) -> None:
    """Else whoever is late already would ask everything again."""
    slow = "local n = 0; for i = 1, ARGV[1] do n = n + i % 7 end; return n"
    async with line_to(server, reply_s=0.5) as lines:
        loops = 2_000  # what is read at once is answered at once, so that each takes little
        started = time.monotonic()
        await asyncio.gather(*(lines.ask("EVAL", slow, 0, loops) for _ in range(50)))
        each_s = (time.monotonic() - started) / 50
        line = lines._line
        many = int(3 / each_s) + 1
        await asyncio.gather(*(lines.ask("EVAL", slow, 0, loops) for _ in range(many)))
        assert time.monotonic() - started > 0.75
        assert lines._line is line


async def test_server_killed_and_started_again_under_load() -> None:
    async with one_server(durability="always") as (folder, children, url), line_to(url) as lines:
        until = time.monotonic() + 2.5
        replied = failed = most = 0

        async def caller(name: int) -> None:
            nonlocal replied, failed, most
            number = 0
            while time.monotonic() < until:
                number += 1
                try:
                    await echo(lines, f"{name} {number}")
                    replied += 1
                except (RedisConnectionError, OSError):
                    failed += 1
                most = max(most, len(asyncio.all_tasks()))
                await asyncio.sleep(0.001)

        async def killer() -> None:
            for _ in range(2):
                await asyncio.sleep(0.3)
                children[-1].process.kill()
                children[-1].process.wait()
                await asyncio.sleep(0.3)
                child, again = start_valkey(folder, log=folder / "log", durability="always")
                children.append(child)
                assert again == url

        before = replied
        await asyncio.gather(killer(), *(caller(name) for name in range(50)))
        assert replied > before + 1_000
        assert most < 50 + 10
        await echo(lines, "after")


async def test_server_away_is_no_busy_loop(tmp_path: Path) -> None:
    """However many ask, lines are tried one after the other, with pauses; all are told soon."""
    async with line_to(f"unix://{tmp_path}/none", reply_s=5) as lines:
        made: list[float] = []
        make = lines._connection

        def counted() -> Any:
            made.append(time.monotonic())
            return make()

        lines._connection = counted
        for _ in range(2):
            got = await asyncio.gather(
                *(lines.ask("GET", f"{number}") for number in range(300)), return_exceptions=True
            )
            assert {type(error) for error in got} == {RedisConnectionError}
        assert len(made) == 8
        assert len(ours(lines)) == 0


async def test_an_idle_line_that_died_is_replaced_at_once(server: str) -> None:
    client: Any = connect(server)
    async with line_to(server) as lines:
        await echo(lines, "before")
        await client.client_kill_filter(_type="normal", skipme=True)
        started = time.monotonic()
        await echo(lines, "after")
        assert time.monotonic() - started < LATE_S
    await client.aclose()


async def test_nobody_there_is_told_as_by_the_client(tmp_path: Path) -> None:
    """The same error as the client's, in bounded time, at the first call and at later ones."""
    await asyncio.gather(
        told_as_by_the_client(f"unix://{tmp_path}/none", calls=2),
        told_as_by_the_client(f"redis://127.0.0.1:{free_port()}", calls=2),
    )


async def test_no_database_or_password_is_told_as_by_the_client(server: str) -> None:
    await asyncio.gather(
        told_as_by_the_client(f"{server.partition('?')[0]}?db=9999", calls=1),
        told_as_by_the_client(server.replace("unix://", "unix://nobody:wrong@"), calls=1),
    )


async def test_no_tls_there_is_told_in_bounded_time() -> None:
    async def serve(reader: Any, writer: Any) -> None:
        writer.write(b"-ERR no TLS here\r\n")
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with line_to(f"rediss://127.0.0.1:{port}", reply_s=5, ssl_cert_reqs="none") as lines:
        got = await asyncio.gather(
            *(lines.ask("GET", "a") for _ in range(9)), return_exceptions=True
        )
    listener.close()
    assert all(isinstance(error, RedisConnectionError | ssl.SSLError) for error in got)


async def test_a_server_that_never_greets_is_given_up() -> None:
    """It accepts, and says nothing: the handshake has no time limit of its own."""
    held: list[Any] = []

    async def serve(reader: Any, writer: Any) -> None:
        held.append(writer)
        await reader.read()
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with line_to(f"redis://127.0.0.1:{port}") as lines:
        started = time.monotonic()
        with pytest.raises(RedisTimeoutError):
            await lines.ask("GET", "a")
        assert time.monotonic() - started < 4 * (LATE_S + 0.1) + 4
    listener.close()
    await asyncio.sleep(0.05)
    assert len(held) == 4


async def test_a_server_that_still_loads_is_asked_again(server: str) -> None:
    """LOADING is no reply: the command goes over a later line, or is told as by the client."""
    refusals = 2

    async def serve(reader: Any, writer: Any) -> None:
        nonlocal refusals
        while data := await reader.read(1 << 16):
            for _ in range(data.count(b"SETINFO")):
                writer.write(b"+OK\r\n")
            if b"GET" in data:
                writer.write(b"-LOADING wait\r\n" if refusals > 0 else b"$1\r\nx\r\n")
                refusals -= 1
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"redis://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    async with line_to(url) as lines:
        assert await lines.ask("GET", "a") == b"x"
        refusals = 4
        with pytest.raises(RedisConnectionError, match="wait"):
            await lines.ask("GET", "a")
    listener.close()
    await asyncio.sleep(0.05)


@pytest.mark.skipif(redis_version() < OLDEST_REDIS, reason="needs a server with TCP")
async def test_a_master_that_became_a_replica(tmp_path: Path) -> None:
    """READONLY ends the line: the name may lead to the new master by now; else it is told."""
    assert REDIS is not None
    path = tmp_path / "s"
    child = _spawn(
        REDIS, tmp_path, "r", {"port": "0", "unixsocket": str(path), "dir": str(tmp_path)}
    )
    import redis

    own: Any = redis.Redis(unix_socket_path=str(path))
    _until_answers(child, own)
    try:
        async with line_to(f"unix://{path}") as lines:
            write = ("EVAL", "return redis.call('SET', KEYS[1], 1)", 1, "a")
            assert await lines.ask(*write) in (b"OK", True)
            line = lines._line
            own.replicaof("127.0.0.1", free_port())
            with pytest.raises(ReadOnlyError):
                await lines.ask(*write)
            assert lines._line is not line
            asking = asyncio.ensure_future(lines.ask(*write))
            await asyncio.sleep(0.02)
            own.replicaof("NO", "ONE")
            assert await asking in (b"OK", True)
    finally:
        own.close()
        stop(child, grace_s=5)
