"""The best runs of a hand whose runs may be of one suit, with the copies that it has of each card.

What two or more runs of one suit find in it is searched once and remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from rummy_arena.game.cards import RANKS

from .apart import windows_apart
from .limits import RANKS_AT, Limits
from .search import run_quality
from .tables import ALL_RANKS, POSITIONS, bits_of

_MOST_KNOWN = 100_000
_known: dict[tuple[Limits, int], int] = {}
"""What ``suit_runs`` found."""
_SUIT_SHIFTS = (0, RANKS, 2 * RANKS, 3 * RANKS)


def best_runs(limits: Limits, suits: int, twins: int, runs: int, jokers: int) -> int:
    """Return the quality of the best ``runs`` runs for a hand with so many jokers."""
    apart = run_quality(limits.quality, suits, runs)
    if runs == 1:
        return apart
    if runs > 2:
        return _best_of_many(limits, suits, twins, runs, jokers, apart)
    best = apart
    for shift in _SUIT_SHIFTS:
        mask = suits >> shift & ALL_RANKS
        twin = twins >> shift & ALL_RANKS
        if (mask.bit_count() + twin.bit_count()) << 4 | 2 * limits.most_jokers > best:
            found = suit_runs(limits, mask, twin, 2, jokers)
            if found > best:
                best = found
    return best


def _best_of_many(
    limits: Limits, suits: int, twins: int, runs: int, jokers: int, apart: int
) -> int:
    """Return the best quality of three runs or more; ``apart`` is that of runs in as many suits."""
    most = runs * limits.most_jokers
    most = jokers if jokers < most else most
    quality = limits.quality
    masks = [suits >> shift & ALL_RANKS for shift in _SUIT_SHIFTS]
    singles = [quality[mask] for mask in masks]
    best = apart
    for suit, shift in enumerate(_SUIT_SHIFTS):
        twin = twins >> shift & ALL_RANKS
        held = masks[suit].bit_count() + twin.bit_count()
        others = singles[:suit] + singles[suit + 1 :]
        single = max(others)
        if held + (runs - 2) * (single >> 4) + most <= worth(best, jokers):
            continue
        if runs > 3:
            return _spread(limits, suits, twins, runs, jokers)[1]
        for number, rest in ((2, single), (3, 0)):
            found = suit_runs(limits, masks[suit], twin, number, jokers) + rest
            if (worth(found, jokers), found) > (worth(best, jokers), best):
                best = found
    return best


def worth(quality: int, jokers: int) -> int:
    """Return how many cards have a place in melds of this quality."""
    room = quality & 15
    return (quality >> 4) + (jokers if jokers < room else room)


def _spread(
    limits: Limits, suits: int, twins: int, runs: int, jokers: int
) -> tuple[int, int, tuple[int, ...]]:
    """Return how many cards, of what quality, the runs place at best, and how many in each suit."""
    best: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ()), *[(-1, 0, ())] * runs]
    for shift in _SUIT_SHIFTS:
        mask, twin = suits >> shift & ALL_RANKS, twins >> shift & ALL_RANKS
        found = [suit_runs(limits, mask, twin, number, jokers) for number in range(runs + 1)]
        ways = [
            [
                (best[total - number][1] + found[number], (*best[total - number][2], number))
                for number in range(total + 1)
                if best[total - number][0] >= 0
            ]
            for total in range(runs + 1)
        ]
        best = [max([(worth(quality, jokers), quality, at) for quality, at in way]) for way in ways]
    return best[runs]


def suit_runs(limits: Limits, mask: int, twins: int, runs: int, jokers: int) -> int:
    """Return the quality of the best ``runs`` runs of one suit."""
    if runs < 2:
        return limits.quality[mask] if runs else 0
    if runs == 2:
        jokers = 0  # which does not matter then
    key = limits, ((twins << RANKS | mask) << 3 | runs) << 4 | jokers
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        qualities = [
            limits.quality[used] + suit_runs(limits, rest, twin, runs - 1, jokers)
            for used, rest, twin in _first_runs(limits, mask, twins)
        ]
        found = _known[key] = max([(worth(quality, jokers), quality) for quality in qualities])[1]
    return found


def _first_runs(limits: Limits, mask: int, twins: int) -> Iterator[tuple[int, int, int]]:
    """Yield what one run may take of a suit, and what it leaves: once, and twice."""
    fewest = limits.run_min - limits.most_jokers
    seen = set()
    for window in _windows(limits):
        held = mask & window
        if held in seen:
            continue
        seen.add(held)
        naturals = held.bit_count()
        yield held, mask & ~(held & ~twins), twins & ~held
        for size in range(min(naturals, fewest), naturals):
            for bits in combinations(bits_of(held), size):
                used = sum(bits)
                yield used, mask & ~(used & ~twins), twins & ~used


@lru_cache(maxsize=16)
def _windows(limits: Limits) -> tuple[int, ...]:
    """Return the ranks of each window of a run of minimum length."""
    low = 0 if limits.ace_low else 1
    full = (1 << limits.run_min) - 1
    shifted = [full << at for at in range(low, POSITIONS - limits.run_min + 1)]
    return tuple([(mask | mask >> RANKS) & ALL_RANKS for mask in shifted])


def run_cards(limits: Limits, suits: int, twins: int, runs: int, jokers: int) -> int:
    """Return the naturals of the best runs, as four suits; above them those wanted twice."""
    best = best_runs(limits, suits, twins, runs, jokers)
    if best == run_quality(limits.quality, suits, runs):
        return windows_apart(limits, suits, runs)
    found = 0
    numbers = _spread(limits, suits, twins, runs, jokers)[2]
    for shift, number in zip(_SUIT_SHIFTS, numbers, strict=True):
        mask, twin = suits >> shift & ALL_RANKS, twins >> shift & ALL_RANKS
        once, twice = _suit_cards(limits, mask, twin, number, jokers)
        found |= (once | twice << RANKS_AT) << shift
    return found


def _suit_cards(limits: Limits, mask: int, twins: int, runs: int, jokers: int) -> tuple[int, int]:
    """Return the naturals that the best runs of a suit take, and of these what they take twice."""
    once = twice = 0
    while runs:
        runs -= 1
        if not runs:
            used = limits.window[mask]
        else:
            best = suit_runs(limits, mask, twins, runs + 1, jokers)
            used, mask, twins = next(
                (used, rest, twin)
                for used, rest, twin in _first_runs(limits, mask, twins)
                if limits.quality[used] + suit_runs(limits, rest, twin, runs, jokers) == best
            )
        twice |= once & used
        once |= used
    return once, twice
