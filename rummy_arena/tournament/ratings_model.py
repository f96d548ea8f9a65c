"""The model behind the ratings: what a meeting of two seats at a table tells of their strengths.

Source: R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", Journal of
Machine Learning Research 12 (2011), algorithm 1 (Bradley-Terry, full pair): a table is taken apart
into its pairs, and each pair moves both strengths by the derivatives of the logarithm of the
probability of what happened. Three things differ from the paper, each for a property that ratings
here must have and that tests hold.

*Scale.* Between exactly known strengths, 400 points are ten to one, as in Elo's ratings; what is
not known of both flattens that by sqrt(1 + pi/8 q^2 v), the usual approximation of a logistic
curve averaged over a normal error of variance v.

*Weight.* The pairs of one table share the luck of its seats, so they tell less than as many games
of two. Among n equal seats, a seat's score over its pairs has the variance of n - 1 such games
times (n + 1)/3 (the variance of a rank is (n^2 - 1)/12), so each pair weighs 3/(n + 1): one at two
seats, a third at eight. This makes deviations mean what they say; full weight left 79 % of true
strengths inside intervals for 95 % after 150 tables of eight. (The adjustment by magnitude of
composite likelihoods: Ribatet, Cooley and Davison, Statistica Sinica 22, 2012.)

*Information.* What pairs tell is added up as precision, each pair's as if it came alone, and not as
factors of the variance that have to be cut off at a small positive number.

A shared place is half a win and half a loss. How much a result tells (not which way) depends on who
met whom, never on how it ended.

A library was measured before this was written (openskill 6.2.0, every pattern of shared places of 2
to 8 seats): its Plackett-Luce breaks the order of the places in 75 of 128 patterns at eight seats;
both its Part models depend on the order of the seats; its two Full models keep order and ties, but
give other last bits when the seats are permuted, Bradley-Terry overflows at extreme gaps, and the
95 % intervals of Thurstone-Mosteller held 3 % of true strengths after 20 tables of eight. A normal
curve in place of the logistic one did no better here on clean results, and when 3 % of the seats
came last for not showing up, its errors were 40 % larger.

The only operations are those that IEEE 754 rounds in one way (+ - * / and square root), a sum that
is rounded once (fsum), and scaling by a power of two. No library's exp is asked, because those
differ in the last bit between machines. So every machine gets the same numbers, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

POINTS_PER_DECADE = 400
"""So many points more are ten to one at a table of two."""

_LN2_HIGH = 0.6931471803691238  # 32 bits, so that multiples stay exact; the rest is below
_LN2_LOW = 1.9082149292705877e-10
_LN10 = 2.302585092994046
_PI = 3.141592653589793
_SLOPE = _LN10 / POINTS_PER_DECADE
_FLATTENING = _PI * _SLOPE * _SLOPE / 8
_TAYLOR = tuple(1 / math.factorial(power) for power in range(12, -1, -1))
_NEGLIGIBLE = 700.0


def exp_minus(exponent: float) -> float:
    """Return e to the power of minus ``exponent`` (0 or more) to 14 digits, alike everywhere.

    Zero from an exponent of 700.
    """
    if exponent >= _NEGLIGIBLE:
        return 0.0
    halvings = int(exponent / _LN2_HIGH + 0.5)
    rest = halvings * _LN2_HIGH - exponent + halvings * _LN2_LOW
    total = 0.0
    for coefficient in _TAYLOR:
        total = total * rest + coefficient
    return math.ldexp(total, -halvings)


def pair_weight(seats: int) -> float:
    """Return what each pair of a table of so many seats counts."""
    return 3 / (seats + 1)


def slope(variance: float) -> float:
    """Return the slope of the expected score by points, for strengths of this variance in sum."""
    return _SLOPE / math.sqrt(1 + _FLATTENING * variance)


def expected_of_lower(gap: float, steepness: float) -> float:
    """Return the expected score, 0 to 1/2, of the lower of two seats that lie ``gap`` apart."""
    odds = exp_minus(steepness * gap)
    return odds / (1 + odds)


@dataclass(slots=True)
class Seat:
    """A seat before the table, and what each of its pairs tells, opponents in seat order."""

    place: int
    mean: float
    variance: float
    pulls: list[float] = field(default_factory=list)  # slopes of the log-probability, by points
    precisions: list[float] = field(default_factory=list)  # additions to 1/variance

    def variance_after(self, weight: float) -> float:
        """Return the variance when each pair counts ``weight``."""
        return self.variance / (1 + self.variance * weight * math.fsum(self.precisions))

    def mean_after(self, weight: float) -> float:
        """Return the mean when each pair counts ``weight``."""
        return self.mean + self.variance_after(weight) * weight * math.fsum(self.pulls)


def meet_all(seats: Iterable[Seat]) -> None:
    """Let every pair of a table tell both of its seats what it tells."""
    for one, other in combinations(seats, 2):
        _meet(one, other)


def _meet(one: Seat, other: Seat) -> None:
    """Add to both what their pair tells; the same numbers whichever of them comes first."""
    gap = one.mean - other.mean
    steepness = slope(one.variance + other.variance)
    lower = expected_of_lower(abs(gap), steepness)
    if one.place == other.place:
        surprise = lower - 0.5 if gap >= 0 else 0.5 - lower
    elif one.place < other.place:
        surprise = lower if gap >= 0 else 1 - lower
    else:
        surprise = lower - 1 if gap >= 0 else -lower
    pull = steepness * surprise
    told = steepness * steepness * lower * (1 - lower)
    left = 1 - one.variance * told  # above 1 - 2/pi, however unsure
    one.pulls.append(pull / left)
    one.precisions.append(told / left)
    left = 1 - other.variance * told
    other.pulls.append(-pull / left)
    other.precisions.append(told / left)
