"""Does a hand hold a contract, and how many cards is it away from it?

Callers ask here for every game; ``points`` answers for openings by points.

The kernel works on the ``Masks`` of a hand, a few integers, and on tables by suit mask. A contract
of sets only, or of runs only, needs no search; ``search`` does one for both together, and
``alike`` where own melds may be alike.

Two facts keep it small. A meld of minimum length is enough to hold a contract, because a longer
one can be cut. And a choice with more naturals is at least as good as one with fewer and one more
place for a joker, for sets as for runs (see ``tables``).

>>> from rummy_arena.game.cards import parse_card, parse_cards
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("kalooki-jamaican")
>>> contract = rules.contracts[1]
>>> hand = masks(parse_cards("KS1 KH1 KD2 4C1 5C1 7C2 9H1 9D1 2S1 *1"))
>>> contract.text, contains(rules, hand, contract), distance(rules, hand, contract)
('2 sets + 1 run', False, 1)
>>> contains(rules, with_card(hand, parse_card("9S1")), contract)
True
"""

from __future__ import annotations

from typing import NamedTuple

from rummy_arena.game.cards import RANK_OF, RANKS, SUIT_OF, Card
from rummy_arena.game.rules import Contract, RuleSet

from .alike import needed_alike, placed_alike, useful_alike
from .apart import placed_apart, placed_crowded, thinned, windows_apart
from .limits import (
    AT_LEAST,
    JOKERS_AT,
    RANK_LANES,
    RANKS_AT,
    TOPS,
    Limits,
    limits_of,
)
from .limits import EVERY_NATURAL as EVERY_NATURAL  # these are for callers as well
from .limits import Masks as Masks
from .limits import masks as masks
from .limits import with_card as with_card
from .limits import without_card as without_card
from .points import can_open, cards_away, near_opening, points_plan
from .search import TAKEN, fullest, run_quality
from .tables import ALL_RANKS, IN_ALL_SUITS, LANE, LANE_BITS, SUIT_BIT

_new_tuple = tuple.__new__
_MOST_KNOWN = 64
_limits: dict[RuleSet, Limits] = {}
_SUIT_SHIFTS = (0, RANKS, 2 * RANKS, 3 * RANKS)


class Plan(NamedTuple):
    """The cheapest way to a contract: how far it is and which cards it builds on."""

    distance: int  # further cards needed
    set_ranks: int  # ranks of the sets, a mask of 13 bits
    run_cards: int  # naturals of the runs, four suits of 13 bits; above them those wanted twice
    tight: bool  # sets and runs want no card that only one of them can have


def contains(rules: RuleSet, hand: Masks, contract: Contract) -> bool:
    """Return whether the hand holds the contract (J-11 to J-15, C-1 to C-3, E-3, E-4).

    For an opening by points it must keep a card where going out needs a discard (E-19).
    """
    if contract.points:
        return can_open(rules, hand, contract.points)
    limits = _limits.get(rules) or _learn(rules)
    enough = contract.sets * limits.set_min + contract.runs * limits.run_min
    return limits.placed(limits, hand, contract.sets, contract.runs, enough - 1)[0] >= enough


def within(rules: RuleSet, hand: Masks, contract: Contract, cards: int) -> bool:
    """Return whether ``cards`` further cards, well chosen, would complete the contract.

    Answers faster than ``distance``, most of all where the answer is no.
    """
    if contract.points:
        return near_opening(rules, hand, contract.points, cards)
    limits = _limits.get(rules) or _learn(rules)
    enough = contract.sets * limits.set_min + contract.runs * limits.run_min - cards
    return limits.placed(limits, hand, contract.sets, contract.runs, enough - 1)[0] >= enough


def distance(rules: RuleSet, hand: Masks, contract: Contract) -> int:
    """Return how many further cards the hand needs to hold the contract; 0 when it does."""
    if contract.points:
        return cards_away(rules, hand, contract.points)
    limits = _limits.get(rules) or _learn(rules)
    need = contract.sets * limits.set_min + contract.runs * limits.run_min
    return need - limits.placed(limits, hand, contract.sets, contract.runs, -1)[0]


def plan(rules: RuleSet, hand: Masks, contract: Contract) -> Plan:
    """Return the cheapest way from the hand to the contract.

    Every natural that is neither of a rank in ``set_ranks`` nor in ``run_cards`` can be given away
    without coming further from the contract; jokers never should be.
    """
    if contract.points:
        return Plan(*points_plan(rules, hand, contract.points), tight=False)
    limits = _limits.get(rules) or _learn(rules)
    sets, runs = contract.sets, contract.runs
    placed, taken, relaxed = limits.placed(limits, hand, sets, runs, -1)
    away = sets * limits.set_min + runs * limits.run_min - placed
    if limits.alike and not isinstance(taken, int):
        needed = needed_alike(limits, hand, sets, runs, taken)
        return Plan(away, *needed, placed == relaxed)
    if limits.crowded:
        hand = thinned(hand)
    chosen: int = taken
    if sets and not runs:
        nothing = run_quality(limits.quality, 0, 0)
        (_, chosen), _ = fullest(limits, 0, hand[1] & RANK_LANES, 0, sets, 0, nothing)
    run_cards = windows_apart(limits, hand[0] & ~chosen, runs) if runs else 0
    # The plain constructor takes three times as long.
    return _new_tuple(Plan, (away, chosen >> RANKS_AT, run_cards, placed == relaxed))


def useful(rules: RuleSet, hand: Masks, contract: Contract, *, tight: bool) -> int:
    """Return naturals, as four suits of 13 bits, among them all that bring the hand nearer.

    A cheap sieve for a hand whose plan is known to be ``tight`` or may not be: a card outside
    never helps, one inside often does.
    """
    if contract.points:
        return EVERY_NATURAL
    limits = _limits.get(rules) or _learn(rules)
    if limits.alike:
        return useful_alike(limits, hand, contract.sets, contract.runs, tight=tight)
    if limits.crowded:
        hand = thinned(hand)
    sets = contract.sets
    suits, lanes, _ = hand
    found = 0
    if contract.runs:
        if sets and not tight:
            return EVERY_NATURAL  # a second copy of a card that both want may help
        gains = limits.gains
        for shift in _SUIT_SHIFTS:
            found |= gains[suits >> shift & ALL_RANKS] << shift
    if sets:
        ranks = lanes & RANK_LANES
        for count in range(limits.set_min, 0, -1):
            held = ranks + AT_LEAST[count] & TOPS
            if held.bit_count() < sets:
                level = (ranks + AT_LEAST[count - 1] & TOPS) ^ held
                while level:
                    top = level & -level
                    level ^= top
                    found |= TAKEN[top]
    return found & EVERY_NATURAL


def helps(
    rules: RuleSet, hand: Masks, contract: Contract, card: Card, away: int, tight: bool
) -> bool:
    """Return whether ``card`` brings a hand nearer that is ``away`` cards from its contract.

    A card that ``useful`` would not name is refused without a search.
    """
    if contract.points:
        return near_opening(rules, with_card(hand, card), contract.points, away - 1)
    limits = _limits.get(rules) or _learn(rules)
    if limits.crowded:
        hand = thinned(hand)
    suits, lanes, twins = hand
    sets, runs = contract.sets, contract.runs
    bit = SUIT_BIT[card]
    if bit and not limits.alike and (tight or not sets or not runs):
        rank = RANK_OF[card]
        suit = suits >> SUIT_OF[card] * RANKS & ALL_RANKS
        if not (runs and limits.gains[suit] >> rank & 1):
            count = (lanes >> LANE_BITS * rank & 15) + 1
            if not sets or count > limits.set_min:
                return False
            if ((lanes & RANK_LANES) + AT_LEAST[count] & TOPS).bit_count() >= sets:
                return False
    enough = sets * limits.set_min + runs * limits.run_min - away + 1
    taken = suits | bit, lanes + LANE[card], twins | suits & bit
    return limits.placed(limits, taken, sets, runs, enough - 1)[0] >= enough


def run_plan(rules: RuleSet, hand: Masks, set_ranks: int, contract: Contract) -> int | None:
    """Return the naturals of the runs that complete the contract beside sets of ``set_ranks``.

    None if the hand does not hold that; the sets get every card of their ranks.
    """
    limits = _limits.get(rules) or _learn(rules)
    suits, lanes, _ = hand
    jokers = lanes >> JOKERS_AT
    kept = 0
    while set_ranks:
        rank = set_ranks.bit_length() - 1
        set_ranks ^= 1 << rank
        kept |= IN_ALL_SUITS[rank]
        jokers -= max(limits.set_min - (lanes >> LANE_BITS * rank & 15), 0)
    if jokers < 0 or not contract.runs:
        return None if jokers < 0 else 0
    quality = run_quality(limits.quality, suits & ~kept, contract.runs)
    missing = contract.runs * limits.run_min - (quality >> 4)
    if missing > min(jokers, quality & 15):
        return None
    return windows_apart(limits, suits & ~kept, contract.runs)


def limits_for(rules: RuleSet) -> Limits:
    """Return what the kernel knows of a rule set."""
    return _limits.get(rules) or _learn(rules)


def _learn(rules: RuleSet) -> Limits:
    if len(_limits) >= _MOST_KNOWN:
        _limits.clear()
    alike = not rules.own_melds_differ
    apart = placed_crowded if rules.packs > 2 else placed_apart
    limits = limits_of(rules, placed_alike if alike else apart, alike=alike)
    return _limits.setdefault(rules, limits)
