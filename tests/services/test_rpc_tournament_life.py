"""The life of a tournament over the API: who is in, when it starts, how it is held and ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from rummy_arena.api.v1.format_pb2 import Stage
from rummy_arena.api.v1.tournament_pb2 import (
    ENTRANT_STATE_CHECKED_IN,
    ENTRANT_STATE_DISQUALIFIED,
    ENTRANT_STATE_ENTERED,
    ENTRANT_STATE_WITHDRAWN,
    TOURNAMENT_STATUS_CANCELLED,
    TOURNAMENT_STATUS_FINISHED,
    TOURNAMENT_STATUS_PAUSED,
    TOURNAMENT_STATUS_REGISTERING,
    TOURNAMENT_STATUS_RUNNING,
    EntryConditions,
    Knockout,
    Tournament,
    TournamentOptions,
)
from rummy_arena.client import Arena, ArenaError
from services.events.put_token import put_token
from services.rpc.server import ArenaServer
from services.state.context import Context
from services.state.keys import deadlines, shard_of
from tests.workers.carrying import Clock, drain, sweep

from .conftest import ADMIN_TOKEN

MINUTE_MS = 60_000
RULES = "kalooki-jamaican"


class World:
    """An arena whose clock the test moves, and whose workers it is."""

    def __init__(self, ctx: Context, clock: Clock, admin: Arena) -> None:
        self.ctx, self.clock, self.admin = ctx, clock, admin

    async def players(self, count: int, *, bot: str = "greedy") -> list[str]:
        """Return so many new players, of a house bot, or people where that is empty."""
        made = [
            await self.admin.players.create(f"p{number}", house_bot=bot)
            for number in range(1, count + 1)
        ]
        return [player.id for player in made]

    async def cup(self, **options: object) -> Tournament:
        """Return a knockout for tables of three with these options besides."""
        options.setdefault("knockout", Knockout(seats_per_table=3, advance_per_table=1))
        options.setdefault("rule_set_id", RULES)
        whole = TournamentOptions(title="Cup", **options)  # type: ignore[arg-type]
        return await self.admin.tournaments.open(whole, seed="life")

    async def enter(self, tournament: Tournament, players: Sequence[str]) -> None:
        """Enter players."""
        for player in players:
            await self.admin.tournaments.register(tournament.id, player)

    async def work(self, ms: int = 0) -> None:
        """Let time pass, and do all that is due."""
        self.clock.now_ms += ms
        for _ in range(30):
            await sweep(self.ctx)
            if not await drain(self.ctx):
                return
        raise AssertionError("there is always more to do")

    async def status(self, tournament: Tournament) -> int:
        """Return where the tournament stands."""
        return (await self.admin.tournaments.get(tournament.id)).status

    async def has_timer(self, tournament: Tournament) -> bool:
        """Return whether something is to happen to it by itself."""
        client = self.ctx.store._client
        key = deadlines(shard_of(tournament.id))
        return await client.zscore(key, f"tournament:{tournament.id}") is not None

    def at(self, ms: int) -> Timestamp:
        """Return a time so far from now."""
        moment = Timestamp()
        moment.FromMilliseconds(self.clock.now_ms + ms)
        return moment


@pytest.fixture
async def world(ctx: Context, tmp_path: Path) -> AsyncIterator[World]:
    clock = Clock()
    await put_token(ctx, ADMIN_TOKEN, player_id="admin", role="admin", ttl_s=10**9)
    timed = clock.of(ctx)
    server = ArenaServer(timed)
    address = await server.start(f"unix:{tmp_path}/api.sock")
    async with Arena.connect(address, token=ADMIN_TOKEN) as admin:
        yield World(timed, clock, admin)
    await server.stop(0.2)


async def refusal(call: object) -> str:
    """Return the reason with which a call is refused."""
    with pytest.raises(ArenaError) as caught:
        await call  # type: ignore[misc]
    return caught.value.reason


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
    await world.admin.tournaments.register(cup.id, players[2], owner="bob")


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


async def test_a_round_that_has_not_begun_is_paired_again(world: World) -> None:
    cup = await world.cup(break_between_rounds=Duration(seconds=60))
    players = await world.players(6)
    await world.enter(cup, players)
    await world.admin.tournaments.start(cup.id)
    before = (await world.admin.tournaments.bracket(cup.id))[0]
    one, other = before.pairings[0].entrants[0], before.pairings[1].entrants[0]
    direct = world.admin.directors
    tried = await direct.repair_round(cup.id, 1, "friends", [(one, other)], validate_only=True)
    assert tried.pairings[0].entrants[0] == other
    assert (await world.admin.tournaments.bracket(cup.id))[0] == before
    await direct.repair_round(cup.id, 1, "friends", [(one, other)])
    after = (await world.admin.tournaments.bracket(cup.id))[0]
    assert after.pairings[0].entrants[0] == other
    assert after.pairings[1].entrants[0] == one
    await world.admin.tournaments.withdraw(cup.id, players[0])
    anew = await direct.repair_round(cup.id, 1, "somebody left")
    seated = sorted(entrant for pairing in anew.pairings for entrant in pairing.entrants)
    assert sorted([*seated, *anew.byes]) == [2, 3, 4, 5, 6]
    await world.work(MINUTE_MS)
    assert await refusal(direct.repair_round(cup.id, 1, "too late")) in ("NOT_NOW", "WRONG_STATUS")


async def test_a_tournament_is_held_with_its_tables_and_goes_on(world: World) -> None:
    people = await world.players(3, bot="")
    cup = await world.cup()
    await world.enter(cup, people)
    await world.admin.tournaments.start(cup.id)
    await world.work()
    table = (await world.admin.tournaments.bracket(cup.id))[0].pairings[0].table_id
    tried = await world.admin.directors.pause(cup.id, "fire alarm", validate_only=True)
    assert tried.status == TOURNAMENT_STATUS_PAUSED
    assert await world.status(cup) == TOURNAMENT_STATUS_RUNNING
    held = await world.admin.directors.pause(cup.id, "fire alarm")
    assert (held.status, held.pause_reason) == (TOURNAMENT_STATUS_PAUSED, "fire alarm")
    await world.work()
    before = await world.admin.tables.get(table)
    awaited, tables = await world.admin.tournaments.explain(cup.id)
    assert [one.reason for one in awaited] == ["HOST_TO_RESUME"]
    assert [one.reason for one in tables] == ["PAUSED"]
    await world.work(60 * MINUTE_MS)  # no clock runs
    assert (await world.admin.tables.get(table)).sequence == before.sequence
    await world.admin.directors.resume(cup.id)
    await world.work()
    awaited, tables = await world.admin.tournaments.explain(cup.id)
    assert [(one.reason, one.missing) for one in awaited] == [("TABLES", 1)]
    assert [one.reason for one in tables] == ["PLAYERS"]
    assert len(tables[0].entrants) == 1
    assert tables[0].HasField("deadline")


async def test_a_tournament_is_called_off_with_its_tables(world: World) -> None:
    people = await world.players(3, bot="")
    cup = await world.cup()
    await world.enter(cup, people)
    await world.admin.tournaments.start(cup.id)
    await world.work()
    table = (await world.admin.tournaments.bracket(cup.id))[0].pairings[0].table_id
    await world.admin.directors.cancel(cup.id, "no hall")
    await world.work()
    ended = await world.admin.tournaments.get(cup.id)
    assert (ended.status, ended.cancel_reason) == (TOURNAMENT_STATUS_CANCELLED, "no hall")
    assert (await world.admin.tables.get(table)).reason == "no hall"
    assert not await world.has_timer(cup)
    client = world.ctx.store._client
    assert await client.zscore(deadlines(shard_of(table)), f"table:{table}") is None


async def test_a_table_is_played_again(world: World) -> None:
    cup = await world.cup()
    await world.enter(cup, await world.players(6, bot=""))
    await world.admin.tournaments.start(cup.id)
    await world.work()
    old, other = (await world.admin.tournaments.bracket(cup.id))[0].pairings
    new = await world.admin.directors.replay_table(cup.id, 1, "wrong seats")
    assert new.table_id != old.table_id
    assert await refusal(world.admin.tables.get(new.table_id)) == "TABLE_NOT_OPEN"
    await world.work()
    assert (await world.admin.tables.get(old.table_id)).reason == "it is played again"
    rounds = await world.admin.tournaments.bracket(cup.id)
    assert rounds[0].pairings[0].table_id == new.table_id
    for table in (new.table_id, other.table_id):
        await world.admin.tables.adjudicate(table, "to end it", [1, 2, 3])
    await world.work()
    assert len(await world.admin.tournaments.bracket(cup.id)) == 2


async def test_a_result_that_was_counted_is_played_again(world: World) -> None:
    cup = await world.cup()
    await world.enter(cup, await world.players(6, bot=""))
    await world.admin.tournaments.start(cup.id)
    await world.work()
    old, other = (await world.admin.tournaments.bracket(cup.id))[0].pairings
    await world.admin.tables.adjudicate(old.table_id, "a fault", [1, 2, 3])
    await world.work()
    assert await has_results(world, cup) == [True, False]
    new = await world.admin.directors.replay_table(cup.id, 1, "it was none")
    await world.work()
    assert await has_results(world, cup) == [False, False]
    await world.admin.tables.adjudicate(other.table_id, "to end it", [1, 2, 3])
    await world.work()
    assert len(await world.admin.tournaments.bracket(cup.id)) == 1, "one of two is in"
    await world.admin.tables.adjudicate(new.table_id, "to end it", [3, 2, 1])
    await world.work()
    rounds = await world.admin.tournaments.bracket(cup.id)
    assert len(rounds) == 2
    assert [seat.place for seat in rounds[0].pairings[0].result.seats] == [3, 2, 1]
    assert rounds[0].pairings[0].result.adjudication == "to end it"
    assert rounds[0].pairings[0].result.adjudicated_by == "admin"


async def test_a_ruling_can_be_tried(world: World) -> None:
    cup = await world.cup()
    await world.enter(cup, await world.players(3, bot=""))
    await world.admin.tournaments.start(cup.id)
    await world.work()
    table = (await world.admin.tournaments.bracket(cup.id))[0].pairings[0].table_id
    before = await world.admin.tables.get(table)
    rule = world.admin.tables.adjudicate
    assert await rule(table, "as it stands", validate_only=True) == (1, 1, 1)
    assert await refusal(rule(table, "odd", (1, 1, 2), validate_only=True)) == "INVALID_REQUEST"
    assert await world.admin.tables.get(table) == before
    assert await rule(table, "by ruling", (2, 1, 3)) == (2, 1, 3)


async def has_results(world: World, cup: Tournament) -> list[bool]:
    """Return which tables of the first round have a result that counts."""
    pairings = (await world.admin.tournaments.bracket(cup.id))[0].pairings
    return [pair.HasField("result") for pair in pairings]


async def test_a_player_takes_over_in_mid_game(world: World) -> None:
    people = await world.players(4, bot="")
    cup = await world.cup()
    await world.enter(cup, people[:3])
    await world.admin.tournaments.start(cup.id)
    await world.work()
    table = (await world.admin.tournaments.bracket(cup.id))[0].pairings[0].table_id
    entrant = await world.admin.directors.replace(cup.id, 1, people[3], "the first fell ill")
    assert (entrant.number, entrant.player_id) == (1, people[3])
    await world.work()
    seated = {seat.player_id for seat in (await world.admin.tables.get(table)).seats}
    assert seated == {people[1], people[2], people[3]}
    again = world.admin.directors.replace(cup.id, 2, people[0], "was in before")
    assert await refusal(again) == "INVALID_REQUEST"


async def test_the_disqualified_are_last(world: World) -> None:
    cup = await world.cup()
    await world.enter(cup, await world.players(6))
    await world.admin.tournaments.start(cup.id)
    entrant = await world.admin.directors.disqualify(cup.id, 4, "cheated")
    assert entrant.state == ENTRANT_STATE_DISQUALIFIED
    await world.work()
    standings = await world.admin.tournaments.standings(cup.id)
    assert standings[-1].entrant.number == 4
    assert standings[-1].place == 6
    pairings = (await world.admin.tournaments.bracket(cup.id))[0].pairings
    (seat,) = [s for pair in pairings for s in pair.result.seats if s.entrant == 4]
    assert (seat.place, seat.forfeit) == (3, True)


async def test_what_directors_do_stands_in_the_log_for_good(world: World) -> None:
    players = await world.players(4, bot="")
    cup = await world.cup()
    await world.enter(cup, players[:3])
    await world.admin.tournaments.start(cup.id)
    direct = world.admin.directors
    await direct.pause(cup.id, "one")
    await direct.resume(cup.id)
    await direct.replace(cup.id, 1, players[3], "two")
    await direct.disqualify(cup.id, 2, "three")
    await direct.replay_table(cup.id, 1, "four")
    await direct.cancel(cup.id, "five")
    told = [
        (name, getattr(event, name).by, getattr(event, name).reason)
        async for event in world.admin.tournaments.events(cup.id)
        if (name := event.WhichOneof("event"))
        and hasattr(getattr(event, name), "by")
        and hasattr(getattr(event, name), "reason")
    ]
    assert told == [
        ("tournament_paused", "admin", "one"),
        ("entrant_replaced", "admin", "two"),
        ("entrant_disqualified", "admin", "three"),
        ("table_replayed", "admin", "four"),
        ("tournament_cancelled", "admin", "five"),
    ]


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


async def play_out(world: World, cup: Tournament) -> None:
    """Let time pass, turn by turn, until the tournament is over."""
    for _ in range(3_000):
        await world.work(100_000)
        if await world.status(cup) != TOURNAMENT_STATUS_RUNNING:
            return
    raise AssertionError("it does not end")


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
