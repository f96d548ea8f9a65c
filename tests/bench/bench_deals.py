"""Whole deals a second on one core, in process, four bots of a kind at each table.

Run as ``python -m tests.bench.bench_deals [games]``. Also prints how the deals end, how long they
take, and how ``careful`` does against ``greedy`` over the same deals with seats exchanged.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence

from rummy_arena.bots.drive import drive
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game import series
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import DealEnd, DealEnded, Discarded, Event, TurnEnded
from rummy_arena.game.state import Game
from rummy_arena.rulesets.registry import RULE_SETS

from .yardstick import yardstick_line

RULES = RULE_SETS["kalooki-jamaican"]
REFERENCE_DEALS_S = 1000
SEATS = 4
REPEATS = 5


def play(names: Sequence[str], number: int) -> tuple[Game, list[Event]]:
    """Play one whole game of nine contracts; ``number`` is its seed."""
    seed = number.to_bytes(32, "big")
    chance = SeededChance(RULES, seed)
    game, events = series.new_game(RULES, len(names), chance)
    bots = {seat: HOUSE_BOTS[name] for seat, name in enumerate(names)}
    events += drive(game, chance, bots, seed, position=len(events) + 1)
    return game, events


def deals_per_s(name: str, games: int) -> float:
    """Return the median over the repeats of deals (replays included) per second of this core."""
    rates = []
    for repeat in range(REPEATS):
        start = time.process_time()
        deals = sum(deals_of(name, repeat * games + number) for number in range(games))
        rates.append(deals / (time.process_time() - start))
    return statistics.median(rates)


def deals_of(name: str, number: int) -> int:
    """Play a game of four bots of a kind; return its deals, replays included."""
    return sum(type(event) is DealEnded for event in play([name] * SEATS, number)[1])


def print_endings(name: str, games: int) -> None:
    """Print how deals end with four bots of a kind."""
    ends: Counter[DealEnd] = Counter()
    turns = doubled = 0
    for number in range(games):
        for event in play([name] * SEATS, number)[1]:
            if isinstance(event, DealEnded):
                ends[event.end] += 1
                doubled += event.doubled
            turns += isinstance(event, Discarded | TurnEnded)
    deals = ends.total()
    shares = ", ".join(f"{end.name.lower()} {ends[end] / deals:.2%}" for end in DealEnd)
    print(
        f"{name}: {deals} deals end by {shares}; {turns / deals:.1f} turns a deal; "
        f"{doubled / deals:.0%} doubled"
    )


def print_duel(first: str, second: str, games: int) -> None:
    """Print mean totals of two bots, two seats each, every deck played both ways round."""
    totals: dict[str, list[int]] = {first: [], second: []}
    for number in range(games):
        for names in ([first, second] * 2, [second, first] * 2):
            game, _ = play(names, number)
            for name, total in zip(names, game.totals, strict=True):
                totals[name].append(total)
    means = {name: statistics.mean(points) for name, points in totals.items()}
    ahead = [
        sum(totals[second][at : at + 4]) < sum(totals[first][at : at + 4])
        for at in range(0, len(totals[first]), 4)
    ]
    print(
        f"{second} against {first}, {games} decks both ways: mean penalty of a game "
        f"{means[second]:.0f} against {means[first]:.0f}; better on {statistics.mean(ahead):.0%} "
        "of the decks"
    )


def main() -> None:
    """Print speed, endings and the duel."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    play(["greedy"] * SEATS, 0)  # tables are built outside the measurement
    print(yardstick_line())
    for name in ("greedy", "careful"):
        rate = deals_per_s(name, games if name == "greedy" else max(games // 4, 1))
        print(
            f"four {name} bots: {rate:.0f} deals/s, median of {REPEATS}; reference "
            f"{REFERENCE_DEALS_S}; ratio {rate / REFERENCE_DEALS_S:.2f}"
        )
    print(yardstick_line())
    for name in ("greedy", "careful"):
        print_endings(name, 5 * games)
    print_duel("greedy", "careful", 3 * games)


if __name__ == "__main__":
    main()
