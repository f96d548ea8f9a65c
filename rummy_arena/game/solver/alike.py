"""The kernel for contracts whose sets may be of one rank and whose runs may be of one suit (C-1).

Six eights are two sets, and 3-4-5-6 and 5-6-7-8 of one suit are two runs where the hand has the
five and the six twice. So a hand counts by copies here: the ranks that each suit holds, and those
that it holds twice.

As in ``tables``, naturals times 16 plus the jokers that fit tell all of a choice of melds:
one natural more with one place less for a joker is never worse. Only three runs of one suit may
have to give up a natural for two places; they are chosen for the jokers that the hand has.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from rummy_arena.game.cards import RANKS

from .alike_runs import best_runs, run_cards, worth
from .apart import placed_apart, thinned
from .limits import (
    AT_LEAST,
    EVERY_NATURAL,
    JOKERS_AT,
    RANK_LANES,
    TOPS,
    Limits,
    Masks,
)
from .search import run_quality
from .tables import ALL_RANKS, IN_ALL_SUITS, LANE_BITS, bits_of

_SUIT_SHIFTS = (0, RANKS, 2 * RANKS, 3 * RANKS)


class Way(NamedTuple):
    """How the sets take their cards: their ranks, and the naturals left for the runs."""

    set_ranks: int  # a mask of 13 bits
    suits: int  # four suits of 13 bits
    twins: int  # of these, the naturals left twice


class _Option(NamedTuple):
    """What one rank can give to one set or more."""

    quality: int  # naturals * 16 + jokers that fit
    sets: int
    rank: int
    cards: int  # naturals that it takes


def placed_alike(
    limits: Limits, hand: Masks, sets: int, runs: int, floor: int
) -> tuple[int, Way | int | None, int]:
    """Return how many cards have a place in the contract at best, and what its sets take.

    That is a number as in ``placed_apart`` where melds that differ do best, and None where nothing
    was searched. Also returns the bound that disregards cards wanted by a set and a run. With a
    ``floor`` of 0 or more the question is only whether it is passed.
    """
    suits, lanes, twins = hand
    jokers = lanes >> JOKERS_AT
    if runs > 2 and not sets and floor >= 0:
        apart = worth(run_quality(limits.quality, suits, runs), jokers)
        if apart > floor:
            return apart, None, apart
    quality = best_runs(limits, suits, twins, runs, jokers) if runs else 0
    bound = quality + (best_sets(limits, lanes & RANK_LANES, sets) if sets else 0)
    relaxed = worth(bound, jokers)
    if relaxed <= floor or not sets or not runs:
        return relaxed, None, relaxed
    thin = thinned(hand) if limits.crowded else hand
    placed, taken, _ = placed_apart(limits, thin, sets, runs, floor)
    enough = floor + 1 if floor >= 0 else relaxed
    if placed >= enough:
        return placed, taken, relaxed
    search = _Search(limits, hand, sets, runs, enough, placed)
    search.go(0, sets, 0, quality, Way(0, suits, twins))
    return search.best, taken if search.way is None else search.way, relaxed


class _Search:
    """Depth first over the ranks of the sets, those that give most first."""

    def __init__(
        self, limits: Limits, hand: Masks, sets: int, runs: int, enough: int, known: int
    ) -> None:
        self.limits = limits
        self.lanes = lanes = hand[1]
        self.runs = runs
        self.jokers = lanes >> JOKERS_AT
        self.enough = enough
        self.best = known
        self.way: Way | None = None
        self.options = self._options(sets)

    def _options(self, sets: int) -> list[_Option]:
        limits, lanes = self.limits, self.lanes
        found = [_Option(limits.gaps[0], 1, -1, 0)]
        for rank in range(RANKS):
            count = lanes >> LANE_BITS * rank & 15
            if not count:
                continue
            for number in range(1, sets + 1):
                most = min(count, number * limits.set_min)
                least = most
                if self.jokers:  # a joker may do where a run wants the natural
                    least = min(most, number * (limits.set_min_naturals))
                for cards in range(most, least - 1, -1):
                    quality = set_quality(limits, cards, number)
                    found.append(_Option(quality, number, rank, cards))
                if count <= number:
                    break
        found.sort(key=lambda option: option.quality / option.sets, reverse=True)
        return found

    def go(self, at: int, left: int, quality: int, bound: int, way: Way) -> None:
        """Try the options from ``at`` on for ``left`` more sets.

        ``quality`` is what the sets so far give, ``bound`` what the runs would find if no further
        set took a card.
        """
        jokers = self.jokers
        if not left:
            placed = worth(quality + bound, jokers)
            if placed > self.best:
                self.best, self.way = placed, way
            return
        for index in range(at, len(self.options)):
            option = self.options[index]
            each = -(-(option.quality >> 4) // option.sets)
            room = (quality & 15) + (bound & 15) + left * self.limits.gaps[0]
            most = (quality >> 4) + (bound >> 4) + left * each
            if most + (jokers if jokers < room else room) <= self.best:
                return
            if option.sets > left or (option.rank >= 0 and way.set_ranks >> option.rank & 1):
                continue
            again = index if option.rank < 0 else index + 1
            for rest in self._rests(option, way):
                found = best_runs(self.limits, rest.suits, rest.twins, self.runs, jokers)
                self.go(again, left - option.sets, quality + option.quality, found, rest)
                if self.best >= self.enough:
                    return

    def _rests(self, option: _Option, way: Way) -> Iterator[Way]:
        """Yield the ways to take the option's cards out of what is left."""
        rank = option.rank
        if rank < 0:
            yield way
            return
        ranked = way.set_ranks | 1 << rank
        every = IN_ALL_SUITS[rank]
        spare = (self.lanes >> LANE_BITS * rank & 15) - option.cards
        suits, twins = way.suits & ~every, way.twins & ~every
        if not spare:
            yield Way(ranked, suits, twins)
            return
        copies = bits_of(way.suits & every) + bits_of(way.twins & every)
        spare = min(spare, len(copies))
        for kept in set(combinations(sorted(copies), spare)):
            once = twice = 0
            for bit in kept:
                twice |= once & bit
                once |= bit
            yield Way(ranked, suits | once, twins | twice)


def best_sets(limits: Limits, ranks: int, sets: int) -> int:
    """Return the quality of the best ``sets`` sets, whatever the runs would want."""
    crowded = ranks + AT_LEAST[limits.set_min + 1] & TOPS if not limits.crowded else 1
    present = 0 if crowded else (ranks + AT_LEAST[1] & TOPS).bit_count()
    if present < sets:
        counts = sorted([ranks >> LANE_BITS * rank & 15 for rank in range(RANKS)], reverse=True)
        return _sets_of(limits, tuple(counts[:sets]), sets)[0]
    naturals = room = 0
    for addend in limits.filling:
        count = (ranks + addend & TOPS).bit_count()
        count = count if count < sets else sets
        naturals += count
        room += sets - count
    for left, addend in limits.common:
        count = (ranks + addend & TOPS).bit_count()
        if count >= sets:
            naturals += sets * left
            break
        naturals += count
    return naturals << 4 | room


@lru_cache(maxsize=4096)
def _sets_of(limits: Limits, counts: tuple[int, ...], sets: int) -> tuple[int, tuple[int, ...]]:
    """Return the quality of the best sets from ranks with these counts, and how many of each."""
    if not sets:
        return 0, (0,) * len(counts)
    if not counts:
        return sets * limits.gaps[0], ()
    best: tuple[int, tuple[int, ...]] = (-1, ())
    for number in range(sets + 1):
        rest, numbers = _sets_of(limits, counts[1:], sets - number)
        own = set_quality(limits, min(counts[0], number * limits.set_min), number)
        best = max(best, (own + rest, (number, *numbers)))
    return best


@lru_cache(maxsize=1024)
def set_quality(limits: Limits, cards: int, sets: int) -> int:
    """Return the best quality of ``sets`` sets of one rank that share so many naturals."""
    if not sets:
        return 0
    sizes = range(min(cards, limits.set_min) + 1)
    if sets == 1:
        return cards << 4 | limits.gaps[cards] if cards in sizes else 0
    return max(
        (size << 4 | limits.gaps[size]) + set_quality(limits, cards - size, sets - 1)
        for size in sizes
    )


def needed_alike(
    limits: Limits, hand: Masks, sets: int, runs: int, way: Way | None
) -> tuple[int, int]:
    """Return what ``placed_alike`` builds on: the ranks of the sets, and the naturals of the runs.

    The naturals of the runs are four suits of 13 bits; above them stand those wanted twice.
    """
    suits, lanes, twins = hand
    if way is None:
        way = Way(_ranks_of(limits, lanes, sets), suits, twins) if sets else Way(0, suits, twins)
    if not runs:
        return way.set_ranks, 0
    jokers = lanes >> JOKERS_AT
    return way.set_ranks, run_cards(limits, way.suits, way.twins, runs, jokers)


def _ranks_of(limits: Limits, lanes: int, sets: int) -> int:
    """Return the ranks that the best sets have, a mask of 13 bits."""
    counts = [(lanes >> LANE_BITS * rank & 15, rank) for rank in range(RANKS)]
    chosen = sorted(counts, reverse=True)[:sets]
    numbers = _sets_of(limits, tuple([count for count, _ in chosen]), sets)[1]
    pairs = zip(numbers, chosen, strict=True)
    return sum([1 << rank for number, (count, rank) in pairs if number and count])


def useful_alike(limits: Limits, hand: Masks, sets: int, runs: int, *, tight: bool) -> int:
    """Return naturals, as four suits of 13 bits, among them all that bring the hand nearer."""
    suits, lanes, twins = hand
    if sets and runs and not tight:
        return EVERY_NATURAL  # a second copy of a card that both want may help
    found = 0
    if runs:
        jokers = lanes >> JOKERS_AT
        now = worth(best_runs(limits, suits, twins, runs, jokers), runs * limits.most_jokers)
        single = max([limits.quality[suits >> shift & ALL_RANKS] for shift in _SUIT_SHIFTS]) >> 4
        for shift in _SUIT_SHIFTS:
            mask, twin = suits >> shift & ALL_RANKS, twins >> shift & ALL_RANKS
            found |= limits.gains[mask] << shift
            held = mask.bit_count() + twin.bit_count() + 1
            if runs > 1 and held + (runs - 2) * single + runs * limits.most_jokers > now:
                found |= ALL_RANKS << shift
    if sets:
        ranks = lanes & RANK_LANES
        least = best_sets(limits, ranks, sets)
        for rank in range(RANKS):
            if best_sets(limits, ranks + (1 << LANE_BITS * rank), sets) > least:
                found |= IN_ALL_SUITS[rank]
    return found
