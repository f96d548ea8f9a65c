"""Solver: microseconds a question, by rule set, contract and size of hand.

Half of the hands are random, half are a contract with a few cards exchanged. Building is timed on
what seats that have opened see while bots play. Run as ``python -m tests.bench.bench_solver``.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from rummy_arena.bots.bot import Bot, Dice
from rummy_arena.bots.drive import drive
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game import series, solver
from rummy_arena.game.actions import Action
from rummy_arena.game.cards import JOKER_BASE, RANK_OF, RANKS, Card, natural
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.game.solver.best_building import best_building
from rummy_arena.game.solver.laydowns import find_opening
from rummy_arena.game.state import Phase
from rummy_arena.game.view import View
from rummy_arena.rulesets.registry import RULE_SETS

from .yardstick import yardstick_line

REFERENCE_US = {"contains": 1.0, "distance": 3.0}
"""Means over the nine contracts of the first rule set, of a plain-Python prototype."""
HANDS_PER_CONTRACT = 400
REPEATS = 7
SIZES = (9, 12, 16, 20, 30, 40)
VIEWS = 1500

Question = Callable[[RuleSet, Any, Contract], object]
QUESTIONS: dict[str, Question] = {
    "contains": solver.contains,
    "distance": solver.distance,
    "opening": find_opening,
}


def near_complete(dice: random.Random, rules: RuleSet, contract: Contract) -> list[Card]:
    """Return a hand with the contract after up to four of its cards were exchanged for others."""
    free = set(rules.pack)
    hand: list[Card] = []
    for suit in dice.sample(range(4), contract.runs):
        low = dice.randrange(RANKS + 2 - rules.run_min)
        hand += [
            natural((low + offset) % RANKS, suit, dice.randrange(2))
            for offset in range(rules.run_min)
        ]
    free -= set(hand)
    for rank in dice.sample(range(RANKS), contract.sets):
        rank_cards = [card for card in sorted(free) if card < JOKER_BASE and RANK_OF[card] == rank]
        hand += dice.sample(rank_cards, rules.set_min)
    dice.shuffle(hand)
    hand = hand[dice.randrange(5) :]
    others = sorted(set(rules.pack) - set(hand))
    return hand + dice.sample(others, contract.cards_each(4) + 1 - len(hand))


def hands(rules: RuleSet, contract: Contract) -> list[tuple[Card, ...]]:
    """Return the hands of one contract, of as many cards as a seat holds after its draw."""
    dice = random.Random(contract.text)
    size = contract.cards_each(4) + 1
    found = []
    for _ in range(HANDS_PER_CONTRACT // 2):
        found.append(tuple(sorted(dice.sample(rules.pack, size))))
        found.append(tuple(sorted(near_complete(dice, rules, contract))))
    return found


def measure_us(
    question: Question, rules: RuleSet, contract: Contract, asked: Sequence[Any]
) -> float:
    """Return the median over the repeats of the mean time of one question."""
    runs = []
    for _ in range(REPEATS):
        start = time.process_time()
        for each in asked:
            question(rules, each, contract)
        runs.append((time.process_time() - start) / len(asked) * 1e6)
    return statistics.median(runs)


def times_us(rules: RuleSet, contract: Contract, dealt: list[tuple[Card, ...]]) -> dict[str, float]:
    """Return the microseconds of each question; openings are asked of hands that hold one."""
    held = [solver.masks(hand) for hand in dealt]
    opening = [hand for hand in dealt if solver.contains(rules, solver.masks(hand), contract)]
    return {
        name: measure_us(
            question, rules, contract, (opening or dealt) if name == "opening" else held
        )
        for name, question in QUESTIONS.items()
    }


class Watcher:
    """Plays as another bot and keeps what it saw after it had opened."""

    name = "watcher"

    def __init__(self, bot: Bot, views: list[View]) -> None:
        self.bot = bot
        self.views = views

    def choose(self, view: View, dice: Dice) -> Action:
        """Return what the other bot chooses."""
        if view.phase is Phase.PLAY and view.opened_turn[view.seat]:
            self.views.append(view)
        return self.bot.choose(view, dice)


def opened_views(rules: RuleSet) -> list[View]:
    """Return what seats that have opened see in games of four greedy bots."""
    views: list[View] = []
    watcher = Watcher(HOUSE_BOTS["greedy"], views)
    number = 0
    while len(views) < VIEWS:
        seed = number.to_bytes(32, "big")
        chance = SeededChance(rules, seed)
        game, _ = series.new_game(rules, 4, chance)
        drive(game, chance, dict.fromkeys(range(4), watcher), seed)
        number += 1
    return views


def by_rule_set(rules: RuleSet) -> dict[str, float]:
    """Print each contract's times, and building; return the means over the contracts."""
    print(f"{rules.id}:")
    times = [times_us(rules, contract, hands(rules, contract)) for contract in rules.contracts]
    for contract, found in zip(rules.contracts, times, strict=True):
        row = "  ".join(f"{name} {figure:6.2f} us" for name, figure in found.items())
        print(f"  {contract.text:17} {row}")
    views = opened_views(rules)
    taken = sorted([min([timed_us(view) for _ in range(3)]) for view in views])
    mean, late = statistics.mean(taken), taken[len(taken) * 99 // 100]
    print(f"  building          {mean:6.2f} us, one in a hundred {late:.0f} us or more")
    return {name: statistics.mean([found[name] for found in times]) for name in times[0]}


def timed_us(view: View) -> float:
    """Return the time of one building."""
    start = time.perf_counter()
    best_building(view.rules, view.seat, view.hand, view.melds, view.progress, view.kinds)
    return (time.perf_counter() - start) * 1e6


def growth(rules: RuleSet) -> None:
    """Print how the questions grow with the hand, for the contract of most melds of both kinds."""
    contract = max(rules.contracts, key=lambda c: (min(c.sets, c.runs), c.points, c.sets + c.runs))
    dice = random.Random(rules.id)
    by_size = {
        size: times_us(
            rules, contract, [tuple(sorted(dice.sample(rules.pack, size))) for _ in range(60)]
        )
        for size in SIZES
    }
    for name in QUESTIONS:
        row = ", ".join(f"{size}: {times[name]:.1f}" for size, times in by_size.items())
        print(f"  {contract.text}, {name} us by cards: {row}")


def main() -> None:
    """Print the times of every rule set, those of the first beside their references."""
    print(yardstick_line())
    for number, rules in enumerate(RULE_SETS.values()):
        means = by_rule_set(rules)
        growth(rules)
        for name, reference in REFERENCE_US.items() if not number else ():
            print(
                f"{name}: {means[name]:.2f} us, mean of nine contracts (medians of {REPEATS}); "
                f"reference {reference:.0f} us; ratio {reference / means[name]:.2f}"
            )
    print(yardstick_line())


if __name__ == "__main__":
    main()
