"""Whole events of house bots in an arena of one's own: entered, run, and what that took.

What is told of an event comes from the store when it is over: when each table was created and
finished, and which games were played, so that the library can play the same ones alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import tempfile
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from prometheus_client import CollectorRegistry

from rummy_arena.api.v1.tournament_pb2 import TOURNAMENT_STATUS_FINISHED
from rummy_arena.bots.drive import play_game
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena
from rummy_arena.game.series import tally
from rummy_arena.rulesets.registry import get_rule_set
from services.runtime.arena import running_arena
from services.runtime.children import session_members
from services.runtime.datadir import DataDir
from services.runtime.run_record import processes
from services.runtime.settings import load_settings
from services.runtime.signals import StopSignals
from services.state.client import connect
from services.state.codec import ROUND, TOURNAMENT
from services.state.meters import Meters
from services.state.records import RoundRecord, TableRecord, TournamentRecord
from services.state.store import Store
from services.state.tables import table_record

RULE_SET = "kalooki-jamaican"
ONE_DEAL = {"contract": "1"}
CALLS_AT_ONCE = 64
LOOK_EVERY_S = 0.1
LONGEST_S = 1_200.0


@dataclass(frozen=True, slots=True)
class Event:
    """An event that is over, as the store knows it."""

    id: str
    record: TournamentRecord
    rounds: list[RoundRecord]
    tables: list[TableRecord]

    @property
    def run_s(self) -> float:
        """Seconds from the start to the end."""
        return (self.record.finished_ms - self.record.started_ms) / 1000

    @property
    def idle_s(self) -> float:
        """Seconds of the run in which no table was being played."""
        return self._outside(sorted((t.created_ms, t.finished_ms) for t in self.tables))

    @property
    def between_s(self) -> float:
        """Seconds before a round's first table was created and after its last was finished."""
        rounds: dict[int, tuple[int, int]] = {}
        for table in self.tables:
            number = table.origin.round if table.origin else 0
            first_ms, last_ms = rounds.get(number, (table.created_ms, 0))
            rounds[number] = min(first_ms, table.created_ms), max(last_ms, table.finished_ms)
        return self._outside(sorted(rounds.values()))

    def _outside(self, spans_ms: Iterable[tuple[int, int]]) -> float:
        idle_ms, until_ms = 0, self.record.started_ms
        for begun_ms, ended_ms in spans_ms:
            idle_ms += max(0, begun_ms - until_ms)
            until_ms = max(until_ms, ended_ms)
        return (idle_ms + max(0, self.record.finished_ms - until_ms)) / 1000


@dataclass
class Load:
    """A running arena, a host's connection to it, and a look into its store."""

    host: Arena
    store: Store
    pids: list[int]
    bots: list[str] = field(default_factory=list)  # players, house bots in turn

    def cpu_s(self) -> float:
        """Return the processor seconds of the arena's processes so far, its store included."""
        times = [psutil.Process(pid).cpu_times() for pid in self.pids]
        return sum(spent.user + spent.system for spent in times)

    async def create_bots(self, count: int) -> None:
        """Create house bots until there are so many, calls side by side."""
        kinds = sorted(HOUSE_BOTS)

        async def create(number: int) -> str:
            bot = kinds[number % len(kinds)]
            return (await self.host.players.create(f"{bot}-{number}", house_bot=bot)).id

        self.bots += await side_by_side(create, range(len(self.bots), count))

    async def enter(self, entrants: int, seed: str, options: dict[str, str]) -> str:
        """Return a new knockout of tables of four that this many house bots have entered."""
        tournament = await self.host.tournaments.create(
            f"Bench of {entrants}",
            rule_set=RULE_SET,
            options=options,
            seats_per_table=4,
            advance_per_table=2,
            seed=seed,
        )

        async def register(player_id: str) -> None:
            await self.host.tournaments.register(tournament.id, player_id)

        await side_by_side(register, self.bots[:entrants])
        return tournament.id

    async def run(self, tournament_id: str, *, look_every_s: float = LOOK_EVERY_S) -> float:
        """Start an event and wait until it is over; return the seconds that its host waited."""
        started_s = time.perf_counter()
        await self.host.tournaments.start(tournament_id)
        await self.over(tournament_id, look_every_s=look_every_s)
        return time.perf_counter() - started_s

    async def over(self, tournament_id: str, *, look_every_s: float = LOOK_EVERY_S) -> None:
        """Return when an event is over; raises TimeoutError."""
        until_s = time.perf_counter() + LONGEST_S
        while time.perf_counter() < until_s:
            told = await self.host.tournaments.get(tournament_id)
            if told.status == TOURNAMENT_STATUS_FINISHED:
                return
            await asyncio.sleep(look_every_s)
        raise TimeoutError(f"tournament {tournament_id} was not played in {LONGEST_S:g} s")

    async def told(self, tournament_id: str) -> Event:
        """Return what the store knows of an event that is over."""
        snapshot = await self.store.read("tournament", tournament_id)
        record = TOURNAMENT.decode(snapshot.data)
        names = [f"round:{head.number}" for head in record.rounds]
        parts = await self.store.parts("tournament", tournament_id, names)
        rounds = [ROUND.decode(part or b"") for part in parts]
        ids = [result.table_id for round_ in rounds for result in round_.results]

        async def table(table_id: str) -> TableRecord:
            return table_record(table_id, (await self.store.read("table", table_id)).data)[0]

        return Event(tournament_id, record, rounds, await side_by_side(table, ids))


async def side_by_side(work: Any, items: Iterable[Any]) -> list[Any]:
    """Return what ``work`` makes of each item, CALLS_AT_ONCE at a time, in the items' order."""
    gate = asyncio.Semaphore(CALLS_AT_ONCE)

    async def one(item: Any) -> Any:
        async with gate:
            return await work(item)

    return await asyncio.gather(*map(one, items))


@contextlib.contextmanager
def own_arena(workers: int = 2) -> Iterator[tuple[dict[str, Any], str]]:
    """Start an arena with workers of one child each; give its run record and admin token."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        settings = load_settings(
            data_dir=Path(folder) / "arena",
            api_port=0,
            workers=workers,
            worker_concurrency=1,
            host_calls_per_s=0,
            log_level="warning",
        )
        data_dir = DataDir(settings.data_dir)
        with running_arena(settings, data_dir, StopSignals()) as (_, record):
            yield record, data_dir.admin_token()


@contextlib.asynccontextmanager
async def load_on(record: dict[str, Any], token: str) -> AsyncIterator[Load]:
    """Give the means to run events in an arena."""
    pids = [pid for _, entry in processes(record) for pid in session_members(int(entry["pid"]))]
    store = Store(connect(record["redis_url"]), Meters(CollectorRegistry()))
    async with Arena.connect(record["api"], token=token, timeout_s=300) as arena:
        yield Load(arena, store, pids)
    await store.close()


@dataclass(frozen=True, slots=True)
class Game:
    """A table's game as the library alone plays it, and the totals that the event found."""

    options: dict[str, str]
    bots: tuple[str, ...]
    seed: bytes
    totals: tuple[int, ...]


def games_of(event: Event, *, every: int = 1) -> list[Game]:
    """Return the games of every so many tables of an event, from all of its rounds."""
    results = [result for round_ in event.rounds for result in round_.results]
    return [
        Game(
            event.record.options,
            tuple(seat.bot for seat in table.seats),
            table.seed,
            tuple(seat.total for seat in result.seats),
        )
        for table, result in list(zip(event.tables, results, strict=True))[::every]
    ]


@dataclass(frozen=True, slots=True)
class Alone:
    """What the library alone took for games on several processes: wall and processor seconds."""

    games: int
    wall_s: float
    cpu_s: float


def played_alone(games: Sequence[Game], processes: int = 2) -> Alone:
    """Play games by the library alone in so many processes at once, and check how they end."""
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        pool.map(_play, [games[:1]] * processes * 2, chunksize=1)  # imports and tables are ready
        started_s = time.perf_counter()
        cpu_s = sum(pool.map(_play, [[game] for game in games], chunksize=1))
        return Alone(len(games), time.perf_counter() - started_s, cpu_s)


def _play(games: Sequence[Game]) -> float:
    started_s = time.process_time()
    for game in games:
        rules = get_rule_set(RULE_SET, game.options)
        played, _ = play_game(rules, [HOUSE_BOTS[bot] for bot in game.bots], game.seed)
        if tuple(tally(played).totals) != game.totals:
            raise AssertionError(f"pid {os.getpid()}: the library plays another game")
    return time.process_time() - started_s
