from __future__ import annotations

import ast
import inspect
import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations, product
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament import ratings as ratings_module
from rummy_arena.tournament import ratings_model
from rummy_arena.tournament.ratings import (
    LARGEST,
    RULES,
    Place,
    Rating,
    rate,
)
from rummy_arena.tournament.ratings_model import Seat, exp_minus, meet_all, pair_weight

from .rated import played_tables

SEATS = range(2, 9)


@settings(deadline=None)
@given(played_tables(), st.randoms(use_true_random=False))
def test_before_rounding_no_order_changes_a_bit_either(
    played: tuple[dict[int, Rating], list[Place]], dice: random.Random
) -> None:
    """Rounding would hide a last bit almost always, so it would be missed by the tests of it."""
    ratings, places = played

    def unrounded(sat: list[Place]) -> dict[int, tuple[float, float]]:
        seats = [Seat(p, ratings[e].mean, ratings[e].deviation ** 2) for e, p in sat]
        meet_all(seats)
        weight = pair_weight(len(seats))
        return {
            e: (seat.mean_after(weight), seat.variance_after(weight))
            for (e, _), seat in zip(sat, seats, strict=True)
        }

    told = unrounded(places)
    for _ in range(6):
        dice.shuffle(places)
        assert unrounded(places) == told


@pytest.mark.parametrize("module", [ratings_module, ratings_model])
def test_no_function_is_used_that_machines_round_differently(module: ModuleType) -> None:
    """Of math only what IEEE 754 rounds in one way, and no powers of floats."""
    nodes = list(ast.walk(ast.parse(inspect.getsource(module))))
    assert not [node for node in nodes if isinstance(node, ast.Pow)]
    assert not [
        node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "math"
    ]
    used = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "math"
    }
    assert used <= {"sqrt", "fsum", "ldexp", "factorial"}


@settings(deadline=None)
@given(st.floats(0, 699))
def test_the_exponential_is_right_to_thirteen_digits(exponent: float) -> None:
    assert exp_minus(exponent) == pytest.approx(math.exp(-exponent), rel=1e-13, abs=0)


def test_the_exponential_of_what_is_negligible_is_zero() -> None:
    assert exp_minus(0) == 1
    assert exp_minus(700) == exp_minus(1e300) == 0


@pytest.mark.parametrize("seats", SEATS)
def test_the_weight_is_what_the_pairs_of_a_table_share(seats: int) -> None:
    """Over all orders of equal seats: information of a seat's pairs by variance of its score."""
    if seats > 7:  # a place is as likely as another, so the orders need not be listed
        scores = [2 * better - (seats - 1) for better in range(seats)]
    else:
        scores = [
            sum(1 if order[0] < other else -1 for other in order[1:])
            for order in permutations(range(seats))
        ]
    variance = Fraction(sum(score * score for score in scores), len(scores))
    assert pair_weight(seats) == float((seats - 1) / variance)


@settings(deadline=None)
@given(played_tables())
def test_an_exact_calculation_finds_the_same(
    played: tuple[dict[int, Rating], list[Place]],
) -> None:
    ratings, places = played
    for entrant, rating in rate(ratings, places).items():
        mean, deviation = exact(ratings, dict(places), entrant)
        bounded = max(-LARGEST, min(float(mean), LARGEST))
        assert rating.mean == pytest.approx(bounded, rel=1e-9, abs=2e-6)
        assert rating.deviation == pytest.approx(float(deviation), rel=1e-9, abs=2e-6)


@pytest.mark.parametrize("gap", [-200, 0, 150, 500])
@pytest.mark.parametrize("deviations", [(350, 350), (350, 45), (60, 300)])
def test_two_seats_are_close_to_the_integral(gap: float, deviations: tuple[float, float]) -> None:
    ratings = {1: Rating(gap, deviations[0]), 2: Rating(0, deviations[1])}
    sure = integrated(ratings[1], ratings[2])
    after = rate(ratings, [(1, 1), (2, 2)])[1]
    assert abs(after.mean - sure.mean) < 0.08 * deviations[0]
    assert after.deviation == pytest.approx(sure.deviation, rel=0.08)


def test_after_a_great_upset_the_model_is_more_cautious_than_the_integral() -> None:
    ratings = {1: Rating(900, 350), 2: Rating(1500, 45)}
    sure = integrated(ratings[1], ratings[2])
    after = rate(ratings, [(1, 1), (2, 2)])[1]
    assert 1200 < after.mean < sure.mean < after.mean + 0.2 * 350
    assert sure.deviation < after.deviation < 350


def integrated(winner: Rating, loser: Rating) -> Rating:
    """Return the winner's posterior by numeric integration over both strengths."""
    mass = first = second = 0.0
    steps = [n / 4 for n in range(-20, 21)]
    for a, b in product(steps, repeat=2):
        strength = winner.mean + a * winner.deviation
        other = loser.mean + b * loser.deviation
        density = math.exp(-(a * a + b * b) / 2) / (1 + 10 ** ((other - strength) / 400))
        mass += density
        first += density * strength
        second += density * strength * strength
    mean = first / mass
    return Rating(mean, math.sqrt(second / mass - mean * mean))


def exact(
    ratings: dict[int, Rating], places: dict[int, int], entrant: int
) -> tuple[Decimal, Decimal]:
    """Return mean and deviation by the formulas of the model, to sixty digits."""
    with localcontext() as context:
        context.prec = 60
        q = Decimal(10).ln() / 400
        pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
        own = ratings[entrant]
        variance = Decimal(own.deviation) ** 2
        pull = precision = Decimal(0)
        for other, rating in ratings.items():
            if other == entrant:
                continue
            both = variance + Decimal(rating.deviation) ** 2
            slope = q / (1 + pi * q * q * both / 8).sqrt()
            expected = 1 / (1 + (slope * (Decimal(rating.mean) - Decimal(own.mean))).exp())
            scored = (
                Decimal(1 + (places[other] > places[entrant]) - (places[other] < places[entrant]))
                / 2
            )
            told = slope**2 * expected * (1 - expected)
            left = 1 - variance * told
            pull += slope * (scored - expected) / left
            precision += told / left
        weight = Decimal(3) / (len(ratings) + 1)
        after = 1 / (1 / variance + weight * precision)
        return (
            Decimal(own.mean) + after * weight * pull,
            max(after.sqrt(), Decimal(RULES.floor)),
        )
