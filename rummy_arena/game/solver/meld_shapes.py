"""The melds that a hand can make, as kinds of card: what a seat that has opened may lay down.

A hand is held as in ``limits``: the naturals that it has, those that it has twice, and the
number of its jokers. A set grows on the table by lay-offs, and a run does at its ends, so that
shapes are no larger than they have to be, but for runs, which may start low (J-16).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from rummy_arena.game.cards import RANKS
from rummy_arena.game.melds import HIGH_ACE, MeldKind, TableMeld, lowest
from rummy_arena.game.rules import RuleSet, RunEnds

from .tables import IN_ALL_SUITS, bits_of

_SET, _RUN = MeldKind.SET, MeldKind.RUN


class Shape(NamedTuple):
    """One meld that the hand can make."""

    shed: int  # penalty points
    kind: MeldKind
    key: int  # rank of a set, suit of a run
    low: int  # position of a run's first card; -1 for a set
    size: int
    once: int  # its naturals, as four suits of 13 bits
    twice: int  # and those that it holds twice
    jokers: int


def shapes(
    rules: RuleSet, held: int, twins: int, jokers: int, *, taken: bool = False
) -> list[Shape]:
    """Return the melds that a hand can make, those that shed most first.

    With ``taken`` only those that use a joker, because it was taken from the table (E-13).
    """
    found = [*_sets(rules, held, twins, jokers), *_runs(rules, held, jokers)]
    return sorted([shape for shape in found if shape.jokers or not taken], reverse=True)


def may_lay_down(rules: RuleSet, seat: int, melds: tuple[TableMeld, ...], shape: Shape) -> bool:
    """Return whether the seat's melds on the table let it lay down such a meld (J-12)."""
    if not rules.own_melds_differ:
        return True
    kind, key = shape.kind, shape.key
    return not any(
        meld.owner == seat
        and meld.kind is kind
        and key == (meld.low if kind is _SET else meld.suit)
        for meld in melds
    )


def _sets(rules: RuleSet, held: int, twins: int, jokers: int) -> Iterator[Shape]:
    largest = rules.set_min + 1 if rules.set_suits_differ else rules.set_min
    for rank in range(RANKS):
        once = held & IN_ALL_SUITS[rank]
        copies = bits_of(once)
        if not rules.set_suits_differ:
            copies += bits_of(twins & IN_ALL_SUITS[rank])
        if len(copies) < rules.set_min_naturals or len(copies) + jokers < rules.set_min:
            continue
        for size in range(rules.set_min, min(largest, rules.set_max) + 1):
            for naturals in range(max(size - jokers, rules.set_min_naturals), size + 1):
                if size > 2 * naturals + rules.set_spare_jokers:
                    continue
                for chosen in set(combinations(sorted(copies), naturals)):
                    yield _shape(rules, _SET, rank, -1, size, chosen)


def _runs(rules: RuleSet, held: int, jokers: int) -> Iterator[Shape]:
    joker_low = rules.run_ends is RunEnds.UPWARDS
    for suit in range(4):
        mask = held >> suit * RANKS & (1 << RANKS) - 1
        if mask.bit_count() + jokers < rules.run_min or not mask:
            continue
        positions = mask | (mask & 1) << HIGH_ACE
        for low in range(lowest(rules), HIGH_ACE + 2 - rules.run_min):
            for size in range(rules.run_min, min(rules.run_max, HIGH_ACE + 1 - low) + 1):
                window = positions >> low & (1 << size) - 1
                holes = size - window.bit_count()
                if holes > jokers:
                    break
                if not window or (not rules.jokers_adjacent and _adjacent(window, size)):
                    continue
                if size > rules.run_min and not _ends_in_naturals(window, size, joker_low):
                    continue
                chosen = _kinds(suit, low, window)
                if len(set(chosen)) == len(chosen):
                    yield _shape(rules, _RUN, suit, low, size, chosen)


def _ends_in_naturals(window: int, size: int, joker_low: bool) -> bool:
    """Return whether the run is no longer than it must be: its ends could be laid off later."""
    return window >> size - 1 & 1 > 0 and (joker_low or window & 1 > 0)


def _adjacent(window: int, size: int) -> bool:
    missing = ~window & (1 << size) - 1
    return missing & missing >> 1 > 0


def _kinds(suit: int, low: int, window: int) -> tuple[int, ...]:
    """Return the naturals of a run as bits, one for each."""
    found = []
    while window:
        bit = window & -window
        window ^= bit
        found.append(1 << suit * RANKS + (low + bit.bit_length() - 1) % RANKS)
    return tuple(found)


def _shape(
    rules: RuleSet, kind: MeldKind, key: int, low: int, size: int, chosen: tuple[int, ...]
) -> Shape:
    values = rules.card_values
    once = twice = 0
    for bit in chosen:
        twice |= once & bit
        once |= bit
    jokers = size - len(chosen)
    shed = sum([values[bit.bit_length() - 1 << 2] for bit in chosen]) + jokers * values[-1]
    return Shape(shed, kind, key, low, size, once, twice, jokers)
