"""Which tables there are: public ones, by status and rule set, in pages, and nothing told early."""

from __future__ import annotations

import pytest

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1.table_pb2 import (
    TABLE_STATUS_CLOSED,
    TABLE_STATUS_FINISHED,
    TABLE_STATUS_OPEN,
    TABLE_STATUS_PLAYING,
)
from rummy_arena.client import spectator_delay
from services.play.listing import ENDED_INDEX, LIVE_INDEX
from services.play.table import TABLES
from services.state import keys
from services.state.context import DAY_MS, Context
from tests.workers.carrying import Clock

from .conftest import Api
from .table_life import RULES, SEATS, Party, ask, party_of, told


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ctx(ctx: Context, clock: Clock) -> Context:
    """The context with a clock that stands still unless a test sets it forward."""
    return clock.of(ctx)


@pytest.fixture
async def party(api: Api) -> Party:
    return await party_of(api)


async def test_a_list_tells_nothing_that_spectators_learn_later(party: Party, clock: Clock) -> None:
    table = await party.playing(spectator_delay=spectator_delay(seconds=60))
    await party.seated.arena.tables.leave_seat(table.id)
    [listed] = [table async for table in party.seated.arena.tables.list()]
    assert (listed.id, listed.status) == (table.id, TABLE_STATUS_PLAYING)
    assert not listed.HasField("view")
    assert (listed.sequence, listed.actions, listed.seats[0].absent) == (0, 0, False)
    await party.creator.arena.tables.adjudicate(table.id, "late", (3, 2, 1))
    clock.now_ms += 59_999
    [listed] = [table async for table in party.seated.arena.tables.list()]
    assert listed.status == TABLE_STATUS_PLAYING
    assert not listed.HasField("finish_time")
    assert (listed.reason, list(listed.adjudicated_places)) == ("", [])
    clock.now_ms += 1
    statuses = [TABLE_STATUS_FINISHED]
    [listed] = [table async for table in party.seated.arena.tables.list(statuses=statuses)]
    assert (listed.reason, list(listed.adjudicated_places)) == ("late", [3, 2, 1])


async def test_tables_that_are_not_kept_leave_the_list(
    api: Api, party: Party, clock: Clock
) -> None:
    old = [(await party.open()).id for _ in range(3)]
    store = api.ctx.store
    for table_id in ("made-up", *old[:2]):
        await store.index_add(LIVE_INDEX, table_id, clock.now_ms)
    for table_id in old[:2]:
        await store._client.delete(keys.record(TABLES, table_id))
    listed = [table.id async for table in party.admin.arena.tables.list()]
    assert listed == [old[2]]
    assert len(await store.index_page(LIVE_INDEX, after=None, limit=9)) == 4
    clock.now_ms += 3_600_001
    await store.index_add(LIVE_INDEX, "new", clock.now_ms)
    assert [table.id async for table in party.admin.arena.tables.list()] == listed
    left = await store.index_page(LIVE_INDEX, after=None, limit=9)
    assert [place.entity for place in left] == [old[2], "new"]


async def test_tables_are_listed_by_status_and_rule_set_in_pages(party: Party) -> None:
    tables = party.creator.arena.tables
    ids = [(await tables.create(RULES, SEATS)).id for _ in range(5)]
    other = await tables.create("carioca-argentine", 4)
    playing = await party.playing()
    await tables.close(ids[2], "rain")
    open_ids = {*ids[:2], *ids[3:], other.id}
    assert {table.id async for table in tables.list()} == {*open_ids, playing.id}
    statuses = [TABLE_STATUS_OPEN]
    assert {table.id async for table in tables.list(statuses=statuses)} == open_ids
    found = [table async for table in tables.list(statuses=[TABLE_STATUS_CLOSED])]
    assert [table.id for table in found] == [ids[2]]
    found = [table async for table in tables.list(rule_set="carioca-argentine")]
    assert [table.id for table in found] == [other.id]
    found = [table async for table in tables.list(statuses=[TABLE_STATUS_PLAYING])]
    assert not found[0].HasField("view")
    request = pb.ListTablesRequest(page_size=2, statuses=statuses)
    seen: list[str] = []
    while True:
        page = await ask(party.creator, "ListTables", request)
        assert len(page.tables) <= 2
        seen += [table.id for table in page.tables]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert sorted(seen) == sorted(open_ids)
    request.statuses.append(TABLE_STATUS_CLOSED)
    assert await told(ask(party.creator, "ListTables", request)) == "INVALID_REQUEST"


async def listed_in(api: Api, index: str) -> set[str]:
    """Return the ids of an index."""
    places = await api.ctx.store.index_page(index, after=None, limit=99)
    return {place.entity for place in places}


async def test_to_list_what_goes_on_nothing_is_read_of_what_has_ended(
    api: Api, party: Party, clock: Clock
) -> None:
    tables = party.creator.arena.tables
    closed = [(await tables.create(RULES, SEATS)).id for _ in range(3)]
    played = (await party.playing()).id
    going_on = (await party.playing()).id
    for table_id in closed:
        await tables.close(table_id, "rain")
    clock.now_ms += 1
    await tables.adjudicate(played, "late", (1, 2, 3))
    assert await listed_in(api, LIVE_INDEX) == {going_on}
    ended = [TABLE_STATUS_CLOSED, TABLE_STATUS_FINISHED]
    found = [table.id async for table in tables.list(statuses=ended)]
    assert found[-1] == played  # in the order in which they ended
    assert sorted(found) == sorted([*closed, played])
    found = [table.id async for table in tables.list(statuses=[*ended, TABLE_STATUS_PLAYING])]
    assert found[0] == going_on
    assert sorted(found[1:]) == sorted([*closed, played])


async def test_a_table_that_ended_and_was_not_moved_is_moved_by_who_lists(
    api: Api, party: Party, clock: Clock
) -> None:
    table = await party.open()
    await party.creator.arena.tables.close(table.id, "rain")
    # As after a death between the commit and the move.
    await api.ctx.store.index_move(
        ENDED_INDEX, LIVE_INDEX, table.id, table.create_time.ToMilliseconds(), drop_before=0
    )
    assert await listed_in(api, LIVE_INDEX) == {table.id}
    assert [table async for table in party.creator.arena.tables.list()] == []
    assert await listed_in(api, LIVE_INDEX) == set()
    assert await listed_in(api, ENDED_INDEX) == {table.id}


async def test_where_a_table_is_listed_does_not_tell_its_end_early(
    api: Api, party: Party, clock: Clock
) -> None:
    table = await party.playing(spectator_delay=spectator_delay(seconds=60))
    tables = party.creator.arena.tables
    await tables.adjudicate(table.id, "late", (3, 2, 1))
    clock.now_ms += 59_999
    assert [table async for table in tables.list(statuses=[TABLE_STATUS_FINISHED])] == []
    assert [listed.id async for listed in tables.list()] == [table.id]
    clock.now_ms += 1
    finished = [table async for table in tables.list(statuses=[TABLE_STATUS_FINISHED])]
    assert [listed.id for listed in finished] == [table.id]
    assert [listed.id async for listed in tables.list()] == []
    assert await listed_in(api, LIVE_INDEX) == set()
    assert await listed_in(api, ENDED_INDEX) == {table.id}


async def test_a_list_goes_on_though_its_last_table_has_ended(api: Api, party: Party) -> None:
    tables = party.creator.arena.tables
    ids = [(await tables.create(RULES, SEATS)).id for _ in range(4)]
    request = pb.ListTablesRequest(page_size=2, statuses=[TABLE_STATUS_OPEN])
    first = await ask(party.creator, "ListTables", request)
    for table in first.tables:
        await tables.close(table.id, "rain")
    request.page_token = first.next_page_token
    second = await ask(party.creator, "ListTables", request)
    assert sorted(table.id for table in (*first.tables, *second.tables)) == sorted(ids)


async def test_what_ended_long_ago_leaves_its_index(api: Api, party: Party, clock: Clock) -> None:
    old, new = (await party.open()).id, (await party.open()).id
    await party.creator.arena.tables.close(old, "rain")
    clock.now_ms += api.ctx.retention.tables_ms + DAY_MS + 1
    await party.creator.arena.tables.close(new, "rain")
    assert await listed_in(api, ENDED_INDEX) == {new}
