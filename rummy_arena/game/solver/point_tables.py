"""Tables for openings by points (E-3, E-4): what the cards of one suit are worth in runs.

A suit is held as in ``tables``: a mask of the ranks, and one of the ranks held twice. A
joker stands for a card, and so is one more card of some rank; every rank is tried for it, those
that the hand has as well, because a long run may be laid as two that both want the card between.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple, TypeAlias

from rummy_arena.game.cards import RANKS, natural
from rummy_arena.game.rules import RuleSet

from .tables import ALL_RANKS, MASKS, POSITIONS

_MOST_KNOWN = 50_000
MOST_JOKERS = 4
"""In the runs of one suit; no game has more of them."""

Ways: TypeAlias = tuple[tuple[int, int], ...]
"""Choices of runs with a number of jokers, none worse than another: points, most first, and the
points of the naturals among them."""


class Cover(NamedTuple):
    """The runs of a suit that are worth most together."""

    points: int
    once: int  # the ranks that they hold
    twice: int  # and those that they hold twice
    runs: tuple[int, ...]  # ranks of the runs beside those of longest stretches of the rest
    rest: int  # the ranks of these stretches


class Placing(NamedTuple):
    """One way to use jokers in the runs of a suit."""

    points: int
    own: int  # points of the naturals among them
    stood_for: tuple[int, ...]  # rank of each joker
    cover: Cover


class PointTables:
    """What the kernel knows of the values and runs of one rule set."""

    def __init__(self, run_min: int, values: tuple[int, ...], *, ace_low: bool) -> None:
        self.run_min = run_min
        self.values = values  # by rank
        self.ace_low = ace_low
        low = 0 if ace_low else 1
        self.value: Sequence[int] = array("H", [self._value(mask) for mask in range(MASKS)])
        self.cover: Sequence[int] = array("H", [self._cover(mask) for mask in range(MASKS)])
        self.made: Sequence[int] = array("H", [self.value[mask] for mask in self.cover])
        self.pieces = [  # a longer run is two of these
            self.ranks(at, size)
            for size in range(run_min, 2 * run_min)
            for at in range(low, POSITIONS - size + 1)
        ]
        self._covers: dict[int, Cover] = {}
        self._ways: dict[tuple[int, int], Ways] = {}
        self._most: dict[int, tuple[int, ...]] = {}

    def ranks(self, low: int, size: int) -> int:
        """Return the ranks of a run of ``size`` cards from position ``low`` on."""
        positions = ((1 << size) - 1) << low
        return (positions | positions >> RANKS) & ALL_RANKS

    def _value(self, mask: int) -> int:
        return sum([self.values[rank] for rank in range(RANKS) if mask >> rank & 1])

    def _cover(self, mask: int) -> int:
        """Return the ranks in runs of one copy of each: an ace stands at one end only."""
        high = self._stretches(mask & ~1 | (mask & 1) << RANKS)
        if not self.ace_low:
            return high
        low = self._stretches(mask)
        return max((self.value[cover], cover) for cover in (high, low))[1]

    def _stretches(self, positions: int) -> int:
        """Return the ranks in stretches of enough positions."""
        core = positions
        for step in range(1, self.run_min):
            core &= positions >> step
        cover = core
        for step in range(1, self.run_min):
            cover |= core << step
        return (cover | cover >> RANKS) & ALL_RANKS

    def best(self, mask: int, twins: int) -> Cover:
        """Return the runs that are worth most, with no joker."""
        if not twins:
            cover = self.cover[mask]
            return Cover(self.made[mask], cover, 0, (), cover)
        key = twins << RANKS | mask
        found = self._covers.get(key)
        if found is None:
            if len(self._covers) >= _MOST_KNOWN:
                self._covers.clear()
            found = self._covers[key] = self._best(mask, twins)
        return found

    def _best(self, mask: int, twins: int) -> Cover:
        cover = self.cover[mask]
        best = Cover(self.made[mask], cover, 0, (), cover)
        for piece in self.pieces:
            if piece & ~mask or not piece & twins:
                continue
            rest = self.best(mask & ~(piece & ~twins), twins & ~piece)
            points = self.value[piece] + rest.points
            if points > best.points:
                twice = rest.twice | rest.once & piece
                best = Cover(points, rest.once | piece, twice, (piece, *rest.runs), rest.rest)
        return best

    def ways(self, mask: int, twins: int, jokers: int) -> Ways:
        """Return what runs that use just so many jokers are worth; () if none do."""
        key = twins << RANKS | mask, jokers
        found = self._ways.get(key)
        if found is None:
            if len(self._ways) >= _MOST_KNOWN:
                self._ways.clear()
            found = self._ways[key] = self._found_ways(mask, twins, jokers)
        return found

    def most(self, mask: int, twins: int, jokers: int) -> tuple[int, ...]:
        """Return the most points of runs with no joker, with one at most, and so on."""
        key = (twins << RANKS | mask) << 4 | jokers
        found = self._most.get(key)
        if found is None:
            if len(self._most) >= _MOST_KNOWN:
                self._most.clear()
            points = [self.best(mask, twins).points]
            for number in range(1, jokers + 1):
                ways = self.ways(mask, twins, number) if number <= MOST_JOKERS else ()
                points.append(max(points[-1], ways[0][0] if ways else 0))
            found = self._most[key] = tuple(points)
        return found

    def _found_ways(self, mask: int, twins: int, jokers: int) -> Ways:
        found: set[tuple[int, int]] = set()
        if not jokers:
            points = self.best(mask, twins).points
            found.add((points, points))
        cards = mask.bit_count() + twins.bit_count() + jokers
        if not mask or cards < self.run_min:
            return tuple(found)
        if cards < 2 * self.run_min and not twins:
            made, cover, value = self.made, self.cover, self.value
            for stood_for in self._singles(mask, jokers):
                once = mask | stood_for
                if stood_for & ~cover[once]:
                    continue  # a joker in no run
                if jokers < self.run_min or self._fair(self.best(once, 0), mask, 0):
                    found.add((made[once], made[once] - value[stood_for]))
        else:
            found.update([(way[0], way[1]) for way in self.placed(mask, twins, jokers)])
        ways: list[tuple[int, int]] = []
        for points, own in sorted(found, reverse=True):
            if not ways or own > ways[-1][1]:
                ways.append((points, own))
        return tuple(ways)

    def _singles(self, mask: int, jokers: int) -> list[int]:
        """Return the choices of ranks that the suit lacks for so many jokers."""
        lacking = [1 << rank for rank in range(RANKS) if not mask >> rank & 1]
        if jokers == 1:
            return lacking
        return [sum(chosen) for chosen in combinations(lacking, jokers)]

    def placed(self, mask: int, twins: int, jokers: int, must: int = 0) -> Iterator[Placing]:
        """Yield each way to use just so many jokers; ``must`` is a rank that a natural fills."""
        double = mask.bit_count() + twins.bit_count() + jokers >= 2 * self.run_min
        ranks = [rank for rank in range(RANKS) if double or not mask >> rank & 1]
        for chosen in combinations_with_replacement(ranks, jokers):
            once, twice = mask, twins
            for rank in chosen:
                bit = 1 << rank
                if twice & bit:
                    break  # a third copy
                twice |= once & bit
                once |= bit
            else:
                cover = self._best_with(once, twice, must) if must else self.best(once, twice)
                if (once & ~mask) & ~cover.once or (twice & ~twins) & ~cover.twice:
                    continue  # a joker in no run
                if jokers < self.run_min or self._fair(cover, mask, twins):
                    stood_for = sum([self.values[rank] for rank in chosen])
                    yield Placing(cover.points, cover.points - stood_for, chosen, cover)

    def naturals(self, mask: int, twins: int, jokers: int) -> tuple[int, int]:
        """Return the naturals of the best runs with ``jokers`` or fewer: once, and twice."""
        most = self.most(mask, twins, jokers)
        number = most.index(most[-1])
        if not most[-1]:
            return 0, 0
        placing = next(way for way in self.placed(mask, twins, number) if way.points == most[-1])
        return placing.cover.once & mask, placing.cover.twice & twins

    def _best_with(self, mask: int, twins: int, must: int) -> Cover:
        """Return the runs that are worth most among those that hold a rank; none if none do."""
        best = self.best(mask, twins)
        if best.once & must:
            return best
        best = Cover(0, 0, 0, (), 0)
        for piece in self.pieces:
            if piece & must and not piece & ~mask:
                rest = self.best(mask & ~(piece & ~twins), twins & ~piece)
                points = self.value[piece] + rest.points
                if points > best.points:
                    twice = rest.twice | rest.once & piece
                    best = Cover(points, rest.once | piece, twice, (piece, *rest.runs), rest.rest)
        return best

    def _fair(self, cover: Cover, mask: int, twins: int) -> bool:
        """Return whether each run can have a natural of these (E-10)."""
        free = [mask & cover.once, twins & cover.twice]
        runs = sorted(self.runs(cover), key=lambda run: (run & free[0]).bit_count())
        for run in runs:
            for copies in free:
                if run & copies:
                    break
            else:
                return False
            low = run & copies & -(run & copies)
            free[free.index(copies)] &= ~low
        return True

    def runs(self, cover: Cover) -> list[int]:
        """Return the ranks of each run."""
        found = list(cover.runs)
        positions = self.positions(cover.rest)
        while positions:
            low = positions & -positions
            run = positions & ~(positions + low)
            positions ^= run
            found.append((run | run >> RANKS) & ALL_RANKS)
        return found

    def ordered(self, run: int) -> list[int]:
        """Return the ranks of one run in order, low to high."""
        positions = self.positions(run)
        return [at % RANKS for at in range(POSITIONS) if positions >> at & 1]

    def positions(self, cover: int) -> int:
        """Return where the ranks of whole runs stand: an ace at the end where it is in one."""
        high = cover & ~1 | (cover & 1) << RANKS
        return high if self._stretches(high) == cover else cover


@lru_cache(maxsize=16)
def _tables(run_min: int, values: tuple[int, ...], ace_low: bool) -> PointTables:
    return PointTables(run_min, values, ace_low=ace_low)


@lru_cache(maxsize=256)
def point_tables(rules: RuleSet) -> PointTables:
    """Return the tables of a rule set; they take about 40 ms, once a process."""
    values = [rules.card_values[natural(rank, suit)] for rank in range(RANKS) for suit in range(4)]
    if any(values[at] != values[at - at % 4] for at in range(len(values))):
        raise ValueError("openings by points need one value for all cards of a rank (E-3)")
    return _tables(rules.run_min, tuple(values[::4]), rules.ace_low)
