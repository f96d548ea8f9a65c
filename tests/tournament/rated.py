"""Made-up ladders for tests of ratings: entrants with true strengths, tables, and patterns."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from hypothesis import strategies as st

from rummy_arena.tournament.ratings import (
    DECIMALS,
    LARGEST,
    RULES,
    Place,
    Rating,
    RatingRules,
    rate,
)

NOISE = 400 / math.log(10) * 1.702 / math.sqrt(2)
"""Standard deviation of a seat's performance at a table, in points: 209.

With it the normal curve of Thurstone's model and the logistic one of the ratings lie closest, less
than 0.01 apart everywhere.
"""


def tie_patterns(seats: int) -> Iterator[tuple[int, ...]]:
    """Yield the places of the seats, best first, for every pattern of shared places."""
    for apart in product((False, True), repeat=seats - 1):
        places = [1]
        for number, new in enumerate(apart, start=2):
            places.append(number if new else places[-1])
        yield tuple(places)


@dataclass(frozen=True, slots=True)
class Fit:
    """How ratings compare with the truth."""

    covered: float  # share of true strengths inside the intervals for 95 %
    near_covered: float  # the same for differences between entrants less than 150 points apart
    error: float  # root of the mean squared error, in points
    deviation: float  # mean of the deviations
    rank_correlation: float
    drift: float  # mean of the ratings minus the mean of the strengths
    spread_ratio: float  # standard deviation of the means by that of the strengths


class Ladder:
    """Entrants with true strengths who meet at tables; Thurstone: strength plus normal luck."""

    def __init__(
        self,
        seed: int,
        entrants: int = 120,
        spread: float = 350.0,
        *,
        mean: float = 1500.0,
        anchors: Sequence[float] = (),
        rules: RatingRules = RULES,
    ) -> None:
        self.dice = random.Random(seed)
        self.rules = rules
        self.entrants = range(1, entrants + 1)
        self.strengths = {e: self.dice.gauss(mean, spread) for e in self.entrants}
        fixed = dict(enumerate(anchors, start=entrants + 1))
        self.strengths |= fixed
        self.anchors = {e: Rating(strength, 0) for e, strength in fixed.items()}
        self.ratings: dict[int, Rating] = dict(self.anchors)

    def result(self, sat: Sequence[int]) -> list[Place]:
        """Return how a table ends."""
        played = {e: self.dice.gauss(self.strengths[e], NOISE) for e in sat}
        order = sorted(sat, key=played.__getitem__, reverse=True)
        return [(entrant, place) for place, entrant in enumerate(order, start=1)]

    def play(self, rounds: int, seats: int, *, near: float = math.inf) -> None:
        """Play rounds; ``near`` blurs the ratings by which tables are made, or lots make them."""
        for _ in range(rounds):
            order = list(self.strengths)
            self.dice.shuffle(order)
            if near < math.inf:
                order.sort(key=lambda e: self.rating(e).mean + self.dice.gauss(0, near))
            for first in range(0, len(order) - seats + 1, seats):
                places = self.result(order[first : first + seats])
                self.ratings |= rate(self.ratings, places, self.anchors, rules=self.rules)

    def rating(self, entrant: int) -> Rating:
        """Return the entrant's rating."""
        return self.ratings.get(entrant) or self.rules.newcomer

    def fit(self) -> Fit:
        """Compare; without anchors both sides are centred, for only differences can be learnt."""
        found = [self.rating(e) for e in self.entrants]
        true = [self.strengths[e] for e in self.entrants]
        drift = statistics.fmean([r.mean for r in found]) - statistics.fmean(true)
        shift = 0.0 if self.anchors else drift
        errors = [r.mean - shift - t for r, t in zip(found, true, strict=True)]
        inside = [abs(e) < 1.96 * r.deviation for e, r in zip(errors, found, strict=True)]
        near = [
            abs(errors[a] - errors[b]) < 1.96 * math.hypot(found[a].deviation, found[b].deviation)
            for a in range(len(true))
            for b in range(a)
            if abs(true[a] - true[b]) < 150
        ]
        return Fit(
            statistics.fmean(inside),
            statistics.fmean(near),
            math.sqrt(statistics.fmean([e * e for e in errors])),
            statistics.fmean([r.deviation for r in found]),
            statistics.correlation(ranks([r.mean for r in found]), ranks(true)),
            drift,
            statistics.pstdev([r.mean for r in found]) / statistics.pstdev(true),
        )


def ranks(numbers: Sequence[float]) -> list[int]:
    """Return each number's rank among them."""
    order = {number: rank for rank, number in enumerate(sorted(numbers))}
    return [order[number] for number in numbers]


def decimals(low: float, high: float) -> st.SearchStrategy[float]:
    """Return numbers as ratings have them, rounded."""
    return st.floats(low, high).map(lambda number: round(number, DECIMALS))


priors = st.builds(
    Rating,
    decimals(-5000, 5000) | st.sampled_from([-LARGEST, 0.0, 1500.0, LARGEST]),
    decimals(45, 350) | st.sampled_from([45.0, 350.0, LARGEST]),
)


@st.composite
def played_tables(draw: st.DrawFn) -> tuple[dict[int, Rating], list[Place]]:
    """Return ratings and the places of a table of two to eight."""
    seats = draw(st.integers(2, 8))
    ratings = {e: draw(priors) for e in range(1, seats + 1)}
    return ratings, [(e, draw(st.integers(1, seats))) for e in ratings]
