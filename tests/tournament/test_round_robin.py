from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import ceil, comb

import pytest

from rummy_arena.tournament.errors import DuplicateEntrants, InvalidFormat, UnevenField
from rummy_arena.tournament.round_robin import everybody_meets, least_rounds, quality
from rummy_arena.tournament.round_robin_coverings import COVERINGS, best_known
from rummy_arena.tournament.round_robin_designs import (
    STARTERS,
    Tables,
    exact,
    field_of,
    transversal,
)
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.tables import TableLimits, table_sizes

QUICK = 300
"""Tries of the search where its result is not what is tested."""


def limits_of(seats: int) -> TableLimits:
    return TableLimits(seats, max(2, seats - 1), min(8, seats + 1))


def meetings(rounds: Sequence[Round]) -> Counter[tuple[int, ...]]:
    return Counter(
        pair
        for round_ in rounds
        for table in round_.tables
        for pair in combinations(sorted(table), 2)
    )


def met_in(rounds: Sequence[Tables]) -> Counter[tuple[int, ...]]:
    return Counter(
        pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2)
    )


EXACT = [
    *[(9, 3), (27, 3), (81, 3), (16, 4), (64, 4), (25, 5), (49, 7), (64, 8)],
    *STARTERS,
]


@pytest.mark.parametrize(("entrants", "seats"), EXACT)
def test_a_design_seats_all_in_each_round_and_lets_each_pair_meet_once(
    entrants: int, seats: int
) -> None:
    rounds = exact(entrants, seats)
    assert rounds is not None
    for tables in rounds:
        assert sorted(one for table in tables for one in table) == list(range(entrants))
    met = met_in(rounds)
    assert len(met) == comb(entrants, 2)
    assert set(met.values()) == {1}


@pytest.mark.parametrize(("entrants", "seats"), COVERINGS)
def test_a_covering_lets_each_pair_meet_in_few_rounds(entrants: int, seats: int) -> None:
    rounds = best_known(entrants, seats)
    for tables in rounds:
        assert sorted(one for table in tables for one in table) == list(range(entrants))
        assert set(map(len, tables)) == {seats}
    assert len(met_in(rounds)) == comb(entrants, 2)
    limits = limits_of(seats)
    found = everybody_meets(limits, range(entrants), tries=QUICK)
    assert least_rounds(limits, entrants) <= len(found) <= len(rounds)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23])
def test_a_field_is_a_field(size: int) -> None:
    field = field_of(size)
    assert field is not None
    numbers = range(size)
    for one in numbers:
        assert field.add(one, 0) == field.multiply(one, 1) == one
        assert sorted(field.add(one, other) for other in numbers) == list(numbers)
        if one:
            assert sorted(field.multiply(one, other) for other in numbers) == list(numbers)
        for other in numbers:
            assert field.multiply(one, other) == field.multiply(other, one)
            for third in range(0, size, 3):
                assert field.multiply(third, field.add(one, other)) == field.add(
                    field.multiply(third, one), field.multiply(third, other)
                )


@pytest.mark.parametrize("size", [1, 6, 10, 12, 14, 15, 18, 20])
def test_there_is_no_field_of_other_sizes(size: int) -> None:
    assert field_of(size) is None


@pytest.mark.parametrize("size", [3, 4, 5, 7, 8, 9, 11, 16])
def test_in_a_transversal_design_only_those_of_a_group_do_not_meet(size: int) -> None:
    field = field_of(size)
    assert field is not None
    for seats in range(2, min(size, 8) + 1):
        met = met_in(transversal(field, seats))
        assert set(met.values()) == {1}
        apart = {pair for pair in met if pair[0] // size == pair[1] // size}
        assert not apart
        assert len(met) == comb(seats, 2) * size * size


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 18, 23, 30, 36, 50])
def test_everybody_sits_in_each_round_and_meets_everybody(entrants: int, seats: int) -> None:
    limits = limits_of(seats)
    if entrants < limits.min_seats:
        with pytest.raises(UnevenField):
            everybody_meets(limits, range(1, entrants + 1), tries=QUICK)
        return
    everybody = [7 * entrant for entrant in range(1, entrants + 1)]
    rounds = everybody_meets(limits, everybody, tries=QUICK)
    assert [round_.number for round_ in rounds] == list(range(1, len(rounds) + 1))
    playing = len(everybody) - len(rounds[0].byes)
    sizes = table_sizes(limits, playing)
    for round_ in rounds:
        there = [entrant for table in round_.tables for entrant in table]
        assert sorted([*there, *round_.byes]) == everybody
        assert sorted(map(len, round_.tables), reverse=True) == list(sizes)
    met = meetings(rounds)
    assert len(met) == comb(entrants, 2)
    found = quality(limits, rounds)
    assert found.never_met == 0
    assert found.repeats == sum(met.values()) - comb(entrants, 2)
    assert found.met_again == sum(times > 1 for times in met.values())
    assert (found.fewest_meetings, found.most_meetings) == (min(met.values()), max(met.values()))
    assert least_rounds(limits, entrants) <= found.rounds == len(rounds)
    assert found.bye_spread <= 1
    if len(set(sizes)) == 1:
        assert found.seat_spread <= 1
    else:
        assert found.seat_spread <= 3


@pytest.mark.parametrize(("entrants", "seats"), [(9, 3), (12, 4), (16, 4), (20, 5), (24, 8)])
def test_every_run_of_rounds_gives_each_seat_once(entrants: int, seats: int) -> None:
    rounds = everybody_meets(limits_of(seats), range(entrants), tries=QUICK)
    for entrant in range(entrants):
        history = [
            table.index(entrant) for round_ in rounds for table in round_.tables if entrant in table
        ]
        for start in range(0, len(history), seats):
            run = history[start : start + seats]
            assert len(set(run)) == len(run)


@pytest.mark.parametrize(
    ("entrants", "seats", "most"),
    [  # rounds that the search has reached; the second figure of a pair is the bound
        *[(v, k, (v - 1) // (k - 1)) for v, k in EXACT if v <= 64],
        *[(15, 4, 5), (63, 4, 21), (8, 3, 4), (8, 4, 3), (20, 4, 7), (14, 4, 6)],
        *[(10, 4, 5), (12, 4, 5), (13, 4, 7), (17, 4, 8), (24, 4, 9), (32, 4, 12)],
    ],
)
def test_no_more_rounds_than_were_reached_before(entrants: int, seats: int, most: int) -> None:
    assert len(everybody_meets(limits_of(seats), range(1, entrants + 1))) <= most


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("entrants", range(9, 80))
def test_the_bound_is_schoenheims_or_better(entrants: int, seats: int) -> None:
    limits = TableLimits(seats, 2, 8)
    sizes = table_sizes(limits, entrants)
    blocks = ceil(entrants / sizes[0] * ceil((entrants - 1) / (sizes[0] - 1)))
    least = least_rounds(limits, entrants)
    assert least >= ceil(blocks / len(sizes))
    assert least * sum(comb(size, 2) for size in sizes) >= comb(entrants, 2)


@pytest.mark.parametrize("entrants", range(4, 10))
def test_the_bound_holds_against_every_schedule_of_small_fields(entrants: int) -> None:
    limits = TableLimits(3, 2, 3)
    found = len(everybody_meets(limits, range(entrants)))
    assert not covers(entrants, table_sizes(limits, entrants), least_rounds(limits, entrants) - 1)
    if entrants < 7:  # brute force is done with these quickly
        assert not covers(entrants, table_sizes(limits, entrants), found - 1)


def covers(entrants: int, sizes: tuple[int, ...], rounds: int) -> bool:
    """Return whether some schedule of so many rounds lets all meet, by trying them all."""
    seatings = {
        frozenset(pair for table in tables for pair in combinations(table, 2))
        for tables in partitions(tuple(range(entrants)), sizes)
    }
    ordered = sorted(seatings, key=sorted)
    most = max(map(len, ordered))

    def extend(met: frozenset[tuple[int, ...]], left: int) -> bool:
        missing = comb(entrants, 2) - len(met)
        if not missing:
            return True
        if left * most < missing:
            return False
        return any(extend(met | seating, left - 1) for seating in ordered)

    return rounds > 0 and extend(ordered[0], rounds - 1)  # by symmetry


def partitions(
    entrants: tuple[int, ...], sizes: tuple[int, ...]
) -> list[tuple[tuple[int, ...], ...]]:
    """Return the ways to seat, some of them more than once where sizes are equal."""
    if not sizes:
        return [()]
    return [
        (table, *rest)
        for table in combinations(entrants, sizes[0])
        for rest in partitions(tuple(e for e in entrants if e not in table), sizes[1:])
    ]


@pytest.mark.parametrize(("entrants", "seats", "rounds"), [(16, 4, 3), (20, 4, 5), (24, 3, 8)])
def test_fewer_rounds_repeat_nothing_where_a_design_is_known(
    entrants: int, seats: int, rounds: int
) -> None:
    schedule = everybody_meets(limits_of(seats), range(1, entrants + 1), rounds=rounds)
    found = quality(limits_of(seats), schedule)
    assert (found.rounds, found.repeats, found.most_meetings) == (rounds, 0, 1)
    assert found.never_met == comb(entrants, 2) - rounds * comb(seats, 2) * (entrants // seats)


@pytest.mark.parametrize("rounds", [1, 3, 5, 12, 30])
def test_a_fixed_number_of_rounds_spreads_the_meetings(rounds: int) -> None:
    limits = limits_of(4)
    found = quality(limits, everybody_meets(limits, range(1, 17), rounds=rounds, tries=5000))
    assert found.rounds == rounds
    assert found.most_meetings - found.fewest_meetings <= 2
    assert found.seat_spread <= 1


def test_tables_of_two_take_turns_over_further_cycles() -> None:
    limits = TableLimits(2, 2, 2)
    rounds = everybody_meets(limits, range(1, 6), rounds=8)
    assert len(rounds) == 8
    assert quality(limits, rounds).most_meetings == 2


@pytest.mark.parametrize("rounds", [None, 2, 9, 40])
@pytest.mark.parametrize(("entrants", "seats"), [(11, 3), (13, 4), (14, 3), (5, 4), (23, 4)])
def test_a_field_that_does_not_fit_has_byes_in_turn(
    entrants: int, seats: int, rounds: int | None
) -> None:
    limits = TableLimits(seats, seats, seats)
    found = everybody_meets(limits, range(entrants), rounds=rounds, tries=3000)
    assert {len(round_.byes) for round_ in found} == {entrants % seats}
    assert quality(limits, found).bye_spread <= 1
    if rounds is None:
        assert quality(limits, found).never_met == 0
    else:
        assert len(found) == rounds


def test_what_cannot_be_scheduled_is_refused() -> None:
    limits = limits_of(4)
    with pytest.raises(DuplicateEntrants):
        everybody_meets(limits, [1, 2, 3, 3])
    with pytest.raises(InvalidFormat):
        everybody_meets(limits, range(8), rounds=0)
    with pytest.raises(UnevenField):
        everybody_meets(TableLimits(2, 2, 2), [1])


def test_another_process_with_other_hashes_finds_the_same_schedule() -> None:
    script = (
        "from rummy_arena.tournament.round_robin import everybody_meets;"
        "from rummy_arena.tournament.tables import TableLimits;"
        "print([r.tables for r in everybody_meets(TableLimits(4, 3, 5), range(1, 23), tries=999)])"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": hashes},
        ).stdout
        for hashes in ("1", "2")
    }
    here = everybody_meets(TableLimits(4, 3, 5), range(1, 23), tries=999)
    assert shown == {f"{[round_.tables for round_ in here]}\n"}
