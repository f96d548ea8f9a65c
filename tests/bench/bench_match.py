"""Which house bot is better in each rule set, and how its deals end: the tables of bots/README.md.

Run as ``python -m tests.bench.bench_match [pairs]``; seeds are fixed, so that a table is printed
alike each time. ``careful`` plays ``greedy`` over so many pairs of single deals, and ``greedy``
plays ``random`` over a tenth of them; endings are counted over whole games of one kind of bot.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from rummy_arena.bots.drive import drive
from rummy_arena.bots.match import Terms, play_match, verdict
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game import series
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import DealEnd, DealEnded
from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.registry import RULE_SETS

from .bench_deals import USUAL_SEATS, tables_of

PAIRS = 300
SEED = 1


def print_duels(pairs: int) -> None:
    """Print who is better in each rule set, and by how much."""
    print("| rule set | bots | pairs | points a deal | difference (99 %) | deals won | better |")
    print("|---|---|---|---|---|---|---|")
    for rules in RULE_SETS.values():
        for better, worse, number in (
            ("careful", "greedy", pairs),
            ("greedy", "random", max(pairs // 10, 20)),
        ):
            terms = Terms(rules, USUAL_SEATS, number, seed=SEED)
            record = play_match(terms, HOUSE_BOTS[better], HOUSE_BOTS[worse])
            shown = verdict(record)
            print(
                f"| `{rules.id}` | `{better}`, `{worse}` | {number} | "
                f"{record.mean_penalty(0):.1f}, {record.mean_penalty(1):.1f} | "
                f"{record.mean:+.2f} ± {record.margin:.2f} | "
                f"{record.deals_won[0]}, {record.deals_won[1]} | "
                f"{'not shown' if shown is None else (better, worse)[shown]} |",
                flush=True,
            )


def endings(rules: RuleSet, name: str, seats: int, least: int) -> Counter[DealEnd]:
    """Return how deals of whole games end, ``least`` deals or more, replays included."""
    ends: Counter[DealEnd] = Counter()
    number = 0
    while ends.total() < least:
        seed = number.to_bytes(32, "big")
        chance = SeededChance(rules, seed)
        game, events = series.new_game(rules, seats, chance)
        bots = dict.fromkeys(range(seats), HOUSE_BOTS[name])
        events += drive(game, chance, bots, seed)
        ends.update([event.end for event in events if isinstance(event, DealEnded)])
        number += 1
    return ends


def print_endings(least: int) -> None:
    """Print the share of deals that end out, void and at the cap, by bot and seats."""
    print("| rule set | seats | greedy | careful | random |")
    print("|---|---|---|---|---|")
    for rules in RULE_SETS.values():
        for table, seats in tables_of(rules):
            cells = []
            for name, deals in (("greedy", least), ("careful", least // 2), ("random", least // 4)):
                ends = endings(table, name, seats, deals)
                shares = [f"{100 * ends[end] / ends.total():.3g}" for end in DealEnd]
                cells.append(" / ".join(shares))
            options = "".join([f" {option}={value}" for option, value in table.options])
            print(f"| `{table.id}`{options} | {seats} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print both tables."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    start = time.process_time()
    print(f"{USUAL_SEATS} seats, seed {SEED}")
    print_duels(pairs)
    print("\nshares of deals that end by going out / void / at the cap, in %")
    print_endings(min(pairs // 2, 400))
    print(f"took {time.process_time() - start:.0f} s of this core")


if __name__ == "__main__":
    main()
