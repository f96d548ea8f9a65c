"""Chosen tie-breaks of a whole event, through use cases and a real store, beside the oracle."""

from __future__ import annotations

from rummy_arena.tournament.event import Event
from rummy_arena.tournament.stages import lots_of
from rummy_arena.tournament.swiss_presence import MissedRounds
from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.pairing import course_of
from services.events.read_events import events_after
from services.events.read_standings import read_standings
from services.events.register import register
from services.events.stage_choices import StageChoice
from services.events.start_tournament import start_tournament
from services.events.tournament_parts import read_whole
from services.state.context import Context
from services.state.records import Status
from services.state.tournament_log import RoundFinished
from tests.tournament.scored_oracle import Slow, slow_ranks

from .carrying import HOST
from .test_tournament_in_process import drain

CHAIN = ("wins", "direct-encounter", "buchholz-cut", "lot")


async def test_a_swiss_is_ranked_by_the_tie_breaks_that_its_host_chose(ctx: Context) -> None:
    stages = (StageChoice("swiss", 4, {"rounds": "2"}, chain=CHAIN),)
    options = TournamentOptions(
        "Test", "kalooki-bonus", stages, seed=b"three", rule_set_options={"contract": "1"}
    )
    made = await create_tournament(ctx, HOST, options, tournament_id=ctx.new_id())
    for number in range(9):
        player_id, _ = await create_player(
            ctx, HOST, name=f"bot {number}", role="bot", bot="greedy", player_id=ctx.new_id()
        )
        await register(ctx, HOST, tournament_id=made.id, player_id=player_id)
    await start_tournament(ctx, HOST, tournament_id=made.id)
    await drain(ctx)
    snapshot, rows = await read_standings(ctx, made.id)
    assert snapshot.record.status is Status.FINISHED
    _, entrants, rounds = await read_whole(ctx, made.id)
    course = course_of(snapshot.record, entrants, rounds)
    stage = course.stages[0]
    slow = Slow(Event(stage.terms, course.field, course.rounds, course.seed), MissedRounds())
    assert {row.row.entrant: row.row.rank for row in rows} == slow_ranks(slow, CHAIN)
    log = [numbered.event for numbered in (await events_after(ctx, made.id, 0))[0]]
    told = [
        (event.round, lot)
        for event in log
        if isinstance(event, RoundFinished)
        for lot in event.lots
    ]
    assert tuple(told) == lots_of(course) != ()
