"""Solver: microseconds for ``contains`` and ``distance`` over the nine contracts.

Half of the hands are random, half are a contract with a few cards exchanged. Run as
``python -m tests.bench.bench_solver``.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from rummy_arena.game import solver
from rummy_arena.game.cards import JOKER_BASE, RANK_OF, RANKS, Card, natural
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.rulesets.registry import RULE_SETS

from .yardstick import yardstick_line

REFERENCE_US = {"contains": 1.0, "distance": 3.0}
HANDS_PER_CONTRACT = 400
REPEATS = 7

Question = Callable[[RuleSet, solver.Masks, Contract], object]


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
    return hand + dice.sample(others, contract.hand_size + 1 - len(hand))


def hands(rules: RuleSet, contract: Contract) -> list[solver.Masks]:
    """Return the hands of one contract, of as many cards as a seat holds after its draw."""
    dice = random.Random(contract.text)
    found = []
    for _ in range(HANDS_PER_CONTRACT // 2):
        found.append(solver.masks(dice.sample(rules.pack, contract.hand_size + 1)))
        found.append(solver.masks(near_complete(dice, rules, contract)))
    return found


def measure_us(
    question: Question, rules: RuleSet, contract: Contract, held: list[solver.Masks]
) -> float:
    """Return the median over the repeats of the mean time of one question."""
    runs = []
    for _ in range(REPEATS):
        start = time.process_time()
        for hand in held:
            question(rules, hand, contract)
        runs.append((time.process_time() - start) / len(held) * 1e6)
    return statistics.median(runs)


def main() -> None:
    """Print each contract's times, then the means beside their references."""
    rules = RULE_SETS["kalooki-jamaican"]
    print(yardstick_line())
    questions: dict[str, Question] = {"contains": solver.contains, "distance": solver.distance}
    times: dict[str, list[float]] = {name: [] for name in questions}
    for contract in rules.contracts:
        held = hands(rules, contract)
        for name, question in questions.items():
            times[name].append(measure_us(question, rules, contract, held))
        row = "  ".join(f"{name} {times[name][-1]:5.2f} us" for name in questions)
        print(f"{contract.text:17} {row}")
    for name, figures in times.items():
        mean, reference = statistics.mean(figures), REFERENCE_US[name]
        print(
            f"{name}: {mean:.2f} us, mean of nine contracts (medians of {REPEATS}); "
            f"reference {reference:.0f} us; ratio {reference / mean:.2f}"
        )


if __name__ == "__main__":
    main()
