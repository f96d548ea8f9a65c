"""What a seat may do, whose answer is awaited, and what an absent seat does (X-17)."""

from __future__ import annotations

from collections.abc import Container

from .actions import ALLOW, DRAW_STOCK, END_TURN, NONE, PASS, Action, ActionKind, discard
from .cards import JOKER_BASE, RANK_OF, SUIT_OF
from .checks import has_natural, kinds
from .errors import RuleViolation
from .melds import extended, with_joker_moved
from .state import Answer, Deal, Phase

# Members of an enum are slow to look up on the class; this is asked before every action.
_CALL_WINDOW, _OVER, _WAITING = Phase.CALL_WINDOW, Phase.OVER, Answer.WAITING


def deciders(deal: Deal) -> tuple[int, ...]:
    """Return the seats whose answer the deal waits for; () when it is over.

    In a call window these are the callers that have not answered; the next player may interrupt it
    but is not waited for (J-5).
    """
    phase = deal.phase
    if phase is _CALL_WINDOW:
        return tuple([seat for seat, answer in enumerate(deal.answers) if answer is _WAITING])
    return () if phase is _OVER else (deal.turn,)


def first_decider(deal: Deal, among: Container[int]) -> int:
    """Return the first of ``deciders`` that is ``among`` these seats, or NONE."""
    phase = deal.phase
    if phase is _CALL_WINDOW:
        for seat, answer in enumerate(deal.answers):
            if answer is _WAITING and seat in among:
                return seat
    elif phase is not _OVER and deal.turn in among:
        return deal.turn
    return NONE


def legal_actions(deal: Deal, seat: int) -> list[Action]:
    """Return every action without melds that ``check`` accepts.

    Lay-downs are too many to list: OPEN and MELD appear in ``kinds``, and the solver proposes them.
    """
    actions: list[Action] = []
    for kind in kinds(deal, seat):
        if kind in (ActionKind.OPEN, ActionKind.MELD):
            continue
        if kind is ActionKind.DISCARD:
            actions += [discard(card) for card in deal.hands[seat] if card < JOKER_BASE]
        elif kind is ActionKind.LAY_OFF or kind is ActionKind.MOVE_JOKER:
            actions += _building(deal, seat, kind)
        else:
            actions.append(Action(kind))
    return actions


def _building(deal: Deal, seat: int, kind: ActionKind) -> list[Action]:
    fits = extended if kind is ActionKind.LAY_OFF else with_joker_moved
    found = []
    for target, meld in enumerate(deal.melds):
        for card in deal.hands[seat]:
            try:
                fits(meld, card, target)
            except RuleViolation:
                continue
            found.append(Action(kind, card, target))
    return found


def standard_move(deal: Deal, seat: int) -> Action:
    """Return what an absent seat does (X-17): draw stock, discard the drawn card, never call."""
    if deal.phase is Phase.CALL_WINDOW:
        return PASS if deal.answers[seat] is Answer.WAITING else ALLOW
    if deal.phase is Phase.CALL_DECISION:
        return ALLOW
    if deal.phase is Phase.DRAW:
        return DRAW_STOCK
    hand = deal.hands[seat]
    if not has_natural(hand):
        return END_TURN
    if deal.drawn < JOKER_BASE and deal.drawn in hand:
        return discard(deal.drawn)
    values = deal.rules.card_values
    naturals = [card for card in hand if card < JOKER_BASE]
    return discard(min(naturals, key=lambda c: (-values[c], RANK_OF[c], SUIT_OF[c], c)))
