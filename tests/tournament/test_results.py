from __future__ import annotations

from fractions import Fraction

import pytest

from rummy_arena.tournament.errors import ResultsMismatch
from rummy_arena.tournament.results import finishes, placement_points
from rummy_arena.tournament.rounds import PlayedRound

from .made import table


@pytest.mark.parametrize(
    ("totals", "points"),
    [
        ((10, 20, 30, 40), (6, 4, 2, 0)),
        ((10, 20, 30), (6, 3, 0)),
        ((20, 10), (0, 6)),
        ((10, 10, 30, 40), (5, 5, 2, 0)),
        ((10, 20, 20, 20), (6, 2, 2, 2)),
        ((5, 5, 5), (3, 3, 3)),
        ((1, 2, 3, 4, 5), (6, Fraction(9, 2), 3, Fraction(3, 2), 0)),
    ],
)
def test_placement_points_share_the_sum_of_tied_places(
    totals: tuple[int, ...], points: tuple[int, ...]
) -> None:
    got = finishes(table(1, range(1, len(totals) + 1), totals))
    assert tuple(finish.points for finish in got) == points


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_table_hands_out_the_same_sum_however_it_ends(seats: int) -> None:
    for tied in range(1, seats + 1):
        totals = [0] * tied + list(range(1, seats - tied + 1))
        got = finishes(table(1, range(seats), totals))
        assert sum(finish.points for finish in got) == 3 * seats


def test_a_table_of_one_has_no_points() -> None:
    with pytest.raises(ValueError, match="two seats"):
        placement_points(1, 0, 0)


TABLES = ((1, 2, 3), (4, 5, 6))
FIRST, SECOND = table(1, (1, 2, 3), (0, 1, 2)), table(2, (4, 5, 6), (0, 1, 2))


@pytest.mark.parametrize(
    ("results", "wrong"),
    [
        ((FIRST,), (2,)),
        ((FIRST, FIRST, SECOND), (1,)),
        ((FIRST, table(2, (4, 5, 7), (0, 1, 2))), (2,)),
        ((FIRST, SECOND, table(3, (7, 8, 9), (0, 1, 2))), (3,)),
        ((table(1, (1, 2), (0, 1)), SECOND), (1,)),
    ],
)
def test_results_that_do_not_fit_the_tables_are_refused(
    results: tuple[object, ...], wrong: tuple[int, ...]
) -> None:
    with pytest.raises(ResultsMismatch) as refused:
        PlayedRound(7, TABLES, results).ordered_results()  # type: ignore[arg-type]
    assert (refused.value.round_number, refused.value.tables) == (7, wrong)


def test_results_are_put_in_the_order_of_the_tables() -> None:
    assert PlayedRound(1, TABLES, (SECOND, FIRST)).ordered_results() == (FIRST, SECOND)
