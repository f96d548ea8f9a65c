"""``Act`` through gRPC, lease, rules and commit: one API process and one caller process.

Beside it in the same run: an empty gRPC echo of the same sizes, and the two round trips to the
store that a write cannot do without. Run as ``python -m tests.bench.bench_act``; needs about a
minute and a half.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import psutil
import uvloop

from rummy_arena.api.v1.table_service_pb2 import ActRequest, ActResponse
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceStub
from services.play.table import TABLES
from services.runtime.settings import load_settings
from services.runtime.wiring import close_context, now_ms, open_context
from services.state import keys
from services.state.context import Context
from tests.ports import free_port

from .act_load import PlayedTable, full_load, paced_load, seated_tables
from .echo_server import METHOD
from .own_store import own_store
from .yardstick import yardstick_line

CALLERS = 64
SECONDS = 2.0
REPEATS = 3
ECHO_SHARE, TRIPS_SHARE, TAIL = 0.45, 0.50, 5.0
STORED = (100, 10_000, 100_000)
COST_CALLS = 4_000
FILLERS = 64
CHANNEL = (("grpc.use_local_subchannel_pool", 1),)


@dataclass(frozen=True)
class Rates:
    """Calls a second of one repeat."""

    act: float
    echo: float
    trips: float


@contextlib.contextmanager
def process(*command: str, environment: dict[str, str] | None = None) -> Iterator[psutil.Process]:
    """Run a Python module until the end of the block."""
    child = subprocess.Popen(
        [sys.executable, "-m", *command],
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield psutil.Process(child.pid)
    finally:
        child.terminate()
        child.wait(timeout=10)


async def ready(address: str) -> None:
    """Wait until a server takes connections."""
    async with grpc.aio.insecure_channel(address, options=CHANNEL) as channel:
        await asyncio.wait_for(channel.channel_ready(), 20)


async def crowd(work: Callable[[], Awaitable[object]], seconds: float = SECONDS) -> float:
    """Return how often a second 64 callers do this."""
    done = 0
    began = time.perf_counter()
    end = began + seconds

    async def caller() -> None:
        nonlocal done
        while time.perf_counter() < end:
            await work()
            done += 1

    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    return done / (time.perf_counter() - began)


class Bench:
    """The servers under test and what calls them."""

    def __init__(self, ctx: Context, api: psutil.Process, act: grpc.aio.Channel) -> None:
        self.ctx = ctx
        self.api = api
        self._act = TableServiceStub(act).Act
        self._runs = 0
        self.filled = 0

    async def act(self, request: ActRequest, bearer: tuple[tuple[str, str], ...]) -> object:
        """Call Act."""
        return await self._act(request, metadata=bearer)

    async def tables(self) -> list[PlayedTable]:
        """Return fresh tables."""
        self._runs += 1
        return await seated_tables(self.ctx, CALLERS, run=f"{os.getpid()}-{self._runs}")

    async def trips(self) -> None:
        """Make the two round trips of a write, with nothing to do at the other end."""
        client = self.ctx.store._client
        await client.set("bench:trip", b"x" * 400)
        await client.get("bench:trip")

    def cpu_s(self) -> float:
        """Return the processor time that the API process has used."""
        times = self.api.cpu_times()
        return times.user + times.system

    async def cost_us(self) -> tuple[float, float]:
        """Return microseconds of an Act of the API process, and of the store's scripts."""
        costs = []
        for _ in range(REPEATS):
            tables = (await self.tables())[:8]
            await self.ctx.store._client.config_resetstat()
            before, done = self.cpu_s(), 0
            while done < COST_CALLS // REPEATS:
                for table in tables:
                    step = table.step()
                    await self.act(step.request, step.bearer)
                    done += 1
            stats = await self.ctx.store._client.info("commandstats")
            scripts = sum(
                stats.get(f"cmdstat_{name}", {"usec": 0})["usec"] for name in ("evalsha", "get")
            )
            costs.append(((self.cpu_s() - before) / done * 1e6, scripts / done))
        return tuple(statistics.median(cost[at] for cost in costs) for at in (0, 1))  # type: ignore[return-value]

    async def fill(self, stored: int, pattern: bytes) -> None:
        """Store copies of a table until there are so many."""
        due_ms = now_ms() + 10**9
        for first in range(self.filled, stored, FILLERS):
            await asyncio.gather(
                *(
                    self.ctx.store.create(
                        TABLES, f"idle-{number}", pattern, deadline_ms=due_ms + number
                    )
                    for number in range(first, min(first + FILLERS, stored))
                )
            )
        self.filled = max(self.filled, stored)


async def rates(bench: Bench, echo: Callable[[], Awaitable[object]]) -> Rates:
    """Measure all three, one after the other, so that what drifts drifts for all."""
    act, _ = await full_load(bench.act, await bench.tables(), SECONDS)
    return Rates(act, await crowd(echo), await crowd(bench.trips))


async def compare(bench: Bench, echo: Callable[[], Awaitable[object]]) -> float:
    """Print Act beside its yardsticks; return its median rate."""
    runs = [await rates(bench, echo) for _ in range(REPEATS)]
    act = statistics.median(run.act for run in runs)
    of_echo = statistics.median(run.act / run.echo for run in runs)
    of_trips = statistics.median(run.act / run.trips for run in runs)
    print(f"{'Act, 64 tables at once':44} {act:7,.0f}/s")
    for name, rate, share, reference in (
        ("empty echo", statistics.median(run.echo for run in runs), of_echo, ECHO_SHARE),
        ("two round trips", statistics.median(run.trips for run in runs), of_trips, TRIPS_SHARE),
    ):
        print(f"{name:44} {rate:7,.0f}/s: Act is {share:.0%} (reference {reference:.0%})")
    return act


async def tail(bench: Bench, a_second: float) -> None:
    """Print how long Act takes at half of what the server can do."""
    times = await paced_load(bench.act, await bench.tables(), 2 * SECONDS, a_second / 2)
    median, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
    print(
        f"{f'Act at {a_second / 2:,.0f}/s':44} p50 {median:.2f} ms, p99 {p99:.2f} ms:"
        f" {p99 / median:.1f} times (reference under {TAIL:g})"
    )


async def growth(bench: Bench) -> None:
    """Print what an Act costs with many tables stored, and what an idle one weighs."""
    pattern = (await bench.ctx.store.read(TABLES, (await bench.tables())[0].id)).data
    costs = []
    for stored in STORED:
        before, had = await used_bytes(bench), bench.filled
        await bench.fill(stored, pattern)
        if stored == STORED[1]:
            weight = (await used_bytes(bench) - before) / (bench.filled - had)
        own_us, store_us = await bench.cost_us()
        costs.append(own_us + store_us)
        print(
            f"{f'Act with {stored:,} tables stored':44} {own_us:5.0f} us of the API process,"
            f" {store_us:3.0f} us of the store"
        )
    print(f"{'dearest to cheapest, reference within 1.20':44} {max(costs) / min(costs):.2f}")
    print(f"{'an idle table':44} {weight:5,.0f} bytes of the store's memory")
    print(f"{'':44} {await key_bytes(bench)}")


async def used_bytes(bench: Bench) -> int:
    """Return the store's used memory."""
    return int((await bench.ctx.store._client.info("memory"))["used_memory"])


async def key_bytes(bench: Bench) -> str:
    """Return what each key of a played table weighs."""
    tables = await bench.tables()
    await full_load(bench.act, tables, 0.5)
    weights = []
    for name, key in (
        ("record", keys.record),
        ("log", keys.log),
        ("requests", keys.requests),
    ):
        size = await bench.ctx.store._client.memory_usage(key(TABLES, tables[0].id))
        weights.append(f"{name} {size or 0:,}")
    return "of one in play: " + ", ".join(weights)


async def measure(folder: Path, url: str) -> None:
    """Start both servers and print every figure."""
    api_port, echo_port = free_port(), free_port()
    environment = {
        "RUMMY_ARENA_REDIS_URL": url,
        "RUMMY_ARENA_DATA_DIR": str(folder / "data"),
        "RUMMY_ARENA_API_PORT": str(api_port),
        "RUMMY_ARENA_LOG_LEVEL": "error",
    }
    api_address, echo_address = f"127.0.0.1:{api_port}", f"127.0.0.1:{echo_port}"
    answer = ActResponse(sequence=1_000)
    answer.server_time.GetCurrentTime()
    ctx = await open_context(load_settings(redis_url=url))
    with (
        process("services.runtime.api", environment=environment) as api,
        process("tests.bench.echo_server", echo_address, str(answer.ByteSize())),
    ):
        await asyncio.gather(ready(api_address), ready(echo_address))
        async with (
            grpc.aio.insecure_channel(api_address, options=CHANNEL) as act_channel,
            grpc.aio.insecure_channel(echo_address, options=CHANNEL) as echo_channel,
        ):
            bench = Bench(ctx, api, act_channel)
            step = (await bench.tables())[0].step()
            echo: Any = echo_channel.unary_unary(METHOD, ActRequest.SerializeToString, None)
            most = await compare(bench, lambda: echo(step.request, metadata=step.bearer))
            await tail(bench, most)
            await growth(bench)
    await close_context(ctx)


def main() -> None:
    """Measure on servers of its own."""
    print(yardstick_line())
    with own_store() as (folder, url):
        uvloop.run(measure(folder, url))


if __name__ == "__main__":
    main()
