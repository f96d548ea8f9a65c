"""May this seat do this now? Each check refuses with its clause, or returns what ``apply`` needs.

Nothing here changes a state.
"""

from __future__ import annotations

from collections.abc import Callable

from .actions import Action, ActionKind
from .cards import JOKER_BASE, Card
from .errors import IllegalHere, Malformed, NotYourTurn
from .melds import Meld, MeldKind, TableMeld, extended, place, with_joker_moved
from .state import Answer, Deal, Phase

Prepared = tuple[TableMeld, ...]
"""The melds as they will lie on the table, worked out by the check."""
NOTHING: Prepared = ()
SERVES_CALL = 2
"""Stock cards that a call takes: its penalty card and the draw after it (J-7)."""

_K = ActionKind
_OPENED = (_K.MELD, _K.LAY_OFF, _K.MOVE_JOKER)
# Members of an enum are slow to look up on the class; the engine runs on these names.
_DRAW, _PLAY, _OVER = Phase.DRAW, Phase.PLAY, Phase.OVER
_CALL_WINDOW, _CALL_DECISION = Phase.CALL_WINDOW, Phase.CALL_DECISION
_WAITING = Answer.WAITING
_SET, _RUN = MeldKind.SET, MeldKind.RUN
_NO_KINDS: tuple[ActionKind, ...] = ()
_TO_CALL = (_K.CALL, _K.PASS)
_TO_INTERRUPT = (_K.DRAW_DISCARD, _K.ALLOW)
_TO_DRAW = (_K.DRAW_STOCK, _K.DRAW_DISCARD)
_STOCK_ONLY = (_K.DRAW_STOCK,)
_UNOPENED = ((_K.OPEN, _K.END_TURN), (_K.OPEN, _K.DISCARD))  # by whether a natural is held
_PLAYING = ((*_OPENED, _K.END_TURN), (*_OPENED, _K.DISCARD))


def kinds(deal: Deal, seat: int) -> tuple[ActionKind, ...]:
    """Return the kinds of action that the seat may choose from now; () when it has none."""
    phase = deal.phase
    if phase is _CALL_WINDOW:
        if deal.answers[seat] is _WAITING:
            return _TO_CALL
        may_interrupt = seat == deal.turn and not deal.opened_turn[seat] and not deal.waived
        return _TO_INTERRUPT if may_interrupt else _NO_KINDS
    if seat != deal.turn or phase is _OVER:
        return _NO_KINDS
    if phase is _PLAY:
        return (_PLAYING if deal.opened_turn[seat] else _UNOPENED)[has_natural(deal.hands[seat])]
    if phase is _DRAW:
        return _TO_DRAW if may_take_top(deal, seat) else _STOCK_ONLY
    return _TO_INTERRUPT


def may_take_top(deal: Deal, seat: int) -> bool:
    """Return whether the seat in turn may draw the top discard (J-8, J-25)."""
    return bool(deal.discards) and not deal.stock_only and not deal.opened_turn[seat]


def can_serve_call(deal: Deal) -> bool:
    """Return whether the stock can give a call's penalty card and the draw after it (J-7).

    The single recycling counts if it is unused; the call takes the top of the pile, and the card
    under it stays.
    """
    recyclable = len(deal.discards) - 2 if deal.reshuffles < deal.rules.reshuffles else 0
    return len(deal.stock) + max(recyclable, 0) >= SERVES_CALL


def has_natural(hand: list[Card]) -> bool:
    """Return whether the hand (sorted by id) holds a card that may be discarded (J-21)."""
    return bool(hand) and hand[0] < JOKER_BASE


def prepare(deal: Deal, seat: int, action: Action) -> Prepared:
    """Refuse the action with a RuleViolation, or return the table melds that it will make."""
    if not 0 <= seat < len(deal.hands):
        raise Malformed("UNKNOWN_SEAT", "X-2", seat=seat, seats=deal.seats)
    kind = action.kind
    allowed = kinds(deal, seat)
    if kind not in allowed:
        _refuse(deal, seat, action, allowed)
    checker = _CHECKS.get(kind)
    return NOTHING if checker is None else checker(deal, seat, action)


def _refuse(deal: Deal, seat: int, action: Action, allowed: tuple[ActionKind, ...]) -> None:
    """Raise the violation that says why this kind of action is not open to the seat."""
    kind = action.kind
    if kind not in _KNOWN:
        raise Malformed("UNKNOWN_ACTION", "X-18", kind=kind)
    if deal.phase is Phase.OVER:
        raise IllegalHere("DEAL_OVER", "X-19")
    if kind is _K.CALL:
        raise _why_no_call(deal, seat)
    if not allowed:
        if deal.phase is Phase.CALL_WINDOW and seat == deal.turn:
            raise NotYourTurn("CALL_WINDOW_OPEN", "J-5", seat=seat)
        raise NotYourTurn("NOT_YOUR_TURN", "X-19", seat=seat, turn=deal.turn)
    if deal.phase is Phase.PLAY:
        _refuse_in_play(deal, seat, action)
    if deal.phase is Phase.DRAW and kind is _K.DRAW_DISCARD:
        opened = bool(deal.opened_turn[seat])
        if not (opened or deal.stock_only):
            raise IllegalHere("PILE_EMPTY", "X-6")
        raise IllegalHere("STOCK_ONLY", "J-25" if opened else "J-8", top=deal.top)
    raise IllegalHere("WRONG_PHASE", "X-14", kind=kind, allowed=allowed)


def _refuse_in_play(deal: Deal, seat: int, action: Action) -> None:
    """Raise the violation of a kind that other hands could choose between draw and discard."""
    kind, opened = action.kind, deal.opened_turn[seat]
    if kind in _OPENED and not opened:
        raise IllegalHere("NOT_OPENED", "J-11", kind=kind)
    if kind is _K.OPEN and opened:
        raise IllegalHere("ALREADY_OPENED", "J-11")
    if kind is _K.DISCARD:  # no natural is held, so only jokers could be discarded
        _holds(deal, seat, (action.card,))
        raise IllegalHere("JOKER_DISCARD", "J-21", card=action.card)
    if kind is _K.END_TURN:
        raise IllegalHere("DISCARD_REQUIRED", "J-21")


def _why_no_call(deal: Deal, seat: int) -> IllegalHere:
    """Return the reason why this seat cannot call the present discard."""
    if deal.phase is not Phase.CALL_WINDOW:
        if deal.phase is Phase.DRAW and not deal.stock_only and not can_serve_call(deal):
            return IllegalHere("CALL_CANNOT_BE_SERVED", "J-7", stock=len(deal.stock))
        clause = "X-7" if deal.turn_number == 1 else "J-9"
        return IllegalHere("NO_CALL_WINDOW", clause, phase=deal.phase)
    if deal.answers[seat] in (Answer.CALLED, Answer.PASSED):
        return IllegalHere("ALREADY_ANSWERED", "J-9", seat=seat)
    if deal.opened_turn[seat]:
        return IllegalHere("OPENED_CANNOT_CALL", "J-4", seat=seat)
    if seat == deal.turn:
        return IllegalHere("NEXT_PLAYER_DRAWS", "J-4", seat=seat)
    if deal.calls[seat] >= deal.rules.max_calls:
        return IllegalHere("CALLS_USED_UP", "J-1", seat=seat, calls=deal.calls[seat])
    return IllegalHere("DISCARDER_CANNOT_CALL", "J-2", seat=seat)


def _holds(deal: Deal, seat: int, cards: tuple[Card, ...]) -> None:
    hand = deal.hands[seat]
    for card in cards:
        if card not in hand:
            raise Malformed("CARD_NOT_HELD", "X-2", card=card)


def _check_open(deal: Deal, seat: int, action: Action) -> Prepared:
    contract = deal.contract
    sets = [meld.kind for meld in action.melds].count(_SET)
    runs = len(action.melds) - sets
    if (sets, runs) != (contract.sets, contract.runs):
        raise IllegalHere("CONTRACT_NOT_MET", "J-11", sets=sets, runs=runs, contract=contract.text)
    return _laid_down(deal, seat, action.melds, own=[])


def _check_meld(deal: Deal, seat: int, action: Action) -> Prepared:
    if len(action.melds) != 1:
        raise Malformed("ONE_MELD_EACH", "J-11", melds=len(action.melds))
    own = [meld for meld in deal.melds if meld.owner == seat]
    return _laid_down(deal, seat, action.melds, own=own)


def _laid_down(deal: Deal, seat: int, melds: tuple[Meld, ...], *, own: list[TableMeld]) -> Prepared:
    """Check the melds against the hand, the rules, each other and the owner's melds (J-12)."""
    cards = tuple([card for meld in melds for card in meld.cards])
    _holds(deal, seat, cards)
    if len(set(cards)) != len(cards):
        raise Malformed("REPEATED_CARD", "X-2", cards=cards)
    laid: list[TableMeld] = []
    for meld in melds:
        placed = place(deal.rules, seat, meld)
        _, kind, low, suit, _ = placed
        for _, other_kind, other_low, other_suit, _ in (*own, *laid):
            if other_kind is kind is _SET and other_low == low:
                raise IllegalHere("SET_RANK_REPEATED", "J-12", rank=low)
            if other_kind is kind is _RUN and other_suit == suit:
                raise IllegalHere("RUN_SUIT_REPEATED", "J-12", suit=suit)
        laid.append(placed)
    return tuple(laid)


def _target(deal: Deal, action: Action) -> TableMeld:
    if not 0 <= action.target < len(deal.melds):
        raise Malformed("UNKNOWN_MELD", "X-20", target=action.target, melds=len(deal.melds))
    return deal.melds[action.target]


def _check_lay_off(deal: Deal, seat: int, action: Action) -> Prepared:
    meld = _target(deal, action)
    _holds(deal, seat, (action.card,))
    return (extended(meld, action.card, action.target),)


def _check_move_joker(deal: Deal, seat: int, action: Action) -> Prepared:
    meld = _target(deal, action)
    _holds(deal, seat, (action.card,))
    return (with_joker_moved(meld, action.card, action.target),)


def _check_discard(deal: Deal, seat: int, action: Action) -> Prepared:
    card = action.card
    if card not in deal.hands[seat]:
        _holds(deal, seat, (card,))
    if card >= JOKER_BASE:
        raise IllegalHere("JOKER_DISCARD", "J-21", card=card)
    return NOTHING


_KNOWN = frozenset(_K)
# The other kinds ask for nothing but that their kind is open to the seat.
_CHECKS: dict[ActionKind, Callable[[Deal, int, Action], Prepared]] = {
    _K.OPEN: _check_open,
    _K.MELD: _check_meld,
    _K.LAY_OFF: _check_lay_off,
    _K.MOVE_JOKER: _check_move_joker,
    _K.DISCARD: _check_discard,
}
