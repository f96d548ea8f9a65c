"""Melds: what a player proposes, what lies on the table, and where cards fit (J-11 to J-20).

A run's cards stand in order, low to high; position 0 is the low ace, 1 the two, ... 12 the king,
13 the high ace. ``TableMeld.low`` is the position of the first card of a run, or the rank of a set.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from .cards import JOKER_BASE, RANK_OF, RANKS, SUIT_OF, Card
from .errors import IllegalHere, Malformed
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


def place(rules: RuleSet, owner: int, meld: Meld) -> TableMeld:
    """Return ``meld`` as it would lie on the table, or raise IllegalHere with its clause."""
    if len(set(meld.cards)) != len(meld.cards):
        raise Malformed("REPEATED_CARD", "X-2", cards=meld.cards)
    if meld.kind is MeldKind.SET:
        return _place_set(rules, owner, meld.cards)
    return _place_run(rules, owner, meld.cards)


def _place_set(rules: RuleSet, owner: int, cards: tuple[Card, ...]) -> TableMeld:
    if len(cards) < rules.set_min:
        raise IllegalHere("SET_TOO_SHORT", "J-11", cards=cards, minimum=rules.set_min)
    naturals = [card for card in cards if card < JOKER_BASE]
    if len(naturals) < rules.set_min_naturals:
        raise IllegalHere("SET_NEEDS_NATURALS", "J-13", cards=cards, minimum=rules.set_min_naturals)
    if len({RANK_OF[card] for card in naturals}) > 1:
        raise IllegalHere("SET_RANKS_DIFFER", "X-1", cards=cards)
    return TableMeld(owner, MeldKind.SET, RANK_OF[naturals[0]], -1, cards)


def _place_run(rules: RuleSet, owner: int, cards: tuple[Card, ...]) -> TableMeld:
    if len(cards) < rules.run_min:
        raise IllegalHere("RUN_TOO_SHORT", "J-11", cards=cards, minimum=rules.run_min)
    first = next((i for i, card in enumerate(cards) if card < JOKER_BASE), None)
    if first is None:
        raise IllegalHere("RUN_NEEDS_NATURALS", "J-14", cards=cards)
    rank, suit = RANK_OF[cards[first]], SUIT_OF[cards[first]]
    # An ace that something precedes can only be the high one.
    low = (HIGH_ACE if rank == 0 and first else rank) - first
    if low < 0 or low + len(cards) - 1 > HIGH_ACE:
        raise IllegalHere("RUN_LEAVES_ACES", "X-13", cards=cards)
    for offset, card in enumerate(cards):
        if card >= JOKER_BASE:
            if offset and cards[offset - 1] >= JOKER_BASE:
                raise IllegalHere("JOKERS_ADJACENT", "J-15", cards=cards)
        elif SUIT_OF[card] != suit:
            raise IllegalHere("RUN_SUITS_DIFFER", "X-1", cards=cards, card=card)
        elif RANK_OF[card] != (low + offset) % RANKS:
            raise IllegalHere("RUN_NOT_CONSECUTIVE", "X-13", cards=cards, card=card)
    return TableMeld(owner, MeldKind.RUN, low, suit, cards)


def extended(meld: TableMeld, card: Card, target: int) -> TableMeld:
    """Return table meld number ``target`` with ``card`` laid off, or raise IllegalHere (J-16)."""
    joker = card >= JOKER_BASE
    if meld.kind is MeldKind.SET:
        if not joker and RANK_OF[card] != meld.low:
            raise IllegalHere("RANK_DOES_NOT_FIT", "J-16", card=card, target=target)
        return meld._replace(cards=(*meld.cards, card))
    high = _open_end_is_high(meld)
    if high is None:
        raise IllegalHere("RUN_CLOSED", "J-17", card=card, target=target)
    position = meld.low + len(meld.cards) if high else meld.low - 1
    if joker:
        if meld.cards[-1 if high else 0] >= JOKER_BASE:
            raise IllegalHere("JOKERS_ADJACENT", "J-15", card=card, target=target)
    elif SUIT_OF[card] != meld.suit or RANK_OF[card] != position % RANKS:
        raise IllegalHere(
            "CARD_DOES_NOT_FIT", "J-16", card=card, target=target, end="high" if high else "low"
        )
    return _grown(meld, card, high=high)


def with_joker_moved(meld: TableMeld, card: Card, target: int) -> TableMeld:
    """Return run ``target`` with ``card`` in its joker's place and the joker at the open end.

    Raises IllegalHere where no joker stands for the card or the joker has nowhere to go (J-19).
    """
    if meld.kind is not MeldKind.RUN:
        raise IllegalHere("JOKER_FIXED_IN_SET", "J-18", card=card, target=target)
    index = joker_index(meld, card)
    if index is None:
        raise IllegalHere("NO_JOKER_FOR_CARD", "J-18", card=card, target=target)
    joker = meld.cards[index]
    filled = meld._replace(cards=(*meld.cards[:index], card, *meld.cards[index + 1 :]))
    high = _open_end_is_high(filled)
    if high is None:
        raise IllegalHere("RUN_CLOSED", "J-19", card=card, target=target)
    if filled.cards[-1 if high else 0] >= JOKER_BASE:
        raise IllegalHere("JOKERS_ADJACENT", "J-19", card=card, target=target)
    return _grown(filled, joker, high=high)


def joker_index(meld: TableMeld, card: Card) -> int | None:
    """Return where in the run a joker stands for exactly this natural, or None."""
    if card >= JOKER_BASE or SUIT_OF[card] != meld.suit:
        return None
    for offset, held in enumerate(meld.cards):
        if held >= JOKER_BASE and (meld.low + offset) % RANKS == RANK_OF[card]:
            return offset
    return None


def _open_end_is_high(meld: TableMeld) -> bool | None:
    """Upwards until the ace is reached, then downwards, then nowhere (J-16)."""
    if meld.low + len(meld.cards) - 1 < HIGH_ACE:
        return True
    return False if meld.low > 0 else None


def _grown(meld: TableMeld, card: Card, *, high: bool) -> TableMeld:
    if high:
        return meld._replace(cards=(*meld.cards, card))
    return meld._replace(low=meld.low - 1, cards=(card, *meld.cards))
