"""The whole demo: how long it takes, tables a second, and where the processor time goes.

``python -m tests.bench.bench_demo`` plays the demo's 256 house bots through all processes, three
times. Processor time is that of every process, from the first registration to the last result.
Game code is what the workers count as such; Redis calls are the server's own time and the
clients', which is estimated: the server's count of reads times the cost of one call measured here.
Reference: the whole demo within 60 s.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from rummy_arena.client import Arena
from services.runtime.arena import running_arena
from services.runtime.children import session_members
from services.runtime.datadir import DataDir
from services.runtime.demo_play import Plan, play
from services.runtime.probes import scrape
from services.runtime.run_record import processes
from services.runtime.settings import load_settings
from services.runtime.signals import StopSignals
from services.state.client import connect

REPEATS = 3
REFERENCE_S = 60.0
COST_CALLS = 3_000
GAME_CPU = "rummy_arena_game_cpu_seconds_total"


@dataclass(frozen=True)
class Run:
    """One demo: seconds of each part, tables, processor seconds by what they were for."""

    start_s: float
    play_s: float
    whole_s: float
    tables: int
    cpu: dict[str, float]


def main() -> None:
    """Print the medians."""
    runs = [run_demo(seed) for seed in map(str, range(REPEATS))]
    tables_s = _median(run.tables / run.play_s for run in runs)
    whole_s = _median(run.whole_s for run in runs)
    print(f"start-up, until healthy      {_median(r.start_s for r in runs):8.1f} s")
    print(f"play                         {_median(r.play_s for r in runs):8.1f} s")
    print(f"whole demo, drain included   {whole_s:8.1f} s  reference {REFERENCE_S:.0f} s, ", end="")
    print(f"ratio {whole_s / REFERENCE_S:.2f}")
    print(f"tables a second              {tables_s:8.1f}")
    for part in runs[0].cpu:
        share = _median(run.cpu[part] / sum(run.cpu.values()) for run in runs)
        seconds = _median(run.cpu[part] for run in runs)
        print(f"processor, {part:<17} {seconds:8.2f} s  {share:4.0%}")


def run_demo(seed: str) -> Run:
    """Play one demo; returns what it took."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(data_dir=Path(folder) / "arena", api_port=0)
        data_dir = DataDir(settings.data_dir)
        with running_arena(settings, data_dir, StopSignals()) as (_, record):
            start_s = time.perf_counter() - begun
            play_s, tables, cpu = asyncio.run(_measure(record, data_dir.admin_token(), seed))
    return Run(start_s, play_s, time.perf_counter() - begun, tables, cpu)


async def _measure(
    record: dict[str, Any], token: str, seed: str
) -> tuple[float, int, dict[str, float]]:
    pids = {name: _pids(entry) for name, entry in processes(record)}
    pids["client"] = [os.getpid()]
    before = {name: _cpu_s(members) for name, members in pids.items()}
    trips_before = await _round_trips(record["redis_url"])
    async with Arena.connect(record["api"], token=token) as arena:
        outcome = await play(arena, Plan(), seed, lambda _: None, stall_s=60)
    trips = await _round_trips(record["redis_url"]) - trips_before
    spent = {name: _cpu_s(members) - before[name] for name, members in pids.items()}
    game = sum(_counter(entry["metrics"]) for _, entry in processes(record) if "metrics" in entry)
    server = spent.pop("valkey")
    clients = trips * await _call_cost_s(record["redis_url"])
    cpu = {
        "game code": game,
        "Redis server": server,
        "Redis clients": clients,
        "rest": sum(spent.values()) - game - clients,
    }
    return outcome.play_s, sum(row.table_count for row in outcome.rounds), cpu


def _pids(entry: dict[str, Any]) -> list[int]:
    return session_members(int(entry["pid"]))


def _cpu_s(pids: Iterable[int]) -> float:
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return sum(spent.user + spent.system for spent in times)


def _counter(address: str) -> float:
    lines = (line for line in scrape(address).splitlines() if line.startswith(GAME_CPU))
    return sum(float(line.rpartition(" ")[2]) for line in lines)


async def _round_trips(url: str) -> int:
    client = connect(url)
    told = await client.info("stats")
    await client.aclose()
    return int(told["total_reads_processed"])  # round trips: a pipeline is one


async def _call_cost_s(url: str) -> float:
    """Return the processor time of one call of a client: 1 KiB there, a little back."""
    client = connect(url)
    payload = b"x" * 1024
    started = time.process_time()
    for _ in range(COST_CALLS):
        await client.set("ra:bench", payload, ex=60)
    cost_s = (time.process_time() - started) / COST_CALLS
    await client.aclose()
    return cost_s


def _median(values: Iterable[float]) -> float:
    return statistics.median(values)


if __name__ == "__main__":
    main()
