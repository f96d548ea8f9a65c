"""Requests on a table's life: repeated, reused for something else, and such as cannot be used."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1 import terms_pb2, tournament_service_pb2
from rummy_arena.api.v1.tournament_pb2 import Knockout, TournamentOptions
from rummy_arena.client import ArenaError
from services.play.table import TABLES
from services.state import keys

from .conftest import Api
from .table_life import RULES, SEATS, Party, ask, party_of, told


@pytest.fixture
async def party(api: Api) -> Party:
    return await party_of(api)


async def last(party: Party, table_id: str) -> int:
    """Return the last sequence of a table's log."""
    return (await party.admin.arena.tables.get(table_id)).sequence


# By name: in which life, who asks, the request, and what makes another request of it.
REPEATED: dict[str, tuple[str, str, Callable[[Party], Any], dict[str, Any]]] = {
    "TakeSeat": ("open", "elsewhere", lambda party: pb.TakeSeatRequest(), {"seat": 2}),
    "LeaveSeat": ("open", "seated", lambda party: pb.LeaveSeatRequest(), {"player_id": "p"}),
    "SetReady": ("open", "seated", lambda party: pb.SetReadyRequest(ready=True), {"ready": False}),
    "StartTable": ("full", "creator", lambda party: pb.StartTableRequest(), {}),
    "PauseTable": ("playing", "creator", lambda party: pb.PauseTableRequest(), {"reason": "tea"}),
    "ResumeTable": ("paused", "creator", lambda party: pb.ResumeTableRequest(), {}),
    "AdjudicateTable": (
        "playing",
        "creator",
        lambda party: pb.AdjudicateTableRequest(reason="late", places=[1, 2, 3]),
        {"reason": "later"},
    ),
    "CloseTable": (
        "playing",
        "creator",
        lambda party: pb.CloseTableRequest(reason="rain"),
        {"reason": "snow"},
    ),
}


@pytest.mark.parametrize("name", REPEATED)
async def test_a_repeat_has_the_first_answer_and_changes_nothing(party: Party, name: str) -> None:
    life, role, make, change = REPEATED[name]
    table = await getattr(party, life)()
    request = make(party)
    request.request_id, request.table_id = "again", table.id
    first = await ask(party.role(role), name, request)
    after = await last(party, table.id)
    assert first.sequence == after
    again = await ask(party.role(role), name, request)
    again.server_time.CopyFrom(first.server_time)
    assert again == first
    assert await last(party, table.id) == after
    for field, value in change.items():
        setattr(request, field, value)
    if change:
        assert await told(ask(party.role(role), name, request)) == "REQUEST_ID_REUSED"
        assert await last(party, table.id) == after
    elsewhere = await told(ask(party.admin, name, request))  # whose ids are its own
    assert elsewhere != "REQUEST_ID_REUSED"


# By name: in which life this changes nothing, who asks, and what then makes it change something.
IDLE: dict[str, tuple[str, str, Any, Callable[[Party, str], Awaitable[object]]]] = {
    "TakeSeat": (
        "open",
        "seated",
        pb.TakeSeatRequest(),
        lambda party, table: party.seated.arena.tables.leave_seat(table),
    ),
    "SetReady": (
        "open",
        "seated",
        pb.SetReadyRequest(ready=False),
        lambda party, table: party.seated.arena.tables.ready(table),
    ),
    "PauseTable": (
        "paused",
        "creator",
        pb.PauseTableRequest(),
        lambda party, table: party.creator.arena.tables.resume(table),
    ),
    "ResumeTable": (
        "playing",
        "creator",
        pb.ResumeTableRequest(),
        lambda party, table: party.creator.arena.tables.pause(table),
    ),
}


@pytest.mark.parametrize("name", IDLE)
async def test_what_changed_nothing_changes_nothing_when_it_comes_late_again(
    party: Party, api: Api, name: str
) -> None:
    life, role, request, change = IDLE[name]
    table = await getattr(party, life)()
    request.request_id, request.table_id = "again", table.id
    before = await stored(api, table.id)
    first = await ask(party.role(role), name, request)
    assert await stored(api, table.id) == before
    await change(party, table.id)
    after = await stored(api, table.id)
    assert (await ask(party.role(role), name, request)).sequence == first.sequence
    assert await stored(api, table.id) == after


async def stored(api: Api, table_id: str) -> tuple[bytes, int, float | None]:
    """Return the record, the last sequence and the deadline of a table."""
    snapshot = await api.ctx.store.read(TABLES, table_id)
    member = keys.member(TABLES, table_id)
    deadline_ms = await api.ctx.store._client.zscore(
        keys.deadlines(keys.shard_of(table_id)), member
    )
    return snapshot.data, snapshot.seq, deadline_ms


CHANGES: dict[str, Callable[[terms_pb2.TableOptions], Any]] = {
    "title": lambda options: setattr(options, "title", "other"),
    "seats": lambda options: setattr(options, "seats", 4),
    "rule set": lambda options: setattr(options, "rule_set_id", "carioca-argentine"),
    "time": lambda options: options.time_control.bank.CopyFrom(Duration(seconds=1)),
    "visibility": lambda options: setattr(options, "visibility", terms_pb2.VISIBILITY_PUBLIC),
    "delay": lambda options: setattr(options.spectator_delay, "deals", 1),
    "invited": lambda options: options.invited_player_ids.append("somebody"),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_table_is_created_once_and_its_request_is_no_other(
    party: Party, change: str
) -> None:
    options = terms_pb2.TableOptions(
        rule_set_id=RULES, seats=SEATS, visibility=terms_pb2.VISIBILITY_PRIVATE
    )
    request = pb.CreateTableRequest(request_id="mine", options=options)
    first = await ask(party.creator, "CreateTable", request)
    await party.creator.arena.tables.take_seat(first.table.id, player_id=party.seated.id)
    again = await ask(party.creator, "CreateTable", request)
    assert again.table.id == first.table.id
    assert again.table.seats[0].player_id == party.seated.id
    CHANGES[change](request.options)
    assert await told(ask(party.creator, "CreateTable", request)) == "REQUEST_ID_REUSED"
    assert [table async for table in party.creator.arena.tables.list()] == []
    table = await party.creator.arena.tables.get(first.table.id)
    assert table.visibility == terms_pb2.VISIBILITY_PRIVATE


async def test_another_seed_is_another_request(party: Party) -> None:
    options = terms_pb2.TableOptions(rule_set_id=RULES, seats=SEATS)
    request = pb.CreateTableRequest(request_id="mine", options=options, seed="a")
    first = await ask(party.host, "CreateTable", request)
    assert (await ask(party.host, "CreateTable", request)).table.id == first.table.id
    for seed in ("b", None):
        other = pb.CreateTableRequest(request_id="mine", options=options, seed=seed)
        assert await told(ask(party.host, "CreateTable", other)) == "REQUEST_ID_REUSED"


async def test_the_same_id_of_two_callers_is_two_tables(party: Party) -> None:
    options = terms_pb2.TableOptions(rule_set_id=RULES, seats=SEATS)
    request = pb.CreateTableRequest(request_id="mine", options=options)
    tables = [await ask(who, "CreateTable", request) for who in (party.creator, party.seated)]
    assert tables[0].table.id != tables[1].table.id


def long(seconds: float) -> Duration:
    return Duration(seconds=int(seconds), nanos=int(seconds % 1 * 1e9))


DAY = 86_400
WRONG: dict[str, tuple[str, terms_pb2.TableOptions]] = {
    "no rule set": ("options.rule_set_id", terms_pb2.TableOptions(rule_set_id="")),
    "no seats": ("options.seats", terms_pb2.TableOptions(seats=0)),
    "many seats": ("options.seats", terms_pb2.TableOptions(seats=2**32 - 1)),
    "long title": ("options.title", terms_pb2.TableOptions(title="x" * 121)),
    "odd title": ("options.title", terms_pb2.TableOptions(title="a\nb")),
    "visibility": ("options.visibility", terms_pb2.TableOptions(visibility=77)),  # type: ignore[arg-type]  # a number of no name
    "invited": (
        "options.invited_player_ids[1]",
        terms_pb2.TableOptions(invited_player_ids=["a", "no id"]),
    ),
    "many invited": (
        "options.invited_player_ids",
        terms_pb2.TableOptions(invited_player_ids=map(str, range(201))),
    ),
    "rule set option": (
        "options.rule_set_options",
        terms_pb2.TableOptions(rule_set_options={"rebuys": "\n"}),
    ),
    "delay in deals": (
        "options.spectator_delay",
        terms_pb2.TableOptions(spectator_delay=terms_pb2.SpectatorDelay(deals=2**32 - 1)),
    ),
    "delay in time": (
        "options.spectator_delay",
        terms_pb2.TableOptions(spectator_delay=terms_pb2.SpectatorDelay(time=long(DAY + 1))),
    ),
    "negative delay": (
        "options.spectator_delay.time",
        terms_pb2.TableOptions(spectator_delay=terms_pb2.SpectatorDelay(time=long(-1))),
    ),
}
WRONG_TIMES: dict[str, terms_pb2.TimeControl] = {
    "draw_time": terms_pb2.TimeControl(draw_time=long(0)),
    "play_time": terms_pb2.TimeControl(play_time=long(DAY + 1)),
    "call_window": terms_pb2.TimeControl(call_window=long(0.05)),
    "decision_time": terms_pb2.TimeControl(decision_time=Duration(seconds=2**62)),
    "rebuy_time": terms_pb2.TimeControl(rebuy_time=long(-5)),
    "bank": terms_pb2.TimeControl(bank=Duration(seconds=1, nanos=-1)),
    "increment": terms_pb2.TimeControl(increment=Duration(seconds=1, nanos=2 * 10**9)),
    "disconnect_grace": terms_pb2.TimeControl(disconnect_grace=long(DAY + 1)),
    "between_deals": terms_pb2.TimeControl(between_deals=long(DAY + 1)),
    "absent_time": terms_pb2.TimeControl(absent_time=long(0)),
    "absent_after": terms_pb2.TimeControl(absent_after=0),
    "stand_in": terms_pb2.TimeControl(stand_in="nobody"),
}
WRONG |= {
    name: (f"options.time_control.{name}", terms_pb2.TableOptions(time_control=control))
    for name, control in WRONG_TIMES.items()
}


@pytest.mark.parametrize("what", WRONG)
async def test_what_cannot_be_used_is_named(party: Party, what: str) -> None:
    field, wrong = WRONG[what]
    options = terms_pb2.TableOptions(rule_set_id=RULES, seats=SEATS)
    options.MergeFrom(wrong)
    for name in ("rule_set_id", "seats"):
        if field == f"options.{name}":
            setattr(options, name, getattr(wrong, name))
    request = pb.CreateTableRequest(request_id="mine", options=options)
    with pytest.raises(ArenaError) as caught:
        await ask(party.creator, "CreateTable", request)
    assert [violation.field for violation in caught.value.violations] == [field]
    assert caught.value.violations[0].problem


@pytest.mark.parametrize("what", WRONG_TIMES)
async def test_what_cannot_be_used_of_a_tournament_is_named(party: Party, what: str) -> None:
    options = TournamentOptions(
        title="Cup",
        rule_set_id=RULES,
        knockout=Knockout(seats_per_table=4, advance_per_table=1),
        time_control=WRONG_TIMES[what],
    )
    tournaments = party.host.arena.tournaments
    with pytest.raises(ArenaError) as caught:
        await tournaments._caller.call(
            tournaments._stub.CreateTournament,
            tournament_service_pb2.CreateTournamentRequest(request_id="mine", options=options),
        )
    fields = [violation.field for violation in caught.value.violations]
    assert fields == [f"options.time_control.{what}"]


BAD_CALLS: dict[str, tuple[str, Any, str]] = {
    "no request id": ("StartTable", pb.StartTableRequest(request_id=""), "request_id"),
    "odd table": ("StartTable", pb.StartTableRequest(table_id="a b"), "table_id"),
    "odd player": ("TakeSeat", pb.TakeSeatRequest(player_id="a b"), "player_id"),
    "no reason to close": ("CloseTable", pb.CloseTableRequest(), "reason"),
    "no reason to adjudicate": ("AdjudicateTable", pb.AdjudicateTableRequest(), "reason"),
    "a long reason": ("PauseTable", pb.PauseTableRequest(reason="x" * 201), "reason"),
    "statuses": ("ListTables", pb.ListTablesRequest(statuses=[99]), "statuses"),  # type: ignore[list-item]  # of no name
    "page size": ("ListTables", pb.ListTablesRequest(page_size=201), "page_size"),
    "page token": ("ListTables", pb.ListTablesRequest(page_token="abcd"), "page_token"),
}


@pytest.mark.parametrize("what", BAD_CALLS)
async def test_fields_of_calls_are_checked(party: Party, what: str) -> None:
    name, wrong, field = BAD_CALLS[what]
    request = type(wrong)()
    if name != "ListTables":
        request.request_id, request.table_id = "mine", "nowhere"
    request.MergeFrom(wrong)
    if field in ("request_id", "table_id"):
        setattr(request, field, getattr(wrong, field))
    with pytest.raises(ArenaError) as caught:
        await ask(party.creator, name, request)
    assert [violation.field for violation in caught.value.violations] == [field]


@pytest.mark.parametrize(
    "places", [(1,), (1, 2, 4), (0, 1, 2), (2, 2, 3), (1, 1, 2), (2**32 - 1,) * 3]
)
async def test_places_that_are_none_are_refused(party: Party, places: tuple[int, ...]) -> None:
    table = await party.playing()
    with pytest.raises(ArenaError) as caught:
        await party.creator.arena.tables.adjudicate(table.id, "late", places)
    assert [violation.field for violation in caught.value.violations] == ["places"]


async def test_a_seat_that_is_not_there_is_refused(party: Party) -> None:
    table = await party.open()
    for seat in (SEATS, 2**32 - 1):
        with pytest.raises(ArenaError) as caught:
            await party.elsewhere.arena.tables.take_seat(table.id, seat=seat)
        assert caught.value.reason == "NO_SUCH_SEAT"
        assert caught.value.facts["last_seat"] == "2"


async def test_a_player_who_is_not_there_is_not_seated(party: Party) -> None:
    table = await party.open()
    seating = party.creator.arena.tables.take_seat(table.id, player_id="nobody")
    assert await told(seating) == "NOT_FOUND"
