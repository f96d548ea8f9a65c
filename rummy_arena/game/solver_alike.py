"""The kernel for contracts whose sets may be of one rank and whose runs may be of one suit (C-1).

Six eights are two sets, and 3-4-5-6 and 5-6-7-8 of one suit are two runs where the hand has the
five and the six twice. So a hand counts by copies here: the ranks that each suit holds, and those
that it holds twice. What two or more runs of one suit find in it is searched once and remembered.

As in ``solver_tables``, naturals times 16 plus the jokers that fit tell all of a choice of melds:
one natural more with one place less for a joker is never worse. Only three runs of one suit may
have to give up a natural for two places; they are chosen for the jokers that the hand has.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from .cards import RANKS
from .solver_limits import (
    AT_LEAST,
    EVERY_NATURAL,
    JOKERS_AT,
    RANK_LANES,
    RANKS_AT,
    TOPS,
    Limits,
    Masks,
)
from .solver_search import run_quality
from .solver_tables import ALL_RANKS, IN_ALL_SUITS, LANE_BITS, POSITIONS

_MOST_KNOWN = 100_000
_known: dict[tuple[Limits, int], int] = {}
"""What ``suit_runs`` found."""
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
) -> tuple[int, Way | None, int]:
    """Return how many cards have a place in the contract at best, and what its sets take.

    Also returns the bound that disregards cards wanted by a set and a run. With a ``floor`` of 0 or
    more the question is only whether it is passed. The way is None where nothing was searched.
    """
    suits, lanes, twins = hand
    jokers = lanes >> JOKERS_AT
    quality = best_runs(limits, suits, twins, runs, jokers) if runs else 0
    bound = quality + (best_sets(limits, lanes & RANK_LANES, sets) if sets else 0)
    relaxed = worth(bound, jokers)
    if relaxed <= floor or not sets or not runs:
        return relaxed, None, relaxed
    enough = floor + 1 if floor >= 0 else relaxed
    search = _Search(limits, hand, sets, runs, enough)
    search.go(0, sets, 0, quality, Way(0, suits, twins))
    return search.best, search.way, relaxed


class _Search:
    """Depth first over the ranks of the sets, those that give most first."""

    def __init__(self, limits: Limits, hand: Masks, sets: int, runs: int, enough: int) -> None:
        self.limits = limits
        self.lanes = lanes = hand[1]
        self.runs = runs
        self.jokers = lanes >> JOKERS_AT
        self.enough = enough
        self.best = -1
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
        copies = _bits(way.suits & every) + _bits(way.twins & every)
        spare = min(spare, len(copies))
        for kept in set(combinations(sorted(copies), spare)):
            once = twice = 0
            for bit in kept:
                twice |= once & bit
                once |= bit
            yield Way(ranked, suits | once, twins | twice)


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        low = mask & -mask
        mask ^= low
        bits.append(low)
    return bits


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
    most = runs * limits.most_jokers
    most = jokers if jokers < most else most
    single = max([limits.quality[suits >> shift & ALL_RANKS] for shift in _SUIT_SHIFTS]) >> 4
    for shift in _SUIT_SHIFTS:
        held = (suits >> shift & ALL_RANKS).bit_count() + (twins >> shift & ALL_RANKS).bit_count()
        if held + (runs - 2) * single + most > worth(apart, jokers):
            return _spread(limits, suits, twins, runs, jokers)[1]
    return apart


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
            for bits in combinations(_bits(held), size):
                used = sum(bits)
                yield used, mask & ~(used & ~twins), twins & ~used


@lru_cache(maxsize=16)
def _windows(limits: Limits) -> tuple[int, ...]:
    """Return the ranks of each window of a run of minimum length."""
    low = 0 if limits.ace_low else 1
    full = (1 << limits.run_min) - 1
    shifted = [full << at for at in range(low, POSITIONS - limits.run_min + 1)]
    return tuple([(mask | mask >> RANKS) & ALL_RANKS for mask in shifted])


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
    found = 0
    jokers = lanes >> JOKERS_AT
    numbers = _spread(limits, way.suits, way.twins, runs, jokers)[2]
    for shift, number in zip(_SUIT_SHIFTS, numbers, strict=True):
        mask, twin = way.suits >> shift & ALL_RANKS, way.twins >> shift & ALL_RANKS
        once, twice = _suit_cards(limits, mask, twin, number, jokers)
        found |= (once | twice << RANKS_AT) << shift
    return way.set_ranks, found


def _ranks_of(limits: Limits, lanes: int, sets: int) -> int:
    """Return the ranks that the best sets have, a mask of 13 bits."""
    counts = [(lanes >> LANE_BITS * rank & 15, rank) for rank in range(RANKS)]
    chosen = sorted(counts, reverse=True)[:sets]
    numbers = _sets_of(limits, tuple([count for count, _ in chosen]), sets)[1]
    pairs = zip(numbers, chosen, strict=True)
    return sum([1 << rank for number, (count, rank) in pairs if number and count])


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
