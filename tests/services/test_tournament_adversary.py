"""Tournaments in the hands of hosts, directors and players who do odd things at bad moments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rummy_arena.tournament.field import entrants
from rummy_arena.tournament.registry import stage_of
from rummy_arena.tournament.results import SeatResult, TableResult
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.stages import Course, next_round
from rummy_arena.tournament.tables import TableLimits
from services.events.errors import InvalidOption
from services.events.pairing import paired_round, round_record
from services.events.repair_round import _exchanged


def course_of_pairs(format_id: str, count: int, **options: str) -> Course:
    """Return an event at tables of two that has not begun."""
    stage = stage_of(format_id, TableLimits(2, 2, 2), options, contracts=9)
    return Course((stage,), entrants(count), (), b"adversary")


def exchanged(course: Course, paired: Round, one: int, other: int) -> Round:
    """Return a round in which two have changed places."""
    scheduled = course.stages[0].format.scheduled
    return paired_round(_exchanged(round_record(paired, 0), [(one, other)], scheduled=scheduled))


def first_seats_win(paired: Round) -> PlayedRound:
    """Return the round with the first seat of every table in the first place."""
    return paired.played(
        TableResult(
            number,
            tuple(
                SeatResult(entrant, 10 * place, place, 0, 0, 0, (10 * place,))
                for place, entrant in enumerate(table, start=1)
            ),
        )
        for number, table in enumerate(paired.tables, start=1)
    )


def seated(paired: Round) -> set[int]:
    """Return everybody who is in a round."""
    return {*paired.byes, *(entrant for table in paired.tables for entrant in table)}


@pytest.mark.parametrize("format_id", ["knockout", "double-elimination"])
def test_who_wins_after_an_exchange_goes_on(format_id: str) -> None:
    options = {"advance": "1", "byes": "yes"} if format_id == "knockout" else {}
    course = course_of_pairs(format_id, 8, **options)
    for _ in range(2):
        paired = next_round(course)
        assert paired is not None
        if course.rounds:  # the bracket is drawn in the first round, and known from then on
            paired = exchanged(course, paired, paired.tables[0][0], paired.tables[1][1])
        course = replace(course, rounds=(*course.rounds, first_seats_win(paired)))
    following = next_round(course)
    assert following is not None
    upper = [
        table
        for number, table in enumerate(course.rounds[1].tables, 1)
        if course.rounds[1].label(number) in ("", "upper")
    ]
    assert {table[0] for table in upper} <= seated(following)


@pytest.mark.parametrize("format_id", ["round-robin", "groups"])
def test_a_schedule_is_not_broken_by_an_exchange(format_id: str) -> None:
    course = course_of_pairs(format_id, 8)
    paired = next_round(course)
    assert paired is not None
    (one, other), (third, _) = paired.tables[:2]
    with pytest.raises(InvalidOption, match="schedule"):
        exchanged(course, paired, one, third)
    turned = exchanged(course, paired, one, other)
    assert turned.tables[0] == (other, one)
    assert next_round(replace(course, rounds=(first_seats_win(turned),))) is not None


def test_nobody_is_exchanged_into_another_bracket() -> None:
    course = course_of_pairs("double-elimination", 8)
    opened = next_round(course)
    assert opened is not None
    course = replace(course, rounds=(first_seats_win(opened),))
    paired = next_round(course)
    assert paired is not None
    assert set(paired.labels) == {"upper", "lower"}
    tables = dict(zip(paired.labels, paired.tables, strict=True))
    with pytest.raises(InvalidOption, match="upper"):
        exchanged(course, paired, tables["upper"][0], tables["lower"][0])
