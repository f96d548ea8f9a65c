from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from statistics import fmean, pstdev, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament.errors import InvalidFormat
from rummy_arena.tournament.sequential import (
    Finding,
    Match,
    Pair,
    Terms,
    Verdict,
    decide,
    decide_all,
    equal_pairs,
    fixed_results,
)
from rummy_arena.tournament.sequential_interval import margin_of, t_quantile, t_share
from tests.sweeps import sweeping, times

from .real_differences import DIFFERENCES

RUNS = times(120, 1000)
SURPLUS = 3 * math.sqrt(0.05 * 0.95 / RUNS)
"""What a simulated chance of 0.05 may be too large by."""

Draw = Callable[[random.Random], float]


def normal(dice: random.Random) -> float:
    return dice.gauss(0, 1)


def heavy(dice: random.Random) -> float:
    """Student's t with three degrees of freedom, of deviation one: its kurtosis is infinite."""
    return dice.gauss(0, 1) / math.sqrt(dice.gammavariate(1.5, 2))


def mostly_nought(dice: random.Random) -> float:
    return dice.choice((-1, 1)) * dice.expovariate(1) / math.sqrt(0.6) if dice.random() < 0.3 else 0


def real(rules: str) -> Draw:
    values = DIFFERENCES[rules]
    mean, deviation = fmean(values), pstdev(values)
    scaled = [(value - mean) / deviation for value in values]
    return lambda dice: scaled[int(dice.random() * len(scaled))]


DRAWS = {
    "normal": normal,
    "heavy": heavy,
    "mostly nought": mostly_nought,
    **{rules: real(rules) for rules in DIFFERENCES},
}


def played(draw: Draw, terms: Terms, mean: float, dice: random.Random) -> Finding:
    def differences() -> Iterator[float]:
        while True:
            yield draw(dice) + mean

    return decide(terms, differences())


@sweeping
@pytest.mark.parametrize("effect", [0.2, 0.3])
@pytest.mark.parametrize("kind", DRAWS)
def test_errors_are_as_rare_as_stated_and_the_match_is_short(kind: str, effect: float) -> None:
    fixed = fixed_results(Terms(effect, cap=10_000), 1.0)
    terms = Terms(effect, cap=4 * fixed)
    dice = random.Random(f"{kind} {effect}")
    for mean, right in ((0.0, Verdict.EQUAL), (effect, Verdict.SECOND), (-effect, Verdict.FIRST)):
        found = [played(DRAWS[kind], terms, mean, dice) for _ in range(RUNS)]
        wrong = sum(finding.verdict is not right for finding in found) / RUNS
        assert wrong <= 0.05 + SURPLUS
        assert fmean(finding.results for finding in found) < (0.75 if effect < 0.3 else 1) * fixed


def test_what_is_far_apart_is_seen_at_once() -> None:
    dice = random.Random(5)
    terms = Terms(0.2, cap=2000)
    found = [played(heavy, terms, -0.8, dice) for _ in range(100)]
    assert Counter(finding.verdict for finding in found) == {Verdict.FIRST: 100}
    assert fmean(finding.results for finding in found) < 1.5 * terms.least


@pytest.mark.parametrize("bots", [3, 4])
@pytest.mark.parametrize("apart", [0, 1])
def test_of_several_bots_the_chance_that_any_equal_pair_is_told_apart_is_alpha(
    bots: int, apart: int
) -> None:
    """All share the luck of the cards; the last bot pays more where ``apart`` is 1."""
    terms = Terms(0.4, cap=600)
    dice = random.Random(bots * 10 + apart)
    wrong = missed = 0
    runs = 200

    def results() -> Iterator[list[float]]:
        while True:
            cards = dice.gauss(0, 3)
            yield [
                cards + heavy(dice) / math.sqrt(2) + (place >= bots - apart) * 0.8
                for place in range(bots)
            ]

    for _ in range(runs):
        found = decide_all(terms, results(), bots)
        assert len(found) == comb(bots, 2)
        equal = [finding for finding in found if finding.second < bots - apart]
        wrong += any(finding.verdict in (Verdict.FIRST, Verdict.SECOND) for finding in equal)
        other = [finding for finding in found if finding.second >= bots - apart]
        missed += sum(finding.verdict is not Verdict.FIRST for finding in other)
    assert wrong / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert missed <= 0.05 * runs * apart * (bots - 1)


@pytest.mark.parametrize("bots", range(2, 7))
def test_the_divisor_is_the_most_pairs_that_can_still_be_equal(bots: int) -> None:
    def groupings(left: list[int]) -> Iterator[list[list[int]]]:
        if not left:
            yield []
            return
        for rest in groupings(left[1:]):
            yield [[left[0]], *rest]
            for place in range(len(rest)):
                yield [*rest[:place], [left[0], *rest[place]], *rest[place + 1 :]]

    numbers = {
        sum(1 for group in grouping for _ in combinations(group, 2))
        for grouping in groupings(list(range(bots)))
    }
    for told_apart in range(comb(bots, 2)):
        possible = [number for number in numbers if number + told_apart <= comb(bots, 2)]
        assert equal_pairs(bots, told_apart) == max(1, *possible, 0)


def test_shaffers_divisors_of_three_and_four() -> None:
    assert [equal_pairs(3, told) for told in range(3)] == [3, 1, 1]
    assert [equal_pairs(4, told) for told in range(6)] == [6, 3, 3, 3, 2, 1]


values = st.lists(st.integers(-400, 400).map(lambda quarter: quarter / 4), max_size=150)
SMALL = Terms(effect=10, cap=120, least=5)


@given(values)
@settings(max_examples=150, deadline=None)
def test_the_ratio_is_what_the_definition_says(differences: list[float]) -> None:
    pair = Pair(0, 1)
    for number, difference in enumerate(differences, start=1):
        pair.add(difference)
        so_far = differences[:number]
        nought = math.fsum(d * d for d in so_far)
        other = math.fsum((d - 10) ** 2 for d in so_far)
        if nought > 0 and other > 0:
            assert pair.ratio(10) == pytest.approx(number / 2 * math.log(nought / other), abs=1e-6)
    if len(differences) > 1:
        assert pair.finding().mean == pytest.approx(fmean(differences), abs=1e-9)
        assert pair.finding().deviation == pytest.approx(stdev(differences), abs=1e-9)
        deviation = pstdev(differences)
        if deviation > 0.1:
            mean = fmean(differences)
            skewness = fmean(((d - mean) / deviation) ** 3 for d in differences)
            reach = 25 * skewness**2
            if abs(reach - len(differences)) > 1e-3:
                assert pair.too_skewed == (len(differences) < reach)


@given(values, values)
@settings(max_examples=150, deadline=None)
def test_what_comes_after_the_end_changes_nothing(first: list[float], more: list[float]) -> None:
    found = decide(SMALL, first)
    if found.verdict is not Verdict.UNDECIDED or len(first) >= SMALL.cap:
        assert decide(SMALL, first + more) == found
    again = decide(SMALL, first[: found.results])
    assert again == found


@given(values)
@settings(max_examples=150, deadline=None)
def test_the_two_bots_are_treated_alike(differences: list[float]) -> None:
    found, mirrored = decide(SMALL, differences), decide(SMALL, [-d for d in differences])
    swapped = {Verdict.FIRST: Verdict.SECOND, Verdict.SECOND: Verdict.FIRST}
    assert mirrored.verdict is swapped.get(found.verdict, found.verdict)
    assert (mirrored.results, mirrored.mean) == (found.results, -found.mean)


@given(values)
@settings(max_examples=100, deadline=None)
def test_the_unit_of_points_does_not_matter(differences: list[float]) -> None:
    doubled = decide(Terms(20, cap=120, least=5), [2 * d for d in differences])
    found = decide(SMALL, differences)
    assert (doubled.verdict, doubled.results) == (found.verdict, found.results)


@given(values)
@settings(max_examples=100, deadline=None)
def test_two_of_several_are_a_match_of_two(differences: list[float]) -> None:
    rows = [(difference + 70, 70.0) for difference in differences]
    found = decide_all(SMALL, rows, 2)[0]
    plain = decide(SMALL, differences)
    assert (found.verdict, found.results) == (plain.verdict, plain.results)


def test_the_same_bot_twice_is_equal_as_soon_as_may_be() -> None:
    found = decide(Terms(5, cap=1000), [0.0] * 1000)
    assert (found.verdict, found.results) == (Verdict.EQUAL, 50)


def test_the_cap_leaves_it_open() -> None:
    dice = random.Random(9)
    found = decide(Terms(0.1, cap=60), [0.05 + normal(dice) for _ in range(100)])
    assert (found.verdict, found.results) == (Verdict.UNDECIDED, 60)
    match = Match(Terms(0.1, cap=60))
    assert [match.add((normal(dice), 0)) for _ in range(60)] == [False] * 59 + [True]


def test_a_single_deal_that_outweighs_all_others_decides_nothing() -> None:
    assert decide(Terms(5, cap=50), [50.0, -50.0] * 24 + [0.0, 9000.0]).verdict is Verdict.UNDECIDED


def test_the_fixed_number_is_the_textbooks() -> None:
    assert fixed_results(Terms(1, cap=100, beta=0.2), 2.0) == 32  # (1.960 + 0.842)^2 * 4 = 31.4


@pytest.mark.parametrize(
    ("freedom", "share", "t"),
    [  # printed tables
        (1, 0.975, 12.706),
        (2, 0.975, 4.303),
        (3, 0.975, 3.182),
        (4, 0.995, 4.604),
        (10, 0.975, 2.228),
        (29, 0.995, 2.756),
        (120, 0.975, 1.980),
        (1000, 0.995, 2.581),
    ],
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, share: float, t: float) -> None:
    assert t_quantile(share, freedom) == pytest.approx(t, abs=5.1e-4)
    assert t_share(t_quantile(share, freedom), freedom) == pytest.approx(share, abs=1e-9)


def test_an_interval_holds_as_often_as_it_says() -> None:
    dice = random.Random(2)
    for number in (2, 5, 12):
        held = 0
        for _ in range(2000):
            drawn = [normal(dice) for _ in range(number)]
            held += abs(fmean(drawn)) <= margin_of(drawn, 0.9)
        assert abs(held / 2000 - 0.9) < 0.025
    assert margin_of([1.0], 0.9) == math.inf
    finding = decide(SMALL, [1.0, 2.0, 4.0])
    assert finding.margin(0.9) == pytest.approx(margin_of([1.0, 2.0, 4.0], 0.9))


@pytest.mark.parametrize(
    "options",
    [
        {"effect": 0.0},
        {"effect": math.inf},
        {"alpha": 0.0},
        {"beta": 0.5},
        {"cap": 10},
        {"least": 1},
    ],
)
def test_terms_that_cannot_be_used_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InvalidFormat):
        Terms(**{"effect": 1.0, "cap": 100, **options})  # type: ignore[arg-type]


def test_a_match_of_one_is_refused() -> None:
    with pytest.raises(InvalidFormat):
        Match(SMALL, bots=1)
    with pytest.raises(ValueError, match="give 2 penalties"):
        Match(SMALL).add((1.0, 2.0, 3.0))
