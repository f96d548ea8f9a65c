"""Every way to lay down cards of a small hand, by brute force: what the searches are checked by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from rummy_arena.game.cards import JOKER_BASE, RANK_OF, RANKS, SUIT_OF, Card
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind, meld_points, place
from rummy_arena.game.rules import Contract, RuleSet

SET, RUN = MeldKind.SET, MeldKind.RUN


def readings(rules: RuleSet, cards: Sequence[Card]) -> list[Meld]:
    """Return every legal meld of exactly these cards, a run for each place where it may lie."""
    found = [Meld(SET, tuple(cards))]
    naturals = [card for card in cards if card < JOKER_BASE]
    jokers = [card for card in cards if card >= JOKER_BASE]
    for low in range(HIGH_ACE + 1):
        if low + len(cards) - 1 > HIGH_ACE or not naturals:
            continue
        at = {}
        for card in naturals:
            places = [p for p in (RANK_OF[card], RANK_OF[card] + RANKS) if p >= low]
            free = [p - low for p in places if p - low < len(cards) and p - low not in at]
            if free:
                at[free[0]] = card
        if len(at) == len(naturals):
            rest = iter(jokers)
            found.append(
                Meld(RUN, tuple([at[i] if i in at else next(rest) for i in range(len(cards))]))
            )
    return [meld for meld in found if _legal(rules, meld)]


def _legal(rules: RuleSet, meld: Meld) -> bool:
    try:
        place(rules, 0, meld)
    except RuleViolation:
        return False
    return True


def all_melds(rules: RuleSet, hand: Sequence[Card], longest: int = 99) -> dict[int, list[Meld]]:
    """Return the legal melds of a hand, by the mask of the places in the hand that they use."""
    found = {}
    least = min(rules.set_min, rules.run_min)
    for size in range(least, min(len(hand), longest) + 1):
        for chosen in combinations(range(len(hand)), size):
            melds = readings(rules, [hand[at] for at in chosen])
            if melds:
                found[sum(1 << at for at in chosen)] = melds
    return found


def best_contract(
    rules: RuleSet, hand: Sequence[Card], contract: Contract, must: Card | None = None
) -> int | None:
    """Return the most penalty that an opening sheds, or None if there is none."""
    longest = max(rules.set_min, rules.run_min) if rules.opening_exact else len(hand)
    melds = [(mask, meld) for mask, own in all_melds(rules, hand, longest).items() for meld in own]
    if rules.opening_exact:
        least = {SET: rules.set_min, RUN: rules.run_min}
        melds = [(mask, meld) for mask, meld in melds if len(meld.cards) == least[meld.kind]]
    jokers = rules.opening_jokers
    melds = [m for m in melds if sum(card >= JOKER_BASE for card in m[1].cards) <= jokers]
    best = None
    for mask in _contracts(rules, melds, contract.sets, contract.runs):
        cards = [card for at, card in enumerate(hand) if mask >> at & 1]
        if (must is None or must in cards) and len(cards) < len(hand) + (not rules.final_discard):
            shed = rules.hand_points(cards)
            best = shed if best is None else max(best, shed)
    return best


def _contracts(
    rules: RuleSet, melds: list[tuple[int, Meld]], sets: int, runs: int
) -> Iterator[int]:
    """Yield the cards of each choice of disjoint melds that makes the contract."""
    states: set[tuple[int, int, int, frozenset[tuple[int, int]]]] = {(0, 0, 0, frozenset())}
    for mask, meld in melds:
        key = meld.kind, place(rules, 0, meld).low if meld.kind is SET else _suit(meld)
        more = set()
        for used, s, r, keys in states:
            if used & mask or (rules.own_melds_differ and key in keys):
                continue
            s2, r2 = (s + 1, r) if meld.kind is SET else (s, r + 1)
            if s2 <= sets and r2 <= runs:
                kept = keys | {key} if rules.own_melds_differ else keys
                more.add((used | mask, s2, r2, kept))
        states |= more
    yield from (used for used, s, r, _ in states if (s, r) == (sets, runs))


def _suit(meld: Meld) -> int:
    return SUIT_OF[next(card for card in meld.cards if card < JOKER_BASE)]


def best_points(
    rules: RuleSet, hand: Sequence[Card], threshold: int, must: Card | None = None
) -> tuple[int, int | None]:
    """Return the most points of melds, and the most penalty shed by melds that reach a threshold.

    Both keep a card for the discard where the rules need one; None if the threshold is not reached.
    """
    melds = {
        mask: max(meld_points(rules, place(rules, 0, meld)) for meld in own)
        for mask, own in all_melds(rules, hand).items()
    }

    @cache
    def points(mask: int) -> int:
        """Return the most points of melds that use up these cards exactly, or less than 0."""
        if not mask:
            return 0
        low = mask & -mask
        return max(
            (melds[m] + points(mask & ~m) for m in melds if m & low and m & mask == m),
            default=-(10**6),
        )

    most, best = 0, None
    for mask in range(1 << len(hand)):
        cards = [card for at, card in enumerate(hand) if mask >> at & 1]
        if len(cards) == len(hand) and rules.final_discard:
            continue
        reached = points(mask)
        if must is None or must in cards:
            most = max(most, reached)
            if reached >= threshold:
                best = max(best or 0, rules.hand_points(cards))
    return most, best
