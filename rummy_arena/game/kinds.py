"""Which kinds of action are open to a seat: the turn automaton, under each game's policies."""

from __future__ import annotations

from .actions import ActionKind
from .cards import JOKER_BASE, Card
from .rules import CallAuthority, JokerExchange, NewMelds, PilePolicy, RuleSet
from .state import Answer, Deal, Phase

Kinds = tuple[ActionKind, ...]

_K = ActionKind
# Members of an enum are slow to look up on the class; the engine runs on these names.
_DRAW, _PLAY, _OVER, _REBUY = Phase.DRAW, Phase.PLAY, Phase.OVER, Phase.REBUY
_CALL_WINDOW = Phase.CALL_WINDOW
_WAITING = Answer.WAITING
_UNOPENED_ONLY, _TO_OPEN = PilePolicy.UNOPENED, PilePolicy.TO_OPEN
_NEXT_PLAYER = CallAuthority.NEXT_PLAYER
_NO_KINDS: Kinds = ()
_TO_CALL = (_K.CALL, _K.PASS)
_TO_INTERRUPT = (_K.DRAW_DISCARD, _K.ALLOW)
_TO_ALLOW = (_K.ALLOW, _K.FORBID)
_TO_DRAW = (_K.DRAW_STOCK, _K.DRAW_DISCARD)
_TO_DRAW_AND_OPEN = (_K.DRAW_STOCK, _K.DRAW_AND_OPEN)
_STOCK_ONLY = (_K.DRAW_STOCK,)
_TO_REBUY = (_K.REBUY, _K.DECLINE)
WITHOUT_CARDS: tuple[Kinds, ...] = (
    _NO_KINDS,
    _TO_CALL,
    _TO_INTERRUPT,
    _TO_ALLOW,
    _TO_DRAW,
    _TO_DRAW_AND_OPEN,
    _STOCK_ONLY,
    _TO_REBUY,
)
"""Choices in which no card of the hand is named, but for lay-downs."""

_Table = tuple[tuple[Kinds, Kinds], ...]
"""By how far the seat is in the turn, and by whether a card may be discarded."""
_UNOPENED, _OPENING_TURN, _OPENED, _LAID_OFF = range(4)
_tables: dict[RuleSet, _Table] = {}
_MOST_KNOWN = 256


def kinds(deal: Deal, seat: int) -> Kinds:
    """Return the kinds of action that the seat may choose from now; () when it has none."""
    phase = deal.phase
    if phase is _CALL_WINDOW:
        if not 0 <= seat < len(deal.hands):
            return _NO_KINDS
        if deal.answers[seat] is _WAITING:
            return _TO_CALL
        return _TO_INTERRUPT if may_interrupt(deal, seat) else _NO_KINDS
    if phase is _PLAY:
        if seat != deal.turn:
            return _NO_KINDS
        rules = deal.rules
        table = _tables.get(rules) or _learn(rules)
        opened = deal.opened_turn[seat]
        if not opened:
            state = _UNOPENED
        elif deal.progress.laid_off:
            state = _LAID_OFF
        else:
            state = _OPENING_TURN if opened == deal.turn_number else _OPENED
        return table[state][deal.hands[seat][0] < JOKER_BASE or rules.joker_discard]
    if phase is _DRAW:
        return _drawing(deal, seat) if seat == deal.turn else _NO_KINDS
    if phase is _OVER or seat != decision_seat(deal):
        return _NO_KINDS
    if phase is _REBUY:
        return _TO_REBUY
    return _TO_INTERRUPT if deal.rules.call_authority is _NEXT_PLAYER else _TO_ALLOW


def decision_seat(deal: Deal) -> int:
    """Return the seat that decides about a call or a re-buy."""
    if deal.phase is _REBUY:
        return deal.offers[0]
    by_next = deal.rules.call_authority is _NEXT_PLAYER
    return deal.turn if by_next else deal.discarder


def may_interrupt(deal: Deal, seat: int) -> bool:
    """Return whether the next player may take the discard from an open window, or waive (J-5)."""
    return (
        seat == deal.turn
        and not deal.waived
        and deal.rules.call_authority is _NEXT_PLAYER
        and may_take_pile(deal, seat)
    )


def may_take_pile(deal: Deal, seat: int) -> bool:
    """Return whether the seat may draw from the pile at all (J-25, B-17, C-14, E-7, E-8)."""
    policy = deal.rules.pile
    if policy is _UNOPENED_ONLY:
        return not deal.opened_turn[seat]
    if policy is _TO_OPEN:
        return deal.turn_number == 1 or deal.opened_turn[seat] > 0
    return True


def may_discard(rules: RuleSet, hand: list[Card]) -> bool:
    """Return whether the hand (sorted by id) holds a card that may be discarded (J-21, C-12)."""
    return bool(hand) and (hand[0] < JOKER_BASE or rules.joker_discard)


def _drawing(deal: Deal, seat: int) -> Kinds:
    if not deal.discards or deal.stock_only:
        return _STOCK_ONLY
    if may_take_pile(deal, seat):
        return _TO_DRAW
    return _TO_DRAW_AND_OPEN if deal.rules.pile is _TO_OPEN else _STOCK_ONLY


def _learn(rules: RuleSet) -> _Table:
    if len(_tables) >= _MOST_KNOWN:
        _tables.clear()
    exchange = _K.TAKE_JOKER if rules.joker_exchange is JokerExchange.TAKE else _K.MOVE_JOKER
    building = (_K.LAY_OFF, exchange)
    melding = () if rules.new_melds is NewMelds.NEVER else (_K.MELD,)
    later = melding if rules.new_melds is NewMelds.ALWAYS else ()
    states: tuple[Kinds, ...] = (
        (_K.OPEN,),
        () if rules.opening_exact else (*melding, *building),
        (*melding, *building),
        (*later, *building),
    )
    _tables[rules] = tuple([((*state, _K.END_TURN), (*state, _K.DISCARD)) for state in states])
    return _tables[rules]
