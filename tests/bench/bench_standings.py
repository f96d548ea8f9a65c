"""Processor time for the standings of a scored event: 10,000 entrants, 9 rounds, all tie-breaks.

Run as ``python -m tests.bench.bench_standings [runs]``. Tables are drawn by lot and end by chance;
"coarse" ones have few different totals, so that every tie-break has many to tell apart. Each figure
is the median of the runs, with the results as they come from the store: lines, values and lots.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Sequence

from rummy_arena.tournament.event import Event, Terms
from rummy_arena.tournament.field import entrants
from rummy_arena.tournament.results import SeatResult, TableResult
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.scores import ranked
from rummy_arena.tournament.tables import TableLimits
from rummy_arena.tournament.tiebreaks import EVENT, HOUSE, rows_of

from .yardstick import yardstick_line, yardstick_ms

RUNS = 7
ENTRANTS, ROUNDS, SEATS, DEALS = 10_000, 9, 4, 9
REFERENCE_S = 0.5
ALL = tuple(row.id for row in rows_of(EVENT))
SWISS = ("placement", "direct-encounter", "buchholz-cut", "buchholz", "sonneborn-berger", "lot")
LARGEST_GROWTH = 16_384


def event_of(count: int, seats: int, rounds: int, chain: Sequence[str], *, coarse: bool) -> Event:
    """Return an event that was played by chance, always the same one."""
    dice = random.Random(f"{count}/{seats}/{rounds}/{coarse}")
    played = []
    for number in range(1, rounds + 1):
        line = dice.sample(range(1, count + 1), count)
        whole = count - count % seats
        tables = tuple(tuple(line[at : at + seats]) for at in range(0, whole, seats))
        results = [_result(dice, at, table, coarse) for at, table in enumerate(tables, start=1)]
        played.append(Round(number, tables, tuple(line[whole:])).played(results))
    terms = Terms(TableLimits(seats, 2, 8), {}, tuple(chain))
    return Event(terms, entrants(count), tuple(played), b"seed")


def _result(dice: random.Random, number: int, table: tuple[int, ...], coarse: bool) -> TableResult:
    most = 1 if coarse else 60
    deals = [[dice.randint(0, most) for _ in range(DEALS)] for _ in table]
    totals = [min(sum(points), 3) if coarse else sum(points) for points in deals]
    won = [dice.randrange(len(table)) for _ in range(DEALS)]
    return TableResult(
        number,
        tuple(
            SeatResult(
                entrant=entrant,
                total=totals[seat],
                place=1 + sum(other < totals[seat] for other in totals),
                deals_won=won.count(seat),
                down_and_outs=dice.randrange(2),
                calls=dice.randrange(9),
                deal_points=tuple(deals[seat]),
            )
            for seat, entrant in enumerate(table)
        ),
    )


def seconds(event: Event, runs: int) -> float:
    """Return the median processor time of standings and lots."""
    found = []
    for _ in range(runs):
        start = time.process_time()
        ranked(event)
        found.append(time.process_time() - start)
    return statistics.median(found)


def main() -> None:
    """Print the figure that has a reference, then others, and the growth with the field."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    print(yardstick_line())
    for coarse in (False, True):
        for name, chain in (("all tie-breaks", ALL), ("the house's", HOUSE), ("Swiss", SWISS)):
            event = event_of(ENTRANTS, SEATS, ROUNDS, chain, coarse=coarse)
            unit_s = yardstick_ms() / 1000
            took_s = seconds(event, runs)
            print(
                f"{ENTRANTS:,} entrants, {ROUNDS} rounds, {SEATS} seats, "
                f"{'coarse' if coarse else 'fine'} totals, {name}: {took_s:.3f} s, "
                f"{took_s / unit_s:.1f} yardsticks; "
                f"reference {REFERENCE_S} s; ratio {REFERENCE_S / took_s:.1f}",
                flush=True,
            )
    print("growth, all tie-breaks, microseconds an entrant:")
    count = 64
    while count <= LARGEST_GROWTH:
        took_s = seconds(event_of(count, SEATS, ROUNDS, ALL, coarse=False), runs)
        print(f"  {count:,} entrants: {took_s / count * 1e6:.1f}", flush=True)
        count *= 4
    for seats in (2, 8):
        took_s = seconds(event_of(ENTRANTS, seats, ROUNDS, ALL, coarse=False), runs)
        print(f"{ENTRANTS:,} entrants at {seats} seats, all tie-breaks: {took_s:.3f} s", flush=True)
    print(yardstick_line())


if __name__ == "__main__":
    main()
