"""Cards as small integers, and their text (X-2).

A natural card is ``((suit * 13 + rank) << 2) | copy``: suits are clubs 0, diamonds 1, hearts 2,
spades 3; ranks are ace 0, two 1, ... king 12; ``copy`` tells the packs apart. Jokers are 208 and
up. Every card of up to four packs fits in one byte, so a hand is stored as ``bytes``.

>>> ace = natural(ACE, SPADES)
>>> card_text(ace), parse_card("*1"), is_joker(parse_card("*1"))
('AS1', 208, True)
>>> cards_text(sorted(parse_cards("KS2 TH1 2C1")))
'2C1 TH1 KS2'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Card: TypeAlias = int
"""One physical card: two cards of equal rank and suit differ in their id (X-2)."""

RANKS = 13
JOKER_BASE = 208
RANK_TEXT = "A23456789TJQK"
SUIT_TEXT = "CDHS"
ACE, TWO, KING = 0, 1, 12
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

RANK_OF = bytes((card >> 2) % RANKS for card in range(256))
"""Rank of each natural card id; meaningless for jokers."""
SUIT_OF = bytes(min((card >> 2) // RANKS, 3) for card in range(256))
"""Suit of each natural card id; meaningless for jokers."""


def natural(rank: int, suit: int, copy: int = 0) -> Card:
    """Return the card id for a rank (0-12), a suit (0-3) and a pack (0-3)."""
    return ((suit * RANKS + rank) << 2) | copy


def is_joker(card: Card) -> bool:
    """Return whether the card is a joker."""
    return card >= JOKER_BASE


def full_pack(packs: int, jokers: int) -> tuple[Card, ...]:
    """Return every card of ``packs`` ordinary packs plus ``jokers`` jokers, in id order."""
    naturals = [
        natural(rank, suit, copy)
        for suit in range(4)
        for rank in range(RANKS)
        for copy in range(packs)
    ]
    return (*naturals, *range(JOKER_BASE, JOKER_BASE + jokers))


def card_text(card: Card) -> str:
    """Return a card's text: rank, suit, pack (``KS1``, ``TH2``), or ``*1`` to ``*9`` for jokers."""
    if is_joker(card):
        return f"*{card - JOKER_BASE + 1}"
    return f"{RANK_TEXT[RANK_OF[card]]}{SUIT_TEXT[SUIT_OF[card]]}{(card & 3) + 1}"


def parse_card(text: str) -> Card:
    """Return the card that ``card_text`` writes as ``text``; ValueError names what is wrong."""
    if len(text) == 2 and text[0] == "*" and text[1] in "123456789":
        return JOKER_BASE + int(text[1]) - 1
    if len(text) == 3 and text[0] in RANK_TEXT and text[1] in SUIT_TEXT and text[2] in "1234":
        return natural(RANK_TEXT.index(text[0]), SUIT_TEXT.index(text[1]), int(text[2]) - 1)
    raise ValueError(f"not a card: {text!r}; write rank, suit, pack as in KS1, or *1 for a joker")


def cards_text(cards: Iterable[Card]) -> str:
    """Return the cards' texts with a space between them."""
    return " ".join(map(card_text, cards))


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards that ``cards_text`` writes as ``text``."""
    return tuple(map(parse_card, text.split()))
