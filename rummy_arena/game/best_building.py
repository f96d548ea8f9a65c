"""The best use of a hand once it has opened: melds, lay-offs and jokers that leave least penalty.

The search goes depth first through what the seat may do in this turn, what sheds naturals first,
and remembers where it has been. It ends as soon as the seat goes out, or has shed all that it could
hope to; and after ``MOST_STEPS`` positions with the best that it has seen, which hands of up to
some ten cards hardly ever reach. It knows only what the seat sees.

New melds come before lay-offs, which no game forbids and one demands (B-12). Cards that can be laid
off on a set at any time, because sets take any suit and do not close, are laid off last.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from .actions import NONE, Action, ActionKind, lay_off
from .building_moves import OWN_JOKER, Moves, Position, places, stood_for
from .cards import JOKER_BASE, RANKS, Card
from .meld_shapes import Shape, bits, may_lay_down, shapes
from .melds import HIGH_ACE, Meld, MeldKind, TableMeld
from .point_tables import point_tables
from .rules import UNLIMITED, Contract, RuleSet
from .solver import contains
from .solver_limits import JOKERS_AT, Masks, masks
from .solver_points import natural_bound
from .solver_tables import IN_ALL_SUITS
from .state import Progress

MOST_STEPS = 400
"""Positions that a search looks at."""
_SET = MeldKind.SET
_MELD = ActionKind.MELD
_BUILDING = frozenset((ActionKind.LAY_OFF, ActionKind.MOVE_JOKER, ActionKind.TAKE_JOKER))
_ONE_SET, _ONE_RUN = Contract(sets=1), Contract(runs=1)


def best_building(
    rules: RuleSet,
    seat: int,
    hand: Sequence[Card],
    melds: tuple[TableMeld, ...],
    progress: Progress,
    kinds: Collection[ActionKind],
) -> tuple[Action, ...]:
    """Return what a seat that has opened does best before its discard, in order; () for nothing.

    It leaves the least penalty in hand after the discard, and goes out if it can; a card is kept
    where going out needs a discard (C-10, E-19). ``kinds`` are the kinds of action that the seat
    may choose from now; ``melds`` and ``progress`` are as in a view.
    """
    if len(hand) <= rules.final_discard:
        return ()
    own = held, lanes, twins = masks(hand)
    jokers = lanes >> JOKERS_AT
    table = _table(rules, melds)
    fits = (table.fitting | table.stood_for) & held or (jokers and table.jokers)
    if not fits or _BUILDING.isdisjoint(kinds):
        spare = len(hand) - rules.final_discard
        if _MELD not in kinds or spare < rules.set_min or not _may_meld(rules, own):
            return ()
    taken = progress.taken
    if taken != NONE and (jokers > 1 if taken >= JOKER_BASE else twins >> (taken >> 2) & 1):
        progress = progress._replace(taken=NONE)  # another like it can be thrown instead
    search = _Search(rules, seat, Position(held, twins, jokers, melds, progress), kinds)
    return _with_real_cards(search.found, hand, taken)


class _Table(NamedTuple):
    """What a table takes from anybody, as it lies."""

    fitting: int  # naturals that can be laid off, as four suits of 13 bits
    jokers: bool  # whether a joker can
    stood_for: int  # naturals that its jokers stand for


@lru_cache(maxsize=4096)
def _table(rules: RuleSet, melds: tuple[TableMeld, ...]) -> _Table:
    fitting = wanted = 0
    jokers = False
    for meld in melds:
        wanted |= stood_for(meld)
        for naturals, joker, _ in places(rules, meld):
            fitting |= naturals
            jokers = jokers or joker
    return _Table(fitting, jokers, wanted)


def _may_meld(rules: RuleSet, hand: Masks) -> bool:
    """Return whether the hand may hold a meld: a cheap sieve."""
    if rules.set_suits_differ:
        return hand[1] >> JOKERS_AT > 0 or natural_bound(point_tables(rules), hand)[1] > 0
    return contains(rules, hand, _ONE_SET) or contains(rules, hand, _ONE_RUN)


class _Sets(NamedTuple):
    """What sets take at any time, where they take any suit and never close (J-13, B-8, C-5)."""

    fitting: int  # naturals, as four suits of 13 bits
    targets: dict[int, int]  # by rank: a set of it
    rooms: dict[int, int]  # by set: the jokers that it takes as it is
    room: int  # all of these


_NO_SETS = _Sets(0, {}, {}, 0)


class _Search:
    """The search from one position; ``found`` is the best."""

    def __init__(
        self, rules: RuleSet, seat: int, position: Position, kinds: Collection[ActionKind]
    ) -> None:
        self.rules = rules
        self.moves = Moves(rules, seat, kinds)
        self.values = rules.card_values
        self.shapes = self._shapes(position) if self.moves.melds else []
        self.target = self._hoped_for(position)
        self.best = (False, -UNLIMITED)
        self.path: list[Action] = []
        self.found: tuple[Action, ...] = ()
        self.seen: set[Position] = set()
        self.steps = 0
        self._lay_down(0, position)

    def _shapes(self, position: Position) -> list[Shape]:
        held, twins, jokers, melds, _ = position
        return [
            shape
            for shape in shapes(self.rules, held, twins, jokers)
            if may_lay_down(self.rules, self.moves.seat, melds, shape)
        ]

    @property
    def _done(self) -> bool:
        return self.best >= self.target or self.steps >= MOST_STEPS

    def _lay_down(self, at: int, position: Position) -> None:
        """Try the melds from ``at`` on, one after the other, then what may be built."""
        for index in range(at, len(self.shapes)):
            step = self.moves.lay_down(position, self.shapes[index])
            if step is not None:
                self.path.append(step[0])
                self._lay_down(index, step[1])
                self.path.pop()
                if self._done:
                    return
        self._build(position, self._sets(position.melds))

    def _build(self, position: Position, sets: _Sets) -> None:
        """Try what may be laid off from a position on."""
        if position in self.seen:
            return
        self.seen.add(position)
        self.steps += 1
        score = self._score(position, sets)
        if score > self.best:
            self.best = score
            self.found = (*self.path, *self._to_sets(position, sets))
        for action, after in self.moves.steps(position):
            if self._done:
                return
            self.path.append(action)
            self._build(after, sets)
            self.path.pop()

    def _sets(self, melds: tuple[TableMeld, ...]) -> _Sets:
        if not self.moves.free_sets:
            return _NO_SETS
        spare = self.rules.set_spare_jokers
        fitting = 0
        targets, rooms = {}, {}
        for target, (_, kind, low, _, cards) in enumerate(melds):
            if kind is _SET:
                fitting |= IN_ALL_SUITS[low]
                targets[low] = target
                naturals = sum([card < JOKER_BASE for card in cards])
                rooms[target] = 2 * naturals + spare - len(cards)
        return _Sets(fitting, targets, rooms, sum(rooms.values()))

    def _score(self, position: Position, sets: _Sets) -> tuple[bool, int]:
        """Return whether the seat goes out, and the penalty left after a discard, negated."""
        held, twins, jokers, _, progress = position
        fitting = sets.fitting
        if fitting and jokers:
            room = sets.room + (held & fitting).bit_count() + (twins & fitting).bit_count()
            jokers = jokers - room if jokers > room else 0
        return self._score_of(held & ~fitting, twins & ~fitting, jokers, progress.taken)

    def _score_of(self, held: int, twins: int, jokers: int, taken: Card) -> tuple[bool, int]:
        rules, values = self.rules, self.values
        worths = [values[bit.bit_length() - 1 << 2] for bit in (*bits(held), *bits(twins))]
        cards = len(worths) + jokers
        if not cards:
            return True, 0
        joker = values[OWN_JOKER]
        left = sum(worths) + joker * jokers
        if jokers and rules.joker_discard:
            worths.append(joker)
        if cards > 1 and taken != NONE and not rules.throw_back:
            self._leave_out_taken(worths, held, jokers, taken)
        if not worths:
            return False, -left
        return cards == 1, max(worths) - left

    def _leave_out_taken(self, worths: list[int], held: int, jokers: int, taken: Card) -> None:
        """Leave out the card that may not be thrown back, if it is still there (X-8)."""
        if taken >= JOKER_BASE:
            held_still = jokers > 0 and self.rules.joker_discard
        else:
            held_still = held >> (taken >> 2) & 1 > 0
        if held_still:
            worths.remove(self.values[taken])

    def _to_sets(self, position: Position, sets: _Sets) -> list[Action]:
        """Return the lay-offs of what sets take at any time, as many as may be."""
        fitting = sets.fitting
        if not fitting:
            return []
        actions = []
        rooms = sets.rooms.copy()
        for bit in (*bits(position.held & fitting), *bits(position.twins & fitting)):
            kind = bit.bit_length() - 1
            target = sets.targets[kind % RANKS]
            rooms[target] += 1
            actions.append(lay_off(kind << 2, target))
        left = position.jokers
        for target, room in rooms.items():
            number = min(left, room)
            left -= number
            actions += [lay_off(OWN_JOKER, target)] * number
        return actions[: position.cards - self.rules.final_discard]

    def _hoped_for(self, position: Position) -> tuple[bool, int]:
        """Return a score that no use of the hand exceeds: that of the cards that fit nowhere."""
        held, twins, jokers, _, progress = position
        reach = self._reach(position)
        if self.moves.lays_off or self.shapes:
            jokers = 0
        return self._score_of(held & ~reach, twins & ~reach, jokers, progress.taken)

    def _reach(self, position: Position) -> int:
        """Return the naturals that may find a place, were no other card in their way."""
        held, twins, jokers, melds, _ = position
        moves, rules = self.moves, self.rules
        found = 0
        exchanges = moves.moves_jokers or moves.takes_jokers
        on_table = [meld for meld in melds if exchanges and stood_for(meld)]
        for meld in on_table:
            found |= stood_for(meld)
        possible = self.shapes
        if moves.takes_jokers and on_table:
            possible = shapes(rules, held, twins, jokers + 1)
        for shape in possible:
            found |= shape.once | shape.twice
            if shape.kind is _SET and not rules.set_suits_differ:
                found |= IN_ALL_SUITS[shape.key]
        if not moves.lays_off:
            return found
        free = jokers + sum([card >= JOKER_BASE for meld in on_table for card in meld.cards])
        for meld in melds:
            if meld.kind is _SET:
                for naturals, _, _ in places(rules, meld):
                    found |= naturals
            else:
                found |= _along(meld, held, free)
        return found


def _along(meld: TableMeld, held: int, jokers: int) -> int:
    """Return the naturals that a run might take, with so many jokers between."""
    found = 0
    first = meld.suit * RANKS
    for position, step in ((meld.low + len(meld.cards), 1), (meld.low - 1, -1)):
        left = jokers
        while 0 <= position <= HIGH_ACE:
            bit = 1 << first + position % RANKS
            if held & bit:
                found |= bit
            else:
                left -= 1
                if left < 0:
                    break
            position += step
    return found


def _with_real_cards(
    actions: tuple[Action, ...], hand: Sequence[Card], taken: Card
) -> tuple[Action, ...]:
    """Return the actions with the cards of the hand in place of their kinds.

    The card that may not be thrown back goes before others like it.
    """
    if not actions:
        return ()
    pool: dict[int, list[Card]] = {}
    for card in sorted(hand, key=lambda card: card == taken):
        pool.setdefault(OWN_JOKER if card >= JOKER_BASE else card >> 2 << 2, []).append(card)

    def real(card: Card) -> Card:
        return pool[card].pop() if card in pool else card

    found = []
    for action in actions:
        card = NONE if action.card == NONE else real(action.card)
        also = NONE if action.also == NONE else real(action.also)
        melds = tuple([Meld(meld.kind, tuple(map(real, meld.cards))) for meld in action.melds])
        found.append(action._replace(card=card, also=also, melds=melds))
    return tuple(found)
