"""Processor time to pair a Swiss round: 1,000 and 10,000 entrants by twos, 10,000 by fours.

Run as ``python -m tests.bench.bench_pairing [rounds]``. Events are played with results of chance;
each figure is the median over the rounds after the first. Scores, meetings, byes and seats of the
rounds before are known to the pairing, so that later rounds are harder than the first.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import dataclass

from rummy_arena.tournament.seating_tables import pair_tables
from rummy_arena.tournament.swiss_entries import Quality
from rummy_arena.tournament.tables import TableLimits
from tests.tournament.swiss_play import Event

from .yardstick import yardstick_line, yardstick_ms

ROUNDS = 7
TWOS, FOURS, EIGHTS = (
    TableLimits(2, 2, 2),
    TableLimits(4, 3, 4),
    TableLimits(8, 7, 8),
)
REFERENCES_S = ((1_000, TWOS, 0.5), (10_000, TWOS, 10.0), (10_000, FOURS, 5.0))
BESIDE = ((70, TWOS), (70, FOURS), (70, EIGHTS), (1_001, TWOS), (1_000, FOURS), (10_000, EIGHTS))


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds for each round after the first, and what the last pairing came to."""

    seconds: list[float]
    last: Quality

    @property
    def median_s(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.seconds)


def measured(count: int, limits: TableLimits, rounds: int) -> Figures:
    """Play an event and return what its pairings took and came to."""
    event = Event(count, 1)
    seconds = []
    for _ in range(rounds):
        entries = event.entries()
        start = time.process_time()
        pairing = pair_tables(
            entries, limits, met=event.met, seed=event.seed, round_number=event.round_number
        )
        seconds.append(time.process_time() - start)
        event.play(pairing)
    return Figures(seconds[1:], pairing.quality)


def line(count: int, limits: TableLimits, found: Figures, unit_s: float) -> str:
    """Return the figures of an event as the beginning of a line of the report."""
    return (
        f"{count:,} entrants, {limits.seats} seats: {found.median_s:.3f} s a round, "
        f"{found.median_s / unit_s:.1f} yardsticks, slowest {max(found.seconds):.3f} s; "
        f"{found.last.repeats} repeats, squares {float(found.last.squares):.0f} "
        f"over a bound of {float(found.last.squares_floor):.0f}"
    )


def main() -> None:
    """Print the figures that have a reference, then others."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(yardstick_line())
    for count, limits, reference_s in REFERENCES_S:
        unit_s = yardstick_ms() / 1000
        found = measured(count, limits, rounds)
        print(
            f"{line(count, limits, found, unit_s)}; "
            f"reference {reference_s} s; ratio {reference_s / found.median_s:.1f}"
        )
    print(yardstick_line())
    for count, limits in BESIDE:
        unit_s = yardstick_ms() / 1000
        print(line(count, limits, measured(count, limits, rounds), unit_s))


if __name__ == "__main__":
    main()
