from __future__ import annotations

from collections import Counter

import pytest

from rummy_arena.tournament.errors import InvalidFormat
from rummy_arena.tournament.round_robin_berger import berger

ANNEX = {
    # FIDE Handbook C.05, Annex 1
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / "
    "3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4 / 4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6 / 10-6 7-5 8-4 9-3 1-2 / 2-10 3-1 4-9 5-8 6-7 / "
    "10-7 8-6 9-5 1-4 2-3 / 3-10 4-2 5-1 6-9 7-8 / 10-8 9-7 1-6 2-5 3-4 / "
    "4-10 5-3 6-2 7-1 8-9 / 10-9 1-8 2-7 3-6 4-5 / 5-10 6-4 7-3 8-2 9-1",
}


@pytest.mark.parametrize("entrants", ANNEX)
def test_the_tables_are_those_of_the_annex(entrants: int) -> None:
    shown = " / ".join(
        " ".join(f"{one}-{two}" for one, two in round_.tables)
        for round_ in berger(range(1, entrants + 1))
    )
    assert shown == ANNEX[entrants]


@pytest.mark.parametrize("entrants", [3, 5, 7, 9])
def test_whoever_would_meet_the_last_of_one_more_has_a_bye(entrants: int) -> None:
    for odd, even in zip(
        berger(range(1, entrants + 1)), berger(range(1, entrants + 2)), strict=True
    ):
        absent = entrants + 1
        assert odd.tables == tuple(pair for pair in even.tables if absent not in pair)
        assert odd.byes == tuple(sum(pair) - absent for pair in even.tables if absent in pair)


@pytest.mark.parametrize("cycles", [1, 2, 3])
@pytest.mark.parametrize("entrants", range(2, 40))
def test_all_meet_all_with_seats_and_byes_even(entrants: int, cycles: int) -> None:
    rounds = berger(range(1, entrants + 1), cycles=cycles)
    assert [round_.number for round_ in rounds] == list(range(1, len(rounds) + 1))
    met: Counter[frozenset[int]] = Counter()
    seats: dict[int, list[int]] = {entrant: [] for entrant in range(1, entrants + 1)}
    byes: Counter[int] = Counter()
    for round_ in rounds:
        playing = [entrant for pair in round_.tables for entrant in pair]
        assert sorted([*playing, *round_.byes]) == list(range(1, entrants + 1))
        met.update(map(frozenset, round_.tables))
        byes.update(round_.byes)
        for pair in round_.tables:
            for seat, entrant in enumerate(pair):
                seats[entrant].append(seat)
    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) == {cycles}
    assert {byes[entrant] for entrant in seats} == {cycles * (entrants % 2)}
    for history in seats.values():
        assert abs(2 * sum(history) - len(history)) <= len(history) % 2


@pytest.mark.parametrize("entrants", range(3, 40))
def test_nobody_has_a_seat_three_times_running_over_two_cycles(entrants: int) -> None:
    rounds = berger(range(1, entrants + 1), cycles=2)
    for entrant in range(1, entrants + 1):
        seats = "".join(
            str(pair.index(entrant))
            for round_ in rounds
            for pair in round_.tables
            if entrant in pair
        )
        assert "000" not in seats
        assert "111" not in seats


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(InvalidFormat):
        berger([1])
    with pytest.raises(InvalidFormat):
        berger([1, 2], cycles=0)
