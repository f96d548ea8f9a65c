from __future__ import annotations

import math
import random
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament.errors import DuplicateEntrants
from rummy_arena.tournament.ratings import (
    LARGEST,
    RULES,
    InvalidRating,
    NothingToRate,
    Place,
    Rating,
    RatingRules,
    UnratedAnchor,
    after_idle_season,
    expected_score,
    places_of,
    rate,
)

from .made import table
from .rated import played_tables, priors, tie_patterns

SEATS = range(2, 9)
EVEN = RULES.newcomer


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("prior", [EVEN, Rating(-80, 45), Rating(2600.5, 111.1)])
def test_from_equal_ratings_means_follow_the_places_in_every_pattern(
    seats: int, prior: Rating
) -> None:
    for places in tie_patterns(seats):
        ratings = dict.fromkeys(range(1, seats + 1), prior)
        after = rate(ratings, enumerate(places, start=1))
        assert len({rating.deviation for rating in after.values()}) == 1
        for one, other in combinations(ratings, 2):
            if places[one - 1] == places[other - 1]:
                assert after[one] == after[other]
            else:
                assert after[one].mean > after[other].mean


@pytest.mark.parametrize("seats", SEATS)
def test_there_are_as_many_patterns_as_there_are_ways_to_share_places(seats: int) -> None:
    patterns = set(tie_patterns(seats))
    assert len(patterns) == 2 ** (seats - 1)
    assert (1,) * seats in patterns


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_no_order_of_seats_changes_a_bit(seats: int) -> None:
    dice = random.Random(seats)
    for places in tie_patterns(seats):
        for ratings in (dict.fromkeys(range(seats), EVEN), uneven(dice, seats)):
            told = rate(ratings, enumerate(places))
            for order in permutations(enumerate(places)):
                assert exactly(rate(ratings, order)) == exactly(told)


@pytest.mark.parametrize("seats", [6, 7, 8])
def test_orders_of_larger_tables_change_no_bit_either(seats: int) -> None:
    dice = random.Random(seats)
    for places in tie_patterns(seats):
        ratings, sat = uneven(dice, seats), list(enumerate(places))
        told = rate(ratings, sat)
        for _ in range(8):
            dice.shuffle(sat)
            assert exactly(rate(ratings, sat)) == exactly(told)


@settings(deadline=None)
@given(played_tables(), st.randoms(use_true_random=False))
def test_the_numbers_of_entrants_change_no_bit(
    played: tuple[dict[int, Rating], list[Place]], dice: random.Random
) -> None:
    ratings, places = played
    names = dict(zip(ratings, dice.sample(range(1000), len(ratings)), strict=True))
    renamed = rate({names[e]: r for e, r in ratings.items()}, [(names[e], p) for e, p in places])
    told = rate(ratings, places)
    assert {names[e]: rating for e, rating in told.items()} == renamed


@settings(deadline=None)
@given(played_tables())
def test_whatever_is_played_deviations_shrink_and_stay_above_the_floor(
    played: tuple[dict[int, Rating], list[Place]],
) -> None:
    ratings, places = played
    for entrant, rating in rate(ratings, places).items():
        assert RULES.floor <= rating.deviation <= ratings[entrant].deviation
        assert math.isfinite(rating.mean)


@settings(deadline=None)
@given(played_tables(), st.data())
def test_a_better_place_is_never_worse(
    played: tuple[dict[int, Rating], list[Place]], data: st.DataObject
) -> None:
    ratings, places = played
    number = data.draw(st.integers(0, len(places) - 1))
    entrant, place = places[number]
    better = [*places[:number], (entrant, place - 1), *places[number + 1 :]]
    one, other = rate(ratings, places), rate(ratings, better)
    assert other[entrant].mean >= one[entrant].mean
    assert all(other[e].mean <= one[e].mean for e in ratings if e != entrant)
    assert [r.deviation for r in one.values()] == [r.deviation for r in other.values()]


@settings(deadline=None)
@given(played_tables())
def test_only_the_order_of_places_counts(played: tuple[dict[int, Rating], list[Place]]) -> None:
    ratings, places = played
    assert rate(ratings, places) == rate(ratings, [(e, 10 * p - 7) for e, p in places])


@settings(deadline=None)
@given(played_tables())
def test_swapped_rivals_get_each_others_ratings(
    played: tuple[dict[int, Rating], list[Place]],
) -> None:
    """Reflection: every table turned upside down moves every mean the other way."""
    ratings, places = played
    upside_down = {e: Rating(-r.mean, r.deviation) for e, r in ratings.items()}
    turned = rate(upside_down, [(e, -p) for e, p in places])
    for entrant, rating in rate(ratings, places).items():
        assert turned[entrant] == Rating(-rating.mean, rating.deviation)


def test_the_favourite_gains_less_and_the_sure_move_less() -> None:
    weak, strong, sure = Rating(1300, 80), Rating(1700, 80), Rating(1700, 50)
    as_expected = rate({1: strong, 2: weak}, [(1, 1), (2, 2)])
    upset = rate({1: strong, 2: weak}, [(1, 2), (2, 1)])
    assert 0 < as_expected[1].mean - 1700 < 1700 - upset[1].mean
    assert 1700 - rate({1: sure, 2: weak}, [(1, 2), (2, 1)])[1].mean < 1700 - upset[1].mean
    drawn = rate({1: strong, 2: weak}, [(1, 1), (2, 1)])
    assert upset[1].mean < drawn[1].mean < 1700
    assert 1300 < drawn[2].mean < upset[2].mean


def test_means_are_kept_in_sum_where_all_are_equally_sure() -> None:
    for places in tie_patterns(6):
        ratings = {e: Rating(1500 + 60 * e, 100) for e in range(6)}
        after = rate(ratings, enumerate(places))
        # The variances afterwards differ a little by whom each of them met.
        assert sum(r.mean for r in after.values()) == pytest.approx(6 * 1650, abs=6)


@pytest.mark.parametrize("gap", [1e3, 1e4, 1e5, 2e6])
def test_extreme_gaps_move_a_mean_by_no_more_than_the_slope_allows(gap: float) -> None:
    ratings = {1: Rating(gap / 2, 350), 2: Rating(-gap / 2, 350)}
    after = rate(ratings, [(1, 2), (2, 1)])
    assert 300 < gap / 2 - after[1].mean < 500
    assert 0 <= rate(ratings, [(1, 1), (2, 2)])[1].mean - gap / 2 < 2e4 / gap


def test_anchors_do_not_move_and_hold_the_others() -> None:
    house = Rating(1800, 0)
    ratings = {1: house}
    dice = random.Random(5)
    for _ in range(600):  # an entrant as strong as the anchor
        first = dice.randrange(2)
        ratings |= rate(ratings, [(1, 1 + first), (2, 2 - first)], {1})
    assert ratings[1] is house
    assert abs(ratings[2].mean - 1800) < 1.96 * RULES.floor
    assert ratings[2].deviation == RULES.floor


def test_an_anchor_may_hold_several_seats_and_nobody_else() -> None:
    ratings = {7: Rating(1500, 0)}
    after = rate(ratings, [(7, 2), (7, 3), (8, 1), (7, 4)], [7])
    assert list(after) == [7, 8]
    assert after[7] == ratings[7]
    assert after[8].mean > rate(ratings, [(7, 2), (8, 1)], [7])[8].mean
    with pytest.raises(DuplicateEntrants) as refused:
        rate(ratings, [(7, 2), (8, 3), (8, 1), (7, 4)], [7])
    assert refused.value.entrants == (8,)


def test_tables_that_tell_nothing_are_refused() -> None:
    with pytest.raises(NothingToRate):
        rate({}, [])
    with pytest.raises(NothingToRate):
        rate({}, [(1, 1)])
    with pytest.raises(UnratedAnchor) as refused:
        rate({}, [(2, 1), (1, 2)], {1})
    assert refused.value.entrants == (1,)


@pytest.mark.parametrize(
    ("mean", "deviation"),
    [(math.nan, 1), (math.inf, 1), (0, math.nan), (0, -1), (2 * LARGEST, 1), (0, 2 * LARGEST)],
)
def test_no_rating_is_out_of_bounds(mean: float, deviation: float) -> None:
    with pytest.raises(InvalidRating):
        Rating(mean, deviation)


@pytest.mark.parametrize("rules", [{"floor": 0}, {"floor": 400}, {"season_drift": -1}])
def test_no_rules_are_out_of_bounds(rules: dict[str, float]) -> None:
    with pytest.raises(InvalidRating):
        RatingRules(**rules)


def test_idle_seasons_make_unsure_by_the_rule_and_no_more_than_a_newcomer() -> None:
    rating = Rating(1723.25, 45)
    for season in range(1, 14):
        rating = after_idle_season(rating)
        expected = min(math.sqrt(45**2 + season * 100**2), 350)
        assert rating.mean == 1723.25
        assert rating.deviation == pytest.approx(expected, abs=1e-5)
    assert rating.deviation == 350
    assert after_idle_season(Rating(0, 500)) == Rating(0, 500)


def test_what_people_see() -> None:
    rating = Rating(1612.345678, 50)
    assert rating.shown == "1612 ± 98"
    assert rating.conservative == 1462.345678
    assert rating.interval == (1514.345678, 1710.345678)
    assert places_of(table(3, (5, 6, 7), (20, 10, 20))) == ((5, 2), (6, 1), (7, 2))


@pytest.mark.parametrize(("gap", "odds"), [(0, 1), (400, 10), (800, 100), (-400, 0.1)])
def test_400_points_are_ten_to_one(gap: float, odds: float) -> None:
    score = expected_score(Rating(1500 + gap, 0), Rating(1500, 0))
    assert score / (1 - score) == pytest.approx(odds, rel=1e-12)


@settings(deadline=None)
@given(priors, priors)
def test_expected_scores_of_two_add_up_to_one(one: Rating, other: Rating) -> None:
    assert expected_score(one, other) + expected_score(other, one) == pytest.approx(1, abs=1e-15)


def uneven(dice: random.Random, seats: int) -> dict[int, Rating]:
    """Return ratings without anything in common."""
    return {e: Rating(dice.gauss(1500, 500), dice.uniform(45, 350)) for e in range(seats)}


def exactly(ratings: dict[int, Rating]) -> dict[int, tuple[str, str]]:
    """Return the ratings bit for bit."""
    return {e: (r.mean.hex(), r.deviation.hex()) for e, r in sorted(ratings.items())}
