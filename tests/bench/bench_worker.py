"""Whole games through Redis, lease, commit and Celery, beside the same games in one process.

``python -m tests.bench.bench_worker`` starts an arena with one worker of one child, stores tables
of four greedy bots, lets them be played, and compares the deals a second of the worker's child
with those of this process alone, on the same seeds. Reference: 60 % of the rate kept.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from prometheus_client import CollectorRegistry

from rummy_arena.bots.drive import drive
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.series import new_game
from rummy_arena.rulesets.registry import get_rule_set
from services.play.commit import commit_of
from services.play.table import TABLES, load_table, new_table, no_dice
from services.runtime.arena import running_arena
from services.runtime.datadir import DataDir
from services.runtime.settings import load_settings
from services.runtime.signals import StopSignals
from services.runtime.wiring import new_id, now_ms
from services.state.client import connect
from services.state.messages import PlayTable, encode_message
from services.state.meters import Meters
from services.state.records import SeatRecord
from services.state.store import Store

RULE_SET = "kalooki-jamaican"
TABLES_EACH = 100
REPEATS = 5
REFERENCE = 0.60
LONGEST_S = 120.0


def seeds(repeat: int) -> list[bytes]:
    """The tables' seeds of one repeat."""
    return [bytes((repeat, number)) * 16 for number in range(TABLES_EACH)]


def in_process(repeat: int) -> float:
    """Play the tables here; return deals a second."""
    rules = get_rule_set(RULE_SET)
    bots = dict.fromkeys(range(4), HOUSE_BOTS["greedy"])
    started = time.perf_counter()
    deals = 0
    for seed in seeds(repeat):
        chance = SeededChance(rules, seed)
        game, _ = new_game(rules, 4, chance)
        drive(game, chance, bots, seed)
        deals += len(game.scores)
    return deals / (time.perf_counter() - started)


async def through_worker(store: Store, repeat: int) -> float:
    """Store the tables, wait until all are played; return deals a second."""
    ids = []
    started = time.perf_counter()
    for seed in seeds(repeat):
        table_id = new_id()
        seats = [SeatRecord(f"p{seat}", f"greedy-{seat}", "greedy") for seat in range(4)]
        table, events = new_table(table_id, RULE_SET, seats, seed, now_ms=now_ms(), dice=no_dice)
        commit = commit_of(table, events, (), now_ms=now_ms(), wake=False)
        await store.create(
            TABLES,
            table_id,
            commit.data,
            events=commit.events,
            messages=[encode_message(PlayTable(table_id))],
            deadline_ms=commit.deadline_ms,
        )
        ids.append(table_id)
    deals = 0
    for table_id in ids:
        deals += await _finished(store, table_id, started + LONGEST_S)
    return deals / (time.perf_counter() - started)


async def _finished(store: Store, table_id: str, until: float) -> int:
    while time.perf_counter() < until:
        table = load_table(table_id, (await store.read(TABLES, table_id)).data)
        if table.game.over:
            return len(table.game.scores)
        await asyncio.sleep(0.01)
    raise TimeoutError(f"table {table_id} was not played in {LONGEST_S:g} s")


async def compare(url: str) -> list[tuple[float, float]]:
    """Return (in process, through the worker) of each repeat, in turn."""
    store = Store(connect(url), Meters(CollectorRegistry()))
    rates = []
    for repeat in range(REPEATS + 1):
        pair = in_process(repeat), await through_worker(store, repeat)
        if repeat:  # the first one warms up both
            rates.append(pair)
    await store.close()
    return rates


def main() -> None:
    """Print the medians and the share kept."""
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(
            data_dir=Path(folder) / "arena", api_port=0, workers=1, worker_concurrency=1
        )
        with running_arena(settings, DataDir(settings.data_dir), StopSignals()) as (_, record):
            rates = asyncio.run(compare(record["redis_url"]))
    alone = statistics.median(rate for rate, _ in rates)
    worker = statistics.median(rate for _, rate in rates)
    share = statistics.median(worker / alone for alone, worker in rates)
    print(f"deals a second in one process    {alone:8.0f}")
    print(f"deals a second through a worker  {worker:8.0f}")
    print(f"share kept                       {share:8.2f}  reference {REFERENCE:.2f}")


if __name__ == "__main__":
    main()
