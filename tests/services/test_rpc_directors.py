"""What the directors of a tournament do, over the API."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1.tournament_pb2 import (
    ENTRANT_STATE_DISQUALIFIED,
    TOURNAMENT_STATUS_CANCELLED,
    TOURNAMENT_STATUS_PAUSED,
    TOURNAMENT_STATUS_RUNNING,
    Tournament,
)
from services.state.keys import deadlines, shard_of

from .event_world import MINUTE_MS, World, refusal


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
    await world.work(MINUTE_MS)  # it looks at its tables once more
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
