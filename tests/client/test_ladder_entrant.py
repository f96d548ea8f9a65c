"""An outside bot plays on a ladder."""

from __future__ import annotations

import asyncio

import pytest

from rummy_arena.api.v1.ladder_pb2 import LadderOptions, LadderPairing
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena, ArenaError, Result, play_ladder
from tests.services.conftest import Api

from .test_entrant import workers

GREEDY = HOUSE_BOTS["greedy"]


async def ladder_with(api: Api, outside: int, house: int) -> tuple[str, list[Arena]]:
    """Return a ladder of house bots, and players who have yet to enter."""
    pairing = LadderPairing(seats_per_table=3, reach=10_000, repeat_distance=0)
    pairing.pause.SetInParent()
    options = LadderOptions(title="Bots", rule_set_id="kalooki-jamaican", pairing=pairing)
    options.rule_set_options["contract"] = "1"  # one deal
    ladder = await api.admin.ladders.create(options)
    for number in range(house):
        player = await api.admin.players.create(f"House {number}", house_bot="random")
        await api.admin.ladders.enter(ladder.id, player.id)
    arenas = []
    for number in range(outside):
        player = await api.admin.players.create(f"Outside {number}")
        token = await api.admin.players.create_token(player.id)
        arenas.append(api.admin.as_bearer(token.secret))
    return ladder.id, arenas


async def games(arena: Arena, ladder_id: str, most: int) -> list[Result]:
    found: list[Result] = []
    async for game in play_ladder(arena, ladder_id, GREEDY):
        found.append(game)
        if len(found) == most:
            break
    return found


async def test_outside_bots_play_until_they_leave_or_the_ladder_is_over(api: Api) -> None:
    ladder_id, (one, other) = await ladder_with(api, 2, 1)
    async with workers(api):
        mine = asyncio.create_task(games(one, ladder_id, 2))
        theirs = asyncio.create_task(games(other, ladder_id, 1_000))
        found = await asyncio.wait_for(mine, 30)
        await one.ladders.leave(ladder_id)
        await api.admin.ladders.close(ladder_id)
        others = await asyncio.wait_for(theirs, 30)
    assert [game.too_late for game in found] == [0, 0]
    assert len({game.table_id for game in others}) == len(others) >= 2
    matches = await api.admin.ladders.matches(ladder_id)
    places = {match.table_id: [seat.place for seat in match.seats] for match in matches}
    for game in found:
        assert places[game.table_id] == list(game.places)
    with pytest.raises(ArenaError) as caught:
        await games(one, ladder_id, 1)
    assert caught.value.reason == "LADDER_OVER"
