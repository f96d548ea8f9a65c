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

from rummy_arena.game.actions import NONE, Action, ActionKind
from rummy_arena.game.cards import JOKER_BASE, Card
from rummy_arena.game.melds import MeldKind, TableMeld
from rummy_arena.game.rules import UNLIMITED, Contract, RuleSet
from rummy_arena.game.state import Progress

from .building_moves import OWN_JOKER, Moves, Position, places
from .building_table import (
    NO_SETS,
    FreeSets,
    carried,
    carries,
    exchangeable,
    free_sets,
    on_sets,
    plain_building,
    table_of,
    with_real_cards,
)
from .contracts import contains
from .limits import JOKERS_AT, Masks, masks
from .meld_shapes import Shape, may_lay_down, shapes
from .point_tables import point_tables
from .points import natural_bound
from .tables import IN_ALL_SUITS, bits_of

MOST_STEPS = 200
"""Positions that a search looks at."""
_FEW_STEPS = 4
"""So many are looked at sooner than it takes to work out what can be hoped for."""
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
    table = table_of(rules, melds)
    fits = (table.fitting | table.stood_for) & held or (jokers and table.jokers)
    melds_too = (
        _MELD in kinds
        and len(hand) >= rules.set_min + rules.final_discard
        and _may_meld(rules, own)
    )
    if not melds_too and (not fits or _BUILDING.isdisjoint(kinds)):
        return ()
    wanted = table.stood_for & held
    if wanted:
        wanted = exchangeable(rules, seat, melds, held, progress.melds_before)
    if not melds_too and not wanted:
        plain = plain_building(rules, hand, own, melds, progress)
        if plain is not None:
            return plain
    taken = progress.taken
    if taken != NONE and (jokers > 1 if taken >= JOKER_BASE else twins >> (taken >> 2) & 1):
        progress = progress._replace(taken=NONE)  # another like it can be thrown instead
    position = Position(held, twins, jokers, melds, progress)
    search = _Search(rules, seat, position, kinds, melds=melds_too)
    return with_real_cards(search.found, hand, taken)


def _may_meld(rules: RuleSet, hand: Masks) -> bool:
    """Return whether the hand may hold a meld: a cheap sieve."""
    if rules.set_suits_differ:
        return hand[1] >> JOKERS_AT > 0 or natural_bound(point_tables(rules), hand)[1] > 0
    return contains(rules, hand, _ONE_SET) or contains(rules, hand, _ONE_RUN)


class _Search:
    """The search from one position; ``found`` is the best."""

    def __init__(
        self,
        rules: RuleSet,
        seat: int,
        position: Position,
        kinds: Collection[ActionKind],
        *,
        melds: bool,
    ) -> None:
        self.rules = rules
        self.moves = Moves(rules, seat, kinds)
        self.values = rules.card_values
        self.shapes = self._shapes(position) if melds else []
        self.start = position
        self.target: tuple[bool, int] | None = None
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
        best = self.best
        if best[0] or self.steps >= MOST_STEPS:
            return True
        if self.steps < _FEW_STEPS:
            return False
        if self.target is None:
            self.target = self._hoped_for(self.start)
        return best >= self.target

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
        free = self.moves.free_sets
        self._build(position, free_sets(self.rules, position.melds) if free else NO_SETS)

    def _build(self, position: Position, sets: FreeSets) -> None:
        """Try what may be laid off from a position on."""
        if position in self.seen:
            return
        self.seen.add(position)
        self.steps += 1
        if self._is_plain(position, sets):
            forced = self.moves.forced(position)
            if forced is not None:
                self._reached(forced[1], sets, forced[0])
                return
        self._reached(position, sets, [])
        for action, after in self.moves.steps(position):
            if self._done:
                return
            self.path.append(action)
            self._build(after, sets)
            self.path.pop()

    def _reached(self, position: Position, sets: FreeSets, forced: list[Action]) -> None:
        """Remember the way to a position if it is the best so far."""
        score = self._score(position, sets)
        if score > self.best:
            self.best = score
            rest = on_sets(sets, position.held, position.twins, position.jokers)
            spare = position.cards - self.rules.final_discard
            self.found = (*self.path, *forced, *rest[:spare])

    def _is_plain(self, position: Position, sets: FreeSets) -> bool:
        """Return whether all that is left to do is to lay off whatever fits."""
        held, _, jokers, melds, _ = position
        if not self.moves.lays_off or self._exchanges(position):
            return False
        return not jokers or (sets.room >= jokers and not carries(melds, held, jokers))

    def _exchanges(self, position: Position) -> int:
        """Return the naturals that may be given for a joker of the table."""
        if not (self.moves.takes_jokers or self.moves.moves_jokers):
            return 0
        held, _, _, melds, progress = position
        before = progress.melds_before
        return exchangeable(self.rules, self.moves.seat, melds, held, before)

    def _score(self, position: Position, sets: FreeSets) -> tuple[bool, int]:
        """Return whether the seat goes out, and the penalty left after a discard, negated."""
        held, twins, jokers, _, progress = position
        fitting = sets.fitting
        if fitting and jokers:
            room = sets.room + (held & fitting).bit_count() + (twins & fitting).bit_count()
            jokers = jokers - room if jokers > room else 0
        return self._score_of(held & ~fitting, twins & ~fitting, jokers, progress.taken)

    def _score_of(self, held: int, twins: int, jokers: int, taken: Card) -> tuple[bool, int]:
        rules, values = self.rules, self.values
        worths = [values[bit.bit_length() - 1 << 2] for bit in (*bits_of(held), *bits_of(twins))]
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
        found = self._exchanges(position)
        possible = self.shapes
        if found and moves.takes_jokers:
            possible = shapes(rules, held, twins, jokers + 1)
        for shape in possible:
            found |= shape.once | shape.twice
            if shape.kind is _SET and not rules.set_suits_differ:
                found |= IN_ALL_SUITS[shape.key]
        if not moves.lays_off:
            return found
        free = jokers
        if found:
            on_table = sum([card >= JOKER_BASE for meld in melds for card in meld.cards])
            free += min(on_table, found.bit_count())
        for meld in melds:
            if meld.kind is _SET:
                for naturals, _, _ in places(rules, meld):
                    found |= naturals
            else:
                found |= carried(meld, held, free)
        return found
