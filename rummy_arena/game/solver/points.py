"""Does a hand reach the points of an opening (E-4), and how far is it from that?

First a bound that most hands fail: no card counts that is in no meld, cards wanted by a set and by
a run count for both, and each joker adds what it could at best. Then a search over the sets, rank
by rank; what runs the rest gives is looked up by suit (see ``point_tables``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from rummy_arena.game.cards import RANKS
from rummy_arena.game.rules import RuleSet

from .limits import JOKERS_AT, RANKS_AT, Masks
from .point_tables import PointTables, point_tables
from .tables import ALL_RANKS, LANE_BITS

_MOST_STEPS = 4_000
"""Choices of sets that a search looks at, which hands of up to some twenty cards never reach."""
_SUIT_SHIFTS = (0, RANKS, 2 * RANKS, 3 * RANKS)
SPREAD = tuple(
    sum(1 << suit * RANKS for suit in range(4) if suits >> suit & 1) for suits in range(16)
)
"""By suits (four bits): a card of a rank in each, to be shifted by the rank."""
EACH_SUIT = SPREAD[15]


_Sets: TypeAlias = tuple[tuple[int, int], ...]
"""Sets of one rank: the suits of each, and its jokers."""


class SetOption(NamedTuple):
    """Sets of one rank that its cards can make."""

    cards: int  # naturals and jokers
    jokers: int
    sets: _Sets
    once: int  # suits that the rest holds once or twice
    twice: int

    @property
    def naturals(self) -> int:
        """How many naturals they hold."""
        return self.cards - self.jokers


@lru_cache(maxsize=8192)
def set_options(
    once: int, twice: int, jokers: int, least: int, most: int, naturals: int
) -> tuple[SetOption, ...]:
    """Return the sets that a rank can make of these suits, most cards first, none of them last.

    ``once`` and ``twice`` are suits, four bits each; a set has ``least`` to ``most`` cards and
    ``naturals`` at least.
    """
    found: dict[_Sets, SetOption] = {(): SetOption(0, 0, (), once, twice)}
    for size in range(naturals, most + 1):
        for chosen in combinations([suit for suit in range(4) if once >> suit & 1], size):
            suits = sum([1 << suit for suit in chosen])
            for own in range(max(least - size, 0), min(most - size, jokers) + 1):
                rest = once & ~(suits & ~twice), twice & ~suits, jokers - own
                for option in set_options(*rest, least, most, naturals):
                    sets = tuple(sorted([(suits, own), *option.sets]))
                    found[sets] = SetOption(
                        option.cards + size + own,
                        option.jokers + own,
                        sets,
                        option.once,
                        option.twice,
                    )
    return tuple(sorted(found.values(), key=lambda option: (-option.cards, option.jokers)))


class Leaf(NamedTuple):
    """One choice of sets, and what it leaves for runs."""

    points: int
    suits: int
    twins: int
    jokers: int
    chosen: tuple[tuple[int, SetOption], ...]  # rank, its sets


class PointSearch:
    """The choices of sets of one hand that may reach a number of points."""

    def __init__(self, rules: RuleSet, hand: Masks, jokers: int, target: int) -> None:
        self.tables = point_tables(rules)
        self.suits, self.lanes, self.twins = hand
        self.jokers = jokers
        self.target = target
        self.limits = rules.set_min, min(rules.set_max, 4), rules.set_min_naturals
        self.steps = 0
        self._ranks = self._worthwhile_ranks()
        self._set_up_bounds()

    def _worthwhile_ranks(self) -> list[tuple[int, int]]:
        """Return the ranks that may make a set, with their values, the most valuable first."""
        least, _, naturals = self.limits
        found = []
        for rank in range(RANKS):
            here = self.suits >> rank & EACH_SUIT
            count = here.bit_count()
            if count >= naturals and count + self.jokers >= least:
                found.append((self.tables.values[rank], rank))
        return sorted(found, reverse=True)

    def _set_up_bounds(self) -> None:
        """Work out what the ranks from each place on, and the jokers, may add at most."""
        jokers = self.jokers
        runs = [self.runs_worth(self.suits, self.twins, number) for number in range(jokers + 1)]
        gains = [-(-(runs[number] - runs[0]) // number) for number in range(1, jokers + 1)]
        least = self.limits[0]
        below = runs[0]
        self._most: list[int] = [below]
        self._gain: list[int] = [max(gains, default=0)]
        for value, rank in reversed(self._ranks):
            here = self.suits >> rank & EACH_SUIT
            count = here.bit_count()
            if count >= least:
                below += value * (self.lanes >> LANE_BITS * rank & 15)
            needed = max(least - count, 1)
            gain = -(-least * value // needed)
            self._most.append(below)
            self._gain.append(max(self._gain[-1], gain))
        self._most.reverse()
        self._gain.reverse()

    def leaves(self) -> Iterator[Leaf]:
        """Yield the choices of sets that may reach the target, the most points first."""
        yield from self._from(0, Leaf(0, self.suits, self.twins, self.jokers, ()))

    def _from(self, at: int, leaf: Leaf) -> Iterator[Leaf]:
        if leaf.points + self._most[at] + leaf.jokers * self._gain[at] < self.target:
            return
        if at == len(self._ranks):
            yield leaf
            return
        value, rank = self._ranks[at]
        points, suits, twins, jokers, chosen = leaf
        once, twice = _gathered(suits >> rank), _gathered(twins >> rank)
        clear = ~(EACH_SUIT << rank)
        for option in set_options(once, twice, jokers, *self.limits):
            self.steps += 1
            if self.steps > _MOST_STEPS:
                return
            if not option.cards:
                yield from self._from(at + 1, leaf)
                continue
            rest = Leaf(
                points + value * option.cards,
                suits & clear | SPREAD[option.once] << rank,
                twins & clear | SPREAD[option.twice] << rank,
                jokers - option.jokers,
                (*chosen, (rank, option)),
            )
            yield from self._from(at + 1, rest)

    def runs_worth(self, suits: int, twins: int, jokers: int) -> int:
        """Return the points of the best runs with ``jokers`` jokers or fewer."""
        if not jokers and not twins:
            made = self.tables.made
            return (
                made[suits & ALL_RANKS]
                + made[suits >> RANKS & ALL_RANKS]
                + made[suits >> 2 * RANKS & ALL_RANKS]
                + made[suits >> 3 * RANKS & ALL_RANKS]
            )
        best = [0] * (jokers + 1)
        for shift in _SUIT_SHIFTS:
            own = self.tables.most(suits >> shift & ALL_RANKS, twins >> shift & ALL_RANKS, jokers)
            best = [
                max([best[total - number] + own[number] for number in range(total + 1)])
                for total in range(jokers + 1)
            ]
        return best[jokers]

    def run_cards(self, leaf: Leaf) -> int:
        """Return the naturals of the best runs beside the sets of a leaf."""
        found, left = 0, leaf.jokers
        suits, twins = leaf.suits, leaf.twins
        worth = self.runs_worth(suits, twins, left)
        for shift in _SUIT_SHIFTS:
            mask, twin = suits >> shift & ALL_RANKS, twins >> shift & ALL_RANKS
            suits, twins = suits & ~(ALL_RANKS << shift), twins & ~(ALL_RANKS << shift)
            own = self.tables.most(mask, twin, left)
            jokers, rest = next(
                (number, rest)
                for number in range(left + 1)
                if own[number] + (rest := self.runs_worth(suits, twins, left - number)) == worth
            )
            once, twice = self.tables.naturals(mask, twin, jokers)
            found |= (once | twice << RANKS_AT) << shift
            left, worth = left - jokers, rest
        return found

    def reached(self) -> bool:
        """Return whether some melds reach the target."""
        for leaf in self.leaves():
            if leaf.points + self.runs_worth(leaf.suits, leaf.twins, leaf.jokers) >= self.target:
                return True
        return False


def _gathered(bits: int) -> int:
    """Return the suits in which the lowest bit of thirteen is set."""
    return bits & 1 | bits >> RANKS - 1 & 2 | bits >> 2 * RANKS - 2 & 4 | bits >> 3 * RANKS - 3 & 8


def can_open(rules: RuleSet, hand: Masks, points: int) -> bool:
    """Return whether the hand can open with ``points``.

    It must keep a card where going out needs a discard (E-19).
    """
    return _reaches(rules, hand, hand[1] >> JOKERS_AT, points)


def reaches(rules: RuleSet, hand: Masks, points: int) -> bool:
    """Return whether melds of the hand are worth ``points``; they may use all its cards."""
    return _reaches(rules, hand, hand[1] >> JOKERS_AT, points, keeping=False)


def _reaches(
    rules: RuleSet, hand: Masks, jokers: int, points: int, *, keeping: bool = True
) -> bool:
    tables = point_tables(rules)
    sets, bound = natural_bound(tables, hand)
    if bound >= points and PointSearch(rules, hand, 0, points).reached():
        return not keeping or jokers > 0 or _keeps_a_card(rules, hand, 0, points)
    if not jokers or _bound_with_jokers(tables, hand, jokers, sets) < points:
        return False
    if not PointSearch(rules, hand, jokers, points).reached():
        return False
    return not keeping or _keeps_a_card(rules, hand, jokers, points)


def _keeps_a_card(rules: RuleSet, hand: Masks, jokers: int, points: int) -> bool:
    """Return whether the points are reached without one of the cards, if one must be kept."""
    return not rules.final_discard or any(
        PointSearch(rules, rest, left, points).reached()
        for rest, left in _without_each(hand, jokers)
    )


def near_opening(rules: RuleSet, hand: Masks, points: int, further: int) -> bool:
    """Return whether ``further`` cards, well chosen, let the hand open with ``points``.

    They serve as jokers do, and with jokers of the hand they may also be a new set of the highest
    cards.
    """
    jokers = (hand[1] >> JOKERS_AT) + further
    if _reaches(rules, hand, jokers, points):
        return True
    if not further:
        return False
    highest = max(point_tables(rules).values)
    return any(
        _reaches(rules, hand, jokers - size, points - size * highest)
        for size in range(rules.set_min, min(jokers, rules.set_max) + 1)
    )


def cards_away(rules: RuleSet, hand: Masks, points: int) -> int:
    """Return how many further cards, well chosen, let the hand open with ``points``."""
    away = 0
    while not near_opening(rules, hand, points, away):
        away += 1
    return away


def most_points(rules: RuleSet, hand: Masks) -> int:
    """Return the most points that melds of the hand are worth; all its cards may be used."""
    best = 0
    search = PointSearch(rules, hand, hand[1] >> JOKERS_AT, 1)
    for leaf in search.leaves():
        found = leaf.points + search.runs_worth(leaf.suits, leaf.twins, leaf.jokers)
        if found > best:
            best = found
            search.target = best + 1
    return best


def points_plan(rules: RuleSet, hand: Masks, points: int) -> tuple[int, int, int]:
    """Return how many cards the hand is away, and which melds it may then open with.

    The ranks of the sets are a mask of 13 bits; the naturals of the runs are four suits of 13 bits,
    and above them those that the runs want twice.
    """
    away = cards_away(rules, hand, points)
    search = PointSearch(rules, hand, (hand[1] >> JOKERS_AT) + away, points)
    for leaf in search.leaves():
        if leaf.points + search.runs_worth(leaf.suits, leaf.twins, leaf.jokers) >= points:
            ranks = sum([1 << rank for rank, _ in leaf.chosen])
            return away, ranks, search.run_cards(leaf)
    return away, 0, 0


def _without_each(hand: Masks, jokers: int) -> Iterator[tuple[Masks, int]]:
    """Yield the hand without each of its kinds of card, low ones first, and the jokers left."""
    suits, lanes, twins = hand
    for rank in range(RANKS):
        for shift in _SUIT_SHIFTS:
            bit = 1 << rank + shift
            if suits & bit:
                rest = lanes - (1 << LANE_BITS * rank)
                yield (suits if twins & bit else suits ^ bit, rest, twins & ~bit), jokers
    if jokers:
        yield hand, jokers - 1


def natural_bound(tables: PointTables, hand: Masks) -> tuple[int, int]:
    """Return the ranks that make sets without jokers, and a bound of the points without them."""
    suits, _, twins = hand
    cover, value = tables.cover, tables.value
    clubs, diamonds = suits & ALL_RANKS, suits >> RANKS & ALL_RANKS
    hearts, spades = suits >> 2 * RANKS & ALL_RANKS, suits >> 3 * RANKS
    black, red = clubs & spades, diamonds & hearts
    sets = black & (diamonds | hearts) | red & (clubs | spades)
    bound = (
        value[cover[clubs] | clubs & sets]
        + value[cover[diamonds] | diamonds & sets]
        + value[cover[hearts] | hearts & sets]
        + value[cover[spades] | spades & sets]
    )
    if twins:
        for mask, shift in zip((clubs, diamonds, hearts, spades), _SUIT_SHIFTS, strict=True):
            twin = twins >> shift & ALL_RANKS
            if twin:
                bound += value[twin & (cover[mask] | sets)]
    return sets, bound


def _bound_with_jokers(tables: PointTables, hand: Masks, jokers: int, sets: int) -> int:
    """Return a bound of the points; ``sets`` are the ranks of sets without jokers."""
    suits, _, twins = hand
    total = gain = 0
    for shift in _SUIT_SHIFTS:
        mask, twin = suits >> shift & ALL_RANKS, twins >> shift & ALL_RANKS
        in_sets = tables.value[mask & sets] + tables.value[twin & sets]
        covered = tables.cover[mask] | sets
        own = tables.value[mask & covered] + tables.value[twin & covered]
        total += own
        most = tables.most(mask, twin, jokers)
        for number in range(1, jokers + 1):
            gain = max(gain, -(-(most[number] + in_sets - own) // number))
    return total + jokers * max(gain, _joker_in_set(tables, suits, jokers))


def _joker_in_set(tables: PointTables, suits: int, jokers: int) -> int:
    """Return what a joker adds at most where it makes a set."""
    clubs, diamonds, hearts, spades = [suits >> shift & ALL_RANKS for shift in _SUIT_SHIFTS]
    any_suit = clubs | diamonds | hearts | spades
    pairs = clubs & diamonds | hearts & spades | (clubs | diamonds) & (hearts | spades)
    most = 3 * max([tables.values[rank] for rank in range(RANKS) if pairs >> rank & 1], default=0)
    if jokers < 2 or not any_suit:
        return most
    single = max([tables.values[rank] for rank in range(RANKS) if any_suit >> rank & 1])
    return max(most, -(-3 * single // 2))
