"""Whole deals a second on one core, in process, bots of a kind at each table, for every rule set.

Run as ``python -m tests.bench.bench_deals [deals]``: so many deals at least in each repeat. Whole
games are played, and replays of void deals counted as deals. Also prints how speed follows the
number of seats, with three packs where a game asks for them.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator

from rummy_arena.bots.drive import drive
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game import series
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import DealEnded
from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set, options_of

from .yardstick import yardstick_line

USUAL_SEATS = 4
REFERENCE_DEALS_S = {False: 1000, True: 600}
"""By whether the opening is by points."""
REPEATS = 5


def play(rules: RuleSet, name: str, seats: int, number: int) -> tuple[int, int]:
    """Play one whole game; return its deals, replays included, and its events."""
    seed = number.to_bytes(32, "big")
    chance = SeededChance(rules, seed)
    game, events = series.new_game(rules, seats, chance)
    bots = dict.fromkeys(range(seats), HOUSE_BOTS[name])
    events += drive(game, chance, bots, seed)
    return sum([type(event) is DealEnded for event in events]), len(events)


def rate(
    rules: RuleSet, name: str, seats: int, least: int, repeats: int = REPEATS
) -> tuple[float, float]:
    """Return deals per second of this core and events per deal, medians over the repeats.

    Each repeat plays games until it has ``least`` deals.
    """
    rates, lengths = [], []
    number = 0
    for _ in range(repeats):
        deals = events = 0
        start = time.process_time()
        while deals < least:
            played, happened = play(rules, name, seats, number)
            deals, events, number = deals + played, events + happened, number + 1
        rates.append(deals / (time.process_time() - start))
        lengths.append(events / deals)
    return statistics.median(rates), statistics.median(lengths)


def tables_of(rules: RuleSet) -> Iterator[tuple[RuleSet, int]]:
    """Return each number of seats of a game, under the rules that allow it."""
    for seats in range(rules.min_seats, rules.max_seats + 1):
        yield rules, seats
    if any(option.name == "packs" for option in options_of(rules.id)):
        crowded = get_rule_set(rules.id, {"packs": "3"})
        for seats in range(rules.max_seats + 1, crowded.max_seats + 1):
            yield crowded, seats


def main() -> None:
    """Print speeds at the usual seats, then how they grow."""
    least = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    print(yardstick_line())
    for rules in RULE_SETS.values():
        play(rules, "greedy", USUAL_SEATS, 0)  # tables are built outside the measurement
        found, length = rate(rules, "greedy", USUAL_SEATS, least)
        reference = REFERENCE_DEALS_S[rules.contracts[0].points > 0]
        print(
            f"{rules.id}: {found:.0f} deals/s with four greedy bots, median of {REPEATS}, "
            f"{length:.0f} events a deal; reference {reference}; ratio {found / reference:.2f}"
        )
    print(yardstick_line())
    for rules in RULE_SETS.values():
        found, _ = rate(rules, "careful", USUAL_SEATS, least // 2, repeats=3)
        print(f"{rules.id}: {found:.0f} deals/s with four careful bots, median of 3")
    for rules in RULE_SETS.values():
        row = []
        for table, seats in tables_of(rules):
            found, length = rate(table, "greedy", seats, least // 2, repeats=3)
            row.append(f"{seats}: {found:.0f} ({1e6 / found / length:.0f})")
        print(f"{rules.id}, greedy deals/s by seats (us an event): {', '.join(row)}")


if __name__ == "__main__":
    main()
