"""Why a kind of action is not open to a seat: the refusal with its clause and facts."""

from __future__ import annotations

from typing import NoReturn

from .actions import Action, ActionKind
from .calls import can_serve_call
from .errors import IllegalHere, Malformed, NotYourTurn, RuleViolation
from .kinds import decision_seat, kinds
from .melds import refused
from .rules import JokerExchange, NewMelds, PilePolicy
from .state import Answer, Deal, Phase

_K = ActionKind
_AFTER_OPENING = (_K.MELD, _K.LAY_OFF, _K.MOVE_JOKER, _K.TAKE_JOKER)


def refuse_kind(deal: Deal, seat: int, action: Action) -> NoReturn:
    """Raise the violation that says why this kind of action is not open to the seat."""
    kind = action.kind
    allowed = kinds(deal, seat)
    if deal.phase is Phase.OVER:
        raise IllegalHere("DEAL_OVER", "X-19")
    if seat not in deal.players:
        raise NotYourTurn("NOT_PLAYING", deal.rules.clause("NOT_PLAYING"), seat=seat)
    if kind is _K.CALL:
        raise _why_no_call(deal, seat)
    if not allowed:
        if deal.phase is Phase.CALL_WINDOW and seat == deal.turn:
            code = "CALL_WINDOW_OPEN"
            raise NotYourTurn(code, deal.rules.clause(code), seat=seat)
        decides = deal.phase in (Phase.CALL_DECISION, Phase.REBUY)
        turn = decision_seat(deal) if decides else deal.turn
        raise NotYourTurn("NOT_YOUR_TURN", "X-19", seat=seat, turn=turn)
    if deal.phase is Phase.PLAY:
        _refuse_in_play(deal, seat, action)
    if deal.phase is Phase.DRAW and kind in (_K.DRAW_DISCARD, _K.DRAW_AND_OPEN):
        raise _why_no_pile(deal, seat, kind)
    if kind in (_K.REBUY, _K.DECLINE) and deal.rules.by_elimination:
        raise refused(deal.rules, "NO_REBUY", seat=seat)
    raise IllegalHere("WRONG_PHASE", "X-14", kind=kind, allowed=allowed)


def _why_no_pile(deal: Deal, seat: int, kind: ActionKind) -> RuleViolation:
    """Return the reason why the seat in turn cannot draw the top of the pile like this."""
    rules = deal.rules
    if kind is _K.DRAW_AND_OPEN:
        if rules.pile is not PilePolicy.TO_OPEN or deal.turn_number == 1:
            return IllegalHere("WRONG_PHASE", "X-14", kind=kind, allowed=kinds(deal, seat))
        if deal.opened_turn[seat]:
            return refused(rules, "ALREADY_OPENED")
        return refused(rules, "PILE_EMPTY")
    if deal.stock_only:
        return refused(rules, "CALLED.STOCK_ONLY", top=deal.top)
    if rules.pile is PilePolicy.UNOPENED and deal.opened_turn[seat]:
        return refused(rules, "STOCK_ONLY", top=deal.top)
    if not deal.discards:
        return refused(rules, "PILE_EMPTY")
    return refused(rules, "PILE_NEEDS_OPENING", top=deal.top)


def _refuse_in_play(deal: Deal, seat: int, action: Action) -> None:
    """Raise the violation of a kind that other hands could choose between draw and discard."""
    kind, opened, rules = action.kind, deal.opened_turn[seat], deal.rules
    if kind in _AFTER_OPENING:
        _refuse_after_opening(deal, seat, kind)
    if kind is _K.OPEN and opened:
        raise refused(rules, "ALREADY_OPENED")
    if kind is _K.DISCARD:  # no card is held that may be discarded: jokers alone
        if action.card not in deal.hands[seat]:
            raise Malformed("CARD_NOT_HELD", "X-2", card=action.card)
        raise refused(rules, "JOKER_DISCARD", card=action.card)
    if kind is _K.END_TURN:
        raise refused(rules, "DISCARD_REQUIRED")


def _refuse_after_opening(deal: Deal, seat: int, kind: ActionKind) -> None:
    rules, opened = deal.rules, deal.opened_turn[seat]
    takes = rules.joker_exchange is JokerExchange.TAKE
    if kind is _K.MOVE_JOKER and takes:
        raise refused(rules, "JOKER_IS_TAKEN")
    if kind is _K.TAKE_JOKER and not takes:
        raise refused(rules, "JOKER_IS_NOT_TAKEN")
    if not opened:
        raise refused(rules, f"{kind.name}.NOT_OPENED", kind=kind)
    if kind is _K.MELD and rules.new_melds is NewMelds.NEVER:
        raise refused(rules, "NO_NEW_MELDS")
    if rules.opening_exact and opened == deal.turn_number:
        raise refused(rules, "NOTHING_MORE_THIS_TURN", kind=kind)
    if kind is _K.MELD:
        raise refused(rules, "MELD_AFTER_LAY_OFF")


def _why_no_call(deal: Deal, seat: int) -> RuleViolation:
    """Return the reason why this seat cannot call the present discard."""
    rules = deal.rules
    if not rules.max_calls:
        return refused(rules, "NO_CALLS")
    # First what keeps the seat from every call of this deal: no other window would help it.
    if deal.opened_turn[seat]:
        return refused(rules, "OPENED_CANNOT_CALL", seat=seat)
    if deal.calls[seat] >= rules.max_calls:
        return refused(rules, "CALLS_USED_UP", seat=seat, calls=deal.calls[seat])
    if deal.phase is not Phase.CALL_WINDOW:
        if deal.phase is Phase.DRAW and not deal.stock_only and not can_serve_call(deal):
            return refused(rules, "CALL_CANNOT_BE_SERVED", stock=len(deal.stock))
        point = "UP_CARD.NO_CALL_WINDOW" if deal.turn_number == 1 else "NO_CALL_WINDOW"
        return refused(rules, point, phase=deal.phase)
    if deal.answers[seat] in (Answer.CALLED, Answer.PASSED):
        return refused(rules, "ALREADY_ANSWERED", seat=seat)
    if seat == deal.turn:
        return refused(rules, "NEXT_PLAYER_DRAWS", seat=seat)
    return refused(rules, "DISCARDER_CANNOT_CALL", seat=seat)
