"""What a seat that has opened may do with its hand, step by step, for the search (J-16, E-12).

Cards stand for their kinds here: a natural is the first copy of its kind, and a joker of the hand
is ``OWN_JOKER``, so that positions which differ by copies alone are one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from rummy_arena.game.actions import (
    HIGH,
    LOW,
    NONE,
    Action,
    ActionKind,
    lay_down,
    lay_off,
    move_joker,
    take_joker_to_lay_off,
    take_joker_to_meld,
)
from rummy_arena.game.building import grown, lay_off_places, with_joker_moved, with_joker_taken
from rummy_arena.game.cards import JOKER_BASE, RANKS, Card
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind, TableMeld
from rummy_arena.game.rules import UNLIMITED, RuleSet, RunEnds
from rummy_arena.game.state import Progress

from .meld_shapes import Shape, may_lay_down, shapes
from .tables import IN_ALL_SUITS, bits_of

OWN_JOKER = 255
_SET, _RUN = MeldKind.SET, MeldKind.RUN
_LAY_OFF, _MELD = ActionKind.LAY_OFF, ActionKind.MELD
_MOVE_JOKER, _TAKE_JOKER = ActionKind.MOVE_JOKER, ActionKind.TAKE_JOKER


class Position(NamedTuple):
    """A hand, the table and what the turn has done so far."""

    held: int  # naturals of the hand, four suits of 13 bits
    twins: int  # and those held twice
    jokers: int
    melds: tuple[TableMeld, ...]
    progress: Progress

    @property
    def cards(self) -> int:
        """How many cards the hand has."""
        return self.held.bit_count() + self.twins.bit_count() + self.jokers


Step: TypeAlias = tuple[Action, Position]
"""An action, and the position after it."""


@lru_cache(maxsize=16384)
def places(rules: RuleSet, meld: TableMeld) -> tuple[tuple[int, bool, int], ...]:
    """Return ``lay_off_places``, remembered: tables change by a meld at a time."""
    return tuple(lay_off_places(rules, meld))


@lru_cache(maxsize=16384)
def stood_for(meld: TableMeld) -> int:
    """Return the naturals that the jokers of a meld stand for, as four suits of 13 bits.

    A joker of a set stands for any suit of its rank that the set lacks.
    """
    _, kind, low, suit, cards = meld
    if max(cards) < JOKER_BASE:
        return 0
    if kind is _SET:
        held = sum([1 << (card >> 2) for card in set(cards) if card < JOKER_BASE])
        return IN_ALL_SUITS[low] & ~held
    first = suit * RANKS
    return sum(
        {1 << first + (low + at) % RANKS for at, card in enumerate(cards) if card >= JOKER_BASE}
    )


@lru_cache(maxsize=16384)
def beyond(meld: TableMeld, end: int) -> int:
    """Return the naturals that could come to a set, or beyond that end of a run."""
    if meld.kind is _SET:
        return IN_ALL_SUITS[meld.low]
    top = meld.low + len(meld.cards)
    positions = range(top, HIGH_ACE + 1) if end == HIGH else range(meld.low)
    return sum({1 << meld.suit * RANKS + position % RANKS for position in positions})


class Moves:
    """The steps that a rule set and the kinds of action open to a seat allow."""

    def __init__(self, rules: RuleSet, seat: int, kinds: Collection[ActionKind]) -> None:
        self.rules = rules
        self.seat = seat
        self.lays_off = _LAY_OFF in kinds
        self.melds = _MELD in kinds
        self.moves_jokers = _MOVE_JOKER in kinds
        self.takes_jokers = _TAKE_JOKER in kinds
        self.free_sets = self.lays_off and not rules.set_suits_differ
        self._named = rules.run_ends is RunEnds.EITHER
        self._limited = rules.build_per_end < UNLIMITED

    def lay_down(self, position: Position, shape: Shape) -> Step | None:
        """Return the step that lays down a meld, or None if the hand lacks its cards by now."""
        held, twins, jokers, melds, progress = position
        if shape.once & ~held or shape.twice & ~twins or shape.jokers > jokers:
            return None
        left = position.cards - shape.size
        if left < self.rules.final_discard or not may_lay_down(self.rules, self.seat, melds, shape):
            return None
        meld = _cards_of(shape)
        placed = _placed(self.seat, shape, meld)
        rest = Position(
            *without(held, twins, shape.once, shape.twice),
            jokers - shape.jokers,
            (*melds, placed),
            progress,
        )
        return lay_down(meld), rest

    def steps(self, position: Position) -> Iterator[Step]:
        """Yield what else the seat may do: naturals laid off, jokers exchanged, then laid off.

        What can be laid off on a set at any time is left out.
        """
        if position.cards <= self.rules.final_discard:
            return
        if self.lays_off:
            yield from self._lay_offs(position)
        if self.moves_jokers:
            yield from self._joker_moves(position)
        if self.takes_jokers:
            yield from self._exchanges(position)
        if self.lays_off and position.jokers:
            yield from self._joker_lay_offs(position)

    def forced(self, position: Position) -> tuple[list[Action], Position] | None:
        """Return the lay-offs of a hand whose naturals have one place each, and what is left.

        None where one of them could go to two places, or two to one. Only for a hand that has no
        jokers to lay off but on sets, and no natural that a joker of the table stands for: then
        nothing is better than to lay off whatever fits.
        """
        actions: list[Action] = []
        while position.cards > self.rules.final_discard:
            claimed = 0
            step: Step | None = None
            for target, _, fitting, _, end in self._open_places(position):
                found = fitting & position.held
                if found & claimed or found & (found - 1):
                    return None
                if found and step is None:
                    card = found.bit_length() - 1 << 2
                    held, twins = without(position.held, position.twins, found, 0)
                    step = self._laid_off(position, held, twins, position.jokers, card, target, end)
                claimed |= found
            if step is None:
                break
            actions.append(step[0])
            position = step[1]
        return actions, position

    def _open_places(self, position: Position) -> Iterator[tuple[int, TableMeld, int, bool, int]]:
        rules, free = self.rules, self.free_sets
        most = rules.build_per_end
        full = [entry[:2] for entry in position.progress.built if entry[2] >= most]
        for target, meld in enumerate(position.melds):
            if free and meld.kind is _SET:
                continue
            for fitting, joker, end in places(rules, meld):
                if not full or (target, end) not in full:
                    yield target, meld, fitting, joker, end

    def _joker_places(self, position: Position) -> Iterator[tuple[int, int]]:
        """Yield where a joker may go; of the places that no natural could want, only one."""
        held = position.held
        harmless = False
        for target, meld, _, joker, end in self._open_places(position):
            if joker:
                if not held & beyond(meld, end):
                    if harmless:
                        continue
                    harmless = True
                yield target, end

    def _lay_offs(self, position: Position) -> Iterator[Step]:
        for target, _, fitting, _, end in self._open_places(position):
            found = fitting & position.held
            while found:
                bit = found & -found
                found ^= bit
                card = bit.bit_length() - 1 << 2
                held, twins = without(position.held, position.twins, bit, 0)
                yield self._laid_off(position, held, twins, position.jokers, card, target, end)

    def _joker_lay_offs(self, position: Position) -> Iterator[Step]:
        held, twins, jokers = position.held, position.twins, position.jokers - 1
        for target, end in self._joker_places(position):
            yield self._laid_off(position, held, twins, jokers, OWN_JOKER, target, end)

    def _laid_off(
        self,
        position: Position,
        held: int,
        twins: int,
        jokers: int,
        card: Card,
        target: int,
        end: int,
    ) -> Step:
        meld = position.melds[target]
        longer = meld._replace(cards=(*meld.cards, card)) if end == NONE else grown(meld, card, end)
        melds = replaced(position.melds, target, longer)
        progress = position.progress.with_lay_off(target, end if self._limited else NONE)
        action = lay_off(card, target, end if self._named else NONE)
        return action, Position(held, twins, jokers, melds, progress)

    def _joker_moves(self, position: Position) -> Iterator[Step]:
        rules = self.rules
        for target, meld in enumerate(position.melds):
            wanted = 0 if meld.kind is _SET else stood_for(meld) & position.held
            if not wanted or (rules.joker_owner_only and meld.owner != self.seat):
                continue
            if rules.joker_later_turn and target >= position.progress.melds_before:
                continue
            for bit in bits_of(wanted):
                card = bit.bit_length() - 1 << 2
                held, twins = without(position.held, position.twins, bit, 0)
                for end in (HIGH, LOW) if self._named else (NONE,):
                    try:
                        moved, _ = with_joker_moved(rules, meld, card, target, end)
                    except RuleViolation:
                        continue
                    melds = replaced(position.melds, target, moved)
                    progress = position.progress.with_lay_off(target, NONE)
                    rest = Position(held, twins, position.jokers, melds, progress)
                    yield move_joker(card, target, end), rest

    def _exchanges(self, position: Position) -> Iterator[Step]:
        """Yield the exchanges of naturals for a joker of the table, used at once (E-13)."""
        needed = self.rules.exchange_naturals
        for target, meld in enumerate(position.melds):
            wanted = bits_of(stood_for(meld) & position.held)
            for given in combinations(wanted, needed if meld.kind is _SET else 1):
                if position.cards - len(given) < self.rules.final_discard:
                    continue
                cards = tuple([bit.bit_length() - 1 << 2 for bit in given])
                try:
                    exchanged, joker = with_joker_taken(self.rules, meld, cards, target)
                except RuleViolation:
                    continue
                if joker == OWN_JOKER:
                    continue
                held, twins = without(position.held, position.twins, sum(given), 0)
                melds = replaced(position.melds, target, exchanged)
                rest = Position(held, twins, position.jokers, melds, position.progress)
                yield from self._taken_to_lay_off(rest, cards, target, joker)
                yield from self._taken_to_meld(rest, cards, target, joker)

    def _taken_to_lay_off(
        self, rest: Position, cards: tuple[Card, ...], target: int, joker: Card
    ) -> Iterator[Step]:
        held, twins, jokers = rest.held, rest.twins, rest.jokers
        for onto, end in self._joker_places(rest):
            _, after = self._laid_off(rest, held, twins, jokers, joker, onto, end)
            yield take_joker_to_lay_off(cards, target, onto, end), after

    def _taken_to_meld(
        self, rest: Position, cards: tuple[Card, ...], target: int, joker: Card
    ) -> Iterator[Step]:
        for shape in shapes(self.rules, rest.held, rest.twins, rest.jokers + 1, taken=True):
            if rest.cards + 1 - shape.size < self.rules.final_discard:
                continue
            meld = _cards_of(shape, joker)
            held, twins = without(rest.held, rest.twins, shape.once, shape.twice)
            melds = (*rest.melds, _placed(self.seat, shape, meld))
            jokers = rest.jokers + 1 - shape.jokers
            yield (
                take_joker_to_meld(cards, target, meld),
                Position(held, twins, jokers, melds, rest.progress),
            )


def without(held: int, twins: int, once: int, twice: int) -> tuple[int, int]:
    """Return the naturals of a hand, and those held twice, after some went: once, or twice."""
    return held & ~(once & ~twins | twice), twins & ~once


def replaced(melds: tuple[TableMeld, ...], target: int, meld: TableMeld) -> tuple[TableMeld, ...]:
    """Return the table with another meld in one place."""
    return (*melds[:target], meld, *melds[target + 1 :])


def _placed(seat: int, shape: Shape, meld: Meld) -> TableMeld:
    if shape.kind is _SET:
        return TableMeld(seat, _SET, shape.key, -1, meld.cards)
    return TableMeld(seat, _RUN, shape.low, shape.key, meld.cards)


def _cards_of(shape: Shape, joker: Card = OWN_JOKER) -> Meld:
    """Return the meld of a shape; its first joker is ``joker``, which may come from the table."""
    jokers = [*[OWN_JOKER] * (shape.jokers - 1), joker]
    if shape.kind is _SET:
        naturals = [bit.bit_length() - 1 << 2 for bit in bits_of(shape.once) + bits_of(shape.twice)]
        return Meld(_SET, (*naturals, *jokers[len(jokers) - shape.jokers :]))
    cards = []
    left, first = shape.once, shape.key * RANKS
    for at in range(shape.low, shape.low + shape.size):
        kind = first + at % RANKS
        if left >> kind & 1:
            left ^= 1 << kind
            cards.append(kind << 2)
        else:
            cards.append(jokers.pop())
    return Meld(_RUN, tuple(cards))
