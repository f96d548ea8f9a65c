"""The life of ladders and arenas: seasons, ends, who comes and goes, who may do what."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from rummy_arena.tournament.ladder_reasons import NotBegun, SameOwner, TooFew
from services.events.errors import (
    EntryRefused,
    InvalidOption,
    LadderFull,
    LadderOver,
    NotAllowed,
    NotEntered,
)
from services.events.ladders.advance_ladder import advance_ladder
from services.events.ladders.close_ladder import close_ladder
from services.events.ladders.count_result import count_result
from services.events.ladders.create_ladder import LadderOptions, create_ladder
from services.events.ladders.end_season import end_season
from services.events.ladders.enter_ladder import Entering, enter_ladder
from services.events.ladders.explain_ladder import explain_ladder
from services.events.ladders.ladder import INDEX, read_ladder, table_id
from services.events.ladders.leave_ladder import leave_ladder
from services.events.ladders.list_ladders import list_ladders
from services.events.ladders.read_ladder_standings import read_ladder_standings, read_season
from services.events.ladders.recalculate_ladder import recalculate_ladder
from services.events.principals import Principal
from services.state import keys
from services.state.context import Context
from services.state.errors import RequestReused
from services.state.ladder_records import LadderStatus
from services.state.records import Entry, Life, SeatResultRecord
from services.state.tables import table_record
from tests.workers.carrying import Clock, drain, sweep, take

from .laddered import HOST, QUICK, bots, ended, entrants_of, ladder, player, tell, tell_on


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
    clock.now_ms += 10_000
    for season in (0, 3):
        with pytest.raises(InvalidOption, match="give 1 to 2"):
            await read_season(timed, ladder_id, season)
    early = await end_season(timed, HOST, ladder_id=ladder_id, season=3)
    assert early.record.season_ends == clock.now_ms + 60_000  # the next one is as long as any


async def test_an_arena_begins_ends_and_is_ranked_by_points(timed: Context, clock: Clock) -> None:
    now_ms = clock.now_ms
    ladder_id = await ladder(timed, starts_ms=now_ms + 10_000, ends_ms=now_ms + 20_000)
    await bots(timed, ladder_id, 8)
    dice = random.Random(1)
    await tell(timed, dice)
    assert (await read_ladder(timed, ladder_id)).record.tables == 0
    told = (await explain_ladder(timed, ladder_id)).entrants
    assert [one.reason for one in told] == [NotBegun(now_ms + 10_000)] * 8
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


async def test_ladders_that_are_gone_leave_the_list_and_a_damaged_one_hides_no_other(
    timed: Context, clock: Clock
) -> None:
    first, gone, damaged, last = [await ladder(timed) for _ in range(4)]
    await timed.store._client.delete(keys.record("ladder", gone))
    await timed.store._client.hset(keys.record("ladder", damaged), "data", b"?")
    for hours, listed in ((0, 4), (2, 3)):
        clock.now_ms += hours * 3_600_000
        page = await list_ladders(timed, after=None, limit=9)
        assert {one.id for one in page.ladders} == {first, last}
        after = await list_ladders(timed, after=None, limit=9)
        assert after == page
        places = await timed.store.index_page(INDEX, after=None, limit=9)
        assert len(places) == listed


async def test_a_ladder_whose_ratings_count_must_be_there(timed: Context) -> None:
    with pytest.raises(InvalidOption, match="no such ladder"):
        await ladder(timed, entry=Entry(ladder_id="nowhere", min_rating=1.0))
    other = await ladder(timed)
    ladder_id = await ladder(timed, entry=Entry(ladder_id=other, min_rating=1.0))
    with pytest.raises(EntryRefused):  # it has no rating there yet
        await bots(timed, ladder_id, 1)


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


async def test_late_repeats_of_entering_and_leaving_change_nothing(timed: Context) -> None:
    ladder_id = await ladder(timed)
    ann = await player(timed, "Ann")
    who = {"ladder_id": ladder_id, "player_id": ann}

    async def goes(verb: Callable[..., Awaitable[Any]], request_id: str, **given: Any) -> bool:
        _, entrant = await verb(timed, HOST, **who, request_id=request_id, **given)
        return bool(entrant.gone)

    assert not await goes(enter_ladder, "in")
    assert not await goes(enter_ladder, "in again")
    assert await goes(leave_ladder, "out")
    for late in ("in", "in again"):
        assert await goes(enter_ladder, late)
    with pytest.raises(RequestReused):
        await goes(enter_ladder, "in", entering=Entering("club"))
    assert not await goes(enter_ladder, "back")
    assert not await goes(leave_ladder, "out")
    with pytest.raises(RequestReused):
        await goes(leave_ladder, "out", reason="rest")


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


async def test_longest_times_can_be_stored(timed: Context) -> None:
    day = 24 * 3_600_000
    ladder_id = await ladder(timed, season_ms=400 * day)
    assert (await read_ladder(timed, ladder_id)).record.season_ms == 400 * day
    slow = replace(QUICK, hold_ms=7 * day, pause_ms=7 * day, fewer_ms=7 * day, patience_ms=7 * day)
    now_ms = timed.now_ms()
    arena_id = await ladder(
        timed, slow, starts_ms=now_ms + day, ends_ms=now_ms + 400 * day, overtime_ms=7 * day
    )
    await bots(timed, arena_id, 3)
    await advance_ladder(timed, arena_id)
    assert (await read_ladder(timed, arena_id)).record.pairing.hold_ms == 7 * day


async def test_a_repeat_of_an_arenas_creation_after_its_end_returns_it(
    timed: Context, clock: Clock
) -> None:
    options = LadderOptions("Short", "kalooki-bonus", QUICK, ends_ms=clock.now_ms + 1_000)
    made = await create_ladder(timed, HOST, options, ladder_id="once")
    clock.now_ms += 10_000
    assert (await create_ladder(timed, HOST, options, ladder_id="once")).id == made.id
    with pytest.raises(InvalidOption):
        await create_ladder(timed, HOST, options, ladder_id="another")


async def test_a_host_says_later_whose_an_entrant_is(timed: Context) -> None:
    ladder_id = await ladder(timed, entry=Entry(max_per_owner=2))
    ann = await player(timed, "ann")
    own = Principal(ann, "bot")
    await enter_ladder(timed, own, ladder_id=ladder_id, player_id=ann)
    await bots(timed, ladder_id, 1, {1: "club"})
    change = Entering("club", at_once=3)
    _, entrant = await enter_ladder(
        timed, HOST, ladder_id=ladder_id, player_id=ann, entering=change
    )
    assert (entrant.owner, entrant.at_once) == ("club", 3)
    again = await enter_ladder(timed, own, ladder_id=ladder_id, player_id=ann)
    assert again == (1, entrant)
    third = await player(timed, "third")
    with pytest.raises(EntryRefused):
        await enter_ladder(
            timed, HOST, ladder_id=ladder_id, player_id=third, entering=Entering("club")
        )
    await leave_ladder(timed, own, ladder_id=ladder_id, player_id=ann)
    await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=third, entering=Entering("club"))
    with pytest.raises(EntryRefused):
        await enter_ladder(timed, own, ladder_id=ladder_id, player_id=ann)
    _, back = await enter_ladder(
        timed, HOST, ladder_id=ladder_id, player_id=ann, entering=Entering("other")
    )
    assert (back.owner, back.at_once) == ("other", 3)
