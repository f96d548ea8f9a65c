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
from services.play.table import TABLES
from services.state import keys
from services.state.context import Context
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
        await store.index_add("tables", table_id, clock.now_ms)
    for table_id in old[:2]:
        await store._client.delete(keys.record(TABLES, table_id))
    listed = [table.id async for table in party.admin.arena.tables.list()]
    assert listed == [old[2]]
    assert len(await store.index_page("tables", after="", limit=9)) == 4
    clock.now_ms += 3_600_001
    await store.index_add("tables", "new", clock.now_ms)
    assert [table.id async for table in party.admin.arena.tables.list()] == listed
    assert await store.index_page("tables", after="", limit=9) == [old[2], "new"]


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
