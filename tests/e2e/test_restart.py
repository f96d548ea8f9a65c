from __future__ import annotations

from pathlib import Path

from rummy_arena.api.v1.table_event_pb2 import DEAL_END_VOID, TableEvent
from rummy_arena.client import Arena
from services.runtime.demo_play import enter_house_bots, read_outcome
from services.runtime.figures import ACTIONS, read_figures

from .arenas import demo, running

ENTRANTS, SEED = 32, "restart"
# Each action leaves exactly one event of these kinds in its table's log.
ACTED = {
    "drew",
    "opened",
    "melded",
    "laid_off",
    "joker_moved",
    "discarded",
    "turn_ended",
    "called",
    "passed",
    "allowed",
}


async def test_a_killed_tournament_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    undisturbed = demo("--entrants", str(ENTRANTS), "--seed", SEED)
    with running(tmp_path / "arena") as arena:
        tournament_id = await _start(arena.api, arena.token)
        finished = await _follow(arena.api, arena.token, tournament_id, stop_after=3)
        arena.kill_all()
    assert finished == 3
    with running(tmp_path / "arena") as arena:
        await _follow(arena.api, arena.token, tournament_id, stop_after=None)
        async with Arena.connect(arena.api, token=arena.token) as client:
            outcome = await read_outcome(client, tournament_id, 1.0)
    assert [
        (row.place, row.entrant.number, row.entrant.name, row.total, row.deals_won)
        for row in outcome.standings
    ] == [
        (row["place"], row["entrant"], row["name"], row["total"], row["deals_won"])
        for row in undisturbed["standings"]
    ]


async def test_prometheus_counts_the_actions_that_the_logs_hold(tmp_path: Path) -> None:
    with running(tmp_path / "arena", "--workers", "2") as arena:
        tournament_id = await _start(arena.api, arena.token, entrants=12)
        await _follow(arena.api, arena.token, tournament_id, stop_after=None)
        async with Arena.connect(arena.api, token=arena.token) as client:
            logged = 0
            for row in await client.tournaments.bracket(tournament_id):
                for pairing in row.pairings:
                    events = [event async for event in client.tables.history(pairing.table_id)]
                    acted = sum(_is_action(event) for event in events)
                    assert acted == pairing.result.actions
                    logged += acted
        assert read_figures(arena.record).total(ACTIONS) == logged > 0


def _is_action(event: TableEvent) -> bool:
    # A draw that finds no card for the last time leaves nothing but the end of its deal.
    return event.WhichOneof("event") in ACTED or event.deal_ended.end == DEAL_END_VOID


async def _start(api: str, token: str, entrants: int = ENTRANTS) -> str:
    async with Arena.connect(api, token=token) as client:
        tournament = await client.tournaments.create(
            "test",
            rule_set="kalooki-jamaican",
            seats_per_table=4,
            advance_per_table=2,
            capacity=entrants,
            seed=SEED,
        )
        await enter_house_bots(client, tournament.id, entrants)
        await client.tournaments.start(tournament.id)
        return tournament.id


async def _follow(api: str, token: str, tournament_id: str, stop_after: int | None) -> int:
    finished = 0
    async with Arena.connect(api, token=token) as client:
        async for event in client.tournaments.events(tournament_id):
            finished += event.WhichOneof("event") == "table_finished"
            if finished == stop_after:
                break
    return finished
