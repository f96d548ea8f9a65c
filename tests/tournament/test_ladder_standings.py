"""Standings of ladders and arenas."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rummy_arena.tournament.ladder_standings import (
    PARTS,
    HeadToHead,
    Tally,
    arena_standings,
    head_to_head,
    ladder_standings,
    table_points,
)
from rummy_arena.tournament.ratings import Rating


def ranks(lines: list) -> list[tuple[int, int]]:  # type: ignore[type-arg]
    return [(line.rank, line.tally.entrant) for line in lines]


def test_a_ladder_is_ranked_by_what_is_all_but_certain() -> None:
    sure, unsure = Rating(1600, 50), Rating(1700, 200)
    tallies = [
        Tally(1, unsure, 20),
        Tally(2, sure, 20),
        Tally(3, sure, 20),
        Tally(4, Rating(1500, 45), 20),
        Tally(5, sure, 3),
        Tally(6, Rating(1550, 0), 99, anchor=True),
        Tally(7, sure, 50, gone=True),
    ]
    lines = ranks(ladder_standings(tallies, ranked_from=10))
    assert lines == [(0, 6), (1, 2), (1, 3), (0, 5), (0, 7), (3, 4), (4, 1)]
    assert ranks(ladder_standings([Tally(1, sure)], ranked_from=0)) == [(0, 1)]


def test_an_arena_is_ranked_by_points_then_wins_then_fewer_games() -> None:
    any_ = Rating(1500, 100)
    tallies = [
        Tally(1, any_, 4, 1, Fraction(12)),
        Tally(2, any_, 3, 1, Fraction(12)),
        Tally(3, any_, 3, 2, Fraction(12)),
        Tally(4, any_, 9, 0, Fraction(25, 2), gone=True),
        Tally(5, any_, 3, 1, Fraction(12)),
        Tally(6, any_),
    ]
    assert ranks(arena_standings(tallies)) == [(1, 4), (2, 3), (3, 2), (3, 5), (5, 1), (0, 6)]


@given(st.lists(st.integers(1, 8), min_size=2, max_size=8))
def test_points_are_whole_parts_and_add_up(chosen: list[int]) -> None:
    places = [1 + sum(other < own for other in chosen) for own in chosen]
    points = table_points(places)
    assert sum(points) == 3 * len(places)
    assert all((PARTS * value).denominator == 1 for value in points)


def test_a_head_to_head_counts_places() -> None:
    balance = head_to_head([(1, 2), (3, 1), (2, 2), (1, 4)])
    assert balance == HeadToHead(4, 2, 1, 1)
    assert balance.score == 0.625
    assert head_to_head([]).score == 0.5
