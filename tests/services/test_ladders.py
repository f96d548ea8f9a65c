"""Ladders through their use cases and a real store: paired once, rated once."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest

from rummy_arena.tournament.ladder_reasons import SameOwner, TooFew
from services.events.errors import LadderFull, LadderOver, NotAllowed, NotEntered
from services.events.ladders.advance_ladder import advance_ladder
from services.events.ladders.change import hold_ladder
from services.events.ladders.close_ladder import close_ladder
from services.events.ladders.count_result import count_result
from services.events.ladders.end_season import end_season
from services.events.ladders.enter_ladder import Entering, enter_ladder
from services.events.ladders.entry_conditions import rating_on
from services.events.ladders.explain_ladder import explain_ladder
from services.events.ladders.ladder import LADDERS, read_ladder, table_id
from services.events.ladders.leave_ladder import leave_ladder
from services.events.ladders.read_ladder_standings import read_ladder_standings, read_season
from services.events.ladders.read_results import (
    read_entrant,
    read_head_to_head,
    read_results,
    read_steps,
)
from services.events.ladders.recalculate_ladder import Recalculation, recalculate_ladder
from services.events.principals import Principal
from services.events.report_result import report_result
from services.state.context import Context
from services.state.ladder_log import LadderRated, decode_ladder_events
from services.state.ladder_records import LadderStatus
from services.state.messages import AdvanceLadder, OpenLadderTable, PlayTable, ReportResult
from services.state.records import Life, SeatResultRecord
from services.state.tables import table_record
from tests.workers.carrying import Clock, carry, drain, sweep, take

from .laddered import HOST, QUICK, anchor, bots, ended, entrants_of, ladder, player, tell, tell_on


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(ctx: Context, clock: Clock) -> Context:
    """The context with a clock that the test sets forward."""
    return clock.of(ctx)


async def results(ctx: Context, ladder_id: str) -> int:
    return (await read_ladder(ctx, ladder_id)).record.results


async def rated(ctx: Context, ladder_id: str) -> list[LadderRated]:
    """Return what the log tells of results."""
    batches = await ctx.store.read_log(LADDERS, ladder_id, after=0, limit=10_000)
    events = [event for batch in batches for event in decode_ladder_events(batch.data)]
    return [event for event in events if isinstance(event, LadderRated)]


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
    change = await hold_ladder(ctx, ladder_id)
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


async def test_two_steps_at_once_open_the_same_tables(timed: Context) -> None:
    ladder_id = await ladder(timed)
    await bots(timed, ladder_id, 8)
    await take(timed)
    await asyncio.gather(*(advance_ladder(timed, ladder_id) for _ in range(6)))
    opened = [m for m in await take(timed) if isinstance(m, OpenLadderTable)]
    assert [message.number for message in opened] == [1, 2]
    record = (await read_ladder(timed, ladder_id)).record
    assert sorted(n for table in record.open for n in table.entrants) == list(range(1, 9))
    assert {table_id(ladder_id, 1), table_id(ladder_id, 2)} == {
        table_id(ladder_id, table.number) for table in record.open
    }


async def test_a_result_told_by_many_at_once_is_rated_once(timed: Context) -> None:
    ladder_id = await ladder(timed)
    await bots(timed, ladder_id, 4)
    reports: list[str] = []
    while messages := await take(timed):
        for message in messages:
            if isinstance(message, ReportResult):
                reports.append(message.table_id)
            else:
                await carry(timed, message)
    counted = await asyncio.gather(*(report_result(timed, reports[0]) for _ in range(8)))
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


async def test_seasons_end_by_themselves_and_keep_their_standings(
    timed: Context, clock: Clock
) -> None:
    ladder_id = await ladder(timed, season_ms=60_000, ranked_from=1)
    await bots(timed, ladder_id, 4)
    await tell_on(timed, clock, ladder_id, 3)
    clock.now_ms += 60_000
    await sweep(timed)
    record = (await read_ladder(timed, ladder_id)).record
    assert (record.season, record.season_ends > clock.now_ms) == (2, True)
    ended, rows = await read_season(timed, ladder_id, 1)
    assert sorted(row.number for row in rows) == [1, 2, 3, 4]
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    assert {e.season_games for e in (await entrants_of(timed, ladder_id)).values()} == {0}
    clock.now_ms += 600_000  # the arena was away for ten seasons: one ends, late
    await sweep(timed)
    record = (await read_ladder(timed, ladder_id)).record
    assert (record.season, record.season_ends > clock.now_ms) == (3, True)
    assert not (await recalculate_ladder(timed, HOST, ladder_id=ladder_id)).differences
    again = await end_season(timed, HOST, ladder_id=ladder_id, season=1)
    assert (again.record.season, ended.by) == (3, "")


async def test_an_arena_begins_ends_and_is_ranked_by_points(timed: Context, clock: Clock) -> None:
    now_ms = clock.now_ms
    ladder_id = await ladder(timed, starts_ms=now_ms + 10_000, ends_ms=now_ms + 20_000)
    await bots(timed, ladder_id, 8)
    dice = random.Random(1)
    await tell(timed, dice)
    assert (await read_ladder(timed, ladder_id)).record.tables == 0
    while (await read_ladder(timed, ladder_id)).record.status is not LadderStatus.FINISHED:
        clock.now_ms += 1_000
        await sweep(timed)
        await tell(timed, dice)
        assert clock.now_ms < now_ms + 60_000
    record = (await read_ladder(timed, ladder_id)).record
    assert record.results == record.tables > 4
    _, rows = await read_ladder_standings(timed, ladder_id)
    points = [row.standing.tally.points for row in rows]
    assert points == sorted(points, reverse=True)
    assert sum(points) == 12 * record.results
    assert rows[0].standing.rank == 1
    with pytest.raises(LadderOver):
        await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=await player(timed, "late"))


async def test_tables_of_an_arena_that_take_too_long_do_not_count(
    timed: Context, clock: Clock
) -> None:
    ends_ms = clock.now_ms + 5_000
    ladder_id = await ladder(timed, ends_ms=ends_ms, overtime_ms=30_000)
    for name in "abcd":
        await enter_ladder(
            timed, HOST, ladder_id=ladder_id, player_id=await player(timed, name, role="player")
        )
    await drain(timed)
    clock.now_ms = ends_ms + 1
    await sweep(timed)
    assert (await read_ladder(timed, ladder_id)).record.status is LadderStatus.CLOSING
    clock.now_ms = ends_ms + 30_000
    await advance_ladder(timed, ladder_id)
    record = (await read_ladder(timed, ladder_id)).record
    assert (record.status, record.results, record.open) == (LadderStatus.FINISHED, 0, [])
    await drain(timed)
    table = await timed.store.read("table", table_id(ladder_id, 1))
    assert table_record(table_id(ladder_id, 1), table.data)[0].life is Life.CLOSED


async def test_a_host_closes_a_ladder_and_its_tables_are_played_out(timed: Context) -> None:
    ladder_id = await ladder(timed)
    await bots(timed, ladder_id, 4)
    await take(timed)
    await advance_ladder(timed, ladder_id)
    before = await close_ladder(timed, HOST, ladder_id=ladder_id, validate_only=True)
    assert before.record.status is LadderStatus.CLOSING
    assert (await read_ladder(timed, ladder_id)).record.status is LadderStatus.OPEN
    await close_ladder(timed, HOST, ladder_id=ladder_id, reason="summer")
    await drain(timed)
    record = (await read_ladder(timed, ladder_id)).record
    assert (record.status, record.results, record.tables) == (LadderStatus.FINISHED, 1, 1)
    assert (await close_ladder(timed, HOST, ladder_id=ladder_id)).record.reason == "summer"


async def test_who_comes_late_or_back_need_not_make_up_for_what_it_missed(
    timed: Context, clock: Clock
) -> None:
    ladder_id = await ladder(timed)
    players = await bots(timed, ladder_id, 5)
    await leave_ladder(timed, HOST, ladder_id=ladder_id, player_id=players[4])
    await tell_on(timed, clock, ladder_id, 20)
    late = await player(timed, "late", bot="greedy")
    number, entrant = await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=late)
    back = await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=players[4])
    assert (number, back[0]) == (6, 5)
    assert entrant.credit >= 19
    assert back[1].season_games + back[1].credit >= 19
    assert await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=late) == (6, entrant)


async def test_who_waits_is_told_why(timed: Context) -> None:
    two = replace(QUICK, seats=3, fewest=3)
    ladder_id = await ladder(timed, two)
    players = await bots(timed, ladder_id, 2, {1: "ann", 2: "ann"})
    [explained] = (await explain_ladder(timed, ladder_id, player_id=players[0])).entrants
    assert explained.reason == TooFew(2, 3)
    mine = Entering("ann")
    for name in ("c", "d"):
        bot = await player(timed, name, bot="random")
        await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=bot, entering=mine)
    await drain(timed)
    told = (await explain_ladder(timed, ladder_id)).entrants
    assert [one.reason for one in told] == [SameOwner("ann", 3, 0, None)] * 4
    await bots(timed, ladder_id, 2)
    told = (await explain_ladder(timed, ladder_id)).entrants
    assert sum(one.soon for one in told) == 3
    assert (await read_ladder(timed, ladder_id)).record.tables == 0


async def test_who_may_do_what_on_a_ladder(timed: Context) -> None:
    ladder_id = await ladder(timed, capacity=2)
    ann = await player(timed, "ann")
    own = Principal(ann, "bot")
    number, _ = await enter_ladder(timed, own, ladder_id=ladder_id, player_id=ann)
    assert number == 1
    eve = await player(timed, "eve")
    with pytest.raises(NotAllowed):
        await enter_ladder(timed, own, ladder_id=ladder_id, player_id=eve)
    with pytest.raises(NotAllowed):  # whoever says that it is another's is kept from meeting her
        await enter_ladder(
            timed,
            Principal(eve, "bot"),
            ladder_id=ladder_id,
            player_id=eve,
            entering=Entering("ann"),
        )
    with pytest.raises(NotAllowed):
        await leave_ladder(timed, own, ladder_id=ladder_id, player_id=eve)
    other = Principal("other", "host")
    for call in (
        end_season(timed, other, ladder_id=ladder_id, season=1),
        close_ladder(timed, other, ladder_id=ladder_id),
        recalculate_ladder(timed, other, ladder_id=ladder_id),
        enter_ladder(timed, other, ladder_id=ladder_id, player_id=eve),
    ):
        with pytest.raises(NotAllowed):
            await call
    await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=eve)
    third = await player(timed, "third")
    with pytest.raises(LadderFull):
        await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=third)
    with pytest.raises(NotEntered):
        await leave_ladder(timed, HOST, ladder_id=ladder_id, player_id=third)


async def test_fifty_entries_of_one_player_are_one(timed: Context) -> None:
    ladder_id = await ladder(timed)
    ann = await player(timed, "ann")
    calls = (enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=ann) for _ in range(50))
    assert {number for number, _ in await asyncio.gather(*calls)} == {1}
    record = (await read_ladder(timed, ladder_id)).record
    assert (record.entrants, record.active) == (1, 1)


async def test_who_does_not_play_at_its_table_is_taken_off(timed: Context) -> None:
    ladder_id = await ladder(timed)
    people = [await player(timed, name, role="player") for name in "abc"]
    for person in people:
        await enter_ladder(
            timed, HOST, ladder_id=ladder_id, player_id=person, entering=Entering("club" + person)
        )
    await bots(timed, ladder_id, 1)
    await take(timed)
    await advance_ladder(timed, ladder_id)
    [table] = (await read_ladder(timed, ladder_id)).record.open
    seats = ended(table.entrants, random.Random(1))
    away = [replace_forfeit(seat, seat.entrant != 1) for seat in seats]
    assert await count_result(timed, ladder_id, table.number, away)
    record = (await read_ladder(timed, ladder_id)).record
    assert (record.active, record.entrants) == (2, 4)  # a house bot is never away
    assert [one.number for one in (await explain_ladder(timed, ladder_id)).entrants] == [1, 4]
    await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=people[1])
    assert (await read_ladder(timed, ladder_id)).record.active == 3


def replace_forfeit(seat: SeatResultRecord, forfeit: bool) -> SeatResultRecord:
    return msgspec.structs.replace(seat, forfeit=forfeit)
