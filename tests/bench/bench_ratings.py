"""Ratings: results a second by seats, recalculation of a season, and how near they come to truth.

The truth is made up: seats perform by their strength plus normal luck (``tests.tournament.rated``).
Run as ``python -m tests.bench.bench_ratings``.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from rummy_arena.tournament.ratings import Rating, RatingRules, rate
from rummy_arena.tournament.ratings_history import RatedResult, extend, recalculate
from tests.tournament.rated import Fit, Ladder

from .yardstick import yardstick_line

SEATS = (2, 3, 4, 6, 8)
TABLES = 2_000
REPEATS = 7
FIELDS = (500, 10_000)
SEASON = 40_000
ROUNDS = (5, 20, 60, 200)
SEEDS = (1, 2, 3)
NEAR = 100.0
NO_FLOOR = RatingRules(floor=1)


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median processor time of the repeats."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def print_rate() -> None:
    """Print how many results are rated a second, by seats."""
    dice = random.Random(1)
    for seats in SEATS:
        ratings = {e: Rating(dice.gauss(1500, 200), dice.uniform(45, 350)) for e in range(seats)}
        places = [(e, e + 1) for e in range(seats)]

        def work(
            ratings: dict[int, Rating] = ratings, places: list[tuple[int, int]] = places
        ) -> None:
            for _ in range(TABLES):
                rate(ratings, places)

        print(f"{seats} seats: {TABLES / seconds(work):,.0f} results/s")


def season(entrants: int, tables: int) -> list[RatedResult]:
    """Return the results of tables of four, drawn by lot."""
    dice = random.Random(2)
    results = []
    for number in range(tables):
        sat = dice.sample(range(1, entrants + 1), 4)
        places = tuple((entrant, place) for place, entrant in enumerate(sat, start=1))
        results.append(RatedResult(number, f"t{number}", places))
    return results


def print_recalculation() -> None:
    """Print the time of a whole recalculation, of one more result, and of one that comes late."""
    for entrants in FIELDS:
        results = season(entrants, SEASON)
        whole = seconds(lambda results=results: recalculate(results), 1)  # type: ignore[misc]
        ledger = recalculate(results[:-1])
        one = seconds(lambda ledger=ledger, last=results[-1:]: extend(ledger, last))  # type: ignore[misc]
        print(
            f"{entrants:,} entrants: {SEASON:,} results of four recalculated in {whole:.2f} s, "
            f"{SEASON / whole:,.0f} results/s; one more added in {one * 1000:.0f} ms"
        )


def print_fit(seats: int, *, near: float, rules: RatingRules) -> None:
    """Print a line for each number of tables that everybody has played, means over the seeds."""
    ladders = [Ladder(seed, rules=rules) for seed in SEEDS]
    played = 0
    for rounds in ROUNDS:
        for ladder in ladders:
            ladder.play(rounds - played, seats, near=near)
        played = rounds
        fits = [ladder.fit() for ladder in ladders]

        def mean(field: str, fits: list[Fit] = fits) -> float:
            return statistics.fmean([getattr(fit, field) for fit in fits])

        paired = "by lot" if near == float("inf") else "near"
        print(
            f"| {seats} | {paired} | {rules.floor:g} | {rounds} | {mean('error'):.0f} | "
            f"{mean('deviation'):.0f} | {100 * mean('covered'):.0f} | "
            f"{100 * mean('near_covered'):.0f} | {mean('rank_correlation'):.3f} |",
            flush=True,
        )


def main() -> None:
    """Print speeds, then the fit with and without a floor, paired by lot and by rating."""
    print(yardstick_line())
    print_rate()
    print_recalculation()
    print("\n120 entrants, true strengths 1500 ± 350; intervals are those for 95 %")
    print(
        "| seats | paired | floor | tables each | error | deviation | strengths inside, % "
        "| differences inside, % | rank correlation |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for seats in (2, 4, 8):
        print_fit(seats, near=float("inf"), rules=NO_FLOOR)
        print_fit(seats, near=float("inf"), rules=RatingRules())
        print_fit(seats, near=NEAR, rules=RatingRules())
    print(yardstick_line())


if __name__ == "__main__":
    main()
