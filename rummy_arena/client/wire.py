"""Cards, melds and actions of the game as messages of the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rummy_arena.api.v1 import action_pb2, card_pb2
from rummy_arena.game.actions import HIGH, LOW, NONE, Action, ActionKind
from rummy_arena.game.cards import JOKER_BASE, Card, card_text
from rummy_arena.game.melds import Meld, MeldKind

CARD_TEXT: dict[Card, str] = {card: card_text(card) for card in range(JOKER_BASE + 9)} | {NONE: ""}
"""The text of every card, and an empty one for no card."""

MELD_KINDS = {
    MeldKind.SET: card_pb2.MELD_KIND_SET,
    MeldKind.RUN: card_pb2.MELD_KIND_RUN,
}

RUN_ENDS = {
    NONE: action_pb2.RUN_END_UNSPECIFIED,
    LOW: action_pb2.RUN_END_LOW,
    HIGH: action_pb2.RUN_END_HIGH,
}

_PLAIN = {
    ActionKind.DRAW_STOCK: action_pb2.Action(draw_stock=action_pb2.DrawStock()),
    ActionKind.DRAW_DISCARD: action_pb2.Action(draw_discard=action_pb2.DrawDiscard()),
    ActionKind.END_TURN: action_pb2.Action(end_turn=action_pb2.EndTurn()),
    ActionKind.CALL: action_pb2.Action(call=action_pb2.Call()),
    ActionKind.PASS: action_pb2.Action(pass_discard=action_pb2.Pass()),
    ActionKind.ALLOW: action_pb2.Action(allow=action_pb2.Allow()),
    ActionKind.FORBID: action_pb2.Action(forbid=action_pb2.Forbid()),
    ActionKind.REBUY: action_pb2.Action(rebuy=action_pb2.Rebuy()),
    ActionKind.DECLINE: action_pb2.Action(decline=action_pb2.Decline()),
}


def card_texts(cards: Iterable[Card]) -> list[str]:
    """Return the texts of cards."""
    return [CARD_TEXT[card] for card in cards]


def meld_message(meld: Meld) -> card_pb2.Meld:
    """Return a proposed meld as a message."""
    return card_pb2.Meld(kind=MELD_KINDS[meld.kind], cards=card_texts(meld.cards))


def action_message(action: Action) -> action_pb2.Action:
    """Return an action as a message; treat it as read-only, for plain actions share theirs."""
    plain = _PLAIN.get(action.kind)
    if plain is not None:
        return plain
    return _BUILT[action.kind](action)


def _open(action: Action) -> action_pb2.Action:
    return action_pb2.Action(open=action_pb2.Open(melds=map(meld_message, action.melds)))


def _meld(action: Action) -> action_pb2.Action:
    return action_pb2.Action(meld=action_pb2.LayDown(meld=meld_message(action.melds[0])))


def _lay_off(action: Action) -> action_pb2.Action:
    return action_pb2.Action(
        lay_off=action_pb2.LayOff(
            card=CARD_TEXT[action.card], table_meld=action.target, end=RUN_ENDS[action.end]
        )
    )


def _move_joker(action: Action) -> action_pb2.Action:
    return action_pb2.Action(
        move_joker=action_pb2.MoveJoker(
            card=CARD_TEXT[action.card], table_meld=action.target, end=RUN_ENDS[action.end]
        )
    )


def _discard(action: Action) -> action_pb2.Action:
    return action_pb2.Action(discard=action_pb2.Discard(card=CARD_TEXT[action.card]))


def _draw_and_open(action: Action) -> action_pb2.Action:
    melds = map(meld_message, action.melds)
    opening = action_pb2.DrawAndOpen(card=CARD_TEXT[action.card], melds=melds)
    return action_pb2.Action(draw_and_open=opening)


def _take_joker(action: Action) -> action_pb2.Action:
    cards = card_texts([action.card] if action.also == NONE else [action.card, action.also])
    message = action_pb2.TakeJoker(cards=cards, table_meld=action.target)
    if action.melds:
        message.meld.CopyFrom(meld_message(action.melds[0]))
    else:
        lay_off = action_pb2.JokerLayOff(table_meld=action.onto, end=RUN_ENDS[action.end])
        message.lay_off.CopyFrom(lay_off)
    return action_pb2.Action(take_joker=message)


_BUILT: dict[ActionKind, Callable[[Action], action_pb2.Action]] = {
    ActionKind.OPEN: _open,
    ActionKind.MELD: _meld,
    ActionKind.LAY_OFF: _lay_off,
    ActionKind.MOVE_JOKER: _move_joker,
    ActionKind.DISCARD: _discard,
    ActionKind.DRAW_AND_OPEN: _draw_and_open,
    ActionKind.TAKE_JOKER: _take_joker,
}
