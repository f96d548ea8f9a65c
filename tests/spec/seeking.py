"""What the seeker sees in a hand: openings and melds by brute force, and how far it is from one.

It shares no code with the solver, so that neither proves itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice, pairwise

from rummy_arena.game.cards import RANK_OF, RANKS, SUIT_OF, Card, is_joker
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind, lowest, meld_points, place
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Deal

Used = frozenset[tuple[MeldKind, int]]
"""Ranks of sets and suits of runs that an opening has already."""
_TRIED = 400
"""Choices of melds that a point opening tries at most."""


def far(deal: Deal, hand: Sequence[Card]) -> int:
    """Return about how many cards the hand lacks for the contract: best runs first, then sets."""
    rules, contract = deal.rules, deal.contract
    if contract.points:
        return 0
    naturals = [card for card in hand if not is_joker(card)]
    windows: list[tuple[int, list[Card]]] = []
    if contract.runs:
        suits = [tuple(card for card in naturals if SUIT_OF[card] == suit) for suit in range(4)]
        bounds = lowest(rules), rules.run_min
        windows = sorted(_nearest(*bounds, suit) for suit in suits)[: contract.runs]
    spent = {card for _, cards in windows for card in cards}
    counts = [0] * RANKS
    for card in naturals:
        counts[RANK_OF[card]] += card not in spent
    lacks = sorted(max(rules.set_min - count, 0) for count in counts)[: contract.sets]
    lacking = sum(lacks) + sum(missing for missing, _ in windows)
    return max(lacking - (len(hand) - len(naturals)), 0)


@lru_cache(100_000)  # from one discard that is thought of to the next three suits stay the same
def _nearest(least: int, run_min: int, suit: tuple[Card, ...]) -> tuple[int, list[Card]]:
    """Return how many cards the best run of a suit's cards lacks, and those that it has."""
    held = {RANK_OF[card]: card for card in suit}
    found = []
    for low in range(least, HIGH_ACE - run_min + 2):
        ranks = [place % RANKS for place in range(low, low + run_min)]
        cards = [held[rank] for rank in ranks if rank in held]
        found.append((run_min - len(cards), cards))
    return min(found)


def partners(rules: RuleSet, hand: Sequence[Card], card: Card) -> int:
    """Return how well the other cards of the hand go with this one."""
    score = 0
    for other in hand:
        if other == card or is_joker(other):
            continue
        if RANK_OF[other] == RANK_OF[card]:
            score += 0 if rules.set_suits_differ and SUIT_OF[other] == SUIT_OF[card] else 2
        elif SUIT_OF[other] == SUIT_OF[card]:
            apart = abs(RANK_OF[other] - RANK_OF[card])
            if RANK_OF[card] == 0 or RANK_OF[other] == 0:
                apart = min(apart, RANKS - apart)
            score += max(3 - apart, 0)
    return score


def melds_of(rules: RuleSet, hand: Sequence[Card], *, longer: int = 0) -> list[Meld]:
    """Return the melds of least length in the hand, or ``longer`` by so many cards at most."""
    found: list[Meld] = []
    naturals = [card for card in hand if not is_joker(card)]
    for more in range(longer, -1, -1):
        for rank in sorted({RANK_OF[card] for card in naturals}):
            found += _sets(rules, hand, rank, rules.set_min + more)
        for suit in sorted({SUIT_OF[card] for card in naturals}):
            found += _runs(rules, hand, suit, rules.run_min + more)
    return found


def contract_openings(deal: Deal, hand: Sequence[Card]) -> Iterator[tuple[Meld, ...]]:
    """Yield choices of the contract's sets and runs, each of least length."""
    if far(deal, hand) == 0:
        contract = deal.contract
        found = _choices(deal.rules, hand, contract.sets, contract.runs, frozenset())
        yield from islice(found, _TRIED)


def _choices(
    rules: RuleSet, hand: Sequence[Card], sets: int, runs: int, used: Used
) -> Iterator[tuple[Meld, ...]]:
    if not sets and not runs:
        yield ()
        return
    kind, ways = (MeldKind.RUN, 4) if runs else (MeldKind.SET, RANKS)
    for way in range(ways):
        if (kind, way) in used:
            continue
        # Suits and ranks rise: the order of melds in an opening means nothing.
        later = used | {(kind, before) for before in range(way + bool(rules.own_melds_differ))}
        found = (
            _runs(rules, hand, way, rules.run_min)
            if runs
            else _sets(rules, hand, way, rules.set_min)[:1]
        )
        for meld in found:
            rest = [card for card in hand if card not in meld.cards]
            for more in _choices(rules, rest, sets - (not runs), max(runs - 1, 0), later):
                yield (meld, *more)


def point_openings(deal: Deal, seat: int, hand: Sequence[Card]) -> Iterator[tuple[Meld, ...]]:
    """Yield choices of melds that are worth the contract's points; most points first."""
    priced = []
    for meld in melds_of(deal.rules, hand, longer=1):
        try:
            points = meld_points(deal.rules, place(deal.rules, seat, meld))
        except RuleViolation:
            continue
        priced.append((points, meld))
    priced.sort(key=lambda one: (sum(map(is_joker, one[1].cards)), -one[0]))
    yield from islice(_worth(priced, deal.contract.points), 1)


def _worth(priced: list[tuple[int, Meld]], needed: int) -> Iterator[tuple[Meld, ...]]:
    for at, (points, meld) in enumerate(priced):
        if points >= needed:
            yield (meld,)
            continue
        later = [one for one in priced[at + 1 :] if not set(one[1].cards) & set(meld.cards)]
        for more in _worth(later, needed - points):
            yield (meld, *more)


def _sets(rules: RuleSet, hand: Sequence[Card], rank: int, size: int) -> list[Meld]:
    """Return the sets of a rank and a size, with as few jokers as will do."""
    if size > rules.set_max:
        return []
    naturals = [card for card in hand if not is_joker(card) and RANK_OF[card] == rank]
    if rules.set_suits_differ:
        naturals = list({SUIT_OF[card]: card for card in naturals}.values())
    jokers = [card for card in hand if is_joker(card)]
    lacking = max(size - len(naturals), 0)
    if len(naturals) < max(rules.set_min_naturals, 1) or lacking > min(
        len(jokers), rules.opening_jokers
    ):
        return []
    chosen = combinations(naturals, size - lacking)
    return [Meld(MeldKind.SET, (*cards, *jokers[:lacking])) for cards in islice(chosen, 4)]


def _runs(rules: RuleSet, hand: Sequence[Card], suit: int, size: int) -> list[Meld]:
    """Return the runs of a suit and a size; a joker stands where a rank is missing."""
    held = {RANK_OF[card]: card for card in hand if not is_joker(card) and SUIT_OF[card] == suit}
    jokers = [card for card in hand if is_joker(card)]
    most = min(len(jokers), rules.opening_jokers, size - 1)
    found = []
    for low in range(lowest(rules), HIGH_ACE - size + 2):
        window = [(low + step) % RANKS for step in range(size)]
        missing = [place for place, rank in enumerate(window) if rank not in held]
        beside = any(after - before == 1 for before, after in pairwise(missing))
        if len(missing) <= most and (rules.jokers_adjacent or not beside):
            spare = iter(jokers)
            cards = [held[rank] if rank in held else next(spare) for rank in window]
            found.append((len(missing), Meld(MeldKind.RUN, tuple(cards))))
    return [meld for _, meld in sorted(found)]
