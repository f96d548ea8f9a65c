"""Kill one process of a running arena after the other, and see that no result is lost.

``python -m tests.chaos.kill_everything [--rounds 5] [--entrants 64] [--seed N]``

Plays a tournament undisturbed, then the same one while processes are killed at random moments:
a server, a worker, one of its pool, the parent of them all. An arena whose process has died ends;
it is started again on the same data, until the tournament is over. At the end its standings are
those of the undisturbed one, and every event that a watcher was ever sent stands in the log at
its place. Exit status 0 when all that holds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from rummy_arena.api.v1.tournament_event_pb2 import TournamentEvent
from rummy_arena.client import Arena
from services.runtime.demo_play import enter_house_bots
from tests.e2e.arenas import RunningArena, demo

SEATS, ADVANCE = 4, 2
# The parent mends nothing: so each death reaches every process.
ALWAYS = {"RUMMY_ARENA_DURABILITY": "always", "RUMMY_ARENA_RESTARTS": "0"}
PARENT, POOL_CHILD, EVERYBODY = "parent", "a pool child", "everybody"
LONGEST_ROUND_S = 120.0
Line = tuple[int, int, str, int, int]


class Lost(Exception):
    """Something that was acknowledged is gone, or has changed."""


class Watcher:
    """Remembers every event of the tournament that the arena ever sent."""

    def __init__(self) -> None:
        self.seen: dict[int, TournamentEvent] = {}

    def take(self, event: TournamentEvent) -> None:
        """Remember an event; raises Lost when another stood in its place before."""
        before = self.seen.setdefault(event.sequence, event)
        if before != event:
            raise Lost(f"event {event.sequence} was {before}, and is now {event}")

    @property
    def results(self) -> int:
        """How many tables have been reported finished."""
        return sum(e.WhichOneof("event") == "table_finished" for e in self.seen.values())


class Chaos:
    """One tournament and the dice that decide who dies."""

    def __init__(self, folder: Path, *, entrants: int, seed: int) -> None:
        self.folder = folder / "arena"
        self.entrants = entrants
        self.seed = f"chaos-{seed}"
        self.dice = random.Random(seed)
        self.watcher = Watcher()
        self.tournament_id = ""

    async def create(self, arena: RunningArena) -> None:
        """Create the tournament, enter the bots, start it."""
        async with Arena.connect(arena.api, token=arena.token) as client:
            tournament = await client.tournaments.create(
                "chaos",
                rule_set="kalooki-jamaican",
                seats_per_table=SEATS,
                advance_per_table=ADVANCE,
                capacity=self.entrants,
                seed=self.seed,
            )
            await enter_house_bots(client, tournament.id, self.entrants)
            await client.tournaments.start(tournament.id)
            self.tournament_id = tournament.id

    async def follow(self, arena: RunningArena, *, results: int | None) -> None:
        """Watch from the beginning until so many results have been seen, or to the end."""
        async with Arena.connect(arena.api, token=arena.token) as client:
            async for event in client.tournaments.events(self.tournament_id):
                self.watcher.take(event)
                if results is not None and self.watcher.results >= results:
                    return

    async def standings(self, arena: RunningArena) -> list[Line]:
        """Return the standings as the API tells them."""
        async with Arena.connect(arena.api, token=arena.token) as client:
            return [
                (row.place, row.entrant.number, row.entrant.name, row.total, row.deals_won)
                for row in await client.tournaments.standings(self.tournament_id)
            ]

    def victims(self, arena: RunningArena) -> list[str]:
        """Return who may die: every process by name, and some that have none."""
        return [*arena.record["processes"], POOL_CHILD, PARENT, EVERYBODY]

    def kill(self, arena: RunningArena, victim: str) -> None:
        """SIGKILL the victim, and wait until the arena has ended because of it."""
        if victim == EVERYBODY:
            arena.kill_all()
            return
        if victim == POOL_CHILD:  # the worker replaces it; only the sweep knows what it held
            workers = [name for name in arena.record["processes"] if name.startswith("worker")]
            pool = psutil.Process(arena.pid(self.dice.choice(workers))).children()
            with contextlib.suppress(psutil.NoSuchProcess):
                self.dice.choice(pool).kill()
            return
        pid = arena.parent.pid if victim == PARENT else arena.pid(victim)
        arena.seen |= arena._everybody()
        os.kill(pid, signal.SIGKILL)
        arena.parent.wait(timeout=60)
        if left := arena.left():
            raise Lost(f"after {victim} was killed, {left} stayed behind: {arena.output}")


@contextlib.contextmanager
def arena_on(folder: Path) -> Iterator[RunningArena]:
    """Start an arena on the folder; end it at the end, unless it has ended already."""
    arena = RunningArena(folder, "--workers", "2", env=ALWAYS)
    try:
        yield arena
    finally:
        if arena.parent.poll() is None:
            arena.end(signal.SIGTERM)


async def disturbed(chaos: Chaos, rounds: int) -> list[Line]:
    """Play the tournament through ``rounds`` deaths; return its standings."""
    tables = chaos.entrants // 2  # of all rounds
    for number in range(1, rounds + 1):
        with arena_on(chaos.folder) as arena:
            if not chaos.tournament_id:
                await chaos.create(arena)
            wanted = chaos.watcher.results + chaos.dice.randint(0, max(1, tables // rounds))
            async with asyncio.timeout(LONGEST_ROUND_S):
                await chaos.follow(arena, results=wanted)
            await asyncio.sleep(chaos.dice.random() * 0.2)
            victim = chaos.dice.choice(chaos.victims(arena))
            say(f"round {number}: {chaos.watcher.results} results seen; {victim} is killed")
            chaos.kill(arena, victim)
    with arena_on(chaos.folder) as arena:
        started = time.monotonic()
        async with asyncio.timeout(LONGEST_ROUND_S):
            await chaos.follow(arena, results=None)
        sequences = sorted(chaos.watcher.seen)
        if sequences != list(range(1, len(sequences) + 1)):
            raise Lost(f"the log has gaps: {sequences}")
        say(f"over: {chaos.watcher.results} results, {time.monotonic() - started:.1f} s to the end")
        return await chaos.standings(arena)


def undisturbed(entrants: int, seed: str) -> list[Line]:
    """Play the tournament in peace; return its standings."""
    rows: list[dict[str, Any]] = demo(
        "--entrants",
        str(entrants),
        "--seats",
        str(SEATS),
        "--advance",
        str(ADVANCE),
        "--seed",
        seed,
    )["standings"]
    return [
        (row["place"], row["entrant"], row["name"], row["total"], row["deals_won"]) for row in rows
    ]


def say(line: str) -> None:
    """Print at once."""
    print(line, flush=True)


def main() -> int:
    """Run; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often something is killed")
    parser.add_argument("--entrants", type=int, default=64, help="house bots in the tournament")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="same deaths")
    given = parser.parse_args()
    say(f"seed {given.seed}: {given.entrants} entrants, {given.rounds} deaths")
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        chaos = Chaos(Path(folder), entrants=given.entrants, seed=given.seed)
        expected = undisturbed(given.entrants, chaos.seed)
        try:
            standings = asyncio.run(disturbed(chaos, given.rounds))
        except (Lost, TimeoutError) as error:
            say(f"FAILED: {error or 'the tournament stands still'}")
            return 1
    if standings != expected:
        say(f"FAILED: the standings differ:\n{standings}\nundisturbed:\n{expected}")
        return 1
    say("the standings are those of the undisturbed tournament; no acknowledged event was lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
