"""A slow and plain distance where own melds may be alike (C-1); run as a script to compare more.

It tries every choice of ranks for the sets and of windows for the runs, and every way to give the
jokers to the melds, and counts by the theorem of the smallest cut how many naturals find a place.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations, combinations_with_replacement, product
from typing import NamedTuple

from rummy_arena.game import solver
from rummy_arena.game.cards import JOKER_BASE, RANKS, Card, cards_text, natural
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.rulesets.registry import RULE_SETS

from .solver_oracle import check_helps

CARIOCA = RULE_SETS["carioca-argentine"]


class Slot(NamedTuple):
    """A meld to be made: its length, and how many naturals of a kind (card id >> 2) it takes."""

    length: int
    takes: dict[int, int]


def slow_distance(rules: RuleSet, hand: Sequence[Card], contract: Contract) -> int:
    """Return the distance by trying everything."""
    jokers = sum(card >= JOKER_BASE for card in hand)
    counts = Counter(card >> 2 for card in hand if card < JOKER_BASE)
    best = 0
    sets = list(combinations_with_replacement(_sets(rules, counts), contract.sets))
    for runs in combinations_with_replacement(_runs(rules, counts), contract.runs):
        for chosen in sets:
            melds = (*chosen, *runs)
            if sum([_held(meld, counts) for meld in melds]) + jokers > best:
                best = max(best, _placed(rules, melds, counts, jokers))
    return contract.sets * rules.set_min + contract.runs * rules.run_min - best


def _sets(rules: RuleSet, counts: Counter[int]) -> list[Slot]:
    ranks = [[suit * RANKS + rank for suit in range(4)] for rank in range(RANKS)]
    held = [[kind for kind in kinds if counts[kind]] for kinds in ranks]
    takes = [dict.fromkeys(kinds, rules.set_min) for kinds in held if kinds]
    return [Slot(rules.set_min, taken) for taken in ({}, *takes)]


def _runs(rules: RuleSet, counts: Counter[int]) -> list[Slot]:
    found = [Slot(rules.run_min, {})]
    for suit in range(4):
        for low in range(0 if rules.ace_low else 1, RANKS + 2 - rules.run_min):
            kinds = [suit * RANKS + (low + at) % RANKS for at in range(rules.run_min)]
            slot = Slot(rules.run_min, dict.fromkeys([kind for kind in kinds if counts[kind]], 1))
            if slot not in found:
                found.append(slot)
    return found


def _held(slot: Slot, counts: Counter[int]) -> int:
    return min(slot.length, sum([min(counts[kind], most) for kind, most in slot.takes.items()]))


def _placed(rules: RuleSet, melds: tuple[Slot, ...], counts: Counter[int], jokers: int) -> int:
    """Return how many cards have a place in these melds."""
    best = 0
    limits = [min(rules.opening_jokers, slot.length - 1) for slot in melds]
    for given in product(*[range(limit + 1) for limit in limits]):
        if sum(given) <= jokers:
            room = [slot.length - own for slot, own in zip(melds, given, strict=True)]
            best = max(best, sum(given) + _most_naturals(melds, room, counts))
    return best


def _most_naturals(melds: tuple[Slot, ...], room: list[int], counts: Counter[int]) -> int:
    """Return how many naturals fit: the smallest cut between the cards and the melds."""
    numbers = range(len(melds))
    subsets = chain.from_iterable(combinations(numbers, size) for size in range(len(melds) + 1))
    least = 100
    for full in subsets:
        cut = sum([room[number] for number in full])
        others = [melds[number] for number in numbers if number not in full]
        for kind, count in counts.items():
            cut += min(count, sum([slot.takes.get(kind, 0) for slot in others]))
        least = min(least, cut)
    return least


def sample_hand(dice: random.Random, size: int) -> list[Card]:
    """Return a hand that crowds a few ranks and suits, so that melds want the same cards."""
    ranks = dice.sample(range(RANKS), dice.randint(3, 8))
    if dice.random() < 0.6:
        low = dice.randrange(RANKS)
        ranks = [(low + i) % RANKS for i in range(dice.randint(3, 8))]
    suits = dice.sample(range(4), dice.randint(1, 4))
    pack = [natural(rank, suit, copy) for rank in ranks for suit in suits for copy in range(2)]
    jokers = dice.choice([0, 0, 1, 2, 3, 4])
    size = min(size, len(pack) + jokers)
    hand = [JOKER_BASE + i for i in range(jokers)][:size]
    return sorted(hand + dice.sample(pack, size - len(hand)))


def compare(dice: random.Random, rules: RuleSet, contract: Contract, size: int) -> int:
    """Check one hand; return its distance."""
    hand = sample_hand(dice, size)
    expected = slow_distance(rules, hand, contract)
    masks = solver.masks(hand)
    found = solver.distance(rules, masks, contract)
    assert found == expected, f"{contract.text}: {cards_text(hand)}: {found}, not {expected}"
    for cards in range(4):
        assert solver.within(rules, masks, contract, cards) == (expected <= cards)
    assert solver.contains(rules, masks, contract) == (expected == 0)
    check_plan(rules, hand, contract, expected)
    check_helps(dice, rules, hand, contract, expected)
    return expected


def check_plan(rules: RuleSet, hand: list[Card], contract: Contract, expected: int) -> None:
    """Check that the cards of the plan alone are as near to the contract as the hand."""
    plan = solver.plan(rules, solver.masks(hand), contract)
    assert plan.distance == expected
    once, twice = plan.run_cards & solver.EVERY_NATURAL, plan.run_cards >> 4 * RANKS
    kept = []
    for card in hand:
        bit = 0 if card >= JOKER_BASE else 1 << (card >> 2)
        if card >= JOKER_BASE or once & bit or plan.set_ranks >> (card >> 2) % RANKS & 1:
            kept.append(card)
        once, twice = once & ~bit | twice & bit, twice & ~bit
    assert solver.distance(rules, solver.masks(kept), contract) == expected, cards_text(hand)


def main() -> None:
    """Compare on as many hands as the first argument says (2,000), from seed 1."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    dice = random.Random(1)
    seen = [0] * 20
    for number in range(count):
        contract = CARIOCA.contracts[number % 7]
        seen[compare(dice, CARIOCA, contract, dice.randint(3, 16))] += 1
    print(f"{count} hands agree; by distance: {seen}")


if __name__ == "__main__":
    main()
