"""What a seat may do, whose answer is awaited, and what an absent seat does (X-17).

>>> from rummy_arena.game.chance import SeededChance
>>> from rummy_arena.game.series import new_game
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("kaluki-european")
>>> game, _ = new_game(rules, 4, SeededChance(rules, bytes(32)))
>>> deciders(game.deal)
(1,)
>>> [action.kind.name for action in legal_actions(game.deal, 1)]
['DRAW_STOCK', 'DRAW_DISCARD']
>>> standard_move(game.deal, 1).kind.name
'DRAW_STOCK'
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from itertools import combinations

from .actions import (
    ALLOW,
    DECLINE,
    DRAW_STOCK,
    END_TURN,
    FORBID,
    HIGH,
    LOW,
    NONE,
    PASS,
    Action,
    ActionKind,
    discard,
)
from .building import lay_off_places
from .cards import JOKER_BASE, RANK_OF, RANKS, SUIT_OF, Card
from .checks import prepare
from .errors import RuleViolation
from .kinds import WITHOUT_CARDS, decision_seat, kinds, may_discard
from .melds import MeldKind, TableMeld
from .rules import CallAuthority, RunEnds
from .state import Answer, Deal, Phase

# Members of an enum are slow to look up on the class; this is asked before every action.
_CALL_WINDOW, _OVER, _WAITING = Phase.CALL_WINDOW, Phase.OVER, Answer.WAITING
_NOT_ASKED = Answer.NOT_ASKED
_CALL_DECISION, _REBUY = Phase.CALL_DECISION, Phase.REBUY
_K = ActionKind
_SET = MeldKind.SET
# Actions that half of all lists hold are made once.
_DISCARD = [discard(card) for card in range(256)]
_ALONE = [(seat,) for seat in range(8)]


def deciders(deal: Deal) -> tuple[int, ...]:
    """Return the seats whose answer the deal waits for; () when it is over.

    In a call window these are the callers that have not answered; the next player may interrupt it
    but is not waited for (J-5). Only whoever runs the table may know them: ``asked`` is for others.
    """
    phase = deal.phase
    if phase is _CALL_WINDOW:
        return tuple([seat for seat, answer in enumerate(deal.answers) if answer is _WAITING])
    if phase is _OVER:
        return ()
    if phase is _CALL_DECISION or phase is _REBUY:
        return (decision_seat(deal),)
    return _ALONE[deal.turn]


def asked(deal: Deal) -> tuple[int, ...]:
    """Return the seats that the deal asks, which all may know; () when it is over.

    In a call window these are all that may call, whether they have answered or not (X-15); else
    they are the ``deciders``.
    """
    if deal.phase is not _CALL_WINDOW:
        return deciders(deal)
    return tuple([seat for seat, answer in enumerate(deal.answers) if answer is not _NOT_ASKED])


def first_decider(deal: Deal, among: Container[int]) -> int:
    """Return the first of ``deciders`` that is ``among`` these seats, or NONE."""
    phase = deal.phase
    if phase is _CALL_WINDOW:
        for seat, answer in enumerate(deal.answers):
            if answer is _WAITING and seat in among:
                return seat
        return NONE
    if phase is _OVER:
        return NONE
    seat = decision_seat(deal) if phase is _CALL_DECISION or phase is _REBUY else deal.turn
    return seat if seat in among else NONE


def legal_actions(deal: Deal, seat: int) -> list[Action]:
    """Return every action without melds that ``check`` accepts.

    Lay-downs are too many to list: OPEN, MELD and DRAW_AND_OPEN appear in ``kinds``, and the solver
    proposes them. Lay-offs and joker moves name their end where a run grows at either.
    """
    open_to = kinds(deal, seat)
    ready = _READY.get(open_to)
    if ready is not None:
        return ready.copy()
    actions: list[Action] = []
    for kind in open_to:
        bare = _BARE[kind]
        if bare is not None:
            actions.append(bare)
            continue
        lists = _LISTS[kind]
        if lists is not None:
            actions += lists(deal, seat)
    return actions


def _discards(deal: Deal, seat: int) -> list[Action]:
    rules, hand = deal.rules, deal.hands[seat]
    if not rules.throw_back and len(hand) > 1 and deal.progress.taken != NONE:
        hand = [card for card in hand if card != deal.progress.taken]
    if hand[-1] >= JOKER_BASE and not rules.joker_discard:
        hand = [card for card in hand if card < JOKER_BASE]
    return list(map(_DISCARD.__getitem__, hand))


def _lay_offs(deal: Deal, seat: int) -> list[Action]:
    rules, hand = deal.rules, deal.hands[seat]
    if rules.final_discard and len(hand) < 2:
        return []
    named = rules.run_ends is RunEnds.EITHER
    progress, most = deal.progress, rules.build_per_end
    found = []
    for target, meld in enumerate(deal.melds):
        for kinds_mask, joker, end in lay_off_places(rules, meld):
            if progress.built and progress.built_on(target, end) >= most:
                continue
            shown = end if named else NONE
            found += [
                Action(_K.LAY_OFF, card, target, end=shown)
                for card in hand
                if (joker if card >= JOKER_BASE else kinds_mask >> (card >> 2) & 1)
            ]
    return found


def _joker_moves(deal: Deal, seat: int) -> list[Action]:
    ends = (LOW, HIGH) if deal.rules.run_ends is RunEnds.EITHER else (NONE,)
    return [
        action
        for target, card in _for_jokers_of_runs(deal, seat)
        for end in ends
        if _accepted(deal, seat, action := Action(_K.MOVE_JOKER, card, target, end=end))
    ]


def _for_jokers_of_runs(deal: Deal, seat: int) -> Iterator[tuple[int, Card]]:
    """Yield each run with a joker and each card of the hand that such a joker stands for."""
    for target, meld in enumerate(deal.melds):
        if meld.kind is _SET or max(meld.cards) < JOKER_BASE:
            continue
        first = meld.suit * RANKS
        stands_for = {
            first + (meld.low + offset) % RANKS
            for offset, card in enumerate(meld.cards)
            if card >= JOKER_BASE
        }
        for card in deal.hands[seat]:
            if card >> 2 in stands_for:
                yield target, card


def _joker_exchanges(deal: Deal, seat: int) -> list[Action]:
    """Return the exchanges whose joker is laid off; those that meld it are the solver's."""
    found: list[Action] = []
    needed = deal.rules.exchange_naturals
    for target, card in _for_jokers_of_runs(deal, seat):
        found += _exchanges(deal, seat, (card,), target)
    for target, meld in enumerate(deal.melds):
        if meld.kind is not _SET or max(meld.cards) < JOKER_BASE:
            continue
        fitting = [card for card in deal.hands[seat] if _of_rank(card, meld)]
        for cards in combinations(fitting, needed):
            found += _exchanges(deal, seat, cards, target)
    return found


def _of_rank(card: Card, meld: TableMeld) -> bool:
    return card < JOKER_BASE and RANK_OF[card] == meld.low


def _exchanges(deal: Deal, seat: int, cards: tuple[Card, ...], target: int) -> Iterator[Action]:
    also = cards[1] if len(cards) > 1 else NONE
    for onto, meld in enumerate(deal.melds):
        for end in (NONE,) if meld.kind is _SET else (LOW, HIGH):
            action = Action(_K.TAKE_JOKER, cards[0], target, end=end, also=also, onto=onto)
            if _accepted(deal, seat, action):
                yield action


def _accepted(deal: Deal, seat: int, action: Action) -> bool:
    try:
        prepare(deal, seat, action)
    except RuleViolation:
        return False
    return True


_PARTS: dict[ActionKind, Callable[[Deal, int], list[Action]]] = {
    _K.DISCARD: _discards,
    _K.LAY_OFF: _lay_offs,
    _K.MOVE_JOKER: _joker_moves,
    _K.TAKE_JOKER: _joker_exchanges,
}
_WITH_MELDS = (_K.OPEN, _K.MELD, _K.DRAW_AND_OPEN)
_LISTS = [_PARTS.get(ActionKind(kind)) if kind else None for kind in range(len(_K) + 1)]
_BARE = [
    Action(ActionKind(kind)) if kind and kind not in _PARTS and kind not in _WITH_MELDS else None
    for kind in range(len(_K) + 1)
]
"""By kind: the action that has nothing but its kind."""
_READY: dict[tuple[ActionKind, ...], list[Action]] = {
    open_to: [bare for kind in open_to if (bare := _BARE[kind]) is not None]
    for open_to in WITHOUT_CARDS
}


def standard_move(deal: Deal, seat: int) -> Action:
    """Return what an absent seat does (X-17): draw stock, discard the drawn card, never call.

    It lets calls pass where the next player decides, forbids them where the discarder does, and
    never buys back.
    """
    phase = deal.phase
    if phase is _CALL_WINDOW:
        return PASS if deal.answers[seat] is _WAITING else ALLOW
    if phase is _CALL_DECISION:
        return ALLOW if deal.rules.call_authority is CallAuthority.NEXT_PLAYER else FORBID
    if phase is _REBUY:
        return DECLINE
    if phase is Phase.DRAW:
        return DRAW_STOCK
    hand, rules = deal.hands[seat], deal.rules
    if not may_discard(rules, hand):
        return END_TURN
    legal = [action.card for action in _discards(deal, seat)]
    if deal.drawn in legal:
        return discard(deal.drawn)
    values = rules.card_values
    return discard(min(legal, key=lambda c: (-values[c], RANK_OF[c], SUIT_OF[c], c)))
