"""Melds: what a player proposes, and how it lies on the table (X-13, J-11 to J-17, C-1, E-10).

A run's cards stand in order, low to high; position 0 is the low ace, 1 the two, ... 12 the king,
13 the high ace. ``TableMeld.low`` is the position of the first card of a run, or the rank of a set.

>>> from rummy_arena.game.cards import parse_cards
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("kaluki-european")
>>> run = place(rules, 0, Meld(MeldKind.RUN, parse_cards("JS1 *1 KS1 AS2")))
>>> run.low, meld_points(rules, run)
(10, 41)
>>> place(rules, 0, Meld(MeldKind.RUN, parse_cards("AS1 2S1 3S1")))
Traceback (most recent call last):
    ...
rummy_arena.game.errors.IllegalHere: RUN_LEAVES_ACES (E-9): cards=(156, 160, 164)
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from .cards import JOKER_BASE, RANK_OF, RANKS, SUIT_OF, Card, natural
from .errors import IllegalHere, Malformed, RuleViolation
from .rules import RuleSet


class MeldKind(IntEnum):
    """A set (equal ranks) or a run (consecutive ranks of one suit)."""

    SET = 0
    RUN = 1


class Meld(NamedTuple):
    """A meld as a player proposes it; a run's cards in order, low to high (X-13)."""

    kind: MeldKind
    cards: tuple[Card, ...]


class TableMeld(NamedTuple):
    """A meld on the table. It is replaced, never changed, so that views may share it."""

    owner: int  # seat that laid it down
    kind: MeldKind
    low: int  # run: position 0-13 of its first card; set: rank 0-12
    suit: int  # run: its suit; set: -1
    cards: tuple[Card, ...]


HIGH_ACE = 13  # position of the ace above the king


def refused(rules: RuleSet, code: str, /, **facts: object) -> RuleViolation:
    """Return the refusal with the clause that this game's rules have for it.

    Where one code has several clauses, the point comes first: ``MOVE.RUN_CLOSED``.
    """
    return IllegalHere(code.rpartition(".")[2], rules.clause(code), **facts)


def place(rules: RuleSet, owner: int, meld: Meld) -> TableMeld:
    """Return ``meld`` as it would lie on the table, or raise a RuleViolation with its clause."""
    kind = meld.kind
    if type(kind) is not MeldKind:  # a bare number is equal to a kind, but is none
        raise Malformed("UNKNOWN_ACTION", "X-18", meld_kind=kind)
    cards = tuple(meld.cards)  # a list would let its maker change the table later
    if len(set(cards)) != len(cards):
        raise Malformed("REPEATED_CARD", "X-2", cards=cards)
    if kind is MeldKind.SET:
        return _place_set(rules, owner, cards)
    return _place_run(rules, owner, cards)


def _place_set(rules: RuleSet, owner: int, cards: tuple[Card, ...]) -> TableMeld:
    if len(cards) < rules.set_min:
        raise refused(rules, "SET_TOO_SHORT", cards=cards, minimum=rules.set_min)
    if len(cards) > rules.set_max:
        raise refused(rules, "SET_TOO_LONG", cards=cards, maximum=rules.set_max)
    naturals = [card for card in cards if card < JOKER_BASE]
    if len(naturals) < rules.set_min_naturals:
        raise refused(rules, "SET_NEEDS_NATURALS", cards=cards, minimum=rules.set_min_naturals)
    if len({RANK_OF[card] for card in naturals}) > 1:
        raise refused(rules, "SET_RANKS_DIFFER", cards=cards)
    if rules.set_suits_differ and len({SUIT_OF[card] for card in naturals}) < len(naturals):
        raise refused(rules, "SET_SUITS_REPEAT", cards=cards)
    if len(cards) > 2 * len(naturals) + rules.set_spare_jokers:
        raise refused(rules, "SET_TOO_MANY_JOKERS", cards=cards)
    return TableMeld(owner, MeldKind.SET, RANK_OF[naturals[0]], -1, cards)


def _place_run(rules: RuleSet, owner: int, cards: tuple[Card, ...]) -> TableMeld:
    if len(cards) < rules.run_min:
        raise refused(rules, "RUN_TOO_SHORT", cards=cards, minimum=rules.run_min)
    first = next((i for i, card in enumerate(cards) if card < JOKER_BASE), None)
    if first is None:
        raise refused(rules, "RUN_NEEDS_NATURALS", cards=cards)
    rank, suit = RANK_OF[cards[first]], SUIT_OF[cards[first]]
    # An ace that something precedes can only be the high one.
    low = (HIGH_ACE if rank == 0 and first else rank) - first
    if low < lowest(rules) or low + len(cards) - 1 > HIGH_ACE:
        raise refused(rules, "RUN_LEAVES_ACES", cards=cards)
    if len(cards) > rules.run_max:
        raise refused(rules, "RUN_TOO_LONG", cards=cards, maximum=rules.run_max)
    for offset, card in enumerate(cards):
        if card >= JOKER_BASE:
            if offset and cards[offset - 1] >= JOKER_BASE and not rules.jokers_adjacent:
                raise refused(rules, "JOKERS_ADJACENT", cards=cards)
        elif SUIT_OF[card] != suit:
            raise refused(rules, "RUN_SUITS_DIFFER", cards=cards, card=card)
        elif RANK_OF[card] != (low + offset) % RANKS:
            raise refused(rules, "RUN_NOT_CONSECUTIVE", cards=cards, card=card)
    return TableMeld(owner, MeldKind.RUN, low, suit, cards)


def lowest(rules: RuleSet) -> int:
    """Return the lowest position of a run: the ace, or the two where aces are high only."""
    return 0 if rules.ace_low else 1


def joker_index(meld: TableMeld, card: Card) -> int | None:
    """Return where in the run a joker stands for exactly this natural, or None."""
    if card >= JOKER_BASE or SUIT_OF[card] != meld.suit:
        return None
    for offset, held in enumerate(meld.cards):
        if held >= JOKER_BASE and (meld.low + offset) % RANKS == RANK_OF[card]:
            return offset
    return None


def meld_points(rules: RuleSet, meld: TableMeld) -> int:
    """Return what a meld counts towards an opening; jokers count as what they stand for (E-3)."""
    values = rules.card_values
    if meld.kind is MeldKind.SET:
        worth = values[natural(meld.low, 0)]
        return sum([worth if card >= JOKER_BASE else values[card] for card in meld.cards])
    return sum(
        [
            values[natural((meld.low + offset) % RANKS, meld.suit)]
            for offset in range(len(meld.cards))
        ]
    )
