"""Play a log again: the same events, or the place where it departs from the rules.

>>> from rummy_arena.game.actions import DRAW_STOCK
>>> from rummy_arena.game.chance import SeededChance
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("kaluki-american")
>>> chance = SeededChance(rules, bytes(32))
>>> game, log = series.new_game(rules, 2, chance)
>>> log += series.apply(game, 1, DRAW_STOCK, chance)
>>> replay(rules, 2, log) == game
True
>>> replay(rules, 2, [log[0], log[0]])
Traceback (most recent call last):
    ...
rummy_arena.game.replay.CorruptLog: event 2: no action explains this event
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import series
from .actions import (
    ALLOW,
    CALL,
    DECLINE,
    DRAW_STOCK,
    END_TURN,
    FORBID,
    NONE,
    PASS,
    REBUY,
    Action,
    ActionKind,
)
from .cards import Card
from .errors import RuleViolation
from .events import (
    Allowed,
    Called,
    DealCommitted,
    DealEnd,
    DealEnded,
    DealRevealed,
    DealStarted,
    Declined,
    Discarded,
    Drew,
    Event,
    Forbade,
    JokerMoved,
    JokerTaken,
    LaidOff,
    LotsDrawn,
    Melded,
    Opened,
    Passed,
    Rebought,
    Reshuffled,
    Source,
    TookAndOpened,
    TurnEnded,
    WindowClosed,
)
from .melds import Meld, TableMeld
from .rules import RuleSet
from .state import Game

_ACTOR_EVENTS = frozenset(
    (
        Drew,
        Opened,
        TookAndOpened,
        Melded,
        LaidOff,
        JokerMoved,
        JokerTaken,
        Discarded,
        TurnEnded,
        Called,
        Passed,
        Allowed,
        Forbade,
        Rebought,
        Declined,
    )
)


_BARE: dict[type[Event], Action] = {
    TurnEnded: END_TURN,
    Called: CALL,
    Passed: PASS,
    Allowed: ALLOW,
    Forbade: FORBID,
    Rebought: REBUY,
    Declined: DECLINE,
}
"""Events whose action has nothing but its kind."""


class CorruptLog(Exception):
    """The log is not a legal game; ``sequence`` (from 1) is the first event that is wrong.

    ``expected`` is the event that should stand there, where the rules leave one.
    """

    def __init__(self, sequence: int, reason: str, expected: Event | None = None) -> None:
        super().__init__(f"event {sequence}: {reason}")
        self.sequence = sequence
        self.reason = reason
        self.expected = expected


class RecordedChance:
    """Luck as a log recorded it.

    An order that is missing, or is no order of the cards that it should shuffle, is answered with
    those cards as they lie: the event made of it then differs from the log at the very place.
    """

    def __init__(self, rules: RuleSet, log: Sequence[Event]) -> None:
        self._pack = rules.pack
        self._decks: dict[tuple[int, int], bytes] = {}
        self._piles: dict[tuple[int, int, int], bytes] = {}
        started: tuple[int, int] = (0, 0)
        self._lots: dict[int, tuple[int, ...]] = {}
        self._commitments: dict[tuple[int, int], bytes] = {}
        self._seeds: dict[tuple[int, int], bytes] = {}
        nth = 0
        for event in log[: _before_late_seeds(log)]:
            if isinstance(event, LotsDrawn):
                self._lots.setdefault(started[0], event.seats)
            elif isinstance(event, DealStarted):
                started, nth = (event.number, event.attempt), 0
                self._decks.setdefault(started, event.deck)
            elif isinstance(event, Reshuffled):
                self._piles.setdefault((*started, nth), event.order)
                nth += 1
            elif isinstance(event, DealCommitted):
                self._commitments.setdefault((event.number, event.attempt), event.commitment)
            elif isinstance(event, DealRevealed):
                self._seeds.setdefault((event.number, event.attempt), event.seed)

    def commitment(self, number: int, attempt: int) -> bytes:
        """Return the recorded commitment of a deal, or b""."""
        return self._commitments.get((number, attempt), b"")

    def seed(self, number: int, attempt: int) -> bytes:
        """Return the recorded seed of a deal, or b""."""
        return self._seeds.get((number, attempt), b"")

    def recorded(self, number: int, attempt: int, nth: int) -> bytes | None:
        """Return what the log has as the order of a recycled pile, be it one or not."""
        return self._piles.get((number, attempt, nth))

    def deck(self, number: int, attempt: int) -> Sequence[Card]:
        """Return the recorded deck of a deal."""
        return _order_of(self._pack, self._decks.get((number, attempt)))

    def reshuffle(
        self, number: int, attempt: int, nth: int, cards: Sequence[Card]
    ) -> Sequence[Card]:
        """Return the recorded order of a recycled pile."""
        return _order_of(cards, self._piles.get((number, attempt, nth)))

    def lots(self, number: int, count: int) -> Sequence[int]:
        """Return the recorded lots."""
        seats = self._lots.get(number, ())
        order = [sorted(seats).index(seat) for seat in seats]
        return order if sorted(order) == list(range(count)) else range(count)


def _order_of(cards: Sequence[Card], recorded: bytes | None) -> Sequence[Card]:
    return recorded if recorded is not None and sorted(recorded) == sorted(cards) else cards


def _before_late_seeds(log: Sequence[Event]) -> int:
    """Return how many events come before the seeds that were held back until the very end.

    That is how deals are told of which other tables had the same: of all of them none is told in
    its time, and each of them at most once afterwards. Without such seeds it is the whole log.
    """
    at = len(log)
    while at and type(log[at - 1]) is DealRevealed:
        at -= 1
    told = [(e.number, e.attempt) for e in log[at:] if isinstance(e, DealRevealed)]
    in_time = len(told) == 1 and at > 0 and type(log[at - 1]) in (DealEnded, LotsDrawn)
    if not told or in_time or any(type(event) is DealRevealed for event in log[:at]):
        return len(log)
    bound = {(e.number, e.attempt) for e in log[:at] if isinstance(e, DealCommitted)}
    return at if len(set(told)) == len(told) and bound.issuperset(told) else len(log)


class Replay:
    """A log (unredacted, from its first event) that is played again action by action.

    ``game`` stands where the first ``position`` events lead, or further on in a call window: its
    answers are actions one by one, and heard together when it closes (X-15). CorruptLog tells where
    an event is not what the rules make of the actions before it. A log may end between two deals:
    ``between_deals`` is true then, and the game has the deal that is over, because nobody knows the
    next one's cards.
    """

    def __init__(
        self,
        rules: RuleSet,
        seats: int,
        log: Sequence[Event],
        *,
        chance: RecordedChance | None = None,
    ) -> None:
        if not log:
            raise CorruptLog(1, "the log is empty")
        self._end = len(log)
        self._log = log = log[: _before_late_seeds(log)]
        self._chance = chance or RecordedChance(rules, log)
        try:
            self.game, made = series.new_game(rules, seats, self._chance)
        except ValueError as error:
            raise CorruptLog(1, f"no deal can start: {error}") from error
        self.position = _compared(log, 0, made)
        self.between_deals = False
        self._unheard = 0  # answers of an open window that were played, from the position on
        self._pass_late_seeds()

    @property
    def over(self) -> bool:
        """Whether the whole log was played."""
        return self.position >= len(self._log)

    def next_action(self) -> tuple[int, Action]:
        """Return the seat that acts next in the log, and what it does."""
        return self._next()[:2]

    def step(self) -> None:
        """Play the next action of the log; one that is heard later leaves the position."""
        seat, action, at = self._next()
        deal = self.game.deal
        try:
            made = series.apply(self.game, seat, action, self._chance)
        except RuleViolation as error:
            raise CorruptLog(at + 1, str(error)) from error
        if not made:
            self._unheard += 1
            return
        self._unheard = 0
        self.position = _compared(self._log, self.position, made)
        if self.position > len(self._log):
            self.position = len(self._log)
            self.between_deals = True
            self.game.deal = deal
        self._pass_late_seeds()

    def _pass_late_seeds(self) -> None:
        if self.position == len(self._log):
            self.position = self._end

    def _next(self) -> tuple[int, Action, int]:
        position = self.position + self._unheard
        if position >= len(self._log):
            raise CorruptLog(position + 1, "the log ends within the answers of a call window")
        return action_of(self._log, position, self.game.deal.turn)


def replay(rules: RuleSet, seats: int, log: Sequence[Event]) -> Game:
    """Return the game that ``log`` (unredacted, from its first event) leads to.

    Raises CorruptLog where an event is not what the rules make of the actions before it. Of a log
    that ends between two deals, the game has the deal that is over.
    """
    played = Replay(rules, seats, log)
    while not played.over:
        played.step()
    return played.game


def _compared(log: Sequence[Event], position: int, made: Sequence[Event]) -> int:
    """Return the position after the events, which may be one deal beyond the end of the log."""
    for at, event in enumerate(made, position):
        if at >= len(log):
            begins = isinstance(event, DealStarted) and at > 0
            if begins and not isinstance(log[-1], DealCommitted):
                break
            raise CorruptLog(at + 1, f"the log ends before {event}", event)
        if type(log[at]) is not type(event) or log[at] != event:
            raise CorruptLog(at + 1, f"is {log[at]}, should be {event}", event)
    return position + len(made)


def action_of(log: Sequence[Event], position: int, turn: int) -> tuple[int, Action, int]:
    """Return seat and action that caused the events from ``position`` on, and where they stand.

    An action's own event comes first, except that a window which the next player interrupts closes,
    or a pile is recycled, just before the draw; and a draw that finds no stock left has none. Then
    ``turn``, the seat in turn, drew. Answers that come out when a window closes are explained one
    by one, each from its own event on.
    """
    event = log[position]
    if isinstance(event, DealEnded):
        return turn, DRAW_STOCK, position
    at = position + _precedes_draw(log[position : position + 2])
    acted = _actor(log[at])
    if acted is None:
        raise CorruptLog(position + 1, "no action explains this event")
    return *acted, at


def _precedes_draw(pair: Sequence[Event]) -> bool:
    """Return whether the first event comes just before a draw that caused it."""
    first, second = pair[0], pair[-1]
    if not isinstance(second, Drew):
        return False
    source = second.source
    return (isinstance(first, WindowClosed) and source == Source.DISCARD) or (
        isinstance(first, Reshuffled) and source == Source.STOCK
    )


def actions_in(log: Iterable[Event]) -> int:
    """Return how many actions caused these events: one for each event that names its actor.

    The one action without such an event is the stock draw that makes a deal void.
    """
    return sum(
        type(event) in _ACTOR_EVENTS or (type(event) is DealEnded and event.end is DealEnd.VOID)
        for event in log
    )


def _actor(event: Event) -> tuple[int, Action] | None:
    if isinstance(event, Drew):
        stock = event.source == Source.STOCK
        return event.seat, Action(ActionKind.DRAW_STOCK if stock else ActionKind.DRAW_DISCARD)
    if isinstance(event, Opened):
        melds = tuple(map(_proposed, event.melds))
        return event.seat, Action(ActionKind.OPEN, melds=melds)
    if isinstance(event, Melded):
        return event.seat, Action(ActionKind.MELD, melds=(_proposed(event.meld),))
    if isinstance(event, TookAndOpened):
        melds = tuple(map(_proposed, event.melds))
        return event.seat, Action(ActionKind.DRAW_AND_OPEN, event.card, melds=melds)
    if isinstance(event, LaidOff):
        return event.seat, Action(ActionKind.LAY_OFF, event.card, event.target, end=event.end)
    if isinstance(event, JokerMoved):
        return event.seat, Action(ActionKind.MOVE_JOKER, event.card, event.target, end=event.end)
    if isinstance(event, JokerTaken):
        return event.seat, _exchange(event)
    if isinstance(event, Discarded):
        return event.seat, Action(ActionKind.DISCARD, event.card)
    return _answer(event)


def _exchange(event: JokerTaken) -> Action:
    return Action(
        ActionKind.TAKE_JOKER,
        event.cards[0],
        event.target,
        (_proposed(event.placed),) if event.onto == NONE else (),
        end=event.end,
        also=event.cards[1] if len(event.cards) > 1 else NONE,
        onto=event.onto,
    )


def _answer(event: Event) -> tuple[int, Action] | None:
    action = _BARE.get(type(event))
    return None if action is None else (event.seat, action)  # type: ignore[union-attr]


def _proposed(meld: TableMeld) -> Meld:
    return Meld(meld.kind, meld.cards)
