"""Events as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict

from rummy_arena.api.v1 import format_pb2
from rummy_arena.api.v1 import tournament_event_pb2 as event_pb
from rummy_arena.api.v1 import tournament_pb2 as pb
from services.runtime.event_document import (
    FORMAT,
    Told,
    document,
    entrants_sheet,
    results_sheet,
    rounds_sheet,
    standings_sheet,
)
from services.runtime.sheets import Sheet, csv_text, guarded_text, json_text

ANN = pb.Entrant(number=1, player_id="p1", name="=1+1", seeding=2)
BOB = pb.Entrant(number=2, player_id="p2", name='Bob, "B"', house_bot="careful")
CID = pb.Entrant(number=3, player_id="p3", name="Zoë\n", owner="club")


def told() -> Told:
    rounds = [
        pb.Round(
            number=1,
            stage=1,
            table_count=1,
            finished_count=1,
            byes=[3],
            advancing=[3, 1],
            notes=["one", "two"],
            pairings=[
                pb.Pairing(
                    number=1,
                    table_id="t-r1-t1",
                    entrants=[2, 1],
                    result=pb.TableResult(
                        deals=2,
                        actions=12_345_678_901,
                        seats=[
                            pb.SeatResult(entrant=2, place=2, total=30, forfeit=True),
                            pb.SeatResult(
                                entrant=1, place=1, total=-55, deals_won=2, deal_points=[-50, -5]
                            ),
                        ],
                    ),
                )
            ],
        ),
        pb.Round(
            number=2,
            stage=1,
            table_count=1,
            pairings=[pb.Pairing(number=1, table_id="t-r2-t1", entrants=[3, 1], label="final")],
        ),
    ]
    rounds[0].finish_time.FromSeconds(1_700_000_000)
    rounds[0].pairings[0].result.finish_time.FromSeconds(1_700_000_000)
    standings = [
        pb.Standing(place=1, entrant=CID, reached_round=2),
        pb.Standing(
            place=1,
            entrant=ANN,
            reached_round=2,
            tables=1,
            total=-55,
            deals_won=2,
            score="-0.5",
            tie_breaks=[pb.TieBreakValue(tie_break_id="lot", value="7")],
        ),
        pb.Standing(place=3, entrant=BOB, reached_round=1, eliminated=True, tables=1, total=30),
    ]
    tournament = pb.Tournament(
        id="t",
        status=pb.TOURNAMENT_STATUS_RUNNING,
        entrant_count=3,
        round=2,
        sequence=9,
        options=pb.TournamentOptions(
            title="Cup",
            rule_set_id="kalooki-bonus",
            stages=[
                format_pb2.Stage(format_id="knockout", seats_per_table=2, options={"advance": "1"})
            ],
        ),
    )
    log = [
        event_pb.LoggedTournamentEvent(
            event=event_pb.TournamentEvent(
                sequence=number, entrant_registered=event_pb.EntrantRegistered(entrant=entrant)
            )
        )
        for number, entrant in enumerate((ANN, BOB, CID), start=1)
    ]
    return Told(tournament, rounds, standings, log)


def rows(sheet: Sheet, *, guarded: bool = True) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(sheet, guarded=guarded), newline="")))


def test_the_standings_as_csv_are_exactly_this() -> None:
    assert csv_text(standings_sheet(told())) == (
        "place,group,entrant,player_id,name,reached_round,eliminated,tables,penalties,deals_won,"
        "score,tie_break_lot\r\n"
        '1,,3,p3,"Zoë\n",2,false,0,0,0,,\r\n'
        "1,,1,p1,'=1+1,2,false,1,-55,2,-0.5,7\r\n"
        '3,,2,p2,"Bob, ""B""",1,true,1,30,0,,\r\n'
    )


def test_results_have_a_row_for_each_seat_played_or_not_and_for_each_bye() -> None:
    found = rows(results_sheet(told()))
    assert [(row["round"], row["table"], row["status"], row["entrant"]) for row in found] == [
        ("1", "1", "finished", "2"),
        ("1", "1", "finished", "1"),
        ("1", "", "bye", "3"),
        ("2", "1", "playing", "3"),
        ("2", "1", "playing", "1"),
    ]
    lost, won, bye, playing, _ = found
    assert (lost["forfeit"], lost["goes_on"]) == ("true", "false")
    assert (won["place"], won["penalties"], won["deal_points"]) == ("1", "-55", "-50 -5")
    assert (won["goes_on"], won["finish_time"]) == ("true", "2023-11-14T22:13:20Z")
    assert (bye["goes_on"], bye["place"]) == ("true", "")
    assert (playing["label"], playing["goes_on"], playing["seat"]) == ("final", "", "0")


def test_rounds_and_entrants_have_a_row_each() -> None:
    first, second = rows(rounds_sheet(told()))
    assert (first["byes"], first["advancing"], first["notes"]) == ("3", "3 1", "one; two")
    assert (second["finish_time"], second["finished_tables"]) == ("", "0")
    found = rows(entrants_sheet(told()), guarded=False)
    assert [row["name"] for row in found] == ["=1+1", 'Bob, "B"', "Zoë\n"]
    assert [row["seeding"] for row in found] == ["2", "", ""]
    assert [row["owner"] for row in found] == ["", "", "club"]


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "  '=1"),
        ("\t=1", "\t'=1"),
        ("Ann;=1", "Ann;'=1"),
        ("Ann\n@x", "Ann\n'@x"),
        ("\uff1d1", "'\uff1d1"),
        ("Ann-Lee", "Ann-Lee"),
        ("a=b", "a=b"),
        ("ann@example.org", "ann@example.org"),
        ("", ""),
    ],
)
def test_a_name_is_no_formula_unless_that_is_wanted(name: str, safe: str) -> None:
    assert guarded_text(name) == safe
    sheet = Sheet(("name", "penalties"), [[name, -1]])
    assert rows(sheet) == [{"name": safe, "penalties": "-1"}]
    assert rows(sheet, guarded=False) == [{"name": name, "penalties": "-1"}]


def test_the_document_makes_the_same_messages_again() -> None:
    event = told()
    read: dict[str, Any] = json.loads(json_text(document(event)))
    assert list(read) == ["format", "tournament", "entrants", "rounds", "standings", "log"]
    assert read["format"] == FORMAT
    assert ParseDict(read["tournament"], pb.Tournament()) == event.tournament
    assert [ParseDict(one, pb.Entrant()) for one in read["entrants"]] == [ANN, BOB, CID]
    assert [ParseDict(one, pb.Round()) for one in read["rounds"]] == list(event.rounds)
    assert [ParseDict(one, pb.Standing()) for one in read["standings"]["rows"]] == list(
        event.standings
    )
    assert [ParseDict(one, event_pb.LoggedTournamentEvent()) for one in read["log"]] == list(
        event.log
    )
    assert read["standings"]["final"] is False


def test_the_same_event_is_the_same_text_in_whatever_order_its_options_were_given() -> None:
    texts = set()
    for names in (("seeding", "byes", "advance"), ("advance", "byes", "seeding")):
        event = told()
        event.tournament.options.stages[0].options.clear()
        for name in names:
            event.tournament.options.stages[0].options[name] = "1"
        texts.add(json_text(document(event)))
    assert len(texts) == 1
    assert re.search(r'"advance": "1",\s+"byes": "1",\s+"seeding": "1"', texts.pop())


def test_a_key_is_there_whatever_its_value() -> None:
    row = document(told())["standings"]["rows"][0]
    fields = {field.name for field in pb.Standing.DESCRIPTOR.fields}
    assert set(row) == fields
    assert (row["total"], row["score"], row["tie_breaks"]) == (0, "", [])


def test_entrants_are_as_the_log_left_them_before_the_start() -> None:
    event = told()
    log = [
        *event.log,
        event_pb.LoggedTournamentEvent(
            event=event_pb.TournamentEvent(
                sequence=4, entrant_withdrawn=event_pb.EntrantWithdrawn(entrant=2)
            )
        ),
        event_pb.LoggedTournamentEvent(
            event=event_pb.TournamentEvent(
                sequence=5,
                entrant_replaced=event_pb.EntrantReplaced(
                    entrant=pb.Entrant(number=1, player_id="p9", name="Nina")
                ),
            )
        ),
    ]
    found = Told(event.tournament, [], [], log).entrants
    assert [(one.name, one.state) for one in found] == [
        ("Nina", pb.ENTRANT_STATE_UNSPECIFIED),
        (BOB.name, pb.ENTRANT_STATE_WITHDRAWN),
        (CID.name, pb.ENTRANT_STATE_UNSPECIFIED),
    ]
    assert told().log[1].event.entrant_registered.entrant.state == BOB.state
