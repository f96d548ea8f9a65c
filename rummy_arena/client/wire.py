"""Cards, melds and actions of the game as messages of the API."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_arena.api.v1 import action_pb2, card_pb2
from rummy_arena.game.actions import NONE, Action, ActionKind
from rummy_arena.game.cards import JOKER_BASE, Card, card_text
from rummy_arena.game.melds import Meld, MeldKind

CARD_TEXT: dict[Card, str] = {card: card_text(card) for card in range(JOKER_BASE + 9)} | {NONE: ""}
"""The text of every card, and an empty one for no card."""

MELD_KINDS = {
    MeldKind.SET: card_pb2.MELD_KIND_SET,
    MeldKind.RUN: card_pb2.MELD_KIND_RUN,
}

_PLAIN = {
    ActionKind.DRAW_STOCK: action_pb2.Action(draw_stock=action_pb2.DrawStock()),
    ActionKind.DRAW_DISCARD: action_pb2.Action(draw_discard=action_pb2.DrawDiscard()),
    ActionKind.END_TURN: action_pb2.Action(end_turn=action_pb2.EndTurn()),
    ActionKind.CALL: action_pb2.Action(call=action_pb2.Call()),
    ActionKind.PASS: action_pb2.Action(pass_discard=action_pb2.Pass()),
    ActionKind.ALLOW: action_pb2.Action(allow=action_pb2.Allow()),
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
    card, target = CARD_TEXT[action.card], action.target
    match action.kind:
        case ActionKind.DISCARD:
            return action_pb2.Action(discard=action_pb2.Discard(card=card))
        case ActionKind.LAY_OFF:
            return action_pb2.Action(lay_off=action_pb2.LayOff(card=card, table_meld=target))
        case ActionKind.MOVE_JOKER:
            return action_pb2.Action(move_joker=action_pb2.MoveJoker(card=card, table_meld=target))
    melds = [meld_message(meld) for meld in action.melds]
    if action.kind is ActionKind.OPEN:
        return action_pb2.Action(open=action_pb2.Open(melds=melds))
    return action_pb2.Action(meld=action_pb2.LayDown(meld=melds[0]))
