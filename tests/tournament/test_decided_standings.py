"""A place that was decided stays decided, whatever comes after; lots are those that were told."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from rummy_arena.tournament.field import entrants
from rummy_arena.tournament.registry import FORMATS
from rummy_arena.tournament.stages import Course, Stage, advancing, lots_of, next_round, standings

from .events import SEED, Chance, stage

TWOS, FOURS = (2, 2, 2), (4, 3, 5)
LIMITS = {"double-elimination": TWOS}


def decided(stages: Sequence[Stage], count: int, chance: Chance) -> list[dict[int, int]]:
    """Play a course; return the ranks of those who were out, each time that somebody looked."""
    course = Course(tuple(stages), entrants(count), (), SEED)
    found: list[dict[int, int]] = []
    while (round_ := next_round(course)) is not None:
        found += [
            {row.entrant: row.rank for row in standings(looked) if row.eliminated and not row.group}
            for looked in (course, replace(course, pending=round_))
        ]
        course = replace(course, rounds=(*course.rounds, chance.play(round_)))
    found.append({row.entrant: row.rank for row in standings(course)})
    return found


def assert_decided(found: list[dict[int, int]]) -> None:
    for earlier, later in pairwise(found):
        assert {one: later[one] for one in earlier} == earlier
    assert sorted(found[-1]) == list(range(1, len(found[-1]) + 1))


ELIMINATING = [
    format_id
    for format_id, limits in ((name, LIMITS.get(name, FOURS)) for name in FORMATS)
    if (made := stage(format_id, limits)).format.goes_on(made.terms, 18) == 1
]


def test_formats_that_put_entrants_out_are_found() -> None:
    assert {"knockout", "shrinking"} <= set(ELIMINATING)


@pytest.mark.parametrize("chain", [(), ("placement", "lot")])
@pytest.mark.parametrize("spread", [1, 60])
@pytest.mark.parametrize("format_id", ELIMINATING)
def test_who_is_out_keeps_the_place(format_id: str, spread: int, chain: tuple[str, ...]) -> None:
    options = {"out_above": 3 * spread} if format_id == "shrinking" else {}
    made = stage(format_id, LIMITS.get(format_id, FOURS), options=options)
    chosen = replace(made, terms=replace(made.terms, chain=chain or made.terms.chain))
    for count, seed in ((7, 1), (18, 2), (18, 3)):
        found = decided([chosen], count, Chance(seed, spread=spread, forfeits=5))
        assert_decided(found)
        assert len(found[-2]) > 1


@pytest.mark.parametrize("format_id", ELIMINATING)
def test_who_is_out_keeps_the_place_when_others_leave(format_id: str) -> None:
    options = {"out_above": 3} if format_id == "shrinking" else {}
    for seed in range(8):
        dice = random.Random(seed)
        made = stage(format_id, LIMITS.get(format_id, FOURS), options=options)
        course = Course((made,), entrants(dice.randint(6, 24)), (), SEED)
        found: list[dict[int, int]] = []
        while (round_ := next_round(course)) is not None:
            rows = standings(replace(course, pending=round_))
            found.append({row.entrant: row.rank for row in rows if row.eliminated})
            gone = {one for table in round_.tables for one in table if dice.random() < 0.1}
            course = replace(
                course,
                field=tuple(
                    replace(one, stays=((1, round_.number + 1),)) if one.number in gone else one
                    for one in course.field
                ),
                rounds=(*course.rounds, Chance(seed, spread=1, forfeits=5).play(round_)),
            )
        assert_decided([*found, {row.entrant: row.rank for row in standings(course)}])


@pytest.mark.parametrize("first", ["groups", "lobby"])
def test_who_did_not_reach_the_next_stage_keeps_the_place(first: str) -> None:
    stages = [stage(first, FOURS, take=8), stage("knockout", FOURS)]
    found = decided(stages, 20, Chance(3, spread=1))
    assert_decided(found)
    assert any(len(ranks) >= 12 for ranks in found[:-1])


@pytest.mark.parametrize("format_id", ELIMINATING)
def test_every_lot_that_a_place_rests_on_is_told_when_its_round_ends(format_id: str) -> None:
    options = {"out_above": 3} if format_id == "shrinking" else {}
    made = stage(format_id, LIMITS.get(format_id, FOURS), options=options)
    chosen = replace(made, terms=replace(made.terms, chain=("placement", "lot")))
    course = Course((chosen,), entrants(18), (), SEED)
    told: dict[int, list[set[int]]] = {}
    while (round_ := next_round(course)) is not None:
        course = replace(course, rounds=(*course.rounds, Chance(1, spread=1).play(round_)))
        told[round_.number] = [equal_in(lot) for lot in advancing(course).lots]
    rows = [row for row in standings(course) if row.eliminated]
    pairs = 0
    for one, two in pairwise(rows):
        if (one.reached_round, one.points) != (two.reached_round, two.points):
            continue
        if format_id == "shrinking" and one.score != two.score:
            continue
        pairs += 1
        assert any({one.entrant, two.entrant} <= equal for equal in told[one.reached_round])
    assert pairs


def equal_in(lot: str) -> set[int]:
    """Return who was equal before a lot was drawn."""
    said = re.fullmatch(r"round \d+: entrants ([\d, ]+) were equal; lots put [\d, ]+", lot)
    assert said
    return set(map(int, said[1].split(", ")))


def test_all_lots_of_an_event_can_be_listed_afterwards_with_their_stages() -> None:
    stages = (stage("lobby", FOURS, take=8, rounds=2), stage("knockout", FOURS))
    course = Course(stages, entrants(16), (), SEED)
    told: list[tuple[int, str]] = []
    while (round_ := next_round(course)) is not None:
        course = replace(course, rounds=(*course.rounds, Chance(4, spread=0).play(round_)))
        told += [(round_.number, lot) for lot in advancing(course).lots]
    assert lots_of(course) == tuple(told)
    rounds = {(number, lot.partition(":")[0]) for number, lot in told}
    assert {(2, "round 2"), (3, "stage 2, round 1")} <= rounds
