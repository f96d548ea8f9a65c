"""Standings of a ladder and of an arena, and what two entrants did to each other.

| | ranked by | not ranked with |
|---|---|---|
| ladder | the conservative rating: three deviations below the mean | too few games |
| arena | placement points of all its tables, then first places, then fewer games | no game |

Who is equal in all of that shares a rank; no lot is drawn. Anchors, and who has left, are shown
without a rank: a ladder's beside those of like rating, an arena's beside those of like points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from .ratings import Rating
from .results import placement_points

PARTS = 420
"""Placement points are whole numbers of so many parts at tables of up to eight seats."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What an entrant has done."""

    entrant: int
    rating: Rating
    games: int = 0
    wins: int = 0  # first places, shared ones too
    points: Fraction = Fraction(0)  # placement points
    anchor: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class LadderStanding:
    """A line of the standings; ``rank`` is 0 for who is not ranked."""

    rank: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What one entrant did against another at the tables where both sat."""

    tables: int = 0
    ahead: int = 0  # had the better place
    level: int = 0  # shared a place
    behind: int = 0

    @property
    def score(self) -> float:
        """The share of wins, a shared place being half of one; a half where they never met."""
        return (self.ahead + self.level / 2) / self.tables if self.tables else 0.5


def ladder_standings(tallies: Iterable[Tally], *, ranked_from: int) -> list[LadderStanding]:
    """Return everybody's line by rating; who has fewer games than ``ranked_from`` has no rank."""
    return _ranked(
        tallies,
        lambda tally: (-tally.rating.conservative,),
        lambda tally: tally.games >= max(ranked_from, 1) and not tally.anchor and not tally.gone,
    )


def arena_standings(tallies: Iterable[Tally]) -> list[LadderStanding]:
    """Return everybody's line by points; who has played nothing has no rank."""
    return _ranked(
        tallies,
        lambda tally: (-tally.points, -tally.wins, tally.games),
        lambda tally: tally.games > 0 and not tally.anchor,
    )


def table_points(places: Iterable[int]) -> list[Fraction]:
    """Return the placement points of each seat of a table by its place."""
    listed = list(places)
    return [
        placement_points(len(listed), sum(p < place for p in listed), listed.count(place) - 1)
        for place in listed
    ]


def head_to_head(meetings: Iterable[tuple[int, int]]) -> HeadToHead:
    """Return the balance of (own place, other's place) of each common table."""
    ahead = level = behind = 0
    for own, other in meetings:
        ahead, level, behind = (
            ahead + (own < other),
            level + (own == other),
            behind + (own > other),
        )
    return HeadToHead(ahead + level + behind, ahead, level, behind)


def _ranked(
    tallies: Iterable[Tally],
    key: Callable[[Tally], tuple[float | Fraction, ...]],
    counts: Callable[[Tally], bool],
) -> list[LadderStanding]:
    lines: list[LadderStanding] = []
    ranked, last, rank = 0, None, 0
    for tally in sorted(tallies, key=lambda tally: (key(tally), tally.entrant)):
        if not counts(tally):
            lines.append(LadderStanding(0, tally))
            continue
        ranked += 1
        if key(tally) != last:
            last, rank = key(tally), ranked
        lines.append(LadderStanding(rank, tally))
    return lines
