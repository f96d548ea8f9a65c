"""The opening by points that leaves the least penalty (E-3 to E-5), and one that uses a card (E-7).

The sets are searched by ``PointSearch``; beside each choice of sets the runs of the four suits and
the jokers are shared out so that what is laid down costs most, among those that reach the points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from rummy_arena.game.cards import JOKER_BASE, RANKS, Card
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.rules import RuleSet

from .limits import masks
from .point_tables import MOST_JOKERS, Placing, PointTables
from .points import Leaf, PointSearch
from .tables import ALL_RANKS

_SET, _RUN = MeldKind.SET, MeldKind.RUN
_SUIT_SHIFTS = (0, RANKS, 2 * RANKS, 3 * RANKS)
_MOST_LEAVES = 400
"""Choices of sets compared, which hands of up to some twenty cards hardly ever reach."""
_new_tuple = tuple.__new__
_ANY = -1
"""No natural has to be laid down."""


class _Runs(NamedTuple):
    """Runs of some suits: by suit the jokers, the points, and those of the naturals."""

    jokers: int
    points: int
    own: int
    suits: tuple[tuple[int, int, int], ...]


class _Found(NamedTuple):
    """A lay-down, and what it sheds."""

    shed: int
    leaf: Leaf
    runs: _Runs
    forced: int  # a kind that its runs, not its sets, hold; or _ANY


def find_point_opening(
    rules: RuleSet, hand: Sequence[Card], points: int, must: Card | None = None
) -> tuple[Meld, ...] | None:
    """Return melds worth ``points`` or more that leave the least penalty, or None (E-4).

    ``must`` is a card of the hand that has to be among them (E-7). A card stays in the hand where
    going out needs a discard (E-19). Beyond some twenty cards the best of many choices.
    """
    search = _Search(rules, hand, points, must)
    found = search.best()
    if found is None:
        return None
    melds = search.melds(found)
    if not rules.final_discard or sum([len(meld.cards) for meld in melds]) < len(hand):
        return melds
    return _keeping_a_card(rules, hand, points, must)


def _keeping_a_card(
    rules: RuleSet, hand: Sequence[Card], points: int, must: Card | None
) -> tuple[Meld, ...] | None:
    """Return the best melds of the hand without one of its cards."""
    best: tuple[int, tuple[Meld, ...]] | None = None
    kinds = {JOKER_BASE if card >= JOKER_BASE else card >> 2: card for card in hand if card != must}
    for card in kinds.values():
        search = _Search(rules, [held for held in hand if held != card], points, must)
        found = search.best()
        if found is not None and (best is None or found.shed > best[0]):
            best = found.shed, search.melds(found)
    return None if best is None else best[1]


class _Search:
    """The lay-downs of one hand."""

    def __init__(
        self, rules: RuleSet, hand: Sequence[Card], points: int, must: Card | None
    ) -> None:
        self.hand = hand
        self.points = points
        self.must = must
        self.joker_worth = rules.card_values[JOKER_BASE]
        jokers = sum([card >= JOKER_BASE for card in hand])
        self.search = PointSearch(rules, masks(hand), jokers, points)
        self.tables: PointTables = self.search.tables

    def best(self) -> _Found | None:
        """Return the lay-down that sheds most, or None."""
        best: _Found | None = None
        for leaf in islice(self.search.leaves(), _MOST_LEAVES):
            forced = self._forced(leaf)
            melded = self.search.jokers - leaf.jokers
            own = sum([self.tables.values[rank] * option.naturals for rank, option in leaf.chosen])
            if best is not None and own + self._most_shed(leaf) <= best.shed:
                continue
            for runs in self._runs(leaf, forced):
                jokers = melded + runs.jokers
                shed = own + runs.own + jokers * self.joker_worth
                if best is not None and shed <= best.shed:
                    continue
                if leaf.points + runs.points < self.points:
                    continue
                if self.must is None or self.must < JOKER_BASE or jokers:
                    best = _Found(shed, leaf, runs, forced)
        return best

    def _most_shed(self, leaf: Leaf) -> int:
        """Return a bound of what the runs beside the sets of a leaf and all jokers shed."""
        runs = self.search.runs_worth(leaf.suits, leaf.twins, leaf.jokers)
        return runs + self.search.jokers * self.joker_worth

    def _forced(self, leaf: Leaf) -> int:
        """Return the kind that the runs must hold because the sets do not."""
        if self.must is None or self.must >= JOKER_BASE:
            return _ANY
        kind = self.must >> 2
        for rank, option in leaf.chosen:
            if rank == kind % RANKS and any(suits >> kind // RANKS & 1 for suits, _ in option.sets):
                return _ANY
        return kind

    def _runs(self, leaf: Leaf, forced: int) -> list[_Runs]:
        """Return the choices of runs beside the sets of a leaf."""
        found = [_Runs(0, 0, 0, ())]
        for suit in range(4):
            options = [
                (number, points, own)
                for number in range(min(leaf.jokers, MOST_JOKERS) + 1)
                for points, own in self._ways(leaf, suit, number, forced)
            ]
            # The plain constructor takes several times as long.
            found = [
                _new_tuple(
                    _Runs,
                    (
                        runs.jokers + option[0],
                        runs.points + option[1],
                        runs.own + option[2],
                        (*runs.suits, option),
                    ),
                )
                for runs in found
                for option in options
                if runs.jokers + option[0] <= leaf.jokers
            ]
        return found

    def _ways(self, leaf: Leaf, suit: int, jokers: int, forced: int) -> Iterable[tuple[int, int]]:
        """Return points and points of naturals of the runs of a suit with just so many jokers."""
        if forced != _ANY and forced // RANKS == suit:
            return {(way.points, way.own) for way in self._placings(leaf, suit, jokers, forced)}
        return self.tables.ways(*_suit_of(leaf, suit), jokers)

    def _placings(self, leaf: Leaf, suit: int, jokers: int, forced: int) -> Iterable[Placing]:
        if forced == _ANY or forced // RANKS != suit:
            yield from self.tables.placed(*_suit_of(leaf, suit), jokers)
            return
        rank = forced % RANKS
        for placing in self.tables.placed(*_suit_of(leaf, suit), jokers, must=1 << rank):
            cover = placing.cover
            copies = (cover.once >> rank & 1) + (cover.twice >> rank & 1)
            if copies > placing.stood_for.count(rank):
                yield placing

    def melds(self, found: _Found) -> tuple[Meld, ...]:
        """Return the melds of real cards."""
        pool = _Pool(self.hand, self.must)
        melds = [
            Meld(_SET, pool.set_cards(rank, suits, jokers))
            for rank, option in found.leaf.chosen
            for suits, jokers in option.sets
        ]
        for suit, (jokers, points, own) in enumerate(found.runs.suits):
            if not points:
                continue
            placing = next(
                way
                for way in self._placings(found.leaf, suit, jokers, found.forced)
                if (way.points, way.own) == (points, own)
            )
            melds += self._run_melds(pool, suit, placing)
        return tuple(melds)

    def _run_melds(self, pool: _Pool, suit: int, placing: Placing) -> list[Meld]:
        """Return the runs of a suit; where two want one natural, it goes to the one with fewer."""
        tables = self.tables
        runs = tables.runs(placing.cover)
        stood_for = list(placing.stood_for)
        naturals = [0] * len(runs)
        for shared in (False, True):
            for rank in range(RANKS):
                holders = [at for at, run in enumerate(runs) if run >> rank & 1]
                jokers = stood_for.count(rank)
                if shared != (0 < jokers < len(holders)):
                    continue
                holders.sort(key=lambda at: naturals[at].bit_count())
                for at in holders[: len(holders) - jokers]:
                    naturals[at] |= 1 << rank
        return [
            Meld(_RUN, pool.run_cards(suit, tables.ordered(run), own))
            for run, own in zip(runs, naturals, strict=True)
        ]


def _suit_of(leaf: Leaf, suit: int) -> tuple[int, int]:
    shift = _SUIT_SHIFTS[suit]
    return leaf.suits >> shift & ALL_RANKS, leaf.twins >> shift & ALL_RANKS


class _Pool:
    """The cards of a hand that no meld has taken yet, by kind."""

    def __init__(self, hand: Sequence[Card], must: Card | None) -> None:
        self.jokers: list[Card] = []
        self.naturals: dict[int, list[Card]] = {}
        for card in sorted(hand, key=lambda card: card == must):  # it is the last, and goes first
            if card >= JOKER_BASE:
                self.jokers.append(card)
            else:
                self.naturals.setdefault(card >> 2, []).append(card)

    def set_cards(self, rank: int, suits: int, jokers: int) -> tuple[Card, ...]:
        """Take the cards of a set."""
        naturals = [
            self.naturals[suit * RANKS + rank].pop() for suit in range(4) if suits >> suit & 1
        ]
        return (*naturals, *[self.jokers.pop() for _ in range(jokers)])

    def run_cards(self, suit: int, ranks: list[int], naturals: int) -> tuple[Card, ...]:
        """Take the cards of a run, low to high."""
        return tuple(
            [
                self.naturals[suit * RANKS + rank].pop()
                if naturals >> rank & 1
                else self.jokers.pop()
                for rank in ranks
            ]
        )
