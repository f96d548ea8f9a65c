"""Crowds at the door of a tournament: one entry for each, a full one says so, the start waits."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator

import pytest
from prometheus_client import CollectorRegistry

from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.errors import TournamentFull, WrongStatus
from services.events.get_player import PLAYERS
from services.events.principals import Principal
from services.events.register import register
from services.events.stage_choices import knockout
from services.events.start_tournament import start_tournament
from services.events.tournament import TOURNAMENTS, read_tournament
from services.events.tournament_parts import entrant_number, read_entrants
from services.state.client import connect
from services.state.codec import PLAYER
from services.state.context import Context
from services.state.errors import RequestReused
from services.state.meters import Meters
from services.state.records import PlayerRecord, Status
from services.state.store import Store
from services.state.tournament_log import Registered, decode_tournament_events

HOST = Principal("host", "host")


@pytest.fixture
async def second(ctx: Context, valkey_url: str) -> AsyncIterator[Context]:
    """The context of another process."""
    store = Store(connect(valkey_url), Meters(CollectorRegistry()))
    yield dataclasses.replace(ctx, store=store, meters=store.meters)
    await store.close()


async def players(ctx: Context, count: int) -> list[str]:
    """Create so many players; return their ids."""
    ids = [f"p{number}" for number in range(1, count + 1)]
    record = PLAYER.encode(PlayerRecord("Pat", "", "player", "host", 1))
    await asyncio.gather(*(ctx.store.create(PLAYERS, player_id, record) for player_id in ids))
    return ids


async def opened(ctx: Context, capacity: int = 0) -> str:
    """Create a tournament that takes registrations; return its id."""
    options = TournamentOptions("Cup", "kalooki-jamaican", knockout(4, 2), capacity, b"seed")
    return (await create_tournament(ctx, HOST, options, tournament_id=ctx.new_id())).id


async def registered(ctx: Context, tournament_id: str) -> list[Registered]:
    """Return what the log tells of entries."""
    batches = await ctx.store.read_log(TOURNAMENTS, tournament_id, after=0, limit=10_000)
    events = [event for batch in batches for event in decode_tournament_events(batch.data)]
    return [event for event in events if isinstance(event, Registered)]


async def test_fifty_registrations_of_one_player_at_once_are_one_entry(
    ctx: Context, second: Context
) -> None:
    await players(ctx, 2)
    tournament_id = await opened(ctx)
    await register(ctx, HOST, tournament_id=tournament_id, player_id="p2")
    numbers = await asyncio.gather(
        *(
            register(process, HOST, tournament_id=tournament_id, player_id="p1")
            for process in (ctx, second) * 25
        )
    )
    assert numbers == [2] * 50
    assert [event.player_id for event in await registered(ctx, tournament_id)] == ["p2", "p1"]
    record = (await read_tournament(ctx, tournament_id)).record
    assert record.entrant_count == 2
    entrants = await read_entrants(ctx, tournament_id, record)
    assert [entrant.player_id for entrant in entrants] == ["p2", "p1"]


async def test_five_hundred_register_as_it_starts_with_a_place_less(ctx: Context) -> None:
    ids = await players(ctx, 500)
    tournament_id = await opened(ctx, 499)

    async def start() -> None:  # the host does, as soon as all places are taken
        entered = 0
        while entered < 499:
            entered = (await read_tournament(ctx, tournament_id)).record.entrant_count
        await start_tournament(ctx, HOST, tournament_id=tournament_id)

    asked = [register(ctx, HOST, tournament_id=tournament_id, player_id=one) for one in ids]
    *outcomes, started = await asyncio.gather(*asked, start(), return_exceptions=True)
    assert started is None
    refused = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert [type(error) for error in refused] == [TournamentFull]
    assert sorted(n for n in outcomes if isinstance(n, int)) == list(range(1, 500))
    record = (await read_tournament(ctx, tournament_id)).record
    assert (record.status, record.entrant_count) == (Status.RUNNING, 499)
    entrants = await read_entrants(ctx, tournament_id, record)
    assert len({entrant.player_id for entrant in entrants}) == 499
    late = ids[next(n for n, outcome in enumerate(outcomes) if outcome is refused[0])]
    with pytest.raises(TournamentFull):  # still what the player needs to know
        await register(ctx, HOST, tournament_id=tournament_id, player_id=late)
    assert await entrant_number(ctx, tournament_id, late) is None
    assert await register(ctx, HOST, tournament_id=tournament_id, player_id=entrants[0].player_id)


async def test_who_comes_after_the_start_is_told_so(ctx: Context) -> None:
    ids = await players(ctx, 5)
    tournament_id = await opened(ctx)
    for player_id in ids[:4]:
        await register(ctx, HOST, tournament_id=tournament_id, player_id=player_id)
    await start_tournament(ctx, HOST, tournament_id=tournament_id)
    with pytest.raises(WrongStatus):
        await register(ctx, HOST, tournament_id=tournament_id, player_id=ids[4])


async def test_an_entry_costs_the_same_in_a_larger_field(ctx: Context) -> None:
    ids = await players(ctx, 200)
    tournament_id = await opened(ctx)
    sizes = []
    for player_id in ids:
        await register(ctx, HOST, tournament_id=tournament_id, player_id=player_id)
        sizes.append(len((await ctx.store.read(TOURNAMENTS, tournament_id)).data))
    assert max(sizes) - min(sizes) <= 2  # digits of the count


async def test_a_request_id_stands_for_one_request(ctx: Context) -> None:
    ids = await players(ctx, 4)
    tournament_id = await opened(ctx)

    async def enter(player_id: str, request_id: str) -> int:
        return await register(
            ctx, HOST, tournament_id=tournament_id, player_id=player_id, request_id=request_id
        )

    async def start(request_id: str) -> Status:
        snapshot = await start_tournament(
            ctx, HOST, tournament_id=tournament_id, request_id=request_id
        )
        return snapshot.record.status

    numbers = [await enter(player_id, f"r{player_id}") for player_id in ids]
    assert numbers == [1, 2, 3, 4]
    assert await enter("p1", "another") == 1
    with pytest.raises(RequestReused):
        await enter("p2", "rp1")
    with pytest.raises(RequestReused):  # its answer was kept though nothing changed
        await enter("p2", "another")
    with pytest.raises(RequestReused):
        await start("rp1")
    assert await start("go") is Status.RUNNING
    assert await start("go") is Status.RUNNING
    assert await enter("p1", "rp1") == 1
    with pytest.raises(RequestReused):
        await enter("p1", "go")
    assert len(await registered(ctx, tournament_id)) == 4
