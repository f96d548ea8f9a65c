"""A match that stops as soon as it is known who is better: a sequential test on the same deals.

For each pair of bots two questions are asked of the differences of what they pay for the same
cards: does the one pay ``effect`` points less, rather than nothing, and does the other? Each is a
sequential probability ratio test (Wald 1945) whose unknown deviation is fitted under either
hypothesis (Li, Liu and Ying 2014): after n differences d,

    ratio = n / 2 * ln(sum d^2 / sum (d - effect)^2),

the answer is yes at ln((1 - beta) / (alpha / 2)), no at ln(beta / (1 - alpha / 2)). A yes says who
is better; two times no says that no difference of ``effect`` is there. Nothing is decided before
``least`` differences, since a deviation that is fitted to few is too small, nor before there are 25
times the square of their skewness (Cochran 1977, 2.15).

Who are equal are called unequal with a chance of alpha, a difference of ``effect`` or more is
missed with a chance of beta (or by the cap, which ends the match undecided). Wald's argument for
that holds as far as the deviation is fitted well; simulation shows it with real differences, whose
skewness is below 0.3, and with heavy tails (Student's with three degrees of freedom), for effects
from a fifth of a deviation up. With differences as skewed as an exponential distribution the test
errs up to twice as often. A match takes about two thirds of the results that a fixed number would.

Of several bots, alpha holds for the whole match: pairs are rejected step by step (Holm 1979) at
alpha divided by the largest number of pairs that can still be equal after those that were told
apart (Shaffer 1986: of three bots three pairs, then one). Whenever the first wrong step is made, no
wrong one was made before, so the divisor is no smaller than the number of pairs that are equal, and
each of them has no more than its share. Beta is each pair's own.

Logarithms are rounded to nine digits before they decide; results are used in the order of their
numbers, so that what is found is a function of results alone, and nothing that comes later changes
it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import combinations
from math import comb
from statistics import NormalDist

from .errors import InvalidFormat
from .sequential_interval import t_quantile

LEAST = 50
"""Differences before anything is decided."""
_COCHRAN = 25
"""Differences, at least, by the square of their skewness."""
_DIGITS = 9


class Verdict(Enum):
    """What is known of a pair of bots."""

    FIRST = "first"  # pays less
    SECOND = "second"
    EQUAL = "equal"  # no difference of the effect
    UNDECIDED = "undecided"  # so far, or at the cap


@dataclass(frozen=True, slots=True)
class Terms:
    """What is to be found out, and with which chances of an error."""

    effect: float  # penalty points a deal (or game) that matter
    cap: int  # results after which the match ends anyway
    alpha: float = 0.05
    beta: float = 0.05
    least: int = LEAST

    def __post_init__(self) -> None:
        if not (math.isfinite(self.effect) and self.effect > 0):
            raise InvalidFormat("effect", f"give points above 0, not {self.effect}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise InvalidFormat(name, f"give a chance between 0 and 0.5, not {chance}")
        if not 2 <= self.least <= self.cap:
            raise InvalidFormat("least", f"give 2 to {self.cap}, not {self.least}")

    def yes_at(self, pairs: int) -> float:
        """Return the ratio from which a question is answered yes, of so many pairs at most."""
        return round(math.log((1 - self.beta) / (self.alpha / 2 / pairs)), _DIGITS)

    @property
    def no_at(self) -> float:
        """The ratio down from which a question is answered no."""
        return round(math.log(self.beta / (1 - self.alpha / 2)), _DIGITS)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a match has shown of two bots."""

    first: int  # places of the bots
    second: int
    verdict: Verdict
    results: int  # until the verdict, or all so far
    mean: float  # of the first's penalty less the second's; below nought, the first is better
    deviation: float  # of one difference; 0 for fewer than two

    def margin(self, confidence: float) -> float:
        """Return half the width of Student's interval of the mean.

        It takes the number of results as if it had been fixed before: a match that stops early
        does so more often when the mean is far out, so the interval is a little too narrow.
        """
        if self.results < 2:
            return math.inf
        t = t_quantile((1 + confidence) / 2, self.results - 1)
        return t * self.deviation / math.sqrt(self.results)


class Pair:
    """The differences of two bots, and the two questions that are asked of them."""

    def __init__(self, first: int, second: int) -> None:
        self.first = first
        self.second = second
        self.verdict = Verdict.UNDECIDED
        self.results = 0
        self._mean = 0.0
        self._squares = 0.0  # sum of squares about the mean
        self._cubes = 0.0
        self._denied = [False, False]  # whether the first, the second was found not to be better

    def add(self, difference: float) -> None:
        """Take a difference: the first's penalty less the second's (Pébay 2008, 2.1)."""
        before = self.results
        self.results += 1
        apart = difference - self._mean
        step = apart / self.results
        squares = apart * step * before
        self._mean += step
        self._cubes += squares * step * (before - 1) - 3 * step * self._squares
        self._squares += squares

    @property
    def too_skewed(self) -> bool:
        """Whether there are too few differences for how skewed they are."""
        squares = self._squares * self._squares * self._squares
        return squares < _COCHRAN * self._cubes * self._cubes

    def ratio(self, mean: float) -> float:
        """Return the logarithm of how much better ``mean`` fits the differences than nought."""
        apart = self._mean - mean
        nought = self._squares + self.results * self._mean * self._mean
        other = self._squares + self.results * apart * apart
        if nought <= 0 or other <= 0:
            return math.inf if nought > other else -math.inf
        return round(self.results / 2 * math.log(nought / other), _DIGITS)

    def ask(self, terms: Terms, yes_at: float) -> float:
        """Answer what can be answered; return the ratio of the yes, or minus infinity."""
        if self.too_skewed:
            return -math.inf
        for which, mean in enumerate((-terms.effect, terms.effect)):
            if self._denied[which]:
                continue
            ratio = self.ratio(mean)
            if ratio >= yes_at:
                return ratio
            self._denied[which] = ratio <= terms.no_at
        if all(self._denied):
            self.verdict = Verdict.EQUAL
        return -math.inf

    def reject(self) -> None:
        """Call the two unequal."""
        self.verdict = Verdict.FIRST if self._mean < 0 else Verdict.SECOND

    def finding(self) -> Finding:
        """Return what is known."""
        deviation = math.sqrt(self._squares / (self.results - 1)) if self.results > 1 else 0.0
        return Finding(self.first, self.second, self.verdict, self.results, self._mean, deviation)


class Match:
    """A match that is going on between two bots or more."""

    def __init__(self, terms: Terms, bots: int = 2) -> None:
        if bots < 2:
            raise InvalidFormat("bots", f"give two or more, not {bots}")
        self.terms = terms
        self.bots = bots
        self.results = 0
        self._pairs = [Pair(*places) for places in combinations(range(bots), 2)]
        self._open = self._pairs[:]

    @property
    def over(self) -> bool:
        """Whether nothing is left to find out, or the cap is reached."""
        return not self._open or self.results >= self.terms.cap

    def add(self, penalties: Sequence[float]) -> bool:
        """Take what each bot paid on the mean with the next cards; return whether it is over.

        What comes after the end is not looked at.
        """
        if len(penalties) != self.bots:
            raise ValueError(f"give {self.bots} penalties, not {len(penalties)}")
        if self.over:
            return True
        self.results += 1
        for pair in self._open:
            pair.add(penalties[pair.first] - penalties[pair.second])
        if self.results >= self.terms.least:
            while self._step():
                pass
            self._open = [pair for pair in self._open if pair.verdict is Verdict.UNDECIDED]
        return self.over

    def _step(self) -> bool:
        """Call the most unequal pair unequal if it is far enough apart; return whether it was."""
        told_apart = sum(pair.verdict in (Verdict.FIRST, Verdict.SECOND) for pair in self._pairs)
        undecided = [pair for pair in self._open if pair.verdict is Verdict.UNDECIDED]
        if not undecided:
            return False
        yes_at = self.terms.yes_at(equal_pairs(self.bots, told_apart))
        asked = [(pair.ask(self.terms, yes_at), -place) for place, pair in enumerate(undecided)]
        ratio, place = max(asked)
        if ratio == -math.inf:
            return False
        undecided[-place].reject()
        return True

    def findings(self) -> tuple[Finding, ...]:
        """Return what is known of each pair."""
        return tuple(pair.finding() for pair in self._pairs)


def decide(terms: Terms, differences: Iterable[float]) -> Finding:
    """Return what differences of two bots show, the first's penalty less the second's each.

    They are used in their order, up to the one that decides.
    """
    match = Match(terms)
    for difference in differences:
        if match.add((difference, 0.0)):
            break
    return match.findings()[0]


def decide_all(terms: Terms, results: Iterable[Sequence[float]], bots: int) -> tuple[Finding, ...]:
    """Return what results of several bots show; each says what each bot paid with some cards."""
    match = Match(terms, bots)
    for penalties in results:
        if match.add(penalties):
            break
    return match.findings()


@cache
def equal_pairs(bots: int, told_apart: int) -> int:
    """Return how many pairs can be equal at most when so many are not (Shaffer 1986); 1 or more.

    Bots that are equal form groups, so the numbers of equal pairs are those of partitions.
    """
    most = comb(bots, 2) - told_apart
    return max(1, *[number for number in _partition_pairs(bots) if number <= most], 0)


@cache
def _partition_pairs(bots: int) -> frozenset[int]:
    """Return the numbers of pairs within the groups, over all ways to group the bots."""
    if bots < 2:
        return frozenset([0])
    return frozenset(
        comb(group, 2) + rest
        for group in range(1, bots + 1)
        for rest in _partition_pairs(bots - group)
    )


def fixed_results(terms: Terms, deviation: float) -> int:
    """Return how many results a test of a fixed number needs for the same errors.

    ``deviation`` is that of one difference.
    """
    normal = NormalDist()
    reach = normal.inv_cdf(1 - terms.alpha / 2) + normal.inv_cdf(1 - terms.beta)
    return math.ceil((reach * deviation / terms.effect) ** 2)
