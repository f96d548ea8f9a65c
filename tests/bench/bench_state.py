"""The state on a real server: what a write costs, alone, in a crowd, and as tables pile up.

Every figure stands beside two empty round trips measured in the same run, since that is the least
that a write can cost. Run as ``python -m tests.bench.bench_state``.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable

import uvloop
from prometheus_client import CollectorRegistry

from services.state.client import connect
from services.state.meters import Meters
from services.state.store import Answer, Batch, Store

from .own_store import own_store

TABLE = "table"
RECORD = bytes(range(256)) + bytes(24)  # 280 bytes, as a table's record
EVENTS = Batch(3, bytes(120))
CALLERS = 64
SECONDS = 1.0
REPEATS = 3
COST_CALLS = 1_000
REFERENCE = 7_000  # writes a second over 100 tables from one process
SHARE = 0.5  # of the two empty round trips

Work = Callable[[int], Awaitable[object]]


async def rate(work: Work, callers: int) -> tuple[float, list[float]]:
    """Return calls a second by so many callers, and the sorted times of the calls in ms."""
    times: list[float] = []
    started = time.perf_counter()
    end = started + SECONDS

    async def caller(number: int) -> None:
        while (before := time.perf_counter()) < end:
            await work(number)
            times.append((time.perf_counter() - before) * 1e3)
            number += callers

    await asyncio.gather(*(caller(number) for number in range(callers)))
    return len(times) / (time.perf_counter() - started), sorted(times)


async def median_rate(name: str, work: Work, callers: int, beside: float | None = None) -> float:
    """Measure, print, and return the median of the repeats."""
    runs = [await rate(work, callers) for _ in range(REPEATS)]
    median = statistics.median(run[0] for run in runs)
    times = runs[-1][1]
    ratio = f"  {median / beside:4.0%} of the empty round trips" if beside else ""
    print(
        f"{name:44} {median:7,.0f}/s  p50 {times[len(times) // 2]:6.2f} ms"
        f"  p99 {times[len(times) * 99 // 100]:6.2f} ms{ratio}"
    )
    return median


class Bench:
    """The measured operations on one store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables = 0
        self.requests = 0

    async def fill(self, tables: int) -> None:
        """Create tables until there are so many."""
        for first in range(self.tables, tables, CALLERS):
            await asyncio.gather(
                *(
                    self.store.create(TABLE, f"t{number}", RECORD, deadline_ms=2**41)
                    for number in range(first, min(first + CALLERS, tables))
                )
            )
        self.tables = tables

    async def empty(self, number: int) -> None:
        """Ask for two commands of a write's sizes that touch one key."""
        key = f"e{number % 100}"
        await self.store._client.set(key, RECORD)
        await self.store._client.get(key)

    def write_to(self, tables: int) -> Work:
        """Return a write to one of so many tables: lease and record, then everything at once."""

        async def write(number: int) -> None:
            self.requests += 1
            request_id = f"r{self.requests}"
            held = await self.store.acquire(
                TABLE,
                f"t{number % tables}",
                lease_ms=5_000,
                wait_s=30,
                request_id=request_id,
                fingerprint=bytes(16),
            )
            answer = Answer(request_id, bytes(16), b"100")
            await self.store.commit(
                held, RECORD, events=EVENTS, deadline_ms=2**41 + number, answer=answer
            )

        return write

    async def chain(self, number: int) -> None:
        """Commit a burst of ten under one lease, as a worker does."""
        held = await self.store.acquire(TABLE, f"t{number % 100}", lease_ms=5_000, wait_s=30)
        for left in reversed(range(10)):
            kept = await self.store.commit(held, RECORD, events=EVENTS, keep=left > 0)
            held = kept or held

    async def bytes_a_table(self) -> float:
        """Return what the server's memory grew by for each of 10,000 idle tables."""
        before = (await self.store._client.info("memory"))["used_memory"]
        first = self.tables
        await self.fill(first + 10_000)
        after = (await self.store._client.info("memory"))["used_memory"]
        return float(after - before) / 10_000


async def cost_us(bench: Bench, work: Work) -> tuple[float, float]:
    """Return microseconds of processor time a call: of this process, and of the server's scripts.

    Unlike the rates they hardly depend on what else the machine does.
    """
    costs = []
    for repeat in range(REPEATS):
        await bench.store._client.config_resetstat()
        began = time.process_time()
        for number in range(COST_CALLS):
            await work(repeat * COST_CALLS + number)
        own = (time.process_time() - began) / COST_CALLS * 1e6
        stats = await bench.store._client.info("commandstats")
        scripts = stats.get("cmdstat_evalsha", {"usec": 0})["usec"]
        costs.append((own, scripts / COST_CALLS))
    return statistics.median(cost[0] for cost in costs), statistics.median(
        cost[1] for cost in costs
    )


async def print_cost(bench: Bench, stored: int) -> float:
    """Print what a write costs with so many tables stored; return the sum."""
    await bench.fill(stored)
    own, server = await cost_us(bench, bench.write_to(stored))
    print(
        f"{f'write with {stored:,} tables stored':44} {own:7.0f} us of this process,"
        f" {server:4.0f} us of the server"
    )
    return own + server


async def measure(url: str) -> None:
    """Print every figure."""
    store = Store(connect(url), Meters(CollectorRegistry()))
    bench = Bench(store)
    await bench.fill(100)
    empty = await median_rate("two empty round trips, 64 callers", bench.empty, CALLERS)
    over_100 = bench.write_to(100)
    crowd = await median_rate("write over 100 tables, 64 callers", over_100, CALLERS, empty)
    print(
        f"{'':44} reference {REFERENCE:,}/s: {crowd / REFERENCE:.2f};"
        f" reference {SHARE:.0%} of the round trips: {crowd / empty / SHARE:.2f}"
    )
    await median_rate("write to one table, 50 callers", bench.write_to(1), 50, empty)
    await median_rate("ten commits under one lease, 16 callers", bench.chain, 16)
    alone = await median_rate("two empty round trips, one caller", bench.empty, 1)
    await median_rate("write over 100 tables, one caller", over_100, 1, alone)
    own, _ = await cost_us(bench, bench.empty)
    print(f"{'two empty round trips':44} {own:7.0f} us of this process")
    few = await print_cost(bench, 100)
    await print_cost(bench, 10_000)
    print(f"{'an idle table':44} {await bench.bytes_a_table():7,.0f} bytes of the server's memory")
    many = await print_cost(bench, 100_000)
    print(f"{'':44} 100,000 tables to 100, reference within 1.20: {many / few:.2f}")
    await store.close()


def main() -> None:
    """Measure on a server of its own."""
    with own_store() as (_, url):
        uvloop.run(measure(url))


if __name__ == "__main__":
    main()
