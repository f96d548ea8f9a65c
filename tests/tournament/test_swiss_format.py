"""Swiss as a format: late entry, leaving and coming back, owners, points of byes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rummy_arena.tournament.errors import NothingPlayed, UnevenField
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.field import Entrant, entrants
from rummy_arena.tournament.results import finishes
from rummy_arena.tournament.swiss_entries import meetings

from .events import SEED, Chance, played, stage

TWO, FOUR = (2, 2, 2), (4, 3, 6)


def test_nobody_meets_twice_and_the_one_bye_goes_round() -> None:
    _, rounds = played(stage("swiss", TWO, rounds=6), 13)
    assert max(meetings(round_.tables for round_ in rounds).values()) == 1
    byes = [one for round_ in rounds for one in round_.byes]
    assert len(byes) == len(set(byes)) == 6


def test_late_entrants_leavers_and_returners_are_paired_while_they_are_there() -> None:
    field = (
        *entrants(10),
        Entrant(11, stays=((3, None),)),
        Entrant(12, stays=((1, 3),)),
        Entrant(13, stays=((1, 2), (4, None))),
        Entrant(14, disqualified=True),
    )
    swiss = stage("swiss", TWO, rounds=5, last_entry=3)
    _, rounds = played(swiss, field)
    assert len(rounds) == 5
    there = [{*round_.byes, *(e for t in round_.tables for e in t)} for round_ in rounds]
    assert [11 in seen for seen in there] == [False, False, True, True, True]
    assert [12 in seen for seen in there] == [True, True, False, False, False]
    assert [13 in seen for seen in there] == [True, False, False, True, True]
    assert not any(14 in seen for seen in there)
    assert swiss.format.last_entry(swiss.terms) == 3


@pytest.mark.parametrize(("bye", "late"), [(6, 0), (3, 2), (0, 6)])
def test_byes_and_missed_rounds_are_worth_what_the_host_says(bye: int, late: int) -> None:
    field = (*entrants(4), Entrant(5, stays=((2, None),)))
    swiss = stage("swiss", TWO, rounds=2, last_entry=2, bye=bye, late=late)
    event, rounds = played(swiss, field)
    (out,) = rounds[1].byes
    lines = {line.entrant: line for line in swiss.format.standings(event)}
    for entrant, line in lines.items():
        results = [result for played in event.rounds for result in played.results]
        points = [f.points for r in results for f in finishes(r) if f.seat.entrant == entrant]
        worth = sum(points) + bye * (entrant == out) + late * (entrant == 5)
        assert line.score == worth


def test_an_owner_of_too_many_meets_itself_as_little_as_can_be_and_the_notes_say_who() -> None:
    field = tuple(Entrant(n, owner="them" if n <= 7 else f"owner {n}") for n in range(1, 11))
    _, rounds = played(stage("swiss", TWO, rounds=4), field)
    for round_ in rounds:
        meeting = [sorted(table) for table in round_.tables if max(table) <= 7]
        assert len(meeting) == 2, "three of them can be paired with others"
        (note,) = round_.notes
        assert all(f"{one} and {other}" in note for one, other in meeting)


def test_owners_of_few_are_kept_apart_beside_one_of_too_many() -> None:
    field = tuple(
        Entrant(n, owner="them" if n <= 6 else "us" if n <= 8 else "") for n in range(1, 13)
    )
    _, rounds = played(stage("swiss", FOUR, rounds=3), field)
    assert not any({7, 8} <= set(table) for round_ in rounds for table in round_.tables)
    assert all("them" not in note for round_ in rounds for note in round_.notes)
    assert all(round_.notes for round_ in rounds)


def test_those_of_one_group_do_not_meet_in_the_first_round() -> None:
    field = tuple(Entrant(n, group="ABCD"[n % 4]) for n in range(1, 17))
    _, rounds = played(stage("swiss", FOUR, rounds=1), field)
    assert all(len({n % 4 for n in table}) == 4 for table in rounds[0].tables)


def test_an_odd_field_at_tables_of_two_has_a_table_of_three_where_the_rules_allow_it() -> None:
    _, rounds = played(stage("swiss", (2, 2, 5)), 13)
    assert all(sorted(map(len, round_.tables)) == [2] * 5 + [3] for round_ in rounds)
    assert not any(round_.byes for round_ in rounds)


def test_too_few_to_play_on_end_the_stage() -> None:
    field = tuple(Entrant(n, stays=((1, 3 if n > 2 else None),)) for n in range(1, 8))
    event, rounds = played(stage("swiss", FOUR, rounds=5), field)
    assert len(rounds) == 2
    swiss = stage("swiss", FOUR, rounds=5)
    assert set(swiss.format.advancing(event).entrants) == {1, 2}
    assert [line.eliminated for line in swiss.format.standings(event)].count(False) == 2


def test_nobody_and_one_are_no_event() -> None:
    swiss = stage("swiss", FOUR)
    for few in (0, 1, 2):
        event = Event(swiss.terms, entrants(few), (), SEED)
        assert swiss.format.pair(event) is None
        assert len(swiss.format.standings(event)) == few
        with pytest.raises(UnevenField):
            swiss.format.plan(swiss.terms, few)
        with pytest.raises(NothingPlayed):
            swiss.format.advancing(event)


def test_forfeits_have_no_points() -> None:
    swiss = stage("swiss", FOUR)
    event, _ = played(swiss, 8, Chance(forfeits=100))
    assert {line.score for line in swiss.format.standings(event)} == {Fraction(0)}


def test_an_owner_of_thousands_is_paired_without_all_its_pairs() -> None:
    field = tuple(replace(one, owner="them") for one in entrants(3000))
    _, rounds = played(stage("swiss", TWO), field, rounds=1)
    assert len(rounds[0].tables) == 1500
    assert "and 1492 more" in rounds[0].notes[0]
