"""What the solver must know of a rule set, and how it counts the cards of a rank (X-1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from rummy_arena.game.cards import RANKS, Card
from rummy_arena.game.rules import RuleSet

from .tables import JOKER_LANE, LANE, LANE_BITS, SUIT_BIT, run_tables

Masks: TypeAlias = tuple[int, int, int]
"""A hand for the kernel: which ranks each suit holds (four times 13 bits); how many cards of each
rank (lanes of four bits), with the jokers counted above the lanes; and which naturals it holds
twice or more, as four suits again."""

JOKERS_AT = LANE_BITS * RANKS
RANK_LANES = JOKER_LANE - 1
RANKS_AT = 4 * RANKS
EVERY_NATURAL = (1 << RANKS_AT) - 1
TOPS = sum(8 << LANE_BITS * rank for rank in range(RANKS))
AT_LEAST = tuple(
    sum((8 - count) << LANE_BITS * rank for rank in range(RANKS)) for count in range(9)
)
"""By count: added to the lanes, it sets the top bit of each lane that holds that many or more.
Lanes must hold no more than eight (see ``saturated``)."""
_MOST_PACKS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """What the search needs of a rule set. Slots are read faster than the fields of a tuple."""

    placed: Placed  # the kernel for these melds
    alike: bool  # may own sets be of one rank, own runs of one suit?
    crowded: bool  # may a hand hold more than eight naturals of a rank?
    set_min: int
    set_min_naturals: int
    run_min: int
    filling: tuple[int, ...]  # lane addends that count a set's cards after set_min_naturals
    common: tuple[tuple[int, int], ...]  # (n, addend that counts its card n), from there down to 1
    beyond: int  # and one that counts the first card beyond a set of minimum length
    gaps: tuple[int, ...]  # by naturals of a set: the jokers that fit
    most_jokers: int  # of one run
    ace_low: bool
    quality: bytes
    window: Sequence[int]
    gains: Sequence[int]


Placed: TypeAlias = Callable[[Limits, Masks, int, int, int], tuple[int, Any, int]]
"""How many cards have a place in a contract of so many sets and runs at best; which choice of sets
that is; and a bound that disregards cards wanted by a set and a run."""


def limits_of(rules: RuleSet, placed: Placed, *, alike: bool) -> Limits:
    """Return the limits of an opening under ``rules``, with the tables that belong to them."""
    if rules.packs > _MOST_PACKS:
        raise ValueError(f"the solver counts {_MOST_PACKS} packs at most, not {rules.packs}")
    naturals = max(rules.set_min_naturals, rules.set_min - rules.opening_jokers)
    while rules.set_min - naturals > naturals + rules.set_spare_jokers:
        naturals += 1
    return _limits_of(
        placed,
        alike,
        rules.packs > 2,
        rules.set_min,
        naturals,
        rules.run_min,
        min(rules.opening_jokers, rules.run_min - 1),
        rules.jokers_adjacent,
        rules.ace_low,
    )


@lru_cache(maxsize=16)
def _limits_of(
    placed: Placed,
    alike: bool,
    crowded: bool,
    set_min: int,
    set_min_naturals: int,
    run_min: int,
    most_jokers: int,
    adjacent: bool,
    ace_low: bool,
) -> Limits:
    tables = run_tables(run_min, most_jokers, adjacent=adjacent, ace_low=ace_low)
    return Limits(
        placed,
        alike,
        crowded,
        set_min,
        set_min_naturals,
        run_min,
        AT_LEAST[set_min_naturals + 1 : set_min + 1],
        tuple([(count, AT_LEAST[count]) for count in range(set_min_naturals, 0, -1)]),
        AT_LEAST[set_min + 1],
        tuple(set_min - max(size, set_min_naturals) for size in range(set_min + 1)),
        most_jokers,
        ace_low,
        tables.quality,
        tables.window,
        tables.gains,
    )


def saturated(lanes: int) -> int:
    """Return rank lanes with no count above eight, more than which no contract can use."""
    high = lanes & TOPS
    return lanes & ~(high - (high >> 3))


def masks(cards: Iterable[Card]) -> Masks:
    """Return the masks of a hand."""
    suits = lanes = twins = 0
    for card in cards:
        bit = SUIT_BIT[card]
        twins |= suits & bit
        suits |= bit
        lanes += LANE[card]
    return suits, lanes, twins


def with_card(hand: Masks, card: Card) -> Masks:
    """Return the masks of a hand after it took ``card``."""
    suits, lanes, twins = hand
    bit = SUIT_BIT[card]
    return suits | bit, lanes + LANE[card], twins | suits & bit


def without_card(hand: Masks, card: Card, left: int) -> Masks:
    """Return the masks of a hand after it gave ``card``, of whose kind it has ``left`` copies."""
    suits, lanes, twins = hand
    bit = SUIT_BIT[card]
    return suits if left else suits & ~bit, lanes - LANE[card], twins if left > 1 else twins & ~bit
