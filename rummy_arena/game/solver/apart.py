"""The kernel for contracts whose sets differ in rank and whose runs differ in suit (J-12, B-20)."""

from __future__ import annotations

from rummy_arena.game.cards import RANKS

from .limits import (
    EVERY_NATURAL,
    JOKERS_AT,
    RANK_LANES,
    RANKS_AT,
    TOPS,
    Limits,
    Masks,
    saturated,
)
from .search import fullest, run_quality, search
from .tables import ALL_RANKS


def placed_apart(
    limits: Limits, hand: Masks, sets: int, runs: int, floor: int
) -> tuple[int, int, int]:
    """Return how many cards have a place in the contract at best, and what its sets take.

    Also returns the bound that disregards cards wanted by a set and a run. With a ``floor`` of 0 or
    more the question is only whether it is passed: totals on either side are not told apart.
    """
    suits, lanes, _ = hand
    jokers = lanes >> JOKERS_AT
    if runs >= sets:  # runs are more often what is lacking: with complete sets, would it do?
        quality = run_quality(limits.quality, suits, runs)
        room = quality & 15
        placed = (quality >> 4) + (jokers if jokers < room else room)
        placed += sets * limits.set_min
        if placed <= floor or not sets:
            return placed, 0, placed
    naturals = room = 0
    ranks = lanes & RANK_LANES
    for addend in limits.filling:
        count = (ranks + addend & TOPS).bit_count()
        if count > sets:
            count = sets
        naturals += count
        room += sets - count
    for left, addend in limits.common:
        count = (ranks + addend & TOPS).bit_count()
        if count >= sets:
            naturals += sets * left
            break
        naturals += count
    if runs < sets:
        placed = naturals + (jokers if jokers < room else room)
        placed += runs * limits.run_min
        if placed <= floor or not runs:
            return placed, 0, placed
        quality = run_quality(limits.quality, suits, runs)
    naturals += quality >> 4
    room += quality & 15
    relaxed = naturals + (jokers if jokers < room else room)
    if relaxed <= floor:
        return relaxed, 0, relaxed
    (placed, taken), shared = fullest(limits, suits, ranks, jokers, sets, runs, quality)
    # Any other choice gives the sets a natural less, and so misses the mark by one at least, unless
    # a loose joker makes up for it or a rank with cards to spare was not looked at in full.
    enough = floor + 1 if floor >= 0 else relaxed
    if placed >= enough:
        return placed, taken, relaxed
    short = relaxed - placed
    loose = jokers > room
    if short > 1 or (short and (shared or loose)):
        best = (placed, taken) if placed > floor else (floor, 0)
        placed, taken = search(
            limits, suits, ranks, jokers, sets, runs, quality, relaxed, enough, loose, shared, best
        )
    return placed, taken, relaxed


def windows_apart(limits: Limits, suits: int, runs: int) -> int:
    """Return the naturals of the best runs in the ``runs`` most promising suits."""
    quality, window = limits.quality, limits.window
    clubs, diamonds = suits & ALL_RANKS, suits >> RANKS & ALL_RANKS
    hearts, spades = suits >> 2 * RANKS & ALL_RANKS, suits >> 3 * RANKS
    found = [
        quality[clubs] << RANKS_AT | window[clubs],
        quality[diamonds] << RANKS_AT | window[diamonds] << RANKS,
        quality[hearts] << RANKS_AT | window[hearts] << 2 * RANKS,
        quality[spades] << RANKS_AT | window[spades] << 3 * RANKS,
    ]
    found.sort()
    return sum(found[-runs:]) & EVERY_NATURAL


def thinned(hand: Masks) -> Masks:
    """Return the masks of a hand of three packs with no rank counted beyond eight."""
    suits, lanes, twins = hand
    return suits, lanes & ~RANK_LANES | saturated(lanes & RANK_LANES), twins


def placed_crowded(
    limits: Limits, hand: Masks, sets: int, runs: int, floor: int
) -> tuple[int, int, int]:
    """Do what ``placed_apart`` does for a hand of three packs."""
    return placed_apart(limits, thinned(hand), sets, runs, floor)
