from __future__ import annotations

import pytest

from rummy_arena.tournament.errors import InvalidFormat, UnevenField
from rummy_arena.tournament.tables import TableLimits, fits, table_sizes

FOURS = TableLimits(seats=4, min_seats=3, max_seats=6)


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [
        (3, (3,)),
        (4, (4,)),
        (5, (5,)),  # the one field that fours and threes cannot seat
        (6, (3, 3)),
        (7, (4, 3)),
        (9, (3, 3, 3)),
        (10, (4, 3, 3)),
        (11, (4, 4, 3)),
        (13, (4, 3, 3, 3)),
    ],
)
def test_fours_and_threes(entrants: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(FOURS, entrants) == sizes


@pytest.mark.parametrize("entrants", range(6, 400))
def test_four_seats_never_make_twos_or_fives(entrants: int) -> None:
    sizes = table_sizes(FOURS, entrants)
    assert set(sizes) <= {3, 4}
    assert sizes.count(3) == -entrants % 4  # one table of three for each entrant that is missing


@pytest.mark.parametrize(
    ("limits", "entrants", "works"),
    [
        (TableLimits(4, 3, 4), 5, (4, 6)),
        (FOURS, 2, (3,)),
        (FOURS, 0, (3,)),
        (TableLimits(3, 3, 3), 10, (9, 12)),
        (TableLimits(2, 2, 2), 7, (6, 8)),
    ],
)
def test_a_field_that_cannot_be_seated_names_those_that_can(
    limits: TableLimits, entrants: int, works: tuple[int, ...]
) -> None:
    with pytest.raises(UnevenField) as refused:
        table_sizes(limits, entrants)
    assert (refused.value.entrants, refused.value.works) == (entrants, works)
    assert str(works[0]) in str(refused.value)


@pytest.mark.parametrize("low", range(2, 9))
@pytest.mark.parametrize("high", range(2, 9))
@pytest.mark.parametrize("seats", range(2, 9))
def test_sizes_are_legal_balanced_and_complete(low: int, high: int, seats: int) -> None:
    if not low <= seats <= high:
        with pytest.raises(InvalidFormat):
            TableLimits(seats, low, high)
        return
    limits = TableLimits(seats, low, high)
    for entrants in filter(lambda entrants: fits(limits, entrants), range(90)):
        sizes = table_sizes(limits, entrants)
        assert sum(sizes) == entrants
        assert low <= min(sizes) <= max(sizes) <= high
        assert max(sizes) - min(sizes) <= 1
        assert list(sizes) == sorted(sizes, reverse=True)
