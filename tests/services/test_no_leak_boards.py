"""While a round of boards is played, nobody learns of the shared deals but from an own seat.

Two arenas run the same event with other cards. Whatever anybody asks of a table at which it does
not sit, or of the event, every byte must be the same in both; results alone may tell, once they
are counted, and here none is.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from google.protobuf.message import Message

from rummy_arena.api.v1 import table_export_pb2
from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1 import tournament_service_pb2 as tpb
from rummy_arena.api.v1.table_pb2 import TableStatus
from rummy_arena.client.wire import action_message
from rummy_arena.game.actions import DRAW_STOCK
from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.put_token import put_token
from services.events.register import register
from services.events.stage_choices import StageChoice
from services.events.start_tournament import start_tournament
from services.events.tournament_parts import read_whole
from services.state.messages import ReportResult
from tests.workers.carrying import HOST, drain

from .sides import SERVICE, Side, both, history, token_of, two_sides

EVENTS = SERVICE.replace("TableService", "TournamentService")
OUTSIDERS = ("watcher", "stranger")
DIRECTORS = ("host", "admin")
SEATED = ("p0", "p1", *[f"bot{number}" for number in range(7)])


@pytest.fixture
async def sides(
    valkey_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Side, Side]]:
    async def uncounted(*_: object) -> None:
        """A worker that is about to count a result, and has not yet."""

    monkeypatch.setattr("workers.tasks.tables.report_result_once", uncounted)
    async with two_sides(valkey_url, tmp_path) as both_sides:
        yield both_sides


class Boards(NamedTuple):
    """A round of boards that is being played."""

    cup: str
    tables: dict[str, set[str]]  # who sits where
    ended: str


async def boards(side: Side, seed: bytes, delay_ms: int, monkeypatch: pytest.MonkeyPatch) -> Boards:
    """Run a round up to where people must decide; no result is counted yet."""
    ctx = side.ctx
    options = TournamentOptions(
        "Boards",
        "kalooki-bonus",
        (StageChoice("duplicate", 3, {"rounds": "2"}),),
        seed=b"the same",
        rule_set_options={"contract": "1"},
        delay_ms=delay_ms,
    )
    cup = (await create_tournament(ctx, HOST, options, tournament_id="cup")).id
    for name in SEATED:
        bot = "" if name in ("p0", "p1") else "greedy"
        role = "bot" if bot else "player"
        await create_player(ctx, HOST, name=name, role=role, bot=bot, player_id=name)
        await register(ctx, HOST, tournament_id=cup, player_id=name)
        await put_token(ctx, token_of(name), player_id=name, role=role, ttl_s=86_400)
    await start_tournament(ctx, HOST, tournament_id=cup)
    monkeypatch.setattr("services.events.seat_table.board_seed", lambda *_: seed)
    await drain(ctx, lose=lambda message: isinstance(message, ReportResult))
    _, entrants, [round_] = await read_whole(ctx, cup)
    tables = {
        f"cup-r1-t{number}": {entrants[one - 1].player_id for one in seats}
        for number, seats in enumerate(round_.tables, start=1)
    }
    (ended,) = [name for name, who in tables.items() if not who & {"p0", "p1"}][:1]
    return Boards(cup, tables, ended)


async def same_boards(
    sides: Sequence[Side], delay_ms: int, monkeypatch: pytest.MonkeyPatch
) -> Boards:
    """Return the same round on both sides, with other cards."""
    here, there = [
        await boards(at, bytes([number]) * 32, delay_ms, monkeypatch)
        for number, at in enumerate(sides)
    ]
    assert here == there
    own = pb.GetTableRequest(table_id=next(t for t, who in here.tables.items() if "p0" in who))
    ours, theirs = [await at.call("p0", "GetTable", own) for at in sides]
    assert ours != theirs, "the cards are others"
    return here


def of_table(table_id: str, turn: str) -> dict[str, Message]:
    """Return what can be asked of a table; what changes it has request ids of its own."""
    about: dict[str, Any] = {"request_id": turn, "table_id": table_id}
    return {
        "GetTable": pb.GetTableRequest(table_id=table_id),
        "GetHistory": pb.GetHistoryRequest(table_id=table_id),
        "Act": pb.ActRequest(**about, action=action_message(DRAW_STOCK)),
        "TakeSeat": pb.TakeSeatRequest(**about),
        "LeaveSeat": pb.LeaveSeatRequest(**about),
        "SetReady": pb.SetReadyRequest(**about, ready=True),
        "StartTable": pb.StartTableRequest(**about),
        "PauseTable": pb.PauseTableRequest(**about),
        "ResumeTable": pb.ResumeTableRequest(request_id=f"{turn}-on", table_id=table_id),
        "AdjudicateTable": pb.AdjudicateTableRequest(**about, reason="r", validate_only=True),
        "CloseTable": pb.CloseTableRequest(**about, reason="r"),
    }


LINES = table_export_pb2.EXPORT_FORMAT_JSON_LINES
STREAMS = (
    ("WatchTable", lambda table_id: pb.WatchTableRequest(table_id=table_id)),
    ("WatchTable", lambda table_id: pb.WatchTableRequest(table_id=table_id, after_sequence=0)),
    ("WatchTable", lambda table_id: pb.WatchTableRequest(table_id=table_id, after_sequence=99)),
    ("ExportTable", lambda table_id: table_export_pb2.ExportTableRequest(table_id=table_id)),
    (
        "ExportTable",
        lambda table_id: table_export_pb2.ExportTableRequest(table_id=table_id, format=LINES),
    ),
)


async def look_at_table(sides: Sequence[Side], who: str, table_id: str) -> set[str]:
    """Ask both sides for everything about a table; return what was told."""
    told = set()
    for method, request in of_table(table_id, f"{who}-{table_id}").items():
        answer = await both(sides, who, method, request)
        told.add(f"{method} {answer[0]}")
    for method, make in STREAMS:
        ours, theirs = [await at.open(who, method, make(table_id)).read(3) for at in sides]
        assert ours == theirs, f"{method} tells {who}"
        told.add(f"{method} {ours[0][0]}")
    await history(sides, who, table_id, 5)
    return told


async def look_at_event(sides: Sequence[Side], who: str, cup: str) -> None:
    """Ask both sides for everything about the event and its lists."""
    for method, request in {
        f"{EVENTS}GetTournament": tpb.GetTournamentRequest(tournament_id=cup),
        f"{EVENTS}ListTournaments": tpb.ListTournamentsRequest(),
        f"{EVENTS}GetBracket": tpb.GetBracketRequest(tournament_id=cup),
        f"{EVENTS}GetStandings": tpb.GetStandingsRequest(tournament_id=cup),
        f"{EVENTS}ExplainTournament": tpb.ExplainTournamentRequest(tournament_id=cup),
        f"{EVENTS}ListTournamentEvents": tpb.ListTournamentEventsRequest(tournament_id=cup),
        "ListTables": pb.ListTablesRequest(statuses=TableStatus.values()[1:]),
    }.items():
        answer = await both(sides, who, method, request)
        assert answer[0] == "ok", (method, answer)
    watch = tpb.WatchTournamentRequest(tournament_id=cup, after_sequence=0)
    streams = [at.open(who, f"{EVENTS}WatchTournament", watch) for at in sides]
    ours, theirs = [await stream.read(len(SEATED) + 2) for stream in streams]
    assert ours == theirs
    for stream in streams:
        stream.close()


@pytest.mark.parametrize("delay_ms", [0, 60_000])
async def test_who_does_not_sit_there_sees_no_shared_deal(
    sides: tuple[Side, Side], delay_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await same_boards(sides, delay_ms, monkeypatch)
    finished = sorted(here.tables[here.ended])[0]
    for who in (*OUTSIDERS, *DIRECTORS, "p0", "p1", finished):
        await look_at_event(sides, who, here.cup)
        for table_id, seated in here.tables.items():
            if who in seated:
                continue
            told = await look_at_table(sides, who, table_id)
            if who not in DIRECTORS:
                assert not any(one.endswith(" ok") for one in told), (who, told)
            else:
                assert "GetTable ok" in told
                assert "WatchTable refused" in told
                assert "ExportTable refused" in told


async def test_who_sits_there_sees_what_the_seat_saw_and_never_the_whole(
    sides: tuple[Side, Side], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await same_boards(sides, 0, monkeypatch)
    at = sides[0]
    holder = sorted(here.tables[here.ended])[0]
    told = await at.call(holder, "GetTable", pb.GetTableRequest(table_id=here.ended))
    assert told[0] == "ok"
    assert pb.GetTableResponse.FromString(told[1]).table.HasField("view")
    page = await at.call(
        holder, "GetHistory", pb.GetHistoryRequest(table_id=here.ended, page_size=1000)
    )
    events = pb.GetHistoryResponse.FromString(page[1]).events
    assert {event.WhichOneof("event") for event in events} >= {"deal_committed", "game_ended"}
    assert not [event for event in events if event.WhichOneof("event") == "deal_revealed"]
    for started in [event.deal_started for event in events if event.HasField("deal_started")]:
        assert [bool(hand.cards) for hand in started.hands].count(True) <= 1
    for form in (table_export_pb2.EXPORT_FORMAT_NOTATION, LINES):
        export = table_export_pb2.ExportTableRequest(table_id=here.ended, format=form)
        refused = (await at.open(holder, "ExportTable", export).read(1))[0]
        assert refused[0] == "refused"
        assert b"TABLE_SEALED" in repr(refused).encode()
