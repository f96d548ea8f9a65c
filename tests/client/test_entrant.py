"""An outside bot takes part in whole tournaments."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from rummy_arena.api.v1.tournament_pb2 import Pairing, Round, TableResult
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena, ArenaError, Result, play_tournament
from rummy_arena.client.entrant import is_out, open_table
from tests.services.conftest import Api
from tests.workers.carrying import drain

GREEDY = HOUSE_BOTS["greedy"]
ENTRANTS = 8


@asynccontextmanager
async def workers(api: Api) -> AsyncIterator[None]:
    """Carry what the outboxes hold, as workers do."""
    closing = False

    async def work() -> None:
        while not closing:
            await drain(api.ctx)
            await asyncio.sleep(0.002)

    working = asyncio.create_task(work())
    try:
        yield
    finally:
        closing = True
        await working


async def entered(
    api: Api, *outside: int, entrants: int = ENTRANTS, long: bool = False
) -> tuple[str, list[Arena]]:
    """Return a tournament of greedy entrants, some of them (by number, from 1) outside bots.

    Its games are of one deal, or long.
    """
    event = await api.admin.tournaments.create(
        "Test",
        rule_set="kalooki-jamaican",
        options={} if long else {"contract": "4"},
        seats_per_table=4,
        advance_per_table=2,
        seed="s",
    )
    arenas = []
    for number in range(1, entrants + 1):
        bot = "" if number in outside else "greedy"
        player = await api.admin.players.create(f"P{number}", house_bot=bot)
        await api.admin.tournaments.register(event.id, player.id)
        if not bot:
            token = await api.admin.players.create_token(player.id)
            arenas.append(api.admin.as_bearer(token.secret))
    return event.id, arenas


async def standings(api: Api, tournament_id: str) -> list[tuple[int, int, int]]:
    rows = await api.admin.tournaments.standings(tournament_id)
    return [(row.place, row.entrant.number, row.total) for row in rows]


async def test_outside_bots_stand_where_house_bots_would(api: Api) -> None:
    home, _ = await entered(api)
    tournament_id, arenas = await entered(api, 3, 6)
    playing = [
        asyncio.create_task(play_tournament(arena, tournament_id, GREEDY)) for arena in arenas
    ]
    await asyncio.sleep(0.1)  # both wait for the start
    for event in (home, tournament_id):
        await api.admin.tournaments.start(event)
    async with workers(api):
        results = await asyncio.gather(*playing)
        news = [event async for event in api.admin.tournaments.events(tournament_id)]
    assert news[-1].WhichOneof("event") == "tournament_finished"
    rows = await standings(api, tournament_id)
    assert rows == await standings(api, home)
    for number, mine in zip((3, 6), results, strict=True):
        assert [result.round for result in mine] == list(range(1, len(mine) + 1))
        assert sum(result.total for result in mine) == total_of(rows, number)
        assert not any(result.too_late for result in mine)


def total_of(rows: list[tuple[int, int, int]], number: int) -> int:
    return next(total for _, entrant, total in rows if entrant == number)


async def test_a_table_that_opens_late_is_waited_for(api: Api) -> None:
    tournament_id, (mine,) = await entered(api, 1, entrants=4)
    hasty = Arena(replace(mine._caller, patience_s=0.05))
    await api.admin.tournaments.start(tournament_id)
    playing = asyncio.create_task(play_tournament(hasty, tournament_id, GREEDY))
    await asyncio.sleep(1.0)
    assert not playing.done()
    async with workers(api):
        (result,) = await playing
    assert result.round == 1


async def test_a_program_that_starts_again_plays_on(api: Api) -> None:
    tournament_id, (mine,) = await entered(api, 2, entrants=4, long=True)
    await api.admin.tournaments.start(tournament_id)
    results: list[Result] = []
    async with workers(api):
        for _ in range(2):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(play_tournament(mine, tournament_id, GREEDY), 0.4)
        results = await play_tournament(mine, tournament_id, GREEDY)
    assert [(result.round, result.too_late) for result in results] == [(1, 0)]
    assert await play_tournament(mine, tournament_id, GREEDY) == []  # it is over


async def test_who_has_not_entered_cannot_join_a_running_tournament(api: Api) -> None:
    tournament_id, _ = await entered(api, entrants=4)
    await api.admin.tournaments.start(tournament_id)
    player = await api.admin.players.create("Late")
    late = api.admin.as_bearer((await api.admin.players.create_token(player.id)).secret)
    with pytest.raises(ArenaError) as caught:
        await play_tournament(late, tournament_id, GREEDY)
    assert caught.value.reason == "WRONG_STATUS"


def rounds(*, advancing: tuple[int, ...] = (), finished: bool = False) -> list[Round]:
    """Return two rounds, the last of two tables and a bye."""
    tables = [
        Pairing(number=1, table_id="t1", entrants=[1, 2, 3]),
        Pairing(number=2, table_id="t2", entrants=[4, 5, 6]),
    ]
    if finished:
        tables[1].result.CopyFrom(TableResult(deals=9))
    opening = [Pairing(number=1, table_id="t0", entrants=[8, 9])]
    first = Round(number=1, pairings=opening, advancing=range(1, 8))
    return [first, Round(number=2, pairings=tables, byes=[7], advancing=advancing)]


def test_the_way_through_a_bracket() -> None:
    assert [n for n in range(1, 10) if is_out(rounds(), n)] == [8, 9]
    assert [n for n in range(1, 8) if is_out(rounds(advancing=(1, 7)), n)] == [2, 3, 4, 5, 6]
    found = [open_table(rounds(finished=True), number, ()) for number in range(1, 10)]
    assert found == ["t1"] * 3 + [None] * 6
    assert open_table(rounds(), 5, ()) == "t2"
    assert open_table(rounds(), 5, {"t2"}) is None
