"""Calls of a discard out of turn: the window, the decision, the grant (J-1 to J-10, B-1 to B-7).

While a window is open its answers are kept and not heard: they come out when it closes, in the
order of the seats, so that nobody gains by hearing others first and a log does not tell who was
faster (J-6, X-15).

Clauses cited are those of Jamaican Kalooki; Kalooki with bonus differs where its own are named.
"""

from __future__ import annotations

from bisect import insort
from functools import lru_cache

from .actions import NONE, ActionKind
from .events import Allowed, Called, CallGranted, Event, Forbade, Passed, WindowClosed, WindowOpened
from .kinds import may_take_pile
from .rules import CallAuthority, CallPriority
from .state import Answer, Deal, Phase
from .stock import Reshuffle, stock_card

SERVES_CALL = 2
"""Stock cards that a call takes: its penalty card and the draw after it (J-7)."""

_DRAW = Phase.DRAW
_CALL_WINDOW, _CALL_DECISION = Phase.CALL_WINDOW, Phase.CALL_DECISION
_NOT_ASKED, _WAITING, _CALLED, _PASSED = Answer
_DISCARDER, _FIRST_RECEIVED = CallAuthority.DISCARDER, CallPriority.FIRST_RECEIVED
# Events that say little, and half of all there are, are made once and shared: they are frozen.
_SEATS = range(8)  # no rule set seats more
_CALLED_BY = tuple(map(Called, _SEATS))
_PASSED_BY = tuple(map(Passed, _SEATS))
_ALLOWED_BY = tuple(map(Allowed, _SEATS))
_CLOSED = WindowClosed()
_window_opened = lru_cache(maxsize=4096)(WindowOpened)


def can_serve_call(deal: Deal) -> bool:
    """Return whether the stock can give a call's penalty card and the draw after it (J-7).

    The single recycling counts if it is unused; the call takes the top of the pile, and the card
    under it stays.
    """
    recyclable = len(deal.discards) - 2 if deal.reshuffles < deal.rules.reshuffles else 0
    return len(deal.stock) + max(recyclable, 0) >= SERVES_CALL


def open_window(deal: Deal, discarder: int, events: list[Event]) -> None:
    """Ask everybody who may call this discard (J-4), if the stock can serve a call."""
    if len(deal.stock) < SERVES_CALL and not can_serve_call(deal):
        return
    limit, following, calls, answers = deal.rules.max_calls, deal.turn, deal.calls, deal.answers
    eligible = []
    opened = deal.opened_turn
    for seat in deal.players:
        if not opened[seat] and seat != discarder and seat != following and calls[seat] < limit:
            answers[seat] = _WAITING
            eligible.append(seat)
    if eligible:
        deal.phase = _CALL_WINDOW
        deal.discarder = discarder
        events.append(_window_opened(deal.discards[-1], tuple(eligible)))


def answer(
    deal: Deal, seat: int, kind: ActionKind, events: list[Event], shuffle: Reshuffle
) -> None:
    """Note a seat's CALL or PASS; the last answer, or the first call if that decides, ends it."""
    called = kind is ActionKind.CALL
    deal.answers[seat] = _CALLED if called else _PASSED
    if _WAITING not in deal.answers or (called and deal.rules.call_priority is _FIRST_RECEIVED):
        hear(deal, events)
        _all_answered(deal, events, shuffle)


def allow(deal: Deal, seat: int, events: list[Event], shuffle: Reshuffle) -> None:
    """Let the caller have the discard, or, while the window is open, waive it (J-5, B-1)."""
    if deal.phase is _CALL_WINDOW:
        deal.waived = True
        return
    events.append(_ALLOWED_BY[seat])
    _grant(deal, events, shuffle)


def forbid(deal: Deal, seat: int, events: list[Event]) -> None:
    """Keep the discard from the caller; the draw is as usual and nobody calls it again (B-7)."""
    events.append(Forbade(seat))
    close_window(deal, events)


def hear(deal: Deal, events: list[Event]) -> None:
    """Tell what was answered in a window that ends: the waiver, then in turn order (X-15).

    Where the first call to come in decides, it is told after the passes that came before it (B-6).
    """
    answers, after, turn = deal.answers, deal.after, deal.turn
    if deal.waived:
        events.append(_ALLOWED_BY[turn])
    decisive = NONE
    seat = after[turn]
    while seat != turn:
        given = answers[seat]
        if given is _PASSED:
            events.append(_PASSED_BY[seat])
        elif given is _CALLED:
            if deal.rules.call_priority is _FIRST_RECEIVED:
                decisive = seat
            else:
                events.append(_CALLED_BY[seat])
        seat = after[seat]
    if decisive >= 0:
        events.append(_CALLED_BY[decisive])


def caller_of(deal: Deal) -> int:
    """Return the seat whose call is heard: the first in turn order after the next player (J-6)."""
    seat = deal.turn
    for _ in deal.players:
        seat = deal.after[seat]
        if deal.answers[seat] is _CALLED:
            return seat
    return NONE


def close_window(deal: Deal, events: list[Event], granted: int = NONE) -> None:
    """End the window; the next player draws."""
    deal.phase = _DRAW
    deal.waived = False
    deal.discarder = NONE
    deal.answers = [_NOT_ASKED] * len(deal.hands)
    events.append(WindowClosed(granted) if granted >= 0 else _CLOSED)


def _all_answered(deal: Deal, events: list[Event], shuffle: Reshuffle) -> None:
    if _CALLED not in deal.answers:
        close_window(deal, events)
    elif deal.rules.call_authority is _DISCARDER:
        deal.phase = _CALL_DECISION
    elif deal.waived or not may_take_pile(deal, deal.turn):
        _grant(deal, events, shuffle)
    else:
        deal.phase = _CALL_DECISION


def _grant(deal: Deal, events: list[Event], shuffle: Reshuffle) -> None:
    """Give the discard and a penalty card to the caller (J-10)."""
    caller = caller_of(deal)
    close_window(deal, events, caller)
    card = deal.discards.pop()
    penalty = stock_card(deal, events, shuffle)
    assert penalty is not None  # noqa: S101  J-7 was checked when the window opened
    insort(deal.hands[caller], card)
    insort(deal.hands[caller], penalty)
    deal.calls[caller] += 1
    deal.stock_only = True
    events.append(CallGranted(caller, card, penalty))
