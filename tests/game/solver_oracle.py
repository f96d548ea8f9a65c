"""A slow and plain answer to what the solver answers fast; run as a script for a long comparison.

It tries every choice of set ranks, run suits, windows, naturals left out of a run for a set, and
naturals used in a set, and counts the cards that find a place.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

from rummy_arena.game import solver
from rummy_arena.game.cards import JOKER_BASE, RANK_OF, RANKS, SUIT_OF, Card, cards_text, natural
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.rulesets.registry import RULE_SETS

RULES = RULE_SETS["kalooki-jamaican"]
MIXED = [contract for contract in RULES.contracts if contract.sets and contract.runs]


def subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return (chosen for size in range(len(items) + 1) for chosen in combinations(items, size))


def room_of(holes: tuple[int, ...]) -> int:
    """Return the most jokers on these positions with no two of them adjacent."""
    return max(
        len(chosen) for chosen in subsets(holes) if all(b - a > 1 for a, b in pairwise(chosen))
    )


def windows(rules: RuleSet, held: set[int]) -> set[tuple[tuple[int, int], ...]]:
    """Return the windows of one suit as (offset, rank) of each natural held in it."""
    found = set()
    for low in range(RANKS + 2 - rules.run_min):
        found.add(
            tuple(
                (offset, (low + offset) % RANKS)
                for offset in range(rules.run_min)
                if (low + offset) % RANKS in held
            )
        )
    return found


def slow_distance(rules: RuleSet, hand: Sequence[Card], contract: Contract) -> int:
    """Return the distance by trying everything."""
    jokers = sum(card >= JOKER_BASE for card in hand)
    held = [{RANK_OF[c] for c in hand if c < JOKER_BASE and SUIT_OF[c] == s} for s in range(4)]
    counts = [sum(c < JOKER_BASE and RANK_OF[c] == r for c in hand) for r in range(RANKS)]
    present = [rank for rank in range(RANKS) if counts[rank]]
    absent = [rank for rank in range(RANKS) if not counts[rank]]
    ranks = present + absent[: contract.sets]
    best = 0
    for suits in combinations(range(4), contract.runs):
        options = [sorted(windows(rules, held[suit]), key=len, reverse=True) for suit in suits]
        for chosen in product(*options):
            naturals = sum(map(len, chosen))
            for set_ranks in combinations(ranks, contract.sets):
                in_sets = sum(min(counts[rank], rules.set_min) for rank in set_ranks)
                if naturals + in_sets + jokers > best:  # else it could not do better
                    best = max(best, _placed(rules, chosen, set_ranks, counts, jokers))
    return contract.sets * rules.set_min + contract.runs * rules.run_min - best


def _placed(
    rules: RuleSet,
    runs: tuple[tuple[tuple[int, int], ...], ...],
    set_ranks: tuple[int, ...],
    counts: list[int],
    jokers: int,
) -> int:
    wanted = [
        (run, offset)
        for run, cards in enumerate(runs)
        for offset, rank in cards
        if rank in set_ranks
    ]
    best = 0
    for left_out in subsets(range(len(wanted))):
        out = {wanted[i] for i in left_out}
        placed = room = 0
        rest = counts.copy()
        for run, cards in enumerate(runs):
            used = [(offset, rank) for offset, rank in cards if (run, offset) not in out]
            for _, rank in used:
                rest[rank] -= 1
            filled = {offset for offset, _ in used}
            placed += len(used)
            room += room_of(tuple(i for i in range(rules.run_min) if i not in filled))
        for sizes in product(*(range(min(rest[r], rules.set_min) + 1) for r in set_ranks)):
            most = rules.set_min - rules.set_min_naturals
            total_room = room + sum(min(rules.set_min - size, most) for size in sizes)
            best = max(best, placed + sum(sizes) + min(jokers, total_room))
    return best


def sample_hand(dice: random.Random, contract: Contract, size: int, packs: int = 2) -> list[Card]:
    """Return a hand that crowds a few ranks and suits, so that sets and runs want its cards."""
    ranks = dice.sample(range(RANKS), dice.randint(4, 8))
    if dice.random() < 0.5:
        low = dice.randrange(RANKS)
        ranks = [(low + i) % RANKS for i in range(dice.randint(4, 7))]
    suits = dice.sample(range(4), max(contract.runs, dice.randint(2, 4)))
    pack = [natural(rank, suit, copy) for rank in ranks for suit in suits for copy in range(packs)]
    pack += [JOKER_BASE + i for i in range(2 * packs) if dice.random() < 0.4]
    return sorted(dice.sample(pack, min(size, len(pack))))


def compare(dice: random.Random, contract: Contract, size: int, rules: RuleSet = RULES) -> int:
    """Check one hand; return its distance."""
    hand = sample_hand(dice, contract, size, rules.packs)
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


def check_helps(
    dice: random.Random, rules: RuleSet, hand: list[Card], contract: Contract, expected: int
) -> None:
    """Check for a few cards whether they bring the hand nearer, and the sieve of such cards."""
    masks = solver.masks(hand)
    plan = solver.plan(rules, masks, contract)
    sieve = solver.useful(rules, masks, contract, tight=plan.tight)
    for card in dice.sample(sorted(set(rules.pack) - set(hand)), 5):
        nearer = solver.distance(rules, solver.with_card(masks, card), contract) < expected
        told = solver.helps(rules, masks, contract, card, expected, plan.tight)
        assert told == nearer, f"{contract.text}: {cards_text(hand)} + {cards_text([card])}"
        assert not nearer or card >= JOKER_BASE or sieve >> (card >> 2) & 1


def check_plan(rules: RuleSet, hand: list[Card], contract: Contract, expected: int) -> None:
    """Check that the cards of the plan alone are as near to the contract as the hand."""
    plan = solver.plan(rules, solver.masks(hand), contract)
    assert plan.distance == expected
    needed = plan.run_cards
    kept = []
    for card in hand:
        bit = 0 if card >= JOKER_BASE else 1 << SUIT_OF[card] * RANKS + RANK_OF[card]
        if card >= JOKER_BASE or needed & bit or plan.set_ranks >> RANK_OF[card] & 1:
            kept.append(card)
        needed &= ~bit
    assert solver.distance(rules, solver.masks(kept), contract) == expected


def main() -> None:
    """Compare on as many hands as the first argument says (10,000), from seed 1."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    dice = random.Random(1)
    seen = [0] * 20
    for number in range(count):
        contract = MIXED[number % 5] if number % 3 else RULES.contracts[number % 9]
        seen[compare(dice, contract, dice.randint(6, contract.hand_size + 7))] += 1
    print(f"{count} hands agree; by distance: {seen}")


if __name__ == "__main__":
    main()
