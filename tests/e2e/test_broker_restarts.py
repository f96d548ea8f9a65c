"""The broker dies again and again under load: work goes on by itself, and nothing is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

from rummy_arena.client import Arena
from services.runtime.children import Child, stop
from services.runtime.demo_play import enter_house_bots, read_outcome
from services.runtime.valkey import start_valkey

from .arenas import demo, running

ENTRANTS, SEED = 64, "broker"
RESTARTS = 3


class Broker:
    """A broker of its own, which keeps nothing when it is killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.child: Child
        self.url = ""
        self.start()

    def start(self) -> None:
        """Start it."""
        self.child, self.url = start_valkey(self._folder, log=self._folder / "log")

    async def restart_under_load(self) -> None:
        """SIGKILL it and start it again, three times in about three seconds."""
        for _ in range(RESTARTS):
            await asyncio.sleep(0.6)
            self.child.process.kill()
            self.child.process.wait()
            await asyncio.sleep(0.3)
            self.start()


async def test_a_broker_killed_three_times_in_three_seconds_costs_time_only(
    tmp_path: Path,
) -> None:
    undisturbed = demo("--entrants", str(ENTRANTS), "--seed", SEED)
    broker = Broker(tmp_path / "broker")
    try:
        with running(
            tmp_path / "arena", "--workers", "2", env={"RUMMY_ARENA_BROKER_URL": broker.url}
        ) as arena:
            async with Arena.connect(arena.api, token=arena.token) as client:
                tournament = await client.tournaments.create(
                    "broker",
                    rule_set="kalooki-jamaican",
                    seats_per_table=4,
                    advance_per_table=2,
                    capacity=ENTRANTS,
                    seed=SEED,
                )
                await enter_house_bots(client, tournament.id, ENTRANTS)
                restarts = asyncio.create_task(broker.restart_under_load())
                await client.tournaments.start(tournament.id)
                finished = 0
                async for event in client.tournaments.events(tournament.id):
                    finished += event.WhichOneof("event") == "table_finished"
                await restarts
                outcome = await read_outcome(client, tournament.id, 1.0)
    finally:
        stop(broker.child, grace_s=5)
    assert finished == sum(round_.table_count for round_ in outcome.rounds)
    assert [(row.place, row.entrant.number, row.total) for row in outcome.standings] == [
        (row["place"], row["entrant"], row["total"]) for row in undisturbed["standings"]
    ]
