"""Tables of the solver: what one suit, held as a 13-bit mask of ranks, can give towards a run.

A run of minimum length covers a window of positions 0 (low ace) to 13 (high ace). Of the window's
positions a hand fills some with naturals; jokers may stand for missing ones, as far as the rule set
lets them: not two in a row (J-15, B-8), not more than one (C-3). The pair (naturals, jokers that
fit) is packed into one integer, the *quality*: naturals times 16 plus jokers. A higher quality is
at least as good with any number of jokers in hand, and qualities of up to 15 / 2 runs add without
carry, so that one number tells all of a suit.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rummy_arena.game.cards import JOKER_BASE, RANK_OF, RANKS, SUIT_OF

POSITIONS = RANKS + 1
MASKS = 1 << RANKS
ALL_RANKS = MASKS - 1

LANE_BITS = 4
"""A rank's count is one lane of this many bits: up to twelve naturals of a rank in three packs."""
JOKER_LANE = 1 << (LANE_BITS * RANKS)
"""One joker in a sum of lanes; jokers are counted above the lanes of the ranks."""

SUIT_BIT = tuple(
    0 if card >= JOKER_BASE else 1 << (SUIT_OF[card] * RANKS + RANK_OF[card]) for card in range(256)
)
"""By card id: the card's bit among four suits of 13 bits; 0 for jokers."""
LANE = tuple(
    JOKER_LANE if card >= JOKER_BASE else 1 << (LANE_BITS * RANK_OF[card]) for card in range(256)
)
"""By card id: one card in the lane of its rank, or one joker."""
IN_ALL_SUITS = tuple(sum(1 << (suit * RANKS + rank) for suit in range(4)) for rank in range(RANKS))
"""By rank: its bit in all four suits."""


class RunTables(NamedTuple):
    """What a suit mask gives towards one run of minimum length, by mask."""

    quality: bytes  # naturals * 16 + jokers that fit, of the best window
    window: Sequence[int]  # the naturals of that window, as a suit mask
    start: bytes  # its first position
    gains: Sequence[int]  # the ranks of which one more card raises the quality, as a mask


def fitting_jokers(missing: int, *, adjacent: bool = False) -> int:
    """Return how many jokers fit on the positions in ``missing``, ``adjacent`` or never so."""
    if adjacent:
        return missing.bit_count()
    count = 0
    while missing:
        low = missing & -missing
        count += 1
        missing &= ~(low | low << 1)
    return count


def bits_of(mask: int) -> list[int]:
    """Return the bits of a mask, the lowest first."""
    bits = []
    while mask:
        low = mask & -mask
        mask ^= low
        bits.append(low)
    return bits


def with_high_ace(mask: int) -> int:
    """Return a suit mask as positions 0 to 13: the ace stands at both ends."""
    return mask | (mask & 1) << RANKS


def run_tables(
    run_min: int, most_jokers: int = RANKS, *, adjacent: bool = False, ace_low: bool = True
) -> RunTables:
    """Return the tables for runs of ``run_min`` cards; they take about 40 ms, once a process.

    A run holds ``most_jokers`` at most, and a natural always.
    """
    return _run_tables(run_min, min(most_jokers, run_min - 1), adjacent, ace_low)


@lru_cache(maxsize=8)
def _run_tables(run_min: int, most: int, adjacent: bool, ace_low: bool) -> RunTables:
    full = (1 << run_min) - 1
    grade = bytes(
        pattern.bit_count() << 4 | min(fitting_jokers(full & ~pattern, adjacent=adjacent), most)
        for pattern in range(full + 1)
    )
    starts = range(POSITIONS - run_min, -1 if ace_low else 0, -1)
    bits = [1 << rank for rank in range(RANKS)]
    quality, window, start = bytearray(MASKS), [0] * MASKS, bytearray(MASKS)
    for mask in range(MASKS):
        positions = with_high_ace(mask)
        best, at = max((grade[positions >> low & full], low) for low in starts)
        covered = positions & full << at
        quality[mask], start[mask] = best, at
        window[mask] = (covered | covered >> RANKS) & ALL_RANKS
    gains = [
        sum(bit for bit in bits if quality[mask | bit] > quality[mask]) for mask in range(MASKS)
    ]
    # Arrays, because tuples of 8,192 numbers would fill the processor's cache many times over.
    return RunTables(bytes(quality), array("H", window), bytes(start), array("H", gains))
