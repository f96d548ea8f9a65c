"""Crowds that vanish, never speak, or never listen: the server stays small, others are served."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from rummy_arena.api.v1.table_service_pb2 import GetTableRequest
from rummy_arena.client import Arena, ArenaError
from services.events.put_token import put_token
from services.rpc.server import MOST_AT_ONCE
from services.state.client import CONNECTIONS as STORE
from services.state.context import Context
from tests.services.played import played_table

from .raw_http2 import call, greeting
from .replicas import Replica, replicas

ROOT = Path(__file__).parents[2]
TOKEN = "of-a-player"
STREAMS, CONNECTIONS, TOKENS = 200, 300, 2_000
MIB = 1 << 20
SERVED_S = 2.0
"""How long another caller may wait meanwhile, on a machine that does other things as well."""
GET_TABLE = "/rummy_arena.api.v1.TableService/GetTable"


@dataclass(frozen=True)
class Server:
    """An API server in a process of its own, with a table."""

    replica: Replica
    process: psutil.Process
    arena: Arena
    table_id: str

    @property
    def memory(self) -> int:
        """What the process holds, in bytes."""
        return int(self.process.memory_info().rss)

    @property
    def files(self) -> int:
        """How many files and sockets the process has open."""
        return int(self.process.num_fds())

    async def serves(self) -> None:
        """Make sure that others are served, and soon."""
        start = time.monotonic()
        await self.arena.tables.get(self.table_id)
        assert time.monotonic() - start < SERVED_S

    async def lets_go(self, files: int, within_s: float = 60.0) -> None:
        """Wait until no more files are open than these, and a few."""
        deadline = time.monotonic() + within_s
        while self.files > files + 8:
            assert time.monotonic() < deadline, f"{self.files} files are open, of {files} before"
            await asyncio.sleep(0.1)


@pytest.fixture
async def server(ctx: Context, valkey_url: str, tmp_path: Path) -> AsyncIterator[Server]:
    await put_token(ctx, TOKEN, player_id="p", role="player", ttl_s=3600)
    table = await played_table(ctx)
    with replicas(tmp_path, valkey_url, 1) as [replica]:
        async with Arena.connect(replica.address, token=TOKEN) as arena:
            process = psutil.Process(replica.process.pid)
            server = Server(replica, process, arena, table.id)
            for _ in range(200):
                await server.serves()
            yield server


@contextlib.contextmanager
def connections(replica: Replica, count: int) -> Iterator[list[socket.socket]]:
    """Hold so many connections."""
    with contextlib.ExitStack() as held:
        yield [
            held.enter_context(socket.create_connection(("127.0.0.1", replica.port), timeout=5))
            for _ in range(count)
        ]


async def test_crowds_that_open_streams_and_vanish(server: Server) -> None:
    files, sizes = server.files, []
    for _ in range(3):
        crowd = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.bench.watch_load", server.replica.address, TOKEN),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert crowd.stdin is not None
        assert crowd.stdout is not None
        crowd.stdin.write(" ".join([server.table_id] * STREAMS).encode() + b"\n")
        assert await asyncio.wait_for(crowd.stdout.readline(), 30) == b"ready\n"
        await server.serves()
        crowd.kill()
        await crowd.wait()
        await server.lets_go(files)
        await server.serves()
        sizes.append(server.memory)
    assert sizes[2] - sizes[0] < 10 * MIB


async def test_connections_that_say_nothing_or_half_of_it(server: Server) -> None:
    files, size = server.files, server.memory
    message = GetTableRequest(table_id=server.table_id).SerializeToString()
    whole = greeting() + call(0, GET_TABLE, TOKEN, message)
    beginnings = (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 100, greeting(), whole[:-3], whole)
    with connections(server.replica, CONNECTIONS) as held:
        for at, connection in enumerate(held):
            connection.sendall(beginnings[at % len(beginnings)])
        for _ in range(20):
            await server.serves()
            await asyncio.sleep(0.02)
        assert server.files <= files + CONNECTIONS + 8
        assert server.memory - size < 40 * MIB
    await server.lets_go(files)
    await server.serves()


async def test_a_caller_that_never_reads_its_answers(server: Server) -> None:
    size = server.memory
    message = GetTableRequest(table_id=server.table_id).SerializeToString()
    with connections(server.replica, 1) as [connection]:
        connection.sendall(greeting())
        for first in range(0, 4 * MOST_AT_ONCE, 100):
            calls = range(first, first + 100)
            frames = b"".join([call(nth, GET_TABLE, TOKEN, message) for nth in calls])
            await asyncio.to_thread(connection.sendall, frames)
            await server.serves()
        await asyncio.sleep(1)
        await server.serves()
        assert server.memory - size < MOST_AT_ONCE * 40 * 1024


async def test_thousands_of_tokens_good_and_bad(server: Server, ctx: Context) -> None:
    size, files = server.memory, server.files
    tokens = [f"token-{number}" for number in range(TOKENS)]
    for token in tokens:
        await put_token(ctx, token, player_id=token, role="player", ttl_s=3600)
    many = asyncio.Semaphore(50)

    async def looks(token: str) -> None:
        async with many:
            await server.arena.as_bearer(token).tables.get(server.table_id)

    async def guesses(token: str) -> None:
        with pytest.raises(ArenaError, match="NOT_AUTHENTICATED"):
            await looks(token)

    await asyncio.gather(*map(looks, tokens), *[guesses(f"no-{token}") for token in tokens])
    await server.serves()
    assert server.files <= files + STORE
    assert server.memory - size < 40 * MIB  # 4,000 tokens, and what is collected rarely
