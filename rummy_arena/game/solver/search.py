"""The solver's search: which ranks to give to the sets when runs want cards as well.

A card may serve a set or a run but not both. The search goes through the ranks of the sets, most
useful first, takes their cards out of the suits and looks up what runs the rest gives; it stops as
soon as no choice can be better.
"""

from __future__ import annotations

from itertools import combinations
from typing import TypeAlias

from rummy_arena.game.cards import RANKS

from .limits import AT_LEAST, RANKS_AT, TOPS, Limits
from .tables import ALL_RANKS, IN_ALL_SUITS, LANE_BITS, bits_of

NOT_KNOWN = -1
_RANKS_ONLY = -1 << RANKS_AT
TAKEN = {8 << LANE_BITS * rank: IN_ALL_SUITS[rank] | 1 << rank + RANKS_AT for rank in range(RANKS)}
"""By the top bit of a rank's lane: what a set of that rank takes when it gets all its cards."""

Choice: TypeAlias = tuple[int, int]
"""Cards in place for the contract; what its sets take: the cards that its runs must leave, as four
suits, and above them the ranks."""
_Option: TypeAlias = tuple[int, int]
"""What a rank gives to a set: how many naturals, and what it takes as in ``Choice``."""


def run_quality(quality: bytes, suits: int, runs: int) -> int:
    """Return the sum of the best ``runs`` suits' qualities."""
    clubs = quality[suits & ALL_RANKS]
    diamonds = quality[suits >> RANKS & ALL_RANKS]
    hearts = quality[suits >> 2 * RANKS & ALL_RANKS]
    spades = quality[suits >> 3 * RANKS & ALL_RANKS]
    if runs == 1:
        low = clubs if clubs > diamonds else diamonds
        high = hearts if hearts > spades else spades
        return low if low > high else high
    if runs == 2:
        low, high = (clubs, diamonds) if clubs < diamonds else (diamonds, clubs)
        low2, high2 = (hearts, spades) if hearts < spades else (spades, hearts)
        if low >= high2:
            return low + high
        return low2 + high2 if low2 >= high else high + high2
    if runs == 3:
        low = clubs if clubs < diamonds else diamonds
        high = hearts if hearts < spades else spades
        return clubs + diamonds + hearts + spades - (low if low < high else high)
    return clubs + diamonds + hearts + spades


def search(
    limits: Limits,
    suits: int,
    lanes: int,
    jokers: int,
    sets: int,
    runs: int,
    quality: int,
    relaxed: int,
    enough: int,
    loose: bool,
    shared: bool,
    best: Choice,
) -> Choice:
    """Return the best choice for a contract of sets and runs, or ``best`` if none beats it.

    ``best`` and ``shared`` are what ``fullest`` found; no choice reaches more than ``relaxed``, and
    one that reaches ``enough`` will do.
    ``quality`` is what the runs would give if they shared no card with a set; ``loose`` says that
    a joker would find no place then.
    """
    least = 0 if loose or relaxed - best[0] > 1 else limits.set_min_naturals
    fewer = jokers > 0 and least == 0
    options = _options(limits, suits, lanes, runs, fewer, least)
    known = NOT_KNOWN if shared else _most_naturals(limits, lanes, sets)
    return _choose(limits, options, suits, jokers, sets, runs, quality, enough, known, best)


def _most_naturals(limits: Limits, lanes: int, sets: int) -> int:
    """Return how many naturals the sets get at most."""
    counted = AT_LEAST[1 : limits.set_min + 1]
    return sum([min((lanes + addend & TOPS).bit_count(), sets) for addend in counted])


def fullest(
    limits: Limits, suits: int, lanes: int, jokers: int, sets: int, runs: int, quality: int
) -> tuple[Choice, bool]:
    """Return the best choice among those that give the sets as many naturals as the hand can.

    A rank keeps all its cards from the runs but those that are left over. Also returns whether a
    way to leave such cards was not looked at. ``quality`` ends the search where no run lost.
    """
    beyond = lanes + limits.beyond & TOPS
    if beyond and runs:
        return _fullest_sharing(limits, suits, lanes, jokers, sets, runs, quality, beyond)
    size = limits.set_min
    level = above = lanes + AT_LEAST[size] & TOPS
    taken = naturals = room = 0
    left = sets
    count = level.bit_count()
    while count < left:
        naturals += count * size
        room += count * limits.gaps[size]
        left -= count
        while level:
            top = level & -level
            level ^= top
            taken += TAKEN[top]
        size -= 1
        level = (lanes + AT_LEAST[size] & TOPS) ^ above
        above |= level
        count = level.bit_count()
    table = limits.quality
    best = chosen = -1
    if left > 1:
        for tops in combinations(bits_of(level), left):
            tried = taken + sum([TAKEN[top] for top in tops])
            found = run_quality(table, suits & ~tried, runs)
            if found > best:
                best, chosen = found, tried
                if best == quality:
                    break
        level = 0
    while level:
        top = level & -level
        level ^= top
        tried = taken + TAKEN[top]
        found = run_quality(table, suits & ~tried, runs)
        if found > best:
            best, chosen = found, tried
            if best == quality:
                break
    naturals += left * size + (best >> 4)
    room += left * limits.gaps[size] + (best & 15)
    return (naturals + (jokers if jokers < room else room), chosen), False


def _fullest_sharing(
    limits: Limits,
    suits: int,
    lanes: int,
    jokers: int,
    sets: int,
    runs: int,
    quality: int,
    shared: int,
) -> tuple[Choice, bool]:
    """Do what ``fullest`` does where the ranks in ``shared`` have cards to spare."""
    size = limits.set_min
    gaps = limits.gaps
    level = above = lanes + AT_LEAST[size] & TOPS
    taken = naturals = room = 0
    left = sets
    free = lanes + AT_LEAST[size + runs] & TOPS
    shared ^= free
    while free and left:  # enough for a set and for every run: nothing is lost by these
        top = free & -free
        free ^= top
        level ^= top
        taken += TAKEN[top] & _RANKS_ONLY
        naturals += size
        left -= 1
    ways = [taken]
    while True:
        count = level.bit_count()
        if count >= left:
            break
        naturals += count * size
        room += count * gaps[size]
        left -= count
        while level:
            top = level & -level
            level ^= top
            if top & shared:
                kept = _kept(suits, lanes, top, size, runs)
                ways = [way + keep for way in ways for keep in kept]
                shared ^= top
            else:
                taken = TAKEN[top]
                ways = [way + taken for way in ways]
        size -= 1
        level = (lanes + AT_LEAST[size] & TOPS) ^ above
        above |= level
    ranks = []
    while level and left:
        top = level & -level
        level ^= top
        if top & shared and left == 1:
            ranks += _kept(suits, lanes, top, size, runs)
            shared ^= top
        else:
            ranks.append(TAKEN[top])
    best, chosen = _best_rest(limits.quality, suits, runs, ways, ranks, left, quality)
    naturals += left * size + (best >> 4)
    room += left * gaps[size] + (best & 15)
    return (naturals + (jokers if jokers < room else room), chosen), shared != 0


def _best_rest(
    table: bytes, suits: int, runs: int, ways: list[int], ranks: list[int], left: int, quality: int
) -> tuple[int, int]:
    """Return the best quality of the runs beside ``left`` more of ``ranks``, and what is taken."""
    best = chosen = -1
    for way in ways:
        for more in ranks if left == 1 else map(sum, combinations(ranks, left)):
            found = run_quality(table, suits & ~(way + more), runs)
            if found > best:
                best, chosen = found, way + more
                if best == quality:
                    return best, chosen
    return best, chosen


def _kept(suits: int, lanes: int, top: int, size: int, runs: int) -> list[int]:
    """Return the ways to take a rank for a set of ``size`` naturals, leaving what it can spare."""
    rank = top.bit_length() // LANE_BITS - 1
    ranked = 1 << rank + RANKS_AT
    held = suits & IN_ALL_SUITS[rank]
    spare = (lanes >> LANE_BITS * rank & 15) - size
    if spare >= runs or spare >= held.bit_count():
        return [ranked]
    return [held - sum(free) + ranked for free in combinations(bits_of(held), spare)]


def _options(
    limits: Limits, suits: int, lanes: int, runs: int, fewer: bool, least: int
) -> list[_Option]:
    """Return what the ranks with ``least`` cards or more could give to a set, the most first.

    With ``fewer``, a rank may give less than it has, so that a joker has a place.
    """
    options: list[_Option] = []
    for size in range(limits.set_min, least - 1, -1):
        held = lanes + AT_LEAST[size] & TOPS
        exact = held & ~(lanes + AT_LEAST[size + 1] & TOPS)
        level = exact
        if size == limits.set_min or (fewer and size >= limits.set_min_naturals):
            level = held
        while level:
            top = level & -level
            level ^= top
            if top & exact:
                options.append((size, TAKEN[top]))
            else:
                options += [(size, kept) for kept in _kept(suits, lanes, top, size, runs)]
    return options


def _choose(
    limits: Limits,
    options: list[_Option],
    suits: int,
    jokers: int,
    sets: int,
    runs: int,
    quality: int,
    enough: int,
    known: int,
    best: Choice,
) -> Choice:
    """Return the best choice of ``sets`` of the options, or ``best`` if none beats it.

    Choices that give the sets ``known`` naturals, the most there are, were looked at before.

    Depth first, with a stack of the options taken so far: options come most useful first, so that
    a level ends at the first one from which even the best of runs would not beat ``best``.
    """
    gaps = limits.gaps
    count = len(options)
    stack: list[tuple[int, int, int, int, int]] = []
    at = naturals = room = taken = 0
    left = sets
    while True:
        beaten = at >= count
        if not beaten:
            own, cards = options[at]
            gap = gaps[own]
            places = room + (quality & 15) + left * gap
            bound = naturals + left * own
            if bound == known:  # a natural less, and a place more for a joker
                bound -= 1
                places += 1
            bound += quality >> 4
            beaten = bound + (jokers if jokers < places else places) <= best[0]
        if beaten:
            if not stack:
                return best
            at, naturals, room, taken, quality = stack.pop()
            left += 1
            continue
        at += 1
        if (taken & cards) >> RANKS_AT:
            continue
        rest = run_quality(limits.quality, suits & ~(taken | cards), runs)
        if left > 1:
            stack.append((at, naturals, room, taken, quality))
            naturals += own
            room += gap
            taken |= cards
            quality = rest  # what is left for the runs at best, whatever else the sets take
            left -= 1
            continue
        places = room + gap + (rest & 15)
        total = naturals + own + (rest >> 4) + (jokers if jokers < places else places)
        if total > best[0]:
            best = (total, taken | cards)
            if total >= enough:
                return best
