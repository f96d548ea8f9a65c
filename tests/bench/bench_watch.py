"""Two thousand watchers on one API process: all at one table, and four at each of 500 tables.

Prints messages sent per second of the server's processor time, how long after its commit an event
arrives, and what a stream weighs. Run as ``python -m tests.bench.bench_watch``; needs about forty
seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import uvloop

from rummy_arena.game.events import Discarded
from services.events.put_token import put_token
from services.play.create_table import create_table
from services.play.table import TABLES
from services.runtime.settings import load_settings
from services.runtime.wiring import close_context, open_context
from services.state.context import Context
from services.state.event_codec import encode_events
from services.state.records import SeatRecord
from services.state.store import Batch, Held
from tests.ports import free_port

from .bench_act import process, ready
from .own_store import own_store
from .watch_load import Came
from .yardstick import yardstick_line

WATCHERS = 2_000
PROCESSES = 2
SECONDS = 6.0
A_SECOND = 4_000  # messages to all watchers
TOKEN = "the-benchmarks"


class Writer:
    """Tables that grow by one discard with each commit."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._held: dict[str, Held] = {}
        self.committed: dict[str, dict[int, int]] = {}  # by table and sequence, when in ns

    async def open(self, count: int) -> list[str]:
        """Return the ids of so many new tables."""
        for _ in range(count):
            table_id = self._ctx.new_id()
            seats = [SeatRecord(name, name, "") for name in "abcd"]
            await create_table(self._ctx, table_id, "kalooki-jamaican", seats, bytes(32))
            self._held[table_id] = await self._ctx.store.acquire(
                TABLES, table_id, lease_ms=120_000, wait_s=1
            )
            self.committed[table_id] = {}
        return list(self._held)

    async def write(self, table_id: str, number: int) -> None:
        """Commit one event."""
        held = self._held[table_id]
        data = encode_events([Discarded(number % 4, number % 52)])
        batch = Batch(1, data, self._ctx.now_ms())
        kept = await self._ctx.store.commit(held, held.data, events=batch, keep=True)
        assert kept is not None
        self._held[table_id] = kept
        self.committed[table_id][kept.seq] = time.time_ns()

    async def load(self, tables: list[str], a_second: float) -> None:
        """Commit at this rate, the tables in turn."""
        began = time.perf_counter()
        for number in range(round(SECONDS * a_second)):
            await asyncio.sleep(began + number / a_second - time.perf_counter())
            await self.write(tables[number % len(tables)], number)


@contextlib.contextmanager
def watchers(address: str, tables: list[str]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run the processes that watch; the tables are dealt out among all streams in turn."""
    children = []
    for number in range(PROCESSES):
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.watch_load", address, TOKEN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        children.append(child)
        wanted = [tables[at % len(tables)] for at in range(number, WATCHERS, PROCESSES)]
        assert child.stdin is not None
        child.stdin.write(" ".join(wanted).encode() + b"\n")
        child.stdin.flush()
    try:
        yield children
    finally:
        for child in children:
            child.terminate()
            child.wait(timeout=10)


def collected(child: subprocess.Popen[bytes]) -> Came:
    """Return what a process of watchers has seen."""
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(b"done\n")
    child.stdin.flush()
    came: Came = pickle.load(child.stdout)
    return came


def cpu_s(api: psutil.Process) -> float:
    """Return the processor time that a process has used."""
    times = api.cpu_times()
    return float(times.user + times.system)


async def measure(ctx: Context, api: psutil.Process, address: str, table_count: int) -> None:
    """Print the figures of one spread of watchers over tables."""
    writer = Writer(ctx)
    tables = await writer.open(table_count)
    before = api.memory_info().rss
    with watchers(address, tables) as children:
        opened = time.perf_counter()
        for child in children:
            assert child.stdout is not None
            line = await asyncio.wait_for(asyncio.to_thread(child.stdout.readline), 40)
            assert line == b"ready\n"
        opened = time.perf_counter() - opened
        weight = (api.memory_info().rss - before) / WATCHERS
        began, used = time.perf_counter(), cpu_s(api)
        await writer.load(tables, A_SECOND * table_count / WATCHERS)
        await asyncio.sleep(0.5)
        used, took = cpu_s(api) - used, time.perf_counter() - began
        cames = [await asyncio.to_thread(collected, child) for child in children]
    delays = sorted(
        (arrived - writer.committed[table_id][sequence]) / 1e6
        for came in cames
        for table_id, (sequences, times) in came.items()
        for sequence, arrived in zip(sequences, times, strict=True)
    )
    commits = sum(map(len, writer.committed.values()))
    owed = commits * WATCHERS // table_count
    name = f"{WATCHERS:,} watchers of {table_count} table{'s' * (table_count > 1)}"
    print(f"{name:32} {len(delays):,} of {owed:,} messages in {took:.1f} s")
    print(f"{'':32} {len(delays) / used:,.0f} messages a second of the server's processor")
    p50, p99 = statistics.median(delays), delays[len(delays) * 99 // 100]
    print(f"{'':32} from commit to receipt p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    print(f"{'':32} {weight / 1024:.1f} KiB a stream; all open in {opened:.1f} s")


async def run(folder: Path, url: str) -> None:
    """Start the server anew for each spread, and print every figure."""
    ctx = await open_context(load_settings(redis_url=url))
    await put_token(ctx, TOKEN, player_id="bench", role="admin", ttl_s=600)
    for table_count in (1, WATCHERS // 4):
        port = free_port()
        environment = {
            "RUMMY_ARENA_REDIS_URL": url,
            "RUMMY_ARENA_DATA_DIR": str(folder / f"data-{table_count}"),
            "RUMMY_ARENA_API_PORT": str(port),
            "RUMMY_ARENA_LOG_LEVEL": "error",
            "RUMMY_ARENA_HOST_STREAMS": "0",
        }
        with process("services.runtime.api", environment=environment) as api:
            address = f"127.0.0.1:{port}"
            await ready(address)
            await measure(ctx, api, address, table_count)
            api.terminate()
            await asyncio.to_thread(api.wait, 30)  # it drains
    await close_context(ctx)


def main() -> None:
    """Measure on servers of its own."""
    print(yardstick_line())
    with own_store() as (folder, url):
        uvloop.run(run(folder, url))


if __name__ == "__main__":
    main()
