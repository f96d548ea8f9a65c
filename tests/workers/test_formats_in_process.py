"""A small event of every format through use cases and a real store: it runs itself to the end."""

from __future__ import annotations

import pytest

from rummy_arena.tournament.registry import FORMATS
from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.read_standings import read_standings
from services.events.register import register
from services.events.stage_choices import StageChoice
from services.events.start_tournament import start_tournament
from services.events.tournament_parts import read_whole
from services.state.context import Context
from services.state.records import RoundRecord, Status

from .carrying import HOST
from .test_tournament_in_process import drain

ONE_DEAL = {"contract": "1"}
EVENTS = {
    "knockout": ("kalooki-jamaican", ONE_DEAL, 6, (StageChoice("knockout", 4),)),
    "double-elimination": (
        "carioca-argentine",
        ONE_DEAL,
        4,
        (StageChoice("double-elimination", 2),),
    ),
    "round-robin": ("carioca-argentine", ONE_DEAL, 5, (StageChoice("round-robin", 2),)),
    "groups": (
        "kalooki-jamaican",
        ONE_DEAL,
        9,
        (StageChoice("groups", 4, {"groups": "3", "advance": "1"}), StageChoice("knockout", 4)),
    ),
    "swiss": ("carioca-argentine", ONE_DEAL, 5, (StageChoice("swiss", 2, {"rounds": "3"}),)),
    "danish": ("kaluki-european", {"deals": "1"}, 7, (StageChoice("danish", 4, {"rounds": "2"}),)),
    "lobby": (
        "kaluki-american",
        {"deals": "1"},
        9,
        (StageChoice("lobby", 4, {"rounds": "2"}, take=4), StageChoice("knockout", 4)),
    ),
    "shrinking": ("kaluki-european", {}, 8, (StageChoice("shrinking", 4, {"cut": "25"}),)),
    "duplicate": ("kalooki-bonus", ONE_DEAL, 6, (StageChoice("duplicate", 3, {"rounds": "2"}),)),
}


async def finished(
    ctx: Context,
    rule_set: str,
    options: dict[str, str],
    count: int,
    stages: tuple[StageChoice, ...],
) -> list[RoundRecord]:
    """Run an event to its end and return its rounds."""
    made = await create_tournament(
        ctx,
        HOST,
        TournamentOptions("Test", rule_set, stages, seed=b"formats", rule_set_options=options),
        tournament_id=ctx.new_id(),
    )
    for number in range(count):
        player_id, _ = await create_player(
            ctx, HOST, name=f"bot {number}", role="bot", bot="greedy", player_id=ctx.new_id()
        )
        await register(ctx, HOST, tournament_id=made.id, player_id=player_id)
    await start_tournament(ctx, HOST, tournament_id=made.id)
    await drain(ctx)
    snapshot, rows = await read_standings(ctx, made.id)
    assert snapshot.record.status is Status.FINISHED
    assert sorted(row.row.entrant for row in rows) == list(range(1, count + 1))
    assert [row.row.eliminated for row in rows].count(False) >= 1
    return list((await read_whole(ctx, made.id))[2])


@pytest.mark.parametrize("format_id", FORMATS)
async def test_an_event_of_every_format_runs_itself_to_the_end(
    ctx: Context, format_id: str
) -> None:
    rounds = await finished(ctx, *EVENTS[format_id])
    assert [round_.number for round_ in rounds] == list(range(1, len(rounds) + 1))
    for round_ in rounds:
        assert len(round_.results) == len(round_.tables)


@pytest.mark.parametrize(("rule_set", "most"), [("kalooki-jamaican", 9), ("kaluki-european", 60)])
async def test_each_round_of_a_shrinking_field_is_one_deal(
    ctx: Context, rule_set: str, most: int
) -> None:
    stages = (StageChoice("shrinking", 4, {"cut": "25"}),)
    rounds = await finished(ctx, rule_set, {}, 7, stages)
    assert 2 <= len(rounds) <= most
    deals = {
        len(seat.deal_points)
        for round_ in rounds
        for result in round_.results
        for seat in result.seats
    }
    assert deals == {1}
    fields = [sum(map(len, round_.tables)) for round_ in rounds]
    assert fields == sorted(fields, reverse=True)
