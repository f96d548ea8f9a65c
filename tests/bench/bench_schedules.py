"""Round robins, groups, duplicate and sequential matches: how good, and how long they take.

Run as ``python -m tests.bench.bench_schedules [runs]``: so many simulated matches for each row of
errors. Schedules and matches are the same on each run; only times differ.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from statistics import fmean, pstdev
from typing import TypeVar

from rummy_arena.tournament.duplicate import Score, compare
from rummy_arena.tournament.duplicate_seatings import seated
from rummy_arena.tournament.round_robin import TRIES, everybody_meets, quality
from rummy_arena.tournament.round_robin_berger import berger
from rummy_arena.tournament.round_robin_groups import snake
from rummy_arena.tournament.sequential import Match, Terms, Verdict, decide, fixed_results
from rummy_arena.tournament.tables import TableLimits
from tests.tournament.real_differences import DIFFERENCES

from .yardstick import yardstick_line

SIZES = {
    3: (9, 12, 15, 18, 24, 27, 30, 45, 60),
    4: (8, 12, 13, 16, 20, 24, 28, 32, 40, 48, 60, 64, 100),
    5: (10, 15, 20, 25, 40, 60),
    6: (12, 18, 24, 36, 60),
    8: (16, 24, 40, 64),
}
RUNS = 400
Value = TypeVar("Value")


def timed(work: Callable[[], Value]) -> tuple[Value, float]:
    """Return what the work returns and how many seconds of this core it took."""
    start = time.process_time()
    value = work()
    return value, time.process_time() - start


def print_schedules() -> None:
    """Print the quality of schedules beside the least rounds that any could have."""
    print(f"schedules of all against all, {TRIES:,} tries")
    print("| seats | entrants | rounds | bound | pairs met again | most | seat spread | s |")
    print("|---|---|---|---|---|---|---|---|")
    for seats, sizes in SIZES.items():
        limits = TableLimits(seats, max(2, seats - 1), min(8, seats + 1))
        for entrants in sizes:
            rounds, took_s = timed(lambda: everybody_meets(limits, range(entrants)))  # noqa: B023
            found = quality(limits, rounds)
            print(
                f"| {seats} | {entrants} | {found.rounds} | {found.least_rounds} | "
                f"{found.met_again} | {found.most_meetings} | {found.seat_spread} | {took_s:.2f} |",
                flush=True,
            )


def print_others() -> None:
    """Print how long the other schedules and the comparison of duplicate scores take."""
    _, took_s = timed(lambda: berger(range(1000)))
    print(f"Berger tables of 1,000 entrants, 999 rounds: {took_s:.2f} s")
    owners = {entrant: entrant % 300 for entrant in range(10_000)}
    _, took_s = timed(lambda: snake(range(10_000), 2500, owners))
    print(f"10,000 entrants of 300 owners into 2,500 groups: {took_s:.2f} s")
    tables = [tuple(range(number, number + 4)) for number in range(0, 1000, 4)]
    dice = random.Random(1)
    scores = [
        Score(board, seat, entrant, dice.randrange(300))
        for board in range(24)
        for table in seated(tables, board)
        for seat, entrant in enumerate(table)
    ]
    _, took_s = timed(lambda: compare(scores))
    print(f"duplicate, 1,000 entrants with 24 boards each: {took_s:.2f} s")
    differences = [dice.gauss(0, 50) for _ in range(20_000)]
    # an effect so small that nothing is decided
    _, took_s = timed(lambda: decide(Terms(0.1, cap=20_000), differences))
    print(f"sequential test: {took_s / len(differences) * 1e6:.1f} us a result of two bots")


def print_errors(runs: int) -> None:
    """Print simulated errors of sequential matches with real differences, alpha and beta 0.05."""
    print(f"sequential matches with real differences, {runs} each; effects in deviations")
    print("| differences | effect | fixed | equal: errors, results | apart: errors, results |")
    print("|---|---|---|---|---|")
    for rules, values in DIFFERENCES.items():
        mean, deviation = fmean(values), pstdev(values)
        scaled = [(value - mean) / deviation for value in values]
        for effect in (0.2, 0.3):
            fixed = fixed_results(Terms(effect, cap=10_000), 1.0)
            cells = []
            for apart, right in ((0.0, Verdict.EQUAL), (-effect, Verdict.FIRST)):
                errors, results = simulated(
                    Terms(effect, cap=4 * fixed), scaled, apart, right, runs
                )
                cells.append(f"{errors:.3f}, {results:.0f}")
            print(f"| {rules} | {effect} | {fixed} | {' | '.join(cells)} |", flush=True)


def simulated(
    terms: Terms, values: list[float], apart: float, right: Verdict, runs: int
) -> tuple[float, float]:
    """Return the share of matches that end otherwise than right, and their mean length."""
    dice = random.Random(1)

    def drawn() -> Iterator[float]:
        while True:
            yield values[int(dice.random() * len(values))] + apart

    found = []
    for _ in range(runs):
        match = Match(terms)
        for difference in drawn():
            if match.add((difference, 0.0)):
                break
        found.append(match.findings()[0])
    errors = sum(finding.verdict is not right for finding in found)
    return errors / runs, fmean(finding.results for finding in found)


def main() -> None:
    """Print all figures."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    print(yardstick_line())
    print_schedules()
    print_others()
    print_errors(runs)
    print(yardstick_line())


if __name__ == "__main__":
    main()
