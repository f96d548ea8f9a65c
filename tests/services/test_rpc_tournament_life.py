"""The life of a tournament over the API: who is in, when it starts, how it ends."""

from __future__ import annotations

import asyncio

import pytest
from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1.format_pb2 import Stage
from rummy_arena.api.v1.tournament_pb2 import (
    ENTRANT_STATE_CHECKED_IN,
    ENTRANT_STATE_ENTERED,
    ENTRANT_STATE_WITHDRAWN,
    TOURNAMENT_STATUS_CANCELLED,
    TOURNAMENT_STATUS_FINISHED,
    TOURNAMENT_STATUS_REGISTERING,
    TOURNAMENT_STATUS_RUNNING,
    EntryConditions,
)
from rummy_arena.client import ArenaError

from .event_world import MINUTE_MS, World, play_out, refusal


async def test_it_starts_at_its_time(world: World) -> None:
    cup = await world.cup(start_time=world.at(MINUTE_MS))
    await world.enter(cup, await world.players(3))
    await world.work(MINUTE_MS - 1)
    assert await world.status(cup) == TOURNAMENT_STATUS_REGISTERING
    awaited, _ = await world.admin.tournaments.explain(cup.id)
    assert [one.reason for one in awaited] == ["START_TIME"]
    await world.work(1)
    assert await world.status(cup) == TOURNAMENT_STATUS_FINISHED
    assert not await world.has_timer(cup)


async def test_it_starts_when_it_is_full(world: World) -> None:
    cup = await world.cup(start_when_full=True, capacity=3)
    players = await world.players(4)
    await world.enter(cup, players[:2])
    await world.work(MINUTE_MS)
    awaited, _ = await world.admin.tournaments.explain(cup.id)
    assert [(one.reason, one.missing) for one in awaited] == [("FULL_FIELD", 1)]
    await world.enter(cup, players[2:3])
    late = world.admin.tournaments.register(cup.id, players[3])
    assert await refusal(late) == "TOURNAMENT_FULL"
    await world.work()
    assert await world.status(cup) == TOURNAMENT_STATUS_FINISHED


@pytest.mark.parametrize(("entrants", "why"), [(0, "nobody has entered"), (1, "1 entrants")])
async def test_nobody_or_one_is_no_tournament(world: World, entrants: int, why: str) -> None:
    cup = await world.cup(start_time=world.at(MINUTE_MS))
    await world.enter(cup, await world.players(entrants))
    await world.work(MINUTE_MS)
    ended = await world.admin.tournaments.get(cup.id)
    assert ended.status == TOURNAMENT_STATUS_CANCELLED
    assert why in ended.cancel_reason
    assert not await world.has_timer(cup)


async def test_fewer_than_the_host_wants_call_it_off(world: World) -> None:
    cup = await world.cup(start_time=world.at(MINUTE_MS), min_entrants=4)
    await world.enter(cup, await world.players(3))
    await world.work(MINUTE_MS)
    ended = await world.admin.tournaments.get(cup.id)
    assert ended.cancel_reason == "3 entered, and 4 are needed"


async def test_it_waits_for_as_many_as_its_first_stage_needs(world: World) -> None:
    cup = await world.cup(start_time=world.at(MINUTE_MS))
    await world.enter(cup, await world.players(1))
    awaited, _ = await world.admin.tournaments.explain(cup.id)
    assert [(one.reason, one.missing) for one in awaited] == [
        ("MIN_ENTRANTS", 2),
        ("START_TIME", 0),
    ]


async def test_seats_are_refused_where_they_were_asked_for(world: World) -> None:
    stages = [Stage(format_id="swiss", seats_per_table=3), Stage(format_id="knockout")]
    with pytest.raises(ArenaError) as caught:
        await world.cup(knockout=None, stages=stages)
    assert caught.value.reason == "SEATS_NOT_ALLOWED"
    assert [one.field for one in caught.value.violations] == ["options.stages[1].seats_per_table"]


async def test_who_does_not_check_in_does_not_play(world: World) -> None:
    cup = await world.cup(start_time=world.at(10 * MINUTE_MS), check_in_time=Duration(seconds=300))
    players = await world.players(5)
    await world.enter(cup, players)
    early = world.admin.tournaments.check_in(cup.id, players[0])
    assert await refusal(early) == "NOT_NOW"
    await world.work(6 * MINUTE_MS)
    for player in players[:4]:
        entrant = await world.admin.tournaments.check_in(cup.id, player)
        assert entrant.state == ENTRANT_STATE_CHECKED_IN
    assert (await world.admin.tournaments.get(cup.id)).checked_in_count == 4
    awaited, _ = await world.admin.tournaments.explain(cup.id)
    assert [(one.reason, one.missing) for one in awaited] == [("CHECK_INS", 1), ("START_TIME", 0)]
    await world.work(4 * MINUTE_MS)
    rounds = await world.admin.tournaments.bracket(cup.id)
    seated = {entrant for pairing in rounds[0].pairings for entrant in pairing.entrants}
    assert seated == {1, 2, 3, 4}
    assert await world.status(cup) == TOURNAMENT_STATUS_FINISHED


async def test_conditions_of_entry(world: World) -> None:
    people, bots = await world.players(2, bot=""), await world.players(2)
    entry = EntryConditions(
        no_bots=True, invitation_code="sesame", allowed_player_ids=[people[0], bots[0]]
    )
    cup = await world.cup(entry=entry)
    assert cup.options.entry.invitation_code == "********"
    enter = world.admin.tournaments.register
    for player, code, condition in (
        (bots[0], "sesame", "no_bots"),
        (people[1], "sesame", "allowed_player_ids"),
        (people[0], "open", "invitation_code"),
    ):
        with pytest.raises(ArenaError) as caught:
            await enter(cup.id, player, invitation_code=code)
        assert caught.value.reason == "ENTRY_REFUSED"
        assert caught.value.facts["condition"] == condition
    assert (await enter(cup.id, people[0], invitation_code="sesame")).number == 1


async def test_an_owner_enters_no_more_than_it_may(world: World) -> None:
    cup = await world.cup(entry=EntryConditions(max_per_owner=2))
    players = await world.players(3)
    for player in players[:2]:
        entrant = await world.admin.tournaments.register(cup.id, player, owner="ann", seeding=7)
        assert (entrant.owner, entrant.seeding) == ("ann", 7)
    third = world.admin.tournaments.register(cup.id, players[2], owner="ann")
    assert await refusal(third) == "ENTRY_REFUSED"
    await world.admin.tournaments.withdraw(cup.id, players[0])
    await world.admin.tournaments.register(cup.id, players[2], owner="ann")
    back = world.admin.tournaments.come_back(cup.id, players[0])
    assert await refusal(back) == "ENTRY_REFUSED"


async def test_before_the_start_a_place_that_is_left_is_free(world: World) -> None:
    cup = await world.cup(capacity=3)
    players = await world.players(4)
    await world.enter(cup, players[:3])
    gone = await world.admin.tournaments.withdraw(cup.id, players[0], reason="ill")
    assert gone.state == ENTRANT_STATE_WITHDRAWN
    await world.enter(cup, players[3:])
    back = world.admin.tournaments.come_back(cup.id, players[0])
    assert await refusal(back) == "TOURNAMENT_FULL"
    await world.admin.tournaments.start(cup.id)
    rounds = await world.admin.tournaments.bracket(cup.id)
    assert sorted(rounds[0].pairings[0].entrants) == [2, 3, 4]
    await world.work()


async def test_withdrawn_and_back_before_the_start(world: World) -> None:
    cup = await world.cup()
    players = await world.players(3)
    await world.enter(cup, players)
    await world.admin.tournaments.withdraw(cup.id, players[0])
    back = await world.admin.tournaments.come_back(cup.id, players[0])
    assert back.state == ENTRANT_STATE_ENTERED
    await world.admin.tournaments.start(cup.id)
    await world.work()
    assert len(await world.admin.tournaments.standings(cup.id)) == 3


async def test_all_withdraw_between_two_rounds(world: World) -> None:
    cup = await world.cup(break_between_rounds=Duration(seconds=60))
    players = await world.players(9)
    await world.enter(cup, players)
    await world.admin.tournaments.start(cup.id)
    awaited, tables = await world.admin.tournaments.explain(cup.id)
    assert ([one.reason for one in awaited], tables) == (["ROUND_BEGIN"], [])
    await world.work(MINUTE_MS)  # round 1 is played, round 2 paired
    assert [round_.number for round_ in await world.admin.tournaments.bracket(cup.id)] == [1, 2]
    for player in players:
        await world.admin.tournaments.withdraw(cup.id, player)
    ended = await world.admin.tournaments.get(cup.id)
    assert ended.status == TOURNAMENT_STATUS_CANCELLED
    assert ended.cancel_reason == "everybody who was left has withdrawn"
    assert not await world.has_timer(cup)


async def test_those_who_were_left_withdraw_in_the_break(world: World) -> None:
    cup = await world.cup(break_between_rounds=Duration(seconds=60))
    players = await world.players(9)
    await world.enter(cup, players)
    await world.admin.tournaments.start(cup.id)
    await world.work(MINUTE_MS)
    final = (await world.admin.tournaments.bracket(cup.id))[1].pairings[0]
    for number in final.entrants:
        await world.admin.tournaments.withdraw(cup.id, players[number - 1])
    await world.work(MINUTE_MS)
    assert await world.status(cup) == TOURNAMENT_STATUS_CANCELLED


async def test_late_entry_and_return_in_a_swiss(world: World) -> None:
    stage = Stage(format_id="swiss", seats_per_table=3, options={"rounds": "3", "last_entry": "3"})
    cup = await world.cup(
        knockout=None,
        stages=[stage],
        late_entry_rounds=3,
        break_between_rounds=Duration(seconds=60),
    )
    players = await world.players(8)
    await world.enter(cup, players[:6])
    await world.admin.tournaments.start(cup.id)
    await world.enter(cup, players[6:7])
    await world.admin.tournaments.withdraw(cup.id, players[0])
    await world.work(MINUTE_MS)
    await world.admin.tournaments.come_back(cup.id, players[0])
    await world.work(MINUTE_MS)
    late = world.admin.tournaments.register(cup.id, players[7])
    assert await refusal(late) == "NOT_NOW"
    await world.work(MINUTE_MS)
    rounds = await world.admin.tournaments.bracket(cup.id)
    assert len(rounds) == 3
    seated = [
        {entrant for pair in round_.pairings for entrant in pair.entrants} | set(round_.byes)
        for round_ in rounds
    ]
    assert 7 not in seated[0]
    assert 7 in seated[1]
    assert 1 in seated[2]
    assert await world.status(cup) == TOURNAMENT_STATUS_FINISHED


async def test_fifty_registrations_of_one_player_at_once(world: World) -> None:
    cup = await world.cup()
    (player,) = await world.players(1)
    entrants = await asyncio.gather(
        *(world.admin.tournaments.register(cup.id, player) for _ in range(50))
    )
    assert {entrant.number for entrant in entrants} == {1}
    assert (await world.admin.tournaments.get(cup.id)).entrant_count == 1


async def test_who_never_comes_in_the_first_deal_has_forfeited(world: World) -> None:
    (person,) = await world.players(1, bot="")
    cup = await world.cup()
    await world.enter(cup, [person, *await world.players(2, bot="random")])
    await world.admin.tournaments.start(cup.id)
    await play_out(world, cup)
    (pairing,) = (await world.admin.tournaments.bracket(cup.id))[0].pairings
    seats = {seat.entrant: seat for seat in pairing.result.seats}
    assert (seats[1].place, seats[1].forfeit) == (3, True)
    assert sorted(seats[n].place for n in (2, 3)) in ([1, 2], [1, 1])
    assert not any(seats[n].forfeit for n in (2, 3))


async def test_a_table_where_nobody_came_sends_nobody_on(world: World) -> None:
    people = await world.players(2, bot="")
    cup = await world.cup(
        rule_set_id="carioca-argentine",
        knockout=None,
        stages=[Stage(format_id="knockout", seats_per_table=2, options={"advance": "1"})],
    )
    await world.enter(cup, [*people, *await world.players(2)])
    await world.admin.tournaments.start(cup.id)
    await play_out(world, cup)
    rounds = await world.admin.tournaments.bracket(cup.id)
    for pairing in rounds[0].pairings:
        forfeits = [seat.forfeit for seat in pairing.result.seats]
        assert forfeits == [entrant <= 2 for entrant in pairing.entrants]
    assert await world.status(cup) == TOURNAMENT_STATUS_FINISHED
    standings = await world.admin.tournaments.standings(cup.id)
    assert standings[0].entrant.number in (3, 4)


async def test_when_the_time_of_a_round_is_over_the_present_deal_decides(world: World) -> None:
    cup = await world.cup(round_time=Duration(seconds=600))
    await world.enter(cup, await world.players(3, bot=""))
    await world.admin.tournaments.start(cup.id)
    await world.work()
    (round_,) = await world.admin.tournaments.bracket(cup.id)
    assert round_.deadline.ToMilliseconds() == world.clock.now_ms + 10 * MINUTE_MS
    await play_out(world, cup)
    (pairing,) = (await world.admin.tournaments.bracket(cup.id))[0].pairings
    assert pairing.result.adjudication == "the time of the round was over"
    deals = {len(seat.deal_points) for seat in pairing.result.seats}
    assert deals < {1, 2}, "of nine deals"
    assert all(seat.forfeit for seat in pairing.result.seats)
    assert await world.status(cup) != TOURNAMENT_STATUS_RUNNING
