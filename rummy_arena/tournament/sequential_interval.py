"""Student's interval of a mean, without tables of figures.

Quantiles are exact to nine digits: the distribution function is summed in closed form (Abramowitz
and Stegun 1964, 26.7.3 and 26.7.4) and inverted by bisection.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from statistics import NormalDist, stdev

_LARGE = 400
"""From so many degrees of freedom on an expansion about the normal is as exact."""


def margin_of(values: Sequence[float], confidence: float) -> float:
    """Return half the width of the mean's interval; infinite for fewer than two values."""
    if len(values) < 2:
        return math.inf
    deviation = stdev(values) / math.sqrt(len(values))
    return t_quantile((1 + confidence) / 2, len(values) - 1) * deviation


@cache
def t_quantile(share: float, freedom: int) -> float:
    """Return Student's t below which ``share`` lies, for a share from a half to below one."""
    if not 0.5 <= share < 1:
        raise ValueError(f"give a share from 0.5 to below 1, not {share}")
    if freedom > _LARGE:
        return _expanded(share, freedom)
    low, high = 0.0, 1.0
    while t_share(high, freedom) < share:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if t_share(middle, freedom) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def t_share(t: float, freedom: int) -> float:
    """Return the share of Student's distribution below t, for t from 0."""
    angle = math.atan(t / math.sqrt(freedom))
    squared = math.cos(angle) ** 2
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for step in range(2 if odd else 1, freedom - 2, 2):
        term *= squared * step / (step + 1)
        total += term
    inner = math.sin(angle) * total
    central = 2 / math.pi * (angle + inner) if odd else inner
    return (1 + central) / 2


def _expanded(share: float, freedom: int) -> float:
    """Return the quantile by Fisher's expansion."""
    z = NormalDist().inv_cdf(share)
    squared = z * z
    first = (squared + 1) / 4
    second = (5 * squared**2 + 16 * squared + 3) / 96
    third = (3 * squared**3 + 19 * squared**2 + 17 * squared - 15) / 384
    inverse = 1 / freedom
    return z * (1 + inverse * (first + inverse * (second + inverse * third)))
