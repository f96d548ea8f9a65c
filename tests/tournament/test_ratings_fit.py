"""Ratings against true strengths: seats perform by Thurstone's model, strength plus normal luck.

The figures in the tests are bounds around what was seen; ``tests.bench.bench_ratings`` prints them.
"""

from __future__ import annotations

import statistics
from itertools import pairwise
from typing import Any

import pytest

from rummy_arena.tournament.ratings import RatingRules

from .rated import Fit, Ladder

FREE = RatingRules(floor=1)
"""Without a floor to speak of, so that deviations are those that the model claims."""
SEEDS = (1, 2, 3)


def mean_of(fits: list[Fit], field: str) -> float:
    return statistics.fmean([getattr(fit, field) for fit in fits])


def fits(rounds: int, seats: int, *, near: float = float("inf"), **made: Any) -> list[Fit]:
    found = []
    for seed in SEEDS:
        ladder = Ladder(seed, **made)
        ladder.play(rounds, seats, near=near)
        found.append(ladder.fit())
    return found


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
@pytest.mark.parametrize("rounds", [5, 30, 100])
def test_intervals_hold_the_truth_about_as_often_as_they_say(seats: int, rounds: int) -> None:
    found = fits(rounds, seats, rules=FREE)
    assert 0.90 < mean_of(found, "covered") < 0.99
    assert 0.92 < mean_of(found, "near_covered") < 0.998
    assert 0.8 < mean_of(found, "error") / mean_of(found, "deviation") < 1.15


@pytest.mark.parametrize(("seats", "least", "most"), [(2, 0.9, 1), (4, 0.8, 0.93), (8, 0.5, 0.85)])
def test_full_weight_for_every_pair_would_claim_too_much(
    seats: int, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test of the test: without the weight the intervals of larger tables do not hold."""
    monkeypatch.setattr("rummy_arena.tournament.ratings.pair_weight", lambda _: 1.0)
    assert least < mean_of(fits(100, seats, rules=FREE), "covered") < most


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_paired_by_rating_neighbours_are_still_told_apart_as_claimed(seats: int) -> None:
    """Whole neighbourhoods share an error when they meet only each other; anchors bound it."""
    found = fits(60, seats, near=100.0, anchors=(1150.0, 1500.0, 1850.0))
    assert mean_of(found, "near_covered") > 0.93
    assert mean_of(found, "covered") > 0.85


def test_larger_tables_and_more_rounds_tell_more() -> None:
    errors = {}
    for seats in (2, 4, 8):
        by_rounds = [mean_of(fits(rounds, seats), "error") for rounds in (5, 20, 60)]
        assert all(later < 0.75 * sooner for sooner, later in pairwise(by_rounds))
        errors[seats] = by_rounds[1]
    assert errors[8] < errors[4] < errors[2]


@pytest.mark.parametrize(("seats", "least"), [(2, 0.92), (4, 0.96), (8, 0.975)])
def test_twenty_tables_rank_a_wide_field(seats: int, least: float) -> None:
    assert mean_of(fits(20, seats), "rank_correlation") > least


@pytest.mark.parametrize(("seats", "anchors"), [(4, ()), (4, (1500.0, 1700.0)), (7, ())])
def test_thousands_of_tables_leave_scale_and_sum_where_they_are(
    seats: int, anchors: tuple[float, ...]
) -> None:
    ladder = Ladder(9, 40, spread=200, mean=1500, anchors=anchors)
    ladder.play(100, seats)
    before = ladder.fit()
    for _ in range(3):
        ladder.play(300, seats)
        after = ladder.fit()
        assert abs(after.drift - before.drift) < 20
        assert abs(after.spread_ratio - before.spread_ratio) < 0.15
        assert 0.9 < after.spread_ratio < 1.12
        assert after.deviation == pytest.approx(ladder.rules.floor, abs=0.5)


def test_anchors_bring_everybody_to_their_scale_if_slowly() -> None:
    """Newcomers start at 1500 though their strengths lie around 1700."""
    made: dict[str, Any] = {"entrants": 40, "spread": 150.0, "mean": 1700.0}
    without = mean_of(fits(200, 4, **made), "drift")
    made["anchors"] = (1500.0, 1600.0, 1700.0, 1800.0, 1900.0)
    drifts = [mean_of(fits(rounds, 4, **made), "drift") for rounds in (20, 80, 320)]
    assert without < -150
    assert drifts == sorted(drifts)
    assert abs(drifts[1]) < 0.7 * abs(without)
    assert abs(drifts[2]) < 0.35 * abs(without)


def test_a_lower_floor_tells_frozen_bots_apart_further() -> None:
    low = fits(300, 4, entrants=40, rules=RatingRules(floor=10))
    usual = fits(300, 4, entrants=40)
    assert mean_of(low, "deviation") < 30 < mean_of(usual, "deviation")
    assert mean_of(low, "rank_correlation") >= mean_of(usual, "rank_correlation")


def test_who_changes_is_followed() -> None:
    """Even at the floor, an entrant who gets 300 points stronger is found within 60 tables."""
    ladder = Ladder(4, 40, spread=200)
    ladder.play(150, 4)
    ladder.strengths[1] += 300
    before = ladder.rating(1).mean
    ladder.play(60, 4)
    assert ladder.rating(1).mean - before > 150
