"""Events in a terminal: brackets, crosstables, standings."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from rich.cells import cell_len

from rummy_arena.tournament.errors import InvalidFormat, UnevenField
from rummy_arena.tournament.registry import FORMATS
from services.runtime import event_view
from services.runtime.event_crosstable import BRACKETS, LEAGUES
from services.runtime.event_record import UNSHOWN, Event, Round, Seat, Table
from services.runtime.event_svg import picture

from .event_samples import DOUBLE, FOURS, GROUPS, LEAGUE, PAIRS, SAMPLES
from .event_worlds import format_stage, played_event

WIDTHS = (20, 33, 72, 250)

PAIRS_BRACKET = """\
Cup, kalooki-jamaican, finished
Won by Eve.

Stage 1: knockout (tables of 2, advance 1)

Round 1               Round 2               Round 3
  Dora         bye─┐  table 1
                   └─ 2 Dora          ff
  Eve          bye─── 1 Eve           12─┐
                                         │  table 1, final
table 1                                  └─ 1 Eve           20 wins
1 Ann            0─┐                     ┌─ 2 Cid           21
2 Bob           35 │  table 2            │
                   └─ 2 Ann            7 │
  Cid          bye─── 1 Cid           -5─┘

Before a name the place at the table, after it the penalties; ff:
forfeit. → 2: goes on to table 2 of the next round."""

FOURS_BRACKET = """\
Cup, running round 2

Stage 1: knockout (tables of 4, advance 2)

Round 1                   Round 2, 0/1
table 1
1 Bob           35 → 1
2 Ann           50 → 1
3 Dora          70        table 1, playing
4 Cid           90          Finn
                            Ann
table 2, by ruling          Bob
1 Eve            0 → 1      Eve
1 Finn           0 → 1
3 Gus            9
4 Hal           ff

Round 2: one owner's entrants had to meet
"""

LEAGUE_OPPONENTS = """\
       1 2 3 4 5 points penalties
1 Cid  × · 1 ½       1½        40
2 Eve  · ×     1      1         5
3 Ann  0   × · 1      1        90
4 Dora ½   · ×        ½         5
5 Bob    0 0   ×      0        35
"""  # noqa: RUF001

LEAGUE_ROUNDS = """\
        R1   R2  R3 penalties
1 Cid   =4   +3  ·2        40
2 Eve  bye   +5  ·1         5
3 Ann   +5   -1  ·4        90
4 Dora  =1  bye  ·3         5
5 Bob   -3 -2ff bye        35
"""

FOURS_ROUNDS = """\
         R1  R2 penalties
1 Bob   1:1 1:·        35
2 Eve   2:1 1:·         0
3 Finn  2:1 1:·         0
4 Ann   1:2 1:·        50
5 Gus   2:3             9
6 Dora  1:3            70
7 Hal  2:ff            10
8 Cid   1:4            90
"""

PAIRS_STANDINGS = """\
Cup, kalooki-jamaican, finished
Final standings:

   name  penalties  won  tables  round  still
1  Eve          32    3       2      3     in
2  Cid          16    2       2      3    out
3  Ann           7    1       2      2    out
4  Dora         80    0       1      2    out
5  Bob          35    0       1      1    out"""


def text(lines: list[str]) -> str:
    return "\n".join(lines)


def test_a_bracket_of_pairs_is_joined_by_lines() -> None:
    assert text(event_view.bracket(PAIRS, 72)) == PAIRS_BRACKET


def test_a_bracket_of_fours_names_the_next_table_and_shows_what_is_played() -> None:
    assert text(event_view.bracket(FOURS, 72)).startswith(FOURS_BRACKET)


def test_a_league_is_a_table_of_opponents_or_of_rounds() -> None:
    assert LEAGUE_OPPONENTS in text(event_view.crosstable(LEAGUE, 72))
    assert LEAGUE_OPPONENTS in text(event_view.bracket(LEAGUE, 72))
    assert LEAGUE_ROUNDS in text(event_view.crosstable(LEAGUE, 72, "rounds"))


def test_a_bracket_as_a_crosstable_has_rounds() -> None:
    assert FOURS_ROUNDS in text(event_view.crosstable(FOURS, 72))


def test_the_standings_name_everybody_with_what_counts() -> None:
    assert text(event_view.standings(PAIRS, 72)) == PAIRS_STANDINGS


def test_upper_and_lower_bracket_are_apart_and_lead_to_the_final() -> None:
    lines = event_view.bracket(DOUBLE, 120)
    assert lines.index("Upper") < lines.index("Lower")
    said = text(lines)
    assert "2 Bob                99 → lower 2" in said
    assert "1 Cid          10 → final" in said
    assert "table 1, playing, final" in said
    assert "bye" not in said  # who waits in the upper bracket is not in the lower one


def test_groups_are_crosstables_and_what_follows_is_a_bracket() -> None:
    lines = event_view.bracket(GROUPS, 80)
    assert [line for line in lines if line.startswith(("Group ", "Stage ", "Round "))] == [
        "Stage 1: groups",
        "Group A",
        "Group B",
        "Stage 2: knockout",
        "Round 2, 0/1",
    ]


@pytest.mark.parametrize("view", [event_view.bracket, event_view.crosstable, event_view.standings])
@pytest.mark.parametrize("name", SAMPLES)
def test_no_line_is_wider_than_the_terminal(name: str, view: object) -> None:
    for width in WIDTHS:
        lines = view(SAMPLES[name], width)  # type: ignore[operator]
        assert max(map(cell_len, lines)) <= width
        assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("size", [6, 23, 64])
@pytest.mark.parametrize("unfinished", [0, 1])
def test_nobody_is_missing_from_any_view(seats: int, size: int, unfinished: int) -> None:
    stage = format_stage("knockout", seats, advance=str(seats // 2))
    event = played_event([stage], size, rounds=2 if unfinished else 100, unfinished=unfinished)
    seated = [len(table.seats) for round_ in event.rounds for table in round_.tables]
    byes = sum(len(round_.byes) for round_ in event.rounds)
    for width in (60, 200):
        lines = event_view.bracket(event, width)
        assert max(map(cell_len, lines)) <= width
        cards = lines[lines.index("") :]  # below the winner
        words = text(cards).replace("─", " ").split()
        shown = [word for word in words if word.startswith("player-")]
        assert len(shown) == sum(seated) + byes
        assert set(shown) == set(event.names.values())
        tables = sum(len(round_.tables) for round_ in event.rounds)
        assert sum(word.rstrip(",") == "table" for word in words) == tables + 2  # and the legend
        for view in (event_view.crosstable, event_view.standings):
            assert {
                word for line in view(event, width) for word in line.split() if word[:2] == "pl"
            } >= set(event.names.values())


@pytest.mark.parametrize("format_id", FORMATS)
def test_every_format_is_shown_whole_and_as_what_it_is(format_id: str) -> None:
    assert format_id in LEAGUES or format_id in BRACKETS
    for seats, size in ((2, 7), (4, 15)):
        try:
            event = played_event([format_stage(format_id, seats)], size, rounds=9)
        except (InvalidFormat, UnevenField):
            continue  # not at tables of this size
        for width in (40, 100):
            for view in (event_view.bracket, event_view.crosstable):
                lines = view(event, width)
                assert max(map(cell_len, lines)) <= width
                words = text(lines).replace("─", " ").split()
                assert set(event.names.values()) <= set(words)
        assert picture(event).count("<rect") > 1


def test_five_hundred_entrants_take_a_moment() -> None:
    knockout = played_event([format_stage("knockout", 2, advance="1")], 500)
    began_s = time.process_time()
    for view in (event_view.bracket, event_view.crosstable, event_view.standings):
        assert len(view(knockout, 100)) > 500
    assert time.process_time() - began_s < 2


def test_names_cannot_move_the_cursor_or_break_the_lines() -> None:
    names = {1: "a\x1b[2Jb", 2: "two\nlines", 3: "\u202eright", 4: "王" * 40, 5: "e\u0301" * 30}
    event = replace(PAIRS, names=names, title="Cup\r\n")
    for width in (40, 100):
        for view in (event_view.bracket, event_view.crosstable, event_view.standings):
            lines = view(event, width)
            assert max(map(cell_len, lines)) <= width
            assert not {"\x1b", "\n", "\r", "\u202e"} & set("".join(lines))
    assert UNSHOWN in text(event_view.bracket(event, 100))


def test_what_finds_no_room_in_the_standings_is_named() -> None:
    lines = tuple(
        replace(line, tie_breaks=(("buchholz", "12.5"), ("lot", str(line.place))))
        for line in PAIRS.standings
    )
    event = replace(PAIRS, standings=lines)
    assert "buchholz  lot" in text(event_view.standings(event, 80))
    narrow = text(event_view.standings(event, 45))
    assert "No room for " in narrow
    assert "lot" in narrow.split("No room for ")[1]


def test_standings_by_group_say_which() -> None:
    lines = tuple(
        replace(line, place=place, group=group)
        for line, place, group in zip(PAIRS.standings, (1, 2, 1, 2, 3), "AABBB", strict=True)
    )
    shown = event_view.standings(replace(PAIRS, standings=lines), 72)
    assert [line for line in shown if line.startswith("Group")] == ["Group A", "Group B"]


def test_an_event_that_has_not_started_says_so() -> None:
    event = Event("Cup", "registering", (), {1: "Ann"})
    assert event_view.bracket(event, 60)[-1] == "No round has been paired yet."
    assert "before the start" in event_view.standings(event, 60)[-1]


def test_rounds_that_find_no_room_follow_below() -> None:
    rounds = tuple(
        Round(number, (Table(1, (Seat(1, 1, 1), Seat(2, 2, 9), Seat(3, 3, 10))),))
        for number in range(1, 31)
    )
    event = replace(LEAGUE, rounds=rounds, names={1: "Ann", 2: "Bob", 3: "Cid"})
    words = text(event_view.crosstable(event, 40, "rounds")).split()
    assert [word for word in words if word[0] == "R" and word[1:].isdigit()] == [
        f"R{number}" for number in range(1, 31)
    ]
