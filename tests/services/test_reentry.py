"""Who is out of a shrinking field may come back while its host lets them."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1.format_pb2 import Stage
from rummy_arena.api.v1.tournament_pb2 import TOURNAMENT_STATUS_FINISHED, Tournament

from .event_world import MINUTE_MS, World


async def seated(world: World, cup: Tournament) -> list[set[int]]:
    """Return who is in each round."""
    return [
        {entrant for pair in round_.pairings for entrant in pair.entrants} | set(round_.byes)
        for round_ in await world.admin.tournaments.bracket(cup.id)
    ]


async def test_who_is_out_comes_back_once_and_not_too_late(world: World) -> None:
    options = {"cut": "25", "reentries": "1", "reentry_rounds": "3"}
    stage = Stage(format_id="shrinking", seats_per_table=4, options=options)
    cup = await world.cup(
        rule_set_id="kaluki-european",
        knockout=None,
        stages=[stage],
        break_between_rounds=Duration(seconds=60),
    )
    players = await world.players(8)
    await world.enter(cup, players)
    await world.admin.tournaments.start(cup.id)
    await world.work(MINUTE_MS)
    first, second = await seated(world, cup)
    assert len(first) == 8
    assert len(second) == 6
    back, gone = sorted(first - second)
    for _ in range(2):  # asked for twice, it is done once
        assert (await world.admin.tournaments.come_back(cup.id, players[back - 1])).number == back
    await world.work(MINUTE_MS)
    third = (await seated(world, cup))[2]
    assert back in third
    assert len(third) == 6, "five are left of six, and one is back"
    await world.admin.tournaments.come_back(cup.id, players[gone - 1])
    for _ in range(7):
        await world.work(MINUTE_MS)
    rounds = await seated(world, cup)
    assert not any(gone in round_ for round_ in rounds[1:])
    assert await world.status(cup) == TOURNAMENT_STATUS_FINISHED
