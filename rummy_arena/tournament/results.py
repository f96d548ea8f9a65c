"""What a finished table leaves for its tournament, and the points for places.

Placement points are comparable between tables of different size: each seat gets three points for
every opponent that it left behind, divided by the number of its opponents, times two. In closed
form, place p of n is worth 6 (n - p) / (n - 1): 6-4-2-0 at four seats, 6-3-0 at three, 6-0 at two.
Seats that share a place share the sum of the points of the places that they take up. A forfeit has
none, also where everybody forfeited.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

BEST = 6
"""Placement points of a sole winner, whatever the size of the table."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a table ended for one entrant."""

    entrant: int
    total: int  # penalties over all deals
    place: int  # 1 is first; seats that share a place have the same number
    deals_won: int  # deals in which the seat went out
    down_and_outs: int  # deals in which it opened and went out in one turn
    calls: int  # calls that succeeded
    deal_points: tuple[int, ...]  # penalties of each scored deal, in their order
    forfeit: bool = False  # never came, or was taken out: is placed last, has no points, is beaten
    left_out: tuple[int, ...] = ()
    """Which of ``deal_points``, from 0, tell nobody apart: deals that were not dealt to the seat,
    which was eliminated before (E-23), and sudden death, which not everybody plays (B-19)."""
    sudden_wins: int = 0  # of ``deals_won``, those in sudden death (B-19)

    @property
    def counted_deals(self) -> tuple[int, ...]:
        """The penalties of each deal that may break a tie, in their order."""
        if not self.left_out:
            return self.deal_points
        return tuple(
            points for deal, points in enumerate(self.deal_points) if deal not in self.left_out
        )

    @property
    def counted_wins(self) -> int:
        """How many of these deals the seat won."""
        return self.deals_won - self.sudden_wins


@dataclass(frozen=True, slots=True)
class TableResult:
    """How one table of a round ended; ``number`` counts from 1 in its round."""

    number: int
    seats: tuple[SeatResult, ...]


@dataclass(frozen=True, slots=True)
class Finish:
    """A seat's result with what it is worth beside other tables."""

    seat: SeatResult
    points: Fraction  # placement points


@cache
def placement_points(seats: int, better: int, tied: int) -> Fraction:
    """Return the points of a seat with ``better`` seats before it and ``tied`` beside it.

    The mean of 6 (n - p) / (n - 1) over the places from ``better`` + 1 to ``better`` + 1 +
    ``tied``. Raises ValueError for a table of fewer than two.
    """
    if seats < 2:
        raise ValueError(f"a table has two seats or more, not {seats}")
    worse_twice = 2 * (seats - 1 - better) - tied
    return Fraction(BEST * worse_twice, 2 * (seats - 1))


def finishes(result: TableResult) -> list[Finish]:
    """Return every seat of a table with its placement points, in seat order."""
    places = Counter(seat.place for seat in result.seats)
    points = {
        place: placement_points(
            len(result.seats), sum(n for other, n in places.items() if other < place), tied - 1
        )
        for place, tied in places.items()
    }
    nothing = Fraction(0)
    return [Finish(seat, nothing if seat.forfeit else points[seat.place]) for seat in result.seats]
