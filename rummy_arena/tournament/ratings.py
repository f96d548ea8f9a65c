"""Ratings: how strong an entrant is, how sure that is, and what one result changes.

A rating is a normal belief about a strength: a mean and a standard deviation in points. The model
and its source stand in ``ratings_model``. What it guarantees, for tables of any size from two:

* From equal ratings, the means afterwards are in the order of the places, whatever places are
  shared, and those who share a place get the same rating.
* A better place never gives a lower mean, all else being equal.
* The order of the seats and the numbers of the entrants change nothing, bit for bit.
* A deviation never grows by a result and never falls below the floor.
* Anchors do not move; the others are measured by them.
* Every machine gets the same numbers: means and deviations are rounded to six decimals after each
  result, half to even of the exact binary value, and what comes before is exact to the bit
  (``ratings_model``). So they may be stored as decimal text and recalculated byte for byte.

An entrant who sits a season out is less sure afterwards: the variance grows by the square of
``season_drift``, up to the deviation of a newcomer; the mean stays.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .errors import DuplicateEntrants
from .ratings_model import Seat, expected_of_lower, meet_all, pair_weight, slope
from .results import TableResult

DECIMALS = 6
"""Means and deviations are rounded to so many decimals of a point."""
LARGEST = 1_000_000.0
"""No mean lies further from zero, and no deviation is larger."""
FEWEST = 2

Place = tuple[int, int]
"""An entrant and its place; 1 is first, and who shares a place has the same number."""


class InvalidRating(ValueError):
    """A rating or a rule of ratings is out of bounds."""


class NothingToRate(ValueError):
    """A table of fewer than two seats tells nothing about strength."""

    def __init__(self, seats: int) -> None:
        super().__init__(f"a result of {seats} seats cannot be rated: give two or more")
        self.seats = seats


class UnratedAnchor(ValueError):
    """Anchors sit at the table without a rating to hold; ``entrants`` lists them."""

    def __init__(self, entrants: Iterable[int]) -> None:
        self.entrants = tuple(entrants)
        super().__init__(f"give the fixed ratings of anchors {', '.join(map(str, self.entrants))}")


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a strength: its mean and standard deviation, in points."""

    mean: float
    deviation: float

    def __post_init__(self) -> None:
        if not (-LARGEST <= self.mean <= LARGEST and 0 <= self.deviation <= LARGEST):
            raise InvalidRating(
                f"mean {self.mean}, deviation {self.deviation}: give a mean within a million of "
                "zero and a deviation from zero to a million"
            )

    @property
    def conservative(self) -> float:
        """Three deviations below the mean: a strength that is all but certain; ladders rank by it.

        It rises by playing and falls by sitting out even when the mean stays.
        """
        return round(self.mean - 3 * self.deviation, DECIMALS)

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds between which the strength lies with a probability of 95 %."""
        reach = 1.96 * self.deviation
        return round(self.mean - reach, DECIMALS), round(self.mean + reach, DECIMALS)

    @property
    def shown(self) -> str:
        """The rating for people: the mean and half of the interval, in whole points."""
        return f"{self.mean:.0f} ± {1.96 * self.deviation:.0f}"


@dataclass(frozen=True, slots=True)
class RatingRules:
    """The numbers that a ladder may choose; all are points.

    A low floor suits entrants that never change, as frozen bots do: more games tell ever more. A
    higher one follows those who learn, and bears with the errors that entrants of like strength who
    meet only each other have in common.
    """

    start_mean: float = 1500.0
    start_deviation: float = 350.0
    floor: float = 45.0  # no deviation falls below
    season_drift: float = 100.0  # squared, what a season without a result adds to the variance

    def __post_init__(self) -> None:
        if not (0 < self.floor <= self.start_deviation and 0 <= self.season_drift <= LARGEST):
            raise InvalidRating(
                f"floor {self.floor}, start {self.start_deviation}, drift {self.season_drift}: "
                "give a floor above zero, at most the starting deviation, and a drift from zero"
            )
        Rating(self.start_mean, self.start_deviation)

    @property
    def newcomer(self) -> Rating:
        """The rating of an entrant without results."""
        return Rating(self.start_mean, self.start_deviation)


RULES = RatingRules()


def places_of(result: TableResult) -> tuple[Place, ...]:
    """Return what ratings need of a table's result."""
    return tuple((seat.entrant, seat.place) for seat in result.seats)


def expected_score(one: Rating, other: Rating) -> float:
    """Return the score to expect of ``one`` against ``other``: wins, and half of shared places."""
    gap = one.mean - other.mean
    variance = one.deviation * one.deviation + other.deviation * other.deviation
    lower = expected_of_lower(abs(gap), slope(variance))
    return lower if gap < 0 else 1 - lower


def rate(
    ratings: Mapping[int, Rating],
    places: Iterable[Place],
    anchors: Collection[int] = (),
    *,
    rules: RatingRules = RULES,
) -> dict[int, Rating]:
    """Return the ratings, after a table, of all who sat there, by entrant in ascending order.

    Who has no rating yet starts as a newcomer. ``anchors`` keep theirs, and only they may hold
    several seats. Raises NothingToRate, DuplicateEntrants, UnratedAnchor.
    """
    sat = list(places)
    seats = sit_down(ratings, sat, anchors, rules)
    weight = pair_weight(len(seats))
    return {
        entrant: ratings[entrant] if entrant in anchors else after_table(seat, weight, rules)
        for (entrant, _), seat in sorted(zip(sat, seats, strict=True), key=lambda pair: pair[0])
    }


def after_idle_season(rating: Rating, rules: RatingRules = RULES) -> Rating:
    """Return the rating of an entrant who had no rated result in a season."""
    grown = math.sqrt(rating.deviation * rating.deviation + rules.season_drift * rules.season_drift)
    capped = max(rating.deviation, min(grown, rules.start_deviation))
    return Rating(rating.mean, round(capped, DECIMALS))


def sit_down(
    ratings: Mapping[int, Rating],
    sat: Sequence[Place],
    anchors: Collection[int],
    rules: RatingRules,
) -> list[Seat]:
    """Return the seats, in the given order, with what each of their pairs tells."""
    _check(ratings, sat, anchors)
    seats = []
    for entrant, place in sat:
        rating = ratings.get(entrant) or rules.newcomer
        seats.append(Seat(place, rating.mean, rating.deviation * rating.deviation))
    meet_all(seats)
    return seats


def after_table(seat: Seat, weight: float, rules: RatingRules) -> Rating:
    """Return the rounded rating of a seat after its table."""
    mean = max(-LARGEST, min(seat.mean_after(weight), LARGEST))
    deviation = max(math.sqrt(seat.variance_after(weight)), rules.floor)
    return Rating(round(mean, DECIMALS) + 0.0, round(deviation, DECIMALS))  # no zero is negative


def _check(ratings: Mapping[int, Rating], sat: Sequence[Place], anchors: Collection[int]) -> None:
    if len(sat) < FEWEST:
        raise NothingToRate(len(sat))
    entrants = [entrant for entrant, _ in sat]
    if len(set(entrants)) < len(entrants):
        twice = {e for e in entrants if entrants.count(e) > 1 and e not in anchors}
        if twice:
            raise DuplicateEntrants(sorted(twice))
    unrated = sorted({e for e in entrants if e in anchors and e not in ratings})
    if unrated:
        raise UnratedAnchor(unrated)
