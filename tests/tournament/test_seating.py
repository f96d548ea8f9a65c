from __future__ import annotations

import random
from itertools import permutations

import pytest

from rummy_arena.tournament.seating import seat_costs, seat_order, seat_wanted


@pytest.mark.parametrize("seats", range(2, 7))
def test_no_order_is_cheaper(seats: int) -> None:
    dice = random.Random(seats)
    for _ in range(25):
        taken = [
            tuple(dice.randrange(seats) for _ in range(dice.randint(0, 7))) for _ in range(seats)
        ]
        rows = [seat_costs(each, seats) for each in taken]

        def cost(order: tuple[int, ...], rows: list[list[int]] = rows) -> int:
            return sum(row[seat] for row, seat in zip(rows, order, strict=True))

        best = min(permutations(range(seats)), key=lambda order: (cost(order), order))
        assert seat_order(taken) == best


@pytest.mark.parametrize("seats", range(2, 9))
def test_those_who_stay_together_get_every_seat_equally_often(seats: int) -> None:
    taken: list[tuple[int, ...]] = [()] * seats
    for number in range(1, 3 * seats + 1):
        order = seat_order(taken)
        assert sorted(order) == list(range(seats))
        taken = [(*had, seat) for had, seat in zip(taken, order, strict=True)]
        for had in taken:
            counts = [had.count(seat) for seat in range(seats)]
            assert max(counts) - min(counts) <= 1, number


def test_a_seat_of_a_larger_table_costs_nothing_at_a_smaller_one() -> None:
    assert seat_costs((3, 3), 3) == [2, 2, 2]
    assert seat_order([(3,), (0,), (3, 1)]) == (0, 1, 2)


@pytest.mark.parametrize(
    ("taken", "seat"), [((), 0), ((0,), 1), ((0, 1, 2, 3), 0), ((1, 2), 3), ((0, 1, 3, 3), 2)]
)
def test_the_seat_that_is_wanted(taken: tuple[int, ...], seat: int) -> None:
    assert seat_wanted(taken, 4) == seat


def test_an_empty_table_has_no_seats() -> None:
    assert seat_order([]) == ()
