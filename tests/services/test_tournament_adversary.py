"""Tournaments in the hands of hosts, directors and players who do odd things at bad moments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace

import pytest
from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1.director_service_pb2 import ReplayTableRequest
from rummy_arena.api.v1.director_service_pb2_grpc import DirectorServiceStub
from rummy_arena.api.v1.format_pb2 import Stage
from rummy_arena.api.v1.player_pb2 import ROLE_HOST
from rummy_arena.api.v1.table_pb2 import TABLE_STATUS_CLOSED, TABLE_STATUS_PLAYING
from rummy_arena.api.v1.tournament_pb2 import (
    ENTRANT_STATE_ENTERED,
    TOURNAMENT_STATUS_FINISHED,
    TOURNAMENT_STATUS_REGISTERING,
    EntryConditions,
    Pairing,
)
from rummy_arena.api.v1.tournament_pb2 import Round as RoundMessage
from rummy_arena.bots.bot import Dice
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import play_tournament
from rummy_arena.client.entrant import is_out
from rummy_arena.game.actions import Action
from rummy_arena.game.view import View
from rummy_arena.tournament.field import entrants
from rummy_arena.tournament.registry import stage_of
from rummy_arena.tournament.results import SeatResult, TableResult
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.stages import Course, advancing, next_round
from rummy_arena.tournament.tables import TableLimits
from services.events.advance_tournament import advance_tournament
from services.events.errors import InvalidOption
from services.events.pairing import paired_round, round_record
from services.events.repair_round import _exchanged
from services.events.tournament_parts import read_some_entrants
from services.state.messages import OpenTable
from tests.workers.carrying import drain, sweep

from .conftest import ADMIN_TOKEN
from .event_world import MINUTE_MS, World, refusal

ADMIN = (("authorization", f"Bearer {ADMIN_TOKEN}"),)


def course_of_pairs(format_id: str, count: int, **options: str) -> Course:
    """Return an event at tables of two that has not begun."""
    stage = stage_of(format_id, TableLimits(2, 2, 2), options, contracts=9)
    return Course((stage,), entrants(count), (), b"adversary")


def exchanged(course: Course, paired: Round, one: int, other: int) -> Round:
    """Return a round in which two have changed places."""
    scheduled = course.stages[0].format.scheduled
    return paired_round(_exchanged(round_record(paired, 0), [(one, other)], scheduled=scheduled))


def first_seats_win(paired: Round) -> PlayedRound:
    """Return the round with the first seat of every table in the first place."""
    return paired.played(
        TableResult(
            number,
            tuple(
                SeatResult(entrant, 10 * place, place, 0, 0, 0, (10 * place,))
                for place, entrant in enumerate(table, start=1)
            ),
        )
        for number, table in enumerate(paired.tables, start=1)
    )


def seated(paired: Round) -> set[int]:
    """Return everybody who is in a round."""
    return {*paired.byes, *(entrant for table in paired.tables for entrant in table)}


@pytest.mark.parametrize("format_id", ["knockout", "double-elimination"])
def test_who_wins_after_an_exchange_goes_on(format_id: str) -> None:
    options = {"advance": "1", "byes": "yes"} if format_id == "knockout" else {}
    course = course_of_pairs(format_id, 8, **options)
    for _ in range(2):
        paired = next_round(course)
        assert paired is not None
        if course.rounds:  # the bracket is drawn in the first round, and known from then on
            paired = exchanged(course, paired, paired.tables[0][0], paired.tables[1][1])
        course = replace(course, rounds=(*course.rounds, first_seats_win(paired)))
    following = next_round(course)
    assert following is not None
    upper = [
        table
        for number, table in enumerate(course.rounds[1].tables, 1)
        if course.rounds[1].label(number) in ("", "upper")
    ]
    assert {table[0] for table in upper} <= seated(following)


@pytest.mark.parametrize("format_id", ["round-robin", "groups"])
def test_a_schedule_is_not_broken_by_an_exchange(format_id: str) -> None:
    course = course_of_pairs(format_id, 8)
    paired = next_round(course)
    assert paired is not None
    (one, other), (third, _) = paired.tables[:2]
    with pytest.raises(InvalidOption, match="schedule"):
        exchanged(course, paired, one, third)
    turned = exchanged(course, paired, one, other)
    assert turned.tables[0] == (other, one)
    assert next_round(replace(course, rounds=(first_seats_win(turned),))) is not None


def test_nobody_is_exchanged_into_another_bracket() -> None:
    course = course_of_pairs("double-elimination", 8)
    opened = next_round(course)
    assert opened is not None
    course = replace(course, rounds=(first_seats_win(opened),))
    paired = next_round(course)
    assert paired is not None
    assert set(paired.labels) == {"upper", "lower"}
    tables = dict(zip(paired.labels, paired.tables, strict=True))
    with pytest.raises(InvalidOption, match="upper"):
        exchanged(course, paired, tables["upper"][0], tables["lower"][0])


async def test_who_was_replaced_acts_for_nobody(world: World) -> None:
    people = await world.players(4, bot="")
    cup = await world.cup()
    await world.enter(cup, people[:3])
    await world.admin.directors.replace(cup.id, 1, people[3], "came instead")
    calls = world.admin.tournaments
    for call in (calls.withdraw, calls.check_in, calls.come_back):
        assert await refusal(call(cup.id, people[0])) in ("UNKNOWN_ENTRANT", "NOT_NOW")
    assert await refusal(calls.register(cup.id, people[0])) == "ENTRY_REFUSED"
    again = await calls.register(cup.id, people[3])
    assert (again.number, again.state) == (1, ENTRANT_STATE_ENTERED)


async def test_a_late_repeat_of_a_replay_has_the_first_answer(world: World) -> None:
    cup = await world.cup()
    await world.enter(cup, await world.players(6, bot=""))
    await world.admin.tournaments.start(cup.id)
    await world.work()
    stub = DirectorServiceStub(world.admin.tournaments._caller.channel)
    request = ReplayTableRequest(
        request_id="again", tournament_id=cup.id, number=2, reason="a fault"
    )
    first = await stub.ReplayTable(request, metadata=ADMIN)
    await world.work()
    for pairing in (await world.admin.tournaments.bracket(cup.id))[0].pairings:
        await world.admin.tables.adjudicate(pairing.table_id, "to end it", [1, 2, 3])
    await world.work()
    assert [len(r.pairings) for r in await world.admin.tournaments.bracket(cup.id)] == [2, 1]
    assert await stub.ReplayTable(request, metadata=ADMIN) == first
    missed = world.admin.directors.replay_table(cup.id, 1, "the round ended", round_number=1)
    assert await refusal(missed) == "NOT_NOW"


def swiss(rounds: int, **options: str) -> Stage:
    """Return a Swiss at tables of three."""
    chosen = {"rounds": str(rounds), **options}
    return Stage(format_id="swiss", seats_per_table=3, options=chosen)


async def test_who_leaves_in_a_break_and_is_back_was_not_away(world: World) -> None:
    cup = await world.cup(
        knockout=None, stages=[swiss(2)], break_between_rounds=Duration(seconds=60)
    )
    players = await world.players(6)
    await world.enter(cup, players)
    await world.admin.tournaments.start(cup.id)
    for player in players[:2]:
        await world.admin.tournaments.withdraw(cup.id, player)
    await world.admin.tournaments.come_back(cup.id, players[0])  # before the round begins
    await world.work(MINUTE_MS)
    await world.admin.tournaments.come_back(cup.id, players[1])  # after it was played
    one, other = await read_some_entrants(world.ctx, cup.id, [1, 2])
    assert one.stays == ((1, 0),)
    assert other.stays == ((1, 2), (3, 0)), "it sat in round 1 all the same"
    await world.work(MINUTE_MS)
    assert await world.status(cup) == TOURNAMENT_STATUS_FINISHED


async def test_who_is_back_takes_no_place_that_another_has(world: World) -> None:
    stages = [swiss(3, last_entry="3")]
    cup = await world.cup(
        knockout=None,
        stages=stages,
        capacity=3,
        late_entry_rounds=3,
        break_between_rounds=Duration(seconds=60),
    )
    players = await world.players(4)
    await world.enter(cup, players[:3])
    await world.admin.tournaments.start(cup.id)
    await world.admin.tournaments.withdraw(cup.id, players[0])
    await world.enter(cup, players[3:])
    back = world.admin.tournaments.come_back(cup.id, players[0])
    assert await refusal(back) == "TOURNAMENT_FULL"


async def test_nobody_holds_off_a_start_by_coming_back(world: World) -> None:
    cup = await world.cup(
        knockout=None,
        stages=[swiss(2, last_entry="2")],
        start_time=world.at(MINUTE_MS),
        check_in_time=Duration(seconds=60),
        late_entry_rounds=2,
    )
    players = await world.players(6)
    await world.enter(cup, players[:5])
    for player in players[:4]:
        await world.admin.tournaments.check_in(cup.id, player)
    world.clock.now_ms += MINUTE_MS
    await advance_tournament(world.ctx, cup.id)  # takes out who did not check in
    calls = world.admin.tournaments
    assert await refusal(calls.come_back(cup.id, players[4])) == "NOT_NOW"
    assert await refusal(calls.register(cup.id, players[5])) == "NOT_NOW"
    await world.work()
    assert await world.status(cup) == TOURNAMENT_STATUS_FINISHED


@pytest.mark.parametrize("how", ["cancel", "replay"])
async def test_no_table_plays_on_whose_message_got_lost(world: World, how: str) -> None:
    cup = await world.cup()
    await world.enter(cup, await world.players(3, bot=""))
    await world.admin.tournaments.start(cup.id)
    await world.work()
    table = (await world.admin.tournaments.bracket(cup.id))[0].pairings[0].table_id
    if how == "cancel":
        await world.admin.directors.cancel(cup.id, "no hall")
    else:
        await world.admin.directors.replay_table(cup.id, 1, "no hall")
    await drain(world.ctx, lose=lambda message: isinstance(message, OpenTable))
    assert (await world.admin.tables.get(table)).status == TABLE_STATUS_PLAYING
    for _ in range(4):
        await world.work(MINUTE_MS // 3)
    assert (await world.admin.tables.get(table)).status == TABLE_STATUS_CLOSED
    assert await world.has_timer(cup) == (how == "replay")


async def test_who_asks_to_come_back_if_it_is_out_does_not_come_twice(world: World) -> None:
    options = {"cut": "20", "reentries": "1", "reentry_rounds": "3"}
    stage = Stage(format_id="shrinking", seats_per_table=3, options=options)
    cup = await world.cup(knockout=None, stages=[stage], break_between_rounds=Duration(seconds=60))
    players = await world.players(6)
    await world.enter(cup, players)
    await world.admin.tournaments.start(cup.id)
    await world.admin.tournaments.come_back(cup.id, players[0])
    await world.admin.directors.repair_round(cup.id, 1, "pair anew")
    (one,) = await read_some_entrants(world.ctx, cup.id, [1])
    assert one.stays == ((1, 2), (2, 0))


@pytest.mark.parametrize("format_id", ["knockout", "double-elimination"])
def test_a_program_stays_as_long_as_its_entrant(format_id: str) -> None:
    options = {"advance": "1"} if format_id == "knockout" else {}
    course = course_of_pairs(format_id, 7, **options)
    shown: list[RoundMessage] = []
    paired: list[set[int]] = []
    seen: list[set[int]] = []
    while (round_ := next_round(course)) is not None:
        tables = [Pairing(entrants=table) for table in round_.tables]
        shown.append(RoundMessage(number=round_.number, pairings=tables, byes=round_.byes))
        paired.append(seated(round_))
        seen.append({number for number in range(1, 8) if not is_out(shown, number)})
        course = replace(course, rounds=(*course.rounds, first_seats_win(round_)))
        shown[-1].advancing.extend(advancing(course).entrants)
        seen.append({number for number in range(1, 8) if not is_out(shown, number)})
    for place, stay in enumerate(seen[:-1]):
        here = 1 + place // 2 if place % 2 else place // 2
        assert stay == set().union(*paired[here:]), "who plays again, and nobody else"


class Meddler:
    """A greedy bot that has something done when it is asked for the first time."""

    name = "meddler"

    def __init__(self, deed: Callable[[], Coroutine[None, None, Pairing]]) -> None:
        self._deed = deed
        self.done: asyncio.Task[Pairing] | None = None

    def choose(self, view: View, dice: Dice) -> Action:
        """Return what greedy chooses."""
        self.done = self.done or asyncio.create_task(self._deed())
        return HOUSE_BOTS["greedy"].choose(view, dice)


async def test_a_program_comes_through_pauses_and_replays(world: World) -> None:
    cup = await world.cup(rule_set_options={"contract": "4"})
    players = [*await world.players(1, bot=""), *await world.players(2)]
    await world.enter(cup, players)
    token = await world.admin.players.create_token(players[0])
    await world.admin.tournaments.start(cup.id)
    await world.work()
    direct = world.admin.directors
    await direct.pause(cup.id, "wait")
    await world.work()
    bot = Meddler(lambda: direct.replay_table(cup.id, 1, "once more"))
    mine = asyncio.create_task(play_tournament(world.admin.as_bearer(token.secret), cup.id, bot))
    await asyncio.sleep(0.1)
    await direct.resume(cup.id)
    while not mine.done():
        await world.work()
        await asyncio.sleep(0.01)
    assert bot.done is not None
    assert [result.table_id for result in await mine] == [(await bot.done).table_id]


async def test_what_can_never_start_is_refused_at_once(world: World) -> None:
    everybody = Stage(format_id="round-robin", seats_per_table=3)
    full = world.cup(knockout=None, stages=[everybody], start_when_full=True, capacity=301)
    assert await refusal(full) == "INVALID_REQUEST"
    rated = EntryConditions(ladder_id="nowhere", min_rating=10)
    assert await refusal(world.cup(entry=rated)) == "INVALID_REQUEST"


async def test_only_its_host_directs_a_tournament(world: World) -> None:
    cup = await world.cup(break_between_rounds=Duration(seconds=60))
    players = await world.players(7)
    await world.enter(cup, players[:6])
    host = await world.admin.players.create("another host", role=ROLE_HOST)
    for player in (host.id, players[0]):
        token = await world.admin.players.create_token(player)
        other = world.admin.as_bearer(token.secret)
        calls, direct = other.tournaments, other.directors
        for call in (
            calls.start(cup.id),
            calls.withdraw(cup.id, players[1]),
            calls.come_back(cup.id, players[1]),
            calls.check_in(cup.id, players[1]),
            calls.register(cup.id, players[6]),
            direct.pause(cup.id, "mine"),
            direct.resume(cup.id),
            direct.cancel(cup.id, "mine"),
            direct.replay_table(cup.id, 1, "mine"),
            direct.replace(cup.id, 1, players[6], "mine"),
            direct.disqualify(cup.id, 1, "mine"),
            direct.repair_round(cup.id, 1, "mine"),
        ):
            assert await refusal(call) == "NOT_ALLOWED"
    assert (await world.admin.tournaments.get(cup.id)).status == TOURNAMENT_STATUS_REGISTERING


async def test_players_are_not_told_whom_a_table_waits_for(world: World) -> None:
    cup = await world.cup()
    players = [*await world.players(1, bot=""), *await world.players(2)]
    await world.enter(cup, players)
    token = await world.admin.players.create_token(players[0])
    mine = world.admin.as_bearer(token.secret).tournaments
    await world.admin.tournaments.start(cup.id)
    await world.work()
    told: set[str] = set()
    for _ in range(8):
        _, (table,) = await world.admin.tournaments.explain(cup.id)
        told.add(table.reason)
        _, (table,) = await mine.explain(cup.id)
        assert table.reason == "PLAYERS"
        assert (table.deal, list(table.entrants)) == (0, [])
        assert not table.HasField("deadline")
        world.clock.now_ms += 100_000
        await sweep(world.ctx)  # decides for who is late; house bots are sent for, and wait
    assert told == {"PLAYERS", "HOUSE_BOTS"}


async def test_a_table_is_held_as_long_as_its_tournament(world: World) -> None:
    cup = await world.cup()
    await world.enter(cup, await world.players(3, bot=""))
    await world.admin.tournaments.start(cup.id)
    await world.work()
    table = (await world.admin.tournaments.bracket(cup.id))[0].pairings[0].table_id
    await world.admin.directors.pause(cup.id, "fire alarm")
    await world.work()
    assert await refusal(world.admin.tables.resume(table)) == "TOURNAMENT_PAUSED"
    await world.admin.directors.resume(cup.id)
    await world.work()
    assert (await world.admin.tables.get(table)).status == TABLE_STATUS_PLAYING
