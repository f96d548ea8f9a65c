"""How a table ended, as standings look at it: points, first places, and who came before whom."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from .results import BEST, SeatResult


@dataclass(frozen=True, slots=True)
class Ending:
    """How a table ended, seat by seat."""

    points: tuple[int, ...]  # placement points, as the sheet counts them
    won: tuple[int, ...]  # the seats with a first place
    forfeits: tuple[bool, ...]
    from_below: tuple[tuple[int, ...], ...]
    """Seats that share a place, the last first; all forfeits are before them."""
    forfeited: bool  # whether any seat did


@lru_cache(maxsize=1 << 14)
def ending(places: tuple[int, ...], forfeits: tuple[bool, ...], scale: int) -> Ending:
    """Return how a table with these places and forfeits ended; points are in ``1 / scale``."""
    opponents, points, won = len(places) - 1, [], []
    levels: dict[tuple[bool, int], list[int]] = {}
    for seat, (place, forfeit) in enumerate(zip(places, forfeits, strict=True)):
        better = sum([other < place for other in places])
        worse_twice = 2 * (opponents - better) - (places.count(place) - 1)
        points.append(0 if forfeit else BEST * worse_twice * scale // (2 * opponents))
        if better == 0 and not forfeit:
            won.append(seat)
        levels.setdefault((forfeit, 0 if forfeit else place), []).append(seat)
    below = tuple(tuple(levels[level]) for level in sorted(levels, reverse=True))
    return Ending(tuple(points), tuple(won), forfeits, below, any(forfeits))


def ahead(seat: SeatResult, other: SeatResult) -> int:
    """Return 2 if a seat came before another, 1 if they share a place, and 0 if not.

    A forfeit comes before nobody.
    """
    if seat.forfeit:
        return 0
    if other.forfeit or seat.place < other.place:
        return 2
    return int(seat.place == other.place)
