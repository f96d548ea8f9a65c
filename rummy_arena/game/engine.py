"""One deal: dealing, the turn automaton, and what each action does.

DRAW -> PLAY* -> discard -> [CALL_WINDOW -> [CALL_DECISION]] -> DRAW of the next seat
... -> OVER.
Chance comes in: the deck's order, and a function that orders a recycled pile.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from functools import lru_cache

from .actions import NONE, Action, ActionKind
from .cards import Card
from .checks import SERVES_CALL as _SERVES_CALL
from .checks import Prepared, can_serve_call, kinds, prepare
from .events import (
    Allowed,
    Called,
    CallGranted,
    DealEnd,
    Discarded,
    Drew,
    Event,
    JokerMoved,
    LaidOff,
    Melded,
    Opened,
    Passed,
    Reshuffled,
    Source,
    TurnEnded,
    WindowClosed,
    WindowOpened,
)
from .legal import deciders, legal_actions, standard_move
from .rules import RuleSet
from .state import Answer, Deal, Outcome, Phase

__all__ = [
    "apply",
    "check",
    "deal_cards",
    "deciders",
    "kinds",
    "legal_actions",
    "standard_move",
]

Reshuffle = Callable[[list[Card]], Sequence[Card]]
"""Given the recycled cards, bottom first, returns the new stock; its last card is drawn first."""
Events = list[Event]

# Members of an enum are slow to look up on the class; the engine runs on these names.
_DRAW, _PLAY, _OVER = Phase.DRAW, Phase.PLAY, Phase.OVER
_CALL_WINDOW, _CALL_DECISION = Phase.CALL_WINDOW, Phase.CALL_DECISION
_NOT_ASKED, _WAITING, _CALLED, _PASSED = Answer
_STOCK, _DISCARDS = Source
# Events that say little, and half of all there are, are made once and shared: they are frozen.
_SEATS = range(8)  # no rule set seats more
_CARDS = range(256)
_DREW = [
    [[Drew(seat, source, card) for card in _CARDS] for source in (_STOCK, _DISCARDS)]
    for seat in _SEATS
]
_DISCARDED = [[Discarded(seat, card) for card in _CARDS] for seat in _SEATS]
_CALLED_BY = tuple(map(Called, _SEATS))
_PASSED_BY = tuple(map(Passed, _SEATS))
_ALLOWED_BY = tuple(map(Allowed, _SEATS))
_CLOSED = WindowClosed()
_window_opened = lru_cache(maxsize=4096)(WindowOpened)


def deal_cards(rules: RuleSet, seats: int, number: int, dealer: int, deck: Sequence[Card]) -> Deal:
    """Return a new deal of contract ``number``, dealt one card at a time from the dealer's left."""
    size = rules.contracts[number - 1].hand_size
    dealt = seats * size
    starter = (dealer + 1) % seats
    hands: list[list[Card]] = [[] for _ in range(seats)]
    for offset in range(seats):
        hands[(starter + offset) % seats] = sorted(deck[offset:dealt:seats])
    return Deal(
        rules=rules,
        number=number,
        dealer=dealer,
        hands=hands,
        stock=list(reversed(deck[dealt + 1 :])),
        discards=[deck[dealt]],
        opened_turn=[0] * seats,
        calls=[0] * seats,
        answers=[_NOT_ASKED] * seats,
        turn=starter,
    )


def check(deal: Deal, seat: int, action: Action) -> None:
    """Raise the RuleViolation that ``apply`` would raise, and change nothing."""
    prepare(deal, seat, action)


def apply(deal: Deal, seat: int, action: Action, reshuffle: Reshuffle) -> list[Event]:
    """Check the action, change the deal, and return what happened."""
    prepared = prepare(deal, seat, action)
    events: Events = []
    _DOES[action.kind](deal, seat, action, prepared, events, reshuffle)
    return events


# --- what each kind of action does -------------------------------------------------------------


def _draw_stock(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    card = _stock_card(deal, events, shuffle)
    if card is None:
        deal.phase = _OVER
        deal.outcome = Outcome(DealEnd.VOID)
        return
    _took(deal, seat, _STOCK, card, events)


def _draw_discard(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    if deal.phase is not _DRAW:  # the next player takes a card that others may have called
        _close_window(deal, events)
    _took(deal, seat, _DISCARDS, deal.discards.pop(), events)


def _took(deal: Deal, seat: int, source: Source, card: Card, events: Events) -> None:
    insort(deal.hands[seat], card)
    deal.drawn = card
    deal.phase = _PLAY
    events.append(_DREW[seat][source][card])


def _stock_card(deal: Deal, events: Events, shuffle: Reshuffle) -> Card | None:
    """Take a stock card, recycling the pile if need be; None when the stock is exhausted (X-11)."""
    if not deal.stock:
        if deal.reshuffles >= deal.rules.reshuffles or len(deal.discards) < 2:
            return None
        deal.stock = list(shuffle(deal.discards[:-1]))
        deal.discards = deal.discards[-1:]
        deal.reshuffles += 1
        events.append(Reshuffled(bytes(deal.stock), len(deal.stock)))
    return deal.stock.pop()


def _lay_down(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    hand = deal.hands[seat]
    for meld in prepared:
        for card in meld.cards:
            hand.remove(card)
    deal.melds.extend(prepared)
    if action.kind is ActionKind.OPEN:
        deal.opened_turn[seat] = deal.turn_number
        events.append(Opened(seat, prepared))
    else:
        events.append(Melded(seat, prepared[0]))
    _out_if_empty(deal, seat)


def _build(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    card, target, meld = action.card, action.target, prepared[0]
    deal.hands[seat].remove(card)
    deal.melds[target] = meld
    record = LaidOff if action.kind is ActionKind.LAY_OFF else JokerMoved
    events.append(record(seat, card, target, meld))
    _out_if_empty(deal, seat)


def _out_if_empty(deal: Deal, seat: int) -> None:
    """An empty hand ends the deal at once (J-22); doubled if it opened in this turn (J-24)."""
    if not deal.hands[seat]:
        deal.phase = _OVER
        doubled = deal.opened_turn[seat] == deal.turn_number
        deal.outcome = Outcome(DealEnd.OUT, seat, doubled)


def _discard(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    card = action.card
    deal.hands[seat].remove(card)
    deal.discards.append(card)
    events.append(_DISCARDED[seat][card])
    if not deal.hands[seat]:
        _out_if_empty(deal, seat)
        return
    _next_turn(deal)
    if deal.outcome is None and (len(deal.stock) >= _SERVES_CALL or can_serve_call(deal)):
        _open_window(deal, seat, events)


def _end_turn(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    events.append(TurnEnded(seat))
    _next_turn(deal)


def _next_turn(deal: Deal) -> None:
    deal.drawn = NONE
    deal.stock_only = False
    if deal.turn_number >= deal.rules.turns_cap_per_seat * len(deal.hands):
        deal.phase = _OVER
        deal.outcome = Outcome(DealEnd.CAP)
        return
    deal.turn = (deal.turn + 1) % len(deal.hands)
    deal.turn_number += 1
    deal.phase = _DRAW


def _open_window(deal: Deal, discarder: int, events: Events) -> None:
    """Ask everybody who may call this discard (J-4)."""
    limit, following, calls, answers = deal.rules.max_calls, deal.turn, deal.calls, deal.answers
    eligible = []
    for seat, opened in enumerate(deal.opened_turn):
        if not opened and seat != discarder and seat != following and calls[seat] < limit:
            answers[seat] = _WAITING
            eligible.append(seat)
    if eligible:
        deal.phase = _CALL_WINDOW
        events.append(_window_opened(deal.discards[-1], tuple(eligible)))


def _answer(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    called = action.kind is _K.CALL
    deal.answers[seat] = _CALLED if called else _PASSED
    events.append(_CALLED_BY[seat] if called else _PASSED_BY[seat])
    if _WAITING not in deal.answers:
        _all_answered(deal, events, shuffle)


def _allow(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    events.append(_ALLOWED_BY[seat])
    if deal.phase is _CALL_WINDOW:
        deal.waived = True
        return
    _grant(deal, events, shuffle)


def _all_answered(deal: Deal, events: Events, shuffle: Reshuffle) -> None:
    if _CALLED not in deal.answers:
        _close_window(deal, events)
    elif deal.opened_turn[deal.turn] or deal.waived:
        _grant(deal, events, shuffle)
    else:
        deal.phase = _CALL_DECISION


def _close_window(deal: Deal, events: Events, granted: int = NONE) -> None:
    deal.phase = _DRAW
    deal.waived = False
    deal.answers = [_NOT_ASKED] * len(deal.hands)
    events.append(WindowClosed(granted) if granted >= 0 else _CLOSED)


def _grant(deal: Deal, events: Events, shuffle: Reshuffle) -> None:
    """Give the discard and a penalty card to the first caller after the next player (J-6, J-10)."""
    seats = len(deal.hands)
    caller = next(
        seat
        for seat in ((deal.turn + offset) % seats for offset in range(1, seats))
        if deal.answers[seat] is _CALLED
    )
    _close_window(deal, events, caller)
    card = deal.discards.pop()
    penalty = _stock_card(deal, events, shuffle)
    assert penalty is not None  # noqa: S101  J-7 was checked when the window opened
    insort(deal.hands[caller], card)
    insort(deal.hands[caller], penalty)
    deal.calls[caller] += 1
    deal.stock_only = True
    events.append(CallGranted(caller, card, penalty))


_K = ActionKind
_DOES: dict[ActionKind, Callable[[Deal, int, Action, Prepared, Events, Reshuffle], None]] = {
    _K.DRAW_STOCK: _draw_stock,
    _K.DRAW_DISCARD: _draw_discard,
    _K.OPEN: _lay_down,
    _K.MELD: _lay_down,
    _K.LAY_OFF: _build,
    _K.MOVE_JOKER: _build,
    _K.DISCARD: _discard,
    _K.END_TURN: _end_turn,
    _K.CALL: _answer,
    _K.PASS: _answer,
    _K.ALLOW: _allow,
}
