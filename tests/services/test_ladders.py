"""Ladders through their use cases and a real store: paired once, rated once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise

import pytest
from prometheus_client import CollectorRegistry

from rummy_arena.tournament.ladder_standings import table_points
from rummy_arena.tournament.ratings import Rating
from rummy_arena.tournament.ratings_history import RatedResult, recalculate
from services.events.errors import NotEntered
from services.events.ladders.advance_ladder import advance_ladder
from services.events.ladders.change import hold_ladder
from services.events.ladders.end_season import end_season
from services.events.ladders.entry_conditions import rating_on
from services.events.ladders.ladder import LADDERS, read_ladder, table_id
from services.events.ladders.leave_ladder import leave_ladder
from services.events.ladders.read_ladder_standings import read_ladder_standings
from services.events.ladders.read_results import (
    read_entrant,
    read_head_to_head,
    read_results,
    read_steps,
)
from services.events.ladders.recalculate_ladder import Recalculation, recalculate_ladder
from services.events.report_result import report_result
from services.state.client import connect
from services.state.context import Context
from services.state.ladder_log import (
    LadderEntered,
    LadderEvent,
    LadderLeft,
    LadderPaired,
    LadderRated,
    LadderSeasonEnded,
    decode_ladder_events,
)
from services.state.messages import AdvanceLadder, OpenLadderTable, PlayTable, ReportResult
from services.state.meters import Meters
from services.state.store import Store
from tests.workers.carrying import Clock, carry, drain, sweep, take

from .laddered import HOST, anchor, bots, entrants_of, ladder, tell_on


async def results(ctx: Context, ladder_id: str) -> int:
    return (await read_ladder(ctx, ladder_id)).record.results


async def logged(ctx: Context, ladder_id: str) -> list[LadderEvent]:
    """Return everything that a ladder's log tells."""
    batches = await ctx.store.read_log(LADDERS, ladder_id, after=0, limit=10_000)
    return [event for batch in batches for event in decode_ladder_events(batch.data)]


async def rated(ctx: Context, ladder_id: str) -> list[LadderRated]:
    """Return what the log tells of results."""
    events = await logged(ctx, ladder_id)
    return [event for event in events if isinstance(event, LadderRated)]


@pytest.fixture
async def elsewhere(valkey_url: str, timed: Context) -> AsyncIterator[Context]:
    """What another process has: the same state and time, by connections of its own."""
    store = Store(connect(valkey_url), Meters(CollectorRegistry()))
    yield replace(timed, store=store)
    await store.close()


async def test_bots_play_nearly_as_often_and_the_results_give_their_ratings(
    timed: Context, clock: Clock
) -> None:
    ctx = timed
    ladder_id = await ladder(ctx)
    players = await bots(ctx, ladder_id, 7)
    await anchor(ctx, ladder_id, 1200)
    await tell_on(ctx, clock, ladder_id, 10)
    await end_season(ctx, HOST, ladder_id=ladder_id, season=1, reason="spring")
    await leave_ladder(ctx, HOST, ladder_id=ladder_id, player_id=players[6])
    await tell_on(ctx, clock, ladder_id, 20)
    for season in (2, 3):
        await end_season(ctx, HOST, ladder_id=ladder_id, season=season)
    await tell_on(ctx, clock, ladder_id, 52)
    entrants = await entrants_of(ctx, ladder_id)
    games = [e.season_games for e in entrants.values() if not e.anchor and not e.gone]
    assert max(games) - min(games) <= 6
    assert (entrants[8].mean, entrants[8].deviation) == (1200_000_000, 0)
    assert entrants[7].deviation > entrants[1].deviation  # less sure, for seasons went by
    told = await rated(ctx, ladder_id)
    assert len(told) == len({event.table for event in told}) == await results(ctx, ladder_id)
    done = await recalculate_ladder(ctx, HOST, ladder_id=ladder_id)
    assert done == Recalculation(len(told), 3, 8, ())
    async with hold_ladder(ctx, ladder_id) as change:
        entrants[2].mean += 1
        change.put(2, entrants[2])
        await change.commit()
    done = await recalculate_ladder(ctx, HOST, ladder_id=ladder_id)
    assert [difference.entrant for difference in done.differences] == [2]


async def test_what_was_rated_can_be_read(timed: Context, clock: Clock) -> None:
    ctx = timed
    ladder_id = await ladder(ctx)
    players = await bots(ctx, ladder_id, 4)
    await tell_on(ctx, clock, ladder_id, 53)
    kept = await read_results(ctx, ladder_id, range(53, 0, -1))
    assert [result.number for result in kept] == list(range(53, 0, -1))
    one = await read_entrant(ctx, ladder_id, players[0])
    steps = await read_steps(ctx, ladder_id, one, first=0, limit=100)
    assert len(steps) == one.entrant.games
    assert steps[48:52] == await read_steps(ctx, ladder_id, one, first=48, limit=4)
    assert all(a.mean == b.mean_before for a, b in pairwise(steps))
    assert (steps[-1].mean, steps[-1].deviation) == (one.entrant.mean, one.entrant.deviation)
    balance = await read_head_to_head(ctx, ladder_id, players[0], players[1])
    tables = [r for r in kept if {1, 2} <= {entrant for entrant, _, _ in r.seats}]
    assert balance.head_to_head.tables == len(tables)
    places = [{e: p for e, p, _ in result.seats} for result in tables]
    assert balance.head_to_head.ahead == sum(place[1] < place[2] for place in places)
    assert [meeting.one.table for meeting in balance.meetings] == [r.table for r in tables]
    rating = await rating_on(ctx, ladder_id, players[0])
    assert rating == one.entrant.mean / 1_000_000
    assert await rating_on(ctx, ladder_id, "nobody") is None
    with pytest.raises(NotEntered):
        await read_entrant(ctx, ladder_id, "nobody")


async def test_two_steps_at_once_open_the_same_tables(timed: Context, elsewhere: Context) -> None:
    ladder_id = await ladder(timed)
    await bots(timed, ladder_id, 8)
    await take(timed)
    await asyncio.gather(*(advance_ladder(at, ladder_id) for at in (timed, elsewhere) * 3))
    opened = [m for m in await take(timed) if isinstance(m, OpenLadderTable)]
    assert [message.number for message in opened] == [1, 2]
    record = (await read_ladder(timed, ladder_id)).record
    assert sorted(n for table in record.open for n in table.entrants) == list(range(1, 9))
    assert {table_id(ladder_id, 1), table_id(ladder_id, 2)} == {
        table_id(ladder_id, table.number) for table in record.open
    }


async def test_a_result_told_by_many_at_once_is_rated_once(
    timed: Context, elsewhere: Context
) -> None:
    ladder_id = await ladder(timed)
    await bots(timed, ladder_id, 4)
    reports: list[str] = []
    while messages := await take(timed):
        for message in messages:
            if isinstance(message, ReportResult):
                reports.append(message.table_id)
            else:
                await carry(timed, message)
    counted = await asyncio.gather(
        *(report_result(at, reports[0]) for at in (timed, elsewhere) * 4)
    )
    assert sum(counted) == 1
    assert len(await rated(timed, ladder_id)) == 1
    assert not await report_result(timed, reports[0])
    assert [e.games for e in (await entrants_of(timed, ladder_id)).values()] == [1] * 4


async def test_work_delivered_five_times_counts_once(timed: Context, clock: Clock) -> None:
    ladder_id = await ladder(timed)
    await bots(timed, ladder_id, 8)
    await tell_on(timed, clock, ladder_id, 20, times=5)
    told = await rated(timed, ladder_id)
    assert len({event.table for event in told}) == len(told)
    assert not (await recalculate_ladder(timed, HOST, ladder_id=ladder_id)).differences


@pytest.mark.parametrize("lost", [OpenLadderTable, AdvanceLadder, ReportResult, PlayTable])
async def test_a_message_that_is_lost_is_made_good_by_the_sweep(
    timed: Context, clock: Clock, lost: type
) -> None:
    ladder_id = await ladder(timed)
    await bots(timed, ladder_id, 4)
    left = 2
    for _ in range(400):

        def lose(message: object) -> bool:
            nonlocal left
            left -= isinstance(message, lost)
            return isinstance(message, lost) and left >= 0

        await drain(timed, lose=lose)
        if await results(timed, ladder_id) >= 3:
            return
        clock.now_ms += 1_000
        await sweep(timed)
    raise AssertionError("the ladder stands still")


async def test_the_log_alone_tells_the_ratings_the_standings_and_who_did_what(
    timed: Context, clock: Clock
) -> None:
    """An oracle that knows the rules of ratings and of points, and nothing else but the log."""
    ladder_id = await ladder(timed, ranked_from=1)
    players = await bots(timed, ladder_id, 6)
    await anchor(timed, ladder_id, 1300)
    await tell_on(timed, clock, ladder_id, 12)
    await leave_ladder(timed, HOST, ladder_id=ladder_id, player_id=players[0], reason="tired")
    await end_season(timed, HOST, ladder_id=ladder_id, season=1, reason="spring")
    await tell_on(timed, clock, ladder_id, 24)
    await end_season(timed, HOST, ladder_id=ladder_id, season=2)
    events = await logged(timed, ladder_id)
    entered = [e for e in events if isinstance(e, LadderEntered)]
    assert [e.player_id for e in entered][:6] == players
    assert {e.by for e in entered} == {"host"}
    assert LadderLeft(1, "host", "tired") in events
    ends = [e for e in events if isinstance(e, LadderSeasonEnded)]
    assert [(e.season, e.by, e.reason) for e in ends] == [(1, "host", "spring"), (2, "host", "")]
    told = await rated(timed, ladder_id)
    paired = [table for e in events if isinstance(e, LadderPaired) for table in e.tables]
    seats = {number: sorted(entrants) for number, entrants in paired}
    assert all(sorted(entrant for entrant, _, _ in e.seats) == seats[e.table] for e in told)
    again = [
        RatedResult(e.sequence, str(e.table), tuple((n, place) for n, place, _ in e.seats))
        for e in told
    ]
    ledger = recalculate(again, {7: Rating(1300, 0)}, [e.sequence for e in ends])
    _, rows = await read_ladder_standings(timed, ladder_id)
    assert {row.standing.tally.entrant: row.standing.tally.rating for row in rows} == dict(
        ledger.ratings
    )
    for row in rows:
        number, tally = row.standing.tally.entrant, row.standing.tally
        own = [e for e in told if number in [entrant for entrant, _, _ in e.seats]]
        assert tally.games == len(own)
        won = [
            points
            for e in own
            for (entrant, _, _), points in zip(
                e.seats, table_points(place for _, place, _ in e.seats), strict=True
            )
            if entrant == number
        ]
        assert tally.points == sum(won)
    ranked = [row.standing.tally.rating.conservative for row in rows if row.standing.rank]
    assert ranked == sorted(ranked, reverse=True)
