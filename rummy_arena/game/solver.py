"""Does a hand hold a contract, and how many cards is it away from it?

The kernel works on two integers, the ``Masks`` of a hand, and on tables by suit mask. A contract
of sets only, or of runs only, needs no search. With both, a card may serve a set or a run but not
both, so the search goes through the ranks of the sets, most useful first, takes their cards out of
the suits and looks up what runs the rest gives; it stops as soon as no choice can be better.

Two facts keep the search small. A meld of minimum length is enough to hold a contract, because a
longer one can be cut. And a choice with more naturals is at least as good as one with fewer and
one more place for a joker, for sets as for runs (see ``solver_tables``).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from .cards import RANKS, Card
from .rules import Contract, RuleSet
from .solver_tables import (
    ALL_RANKS,
    IN_ALL_SUITS,
    JOKER_LANE,
    LANE,
    LANE_BITS,
    SUIT_BIT,
    run_tables,
)

Masks: TypeAlias = tuple[int, int]
"""A hand for the kernel: which ranks each suit holds (four times 13 bits), and how many cards of
each rank (lanes of four bits) with the jokers counted above the lanes."""

_JOKERS_AT = LANE_BITS * RANKS
_RANK_LANES = JOKER_LANE - 1
_TOPS = sum(8 << LANE_BITS * rank for rank in range(RANKS))
_AT_LEAST = tuple(
    sum((8 - count) << LANE_BITS * rank for rank in range(RANKS)) for count in range(9)
)
"""By count: added to the lanes, it sets the top bit of each lane that holds that many or more."""


class Plan(NamedTuple):
    """The cheapest way to a contract: how far it is and which cards it builds on."""

    distance: int  # further cards needed
    set_ranks: int  # ranks of the sets, a mask of 13 bits
    run_cards: int  # naturals of the runs, four suits of 13 bits


class _Limits(NamedTuple):
    """What the search needs of a rule set, by attribute lookups made once."""

    set_min: int
    set_min_naturals: int
    common: tuple[int, ...]  # lane addends that count cards 1 to set_min_naturals of a set
    filling: tuple[int, ...]  # and those after, where a joker may stand as well
    quality: bytes
    window: tuple[int, ...]


_Option: TypeAlias = tuple[int, int, int]
"""What a rank gives to a set: naturals, its bit, and its cards that the runs must leave."""
_Choice: TypeAlias = tuple[int, int, int]
"""Cards in place for the contract; ranks of its sets; cards that its runs must leave."""

_PAIR_OR_MORE: dict[int, tuple[int, int]] = {
    8 << LANE_BITS * rank: (1 << rank, IN_ALL_SUITS[rank]) for rank in range(RANKS)
}
"""By the top bit of a lane: the rank's bit, and its cards in all suits."""


@lru_cache(maxsize=8)
def _limits(set_min: int, set_min_naturals: int, run_min: int) -> _Limits:
    tables = run_tables(run_min)
    return _Limits(
        set_min,
        set_min_naturals,
        _AT_LEAST[1 : set_min_naturals + 1],
        _AT_LEAST[set_min_naturals + 1 : set_min + 1],
        tables.quality,
        tables.window,
    )


def masks(cards: Iterable[Card]) -> Masks:
    """Return the masks of a hand."""
    suits = lanes = 0
    for card in cards:
        suits |= SUIT_BIT[card]
        lanes += LANE[card]
    return suits, lanes


def with_card(hand: Masks, card: Card) -> Masks:
    """Return the masks of a hand after it took ``card``."""
    return hand[0] | SUIT_BIT[card], hand[1] + LANE[card]


def contains(rules: RuleSet, hand: Masks, contract: Contract) -> bool:
    """Return whether the hand holds the contract (J-11 to J-15)."""
    return distance(rules, hand, contract) == 0


def distance(rules: RuleSet, hand: Masks, contract: Contract) -> int:
    """Return how many further cards the hand needs to hold the contract; 0 when it does."""
    limits = _limits(rules.set_min, rules.set_min_naturals, rules.run_min)
    need = contract.sets * limits.set_min + contract.runs * rules.run_min
    return need - _placed(limits, hand, contract.sets, contract.runs)[0]


def plan(rules: RuleSet, hand: Masks, contract: Contract) -> Plan:
    """Return the cheapest way from the hand to the contract.

    Every natural that is neither of a rank in ``set_ranks`` nor in ``run_cards`` can be given away
    without coming further from the contract; jokers never should be.
    """
    limits = _limits(rules.set_min, rules.set_min_naturals, rules.run_min)
    sets, runs = contract.sets, contract.runs
    placed, ranks, kept = _placed(limits, hand, sets, runs)
    if sets and not runs:
        options, _ = _likely(limits, hand[1] & _RANK_LANES, sets, 0)
        for _, bit, _ in options[:sets]:
            ranks |= bit
    distance = sets * limits.set_min + runs * rules.run_min - placed
    return Plan(distance, ranks, _windows(limits, hand[0] & ~kept, runs) if runs else 0)


def run_plan(rules: RuleSet, hand: Masks, set_ranks: int, contract: Contract) -> int | None:
    """Return the naturals of the runs that complete the contract beside sets of ``set_ranks``.

    None if the hand does not hold that; the sets get every card of their ranks.
    """
    limits = _limits(rules.set_min, rules.set_min_naturals, rules.run_min)
    suits, lanes = hand
    jokers = lanes >> _JOKERS_AT
    kept = 0
    for rank in range(RANKS):
        if set_ranks >> rank & 1:
            kept |= IN_ALL_SUITS[rank]
            jokers -= max(limits.set_min - (lanes >> LANE_BITS * rank & 15), 0)
    if jokers < 0 or not contract.runs:
        return None if jokers < 0 else 0
    quality = _run_quality(limits.quality, suits & ~kept, contract.runs)
    missing = contract.runs * rules.run_min - (quality >> 4)
    if missing > min(jokers, quality & 15):
        return None
    return _windows(limits, suits & ~kept, contract.runs)


def _placed(limits: _Limits, hand: Masks, sets: int, runs: int) -> _Choice:
    """Return how many cards of the hand have a place in the contract, at best."""
    suits, lanes = hand
    jokers = lanes >> _JOKERS_AT
    lanes &= _RANK_LANES
    naturals = room = 0
    if sets:
        for addend in limits.common:
            count = (lanes + addend & _TOPS).bit_count()
            naturals += count if count < sets else sets
        for addend in limits.filling:
            count = (lanes + addend & _TOPS).bit_count()
            count = count if count < sets else sets
            naturals += count
            room += sets - count
        if not runs:
            return naturals + (jokers if jokers < room else room), 0, 0
    quality = _run_quality(limits.quality, suits, runs)
    naturals += quality >> 4
    room += quality & 15
    relaxed = naturals + (jokers if jokers < room else room)
    if sets:
        return _search(limits, hand, sets, runs, quality, relaxed)
    return relaxed, 0, 0


def _windows(limits: _Limits, suits: int, runs: int) -> int:
    """Return the naturals of the best runs in the ``runs`` most promising suits."""
    found = []
    for suit in range(4):
        mask = suits >> suit * RANKS & ALL_RANKS
        found.append((limits.quality[mask], limits.window[mask] << suit * RANKS))
    found.sort(reverse=True)
    return sum(window for _, window in found[:runs])


def _run_quality(quality: bytes, suits: int, runs: int) -> int:
    """Return the sum of the best ``runs`` suits' qualities."""
    clubs = quality[suits & ALL_RANKS]
    diamonds = quality[suits >> RANKS & ALL_RANKS]
    hearts = quality[suits >> 2 * RANKS & ALL_RANKS]
    spades = quality[suits >> 3 * RANKS]
    if runs == 1:
        return max(clubs, diamonds, hearts, spades)
    if runs == 2:
        low, high = (clubs, diamonds) if clubs < diamonds else (diamonds, clubs)
        low2, high2 = (hearts, spades) if hearts < spades else (spades, hearts)
        if low >= high2:
            return low + high
        return low2 + high2 if low2 >= high else high + high2
    if runs == 3:
        return clubs + diamonds + hearts + spades - min(clubs, diamonds, hearts, spades)
    return clubs + diamonds + hearts + spades


def _search(
    limits: _Limits, hand: Masks, sets: int, runs: int, quality: int, relaxed: int
) -> _Choice:
    """Return the best choice for a contract of sets and runs; none reaches more than ``relaxed``.

    ``quality`` is what the runs would give if they shared no card with a set.
    """
    suits, lanes = hand
    jokers = lanes >> _JOKERS_AT
    options, flexible = _likely(limits, lanes & _RANK_LANES, sets, jokers)
    best: _Choice = (-1, 0, 0)
    best = _choose(limits, options, suits, jokers, sets, runs, quality, relaxed, best)
    # What was left out has a natural less, so that it misses the mark by one at least.
    if best[0] == relaxed or (best[0] == relaxed - 1 and not flexible):
        return best
    options = _options(limits, suits, lanes, runs, jokers)
    return _choose(limits, options, suits, jokers, sets, runs, quality, relaxed, best)


def _likely(limits: _Limits, rank_lanes: int, sets: int, jokers: int) -> tuple[list[_Option], bool]:
    """Return the most useful ranks for sets, most naturals first, and whether to doubt them.

    Each rank gives all that it can and keeps all its cards from the runs. That may be too much
    where it has spare cards, or where two jokers want a place in the set.
    """
    options: list[_Option] = []
    size = limits.set_min
    above = rank_lanes + _AT_LEAST[size + 1] & _TOPS
    flexible = above != 0
    held = rank_lanes + _AT_LEAST[size] & _TOPS
    floor = limits.set_min_naturals
    flexible = flexible or (jokers > 1 and rank_lanes + _AT_LEAST[floor + 1] & _TOPS != 0)
    above = 0
    while size > 0:
        level = held & ~above
        above = held
        while level:
            top = level & -level
            level ^= top
            bit, cards = _PAIR_OR_MORE[top]
            options.append((size, bit, cards))
        if size <= floor and len(options) >= sets:
            return options, flexible
        size -= 1
        held = rank_lanes + _AT_LEAST[size] & _TOPS
    return options, True


def _options(limits: _Limits, suits: int, lanes: int, runs: int, jokers: int) -> list[_Option]:
    """Return what each rank could give to a set, most naturals first."""
    by_naturals: list[list[_Option]] = [[] for _ in range(limits.set_min + 1)]
    for rank in range(RANKS):
        count = lanes >> LANE_BITS * rank & 15
        most = count if count < limits.set_min else limits.set_min
        bit = 1 << rank
        by_naturals[most] += [(most, bit, kept) for kept in _kept(suits, rank, count - most, runs)]
        if jokers > 1:
            for fewer in range(limits.set_min_naturals, most):
                by_naturals[fewer] += [
                    (fewer, bit, kept) for kept in _kept(suits, rank, count - fewer, runs)
                ]
    return [option for level in reversed(by_naturals) for option in level]


def _kept(suits: int, rank: int, spare: int, runs: int) -> list[int]:
    """Return the ways to keep a rank's cards from the runs when ``spare`` of them are left over."""
    held = suits & IN_ALL_SUITS[rank]
    if spare == 0:
        return [held]
    bits = [held & IN_ALL_SUITS[rank] & 1 << suit * RANKS + rank for suit in range(4)]
    bits = [bit for bit in bits if bit]
    if spare >= runs or spare >= len(bits):
        return [0]
    return [held - sum(free) for free in combinations(bits, spare)]


def _choose(
    limits: _Limits,
    options: list[_Option],
    suits: int,
    jokers: int,
    sets: int,
    runs: int,
    quality: int,
    relaxed: int,
    best: _Choice,
) -> _Choice:
    """Return the best choice of ``sets`` of the options, or ``best`` if none beats it.

    Depth first, as a stack of the options taken so far: options come most useful first, so that a
    level ends at the first one from which even the best of runs would not beat ``best``.
    """
    set_min, floor = limits.set_min, limits.set_min_naturals
    table = limits.quality
    run_naturals, run_room = quality >> 4, quality & 15
    count = len(options)
    stack: list[tuple[int, int, int, int, int]] = []
    at = naturals = room = ranks = kept = 0
    left = sets
    while True:
        beaten = at >= count
        if not beaten:
            own, bit, cards = options[at]
            gap = set_min - (own if own > floor else floor)
            places = room + run_room + left * gap
            bound = naturals + run_naturals + left * own
            beaten = bound + (jokers if jokers < places else places) <= best[0]
        if beaten:
            if not stack:
                return best
            at, naturals, room, ranks, kept = stack.pop()
            left += 1
            continue
        at += 1
        if ranks & bit:
            continue
        if left > 1:
            stack.append((at, naturals, room, ranks, kept))
            naturals += own
            room += gap
            ranks |= bit
            kept |= cards
            left -= 1
            continue
        rest = _run_quality(table, suits & ~(kept | cards), runs)
        places = room + gap + (rest & 15)
        total = naturals + own + (rest >> 4) + (jokers if jokers < places else places)
        if total > best[0]:
            best = (total, ranks | bit, kept | cards)
            if total == relaxed:
                return best
