"""Round robin as a format: one schedule, whoever leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rummy_arena.tournament.errors import InvalidFormat, UnevenField
from rummy_arena.tournament.field import Entrant, Field, entrants
from rummy_arena.tournament.round_robin_berger import berger
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.stages import Stage
from rummy_arena.tournament.swiss_entries import meetings

from .events import Chance, played, stage

TWO, FOUR = (2, 2, 2), (4, 3, 6)


def round_robin(limits: tuple[int, int, int] = TWO, **options: object) -> Stage:
    return stage("round-robin", limits, options=options)


def leaving(field: Field, entrant: int, *stays: tuple[int, int | None]) -> Field:
    return tuple(replace(one, stays=stays) if one.number == entrant else one for one in field)


def met(rounds: list[Round]) -> set[int]:
    return set(meetings(round_.tables for round_ in rounds).values())


def test_two_seats_are_bergers_tables_in_the_order_of_seeding() -> None:
    field = tuple(Entrant(number, seeding=9 - number) for number in range(1, 9))
    _, rounds = played(round_robin(), field)
    assert [round_.tables for round_ in rounds] == [
        round_.tables for round_ in berger(range(8, 0, -1))
    ]


@pytest.mark.parametrize(("legs", "rounds"), [(1, 7), (2, 14)])
def test_everybody_meets_everybody_once_or_twice(legs: int, rounds: int) -> None:
    _, paired = played(round_robin(legs=legs), 8)
    assert len(paired) == rounds
    assert met(paired) == {legs}


def test_sixteen_at_tables_of_four_meet_in_five_rounds_and_the_first_says_so() -> None:
    _, rounds = played(round_robin((4, 4, 4)), 16)
    assert len(rounds) == 5
    assert met(rounds) == {1}
    assert rounds[0].notes == (
        "rounds of the schedule: 5, 5 at least for all to meet; pairs that never meet: 0; "
        "that meet again: 0, in 0 repeated meetings; seats differ by 1, byes by 0",
    )


def test_legs_and_rounds_exclude_each_other() -> None:
    both = round_robin(legs=2, rounds=3)
    with pytest.raises(InvalidFormat, match="not both"):
        both.format.plan(both.terms, 8)
    assert len(played(round_robin(rounds=3), 8)[1]) == 3


def test_the_schedule_stays_when_somebody_leaves_and_the_opponent_has_a_bye() -> None:
    field = entrants(6)
    _, all_of_it = played(round_robin(), field)
    _, rounds = played(round_robin(), leaving(field, 4, (1, 3)))
    for number, (whole, left) in enumerate(zip(all_of_it, rounds, strict=True), start=1):
        if number < 3:
            assert left.tables == whole.tables
            continue
        assert left.tables == tuple(table for table in whole.tables if 4 not in table)
        (lost,) = [table for table in whole.tables if 4 in table]
        assert left.byes == tuple(one for one in lost if one != 4)


def test_a_larger_table_goes_on_without_them_while_enough_are_left() -> None:
    field = entrants(16)
    _, all_of_it = played(round_robin(FOUR), field)
    gone = leaving(leaving(field, 1, (1, 2)), 2, (1, 3))
    _, rounds = played(round_robin(FOUR), gone)
    assert len(rounds) == len(all_of_it)
    for whole, left in zip(all_of_it[2:], rounds[2:], strict=True):
        expected = [tuple(one for one in table if one > 2) for table in whole.tables]
        assert left.tables == tuple(table for table in expected if len(table) >= 3)
        assert set(left.byes) == {one for table in expected if len(table) < 3 for one in table}


def test_who_comes_back_sits_at_its_own_tables_again() -> None:
    field = entrants(8)
    _, all_of_it = played(round_robin(), field)
    _, rounds = played(round_robin(), leaving(field, 5, (1, 3), (6, None)))
    assert [left.tables == whole.tables for left, whole in zip(rounds, all_of_it, strict=True)] == [
        True,
        True,
        False,
        False,
        False,
        True,
        True,
    ]


def test_tables_missed_by_being_away_count_as_tables_without_points() -> None:
    field = leaving(entrants(6), 4, (1, 2))
    for seed in range(6):
        event, _ = played(round_robin(), field, Chance(seed))
        found = {line.entrant: line for line in round_robin().format.standings(event)}
        assert 5 * found[4].score <= 6
        # Whoever was to meet them has one table less, and loses nothing by it.
        assert {line.tables for line in found.values()} <= {1, 4, 5}
        assert round_robin().format.advancing(event).entrants[0] != 4


def test_a_round_of_which_no_table_can_be_played_is_left_out() -> None:
    field = entrants(4)
    (first, second), _, _ = (round_.tables for round_ in played(round_robin(), field)[1])
    gone = leaving(leaving(field, first[0], (1, 2)), second[0], (1, 2))
    event, rounds = played(round_robin(), gone)
    assert len(rounds) == 2
    assert rounds[1].tables in ((first[1:] + second[1:],), (second[1:] + first[1:],))
    assert round_robin().format.pair(event) is None


def test_nobody_enters_late_and_a_huge_field_is_refused_with_what_works() -> None:
    plain = round_robin(FOUR)
    assert plain.format.last_entry(plain.terms) == 1
    with pytest.raises(UnevenField) as refused:
        plain.format.plan(plain.terms, 301)
    assert refused.value.works == (300,)
