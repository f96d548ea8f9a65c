"""Actions that callers send, checked field by field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rummy_arena.api.v1 import action_pb2, card_pb2
from rummy_arena.client.wire import CARD_TEXT, MELD_KINDS, RUN_ENDS
from rummy_arena.game import actions
from rummy_arena.game.actions import NONE, Action
from rummy_arena.game.cards import Card
from rummy_arena.game.melds import Meld, MeldKind

from .violations import Fields

MOST_MELDS = 16
MOST_CARDS = 16
"""Of one meld: the longest run has 14."""

MOST_EXCHANGED = 2
"""Cards given for a joker: the two suits that a set of three may lack."""

_CARDS = {text: card for card, text in CARD_TEXT.items() if text}
_KINDS = {message: kind for kind, message in MELD_KINDS.items()}
_ENDS = {message: end for end, message in RUN_ENDS.items()}
_PLAIN = {
    "draw_stock": actions.DRAW_STOCK,
    "draw_discard": actions.DRAW_DISCARD,
    "end_turn": actions.END_TURN,
    "call": actions.CALL,
    "pass_discard": actions.PASS,
    "allow": actions.ALLOW,
    "forbid": actions.FORBID,
    "rebuy": actions.REBUY,
    "decline": actions.DECLINE,
}


def action_of(fields: Fields, message: action_pb2.Action) -> Action:
    """Return the action of a message; refuse its fields under ``action.``."""
    verb = message.WhichOneof("action")
    if verb is None:
        fields.refuse("action", "say what to do: set one of its fields, such as draw_stock")
        return actions.END_TURN
    if verb in _PLAIN:
        return _PLAIN[verb]
    return _BUILT[verb](fields, f"action.{verb}", getattr(message, verb))


def _open(fields: Fields, path: str, message: action_pb2.Open) -> Action:
    return actions.open_with(*_melds(fields, f"{path}.melds", message.melds))


def _lay_down(fields: Fields, path: str, message: action_pb2.LayDown) -> Action:
    return actions.lay_down(_meld(fields, f"{path}.meld", message.meld))


def _discard(fields: Fields, path: str, message: action_pb2.Discard) -> Action:
    return actions.discard(_card(fields, f"{path}.card", message.card))


def _lay_off(fields: Fields, path: str, message: action_pb2.LayOff) -> Action:
    card = _card(fields, f"{path}.card", message.card)
    return actions.lay_off(card, message.table_meld, _end(fields, f"{path}.end", message.end))


def _move_joker(fields: Fields, path: str, message: action_pb2.MoveJoker) -> Action:
    card = _card(fields, f"{path}.card", message.card)
    return actions.move_joker(card, message.table_meld, _end(fields, f"{path}.end", message.end))


def _draw_and_open(fields: Fields, path: str, message: action_pb2.DrawAndOpen) -> Action:
    card = _card(fields, f"{path}.card", message.card)
    return actions.draw_and_open(card, *_melds(fields, f"{path}.melds", message.melds))


def _take_joker(fields: Fields, path: str, message: action_pb2.TakeJoker) -> Action:
    if not 1 <= len(message.cards) <= MOST_EXCHANGED:
        fields.refuse(f"{path}.cards", f"give 1 to {MOST_EXCHANGED} cards")
        return actions.END_TURN
    named = [_card(fields, f"{path}.cards[{n}]", text) for n, text in enumerate(message.cards)]
    cards, target = tuple(named), message.table_meld
    match message.WhichOneof("destination"):
        case "meld":
            meld = _meld(fields, f"{path}.meld", message.meld)
            return actions.take_joker_to_meld(cards, target, meld)
        case "lay_off":
            lay_off = message.lay_off
            end = _end(fields, f"{path}.lay_off.end", lay_off.end)
            return actions.take_joker_to_lay_off(cards, target, lay_off.table_meld, end)
    fields.refuse(path, "say where the joker goes: set meld or lay_off")
    return actions.END_TURN


_BUILT: dict[str, Callable[[Fields, str, Any], Action]] = {
    "open": _open,
    "meld": _lay_down,
    "discard": _discard,
    "lay_off": _lay_off,
    "move_joker": _move_joker,
    "draw_and_open": _draw_and_open,
    "take_joker": _take_joker,
}


def _melds(fields: Fields, path: str, messages: Sequence[card_pb2.Meld]) -> list[Meld]:
    if not 1 <= len(messages) <= MOST_MELDS:
        fields.refuse(path, f"give 1 to {MOST_MELDS} melds")
        return []
    return [_meld(fields, f"{path}[{n}]", message) for n, message in enumerate(messages)]


def _meld(fields: Fields, path: str, message: card_pb2.Meld) -> Meld:
    kind = _KINDS.get(message.kind)
    if kind is None:
        fields.refuse(f"{path}.kind", "say MELD_KIND_SET or MELD_KIND_RUN")
        kind = MeldKind.SET
    if not 1 <= len(message.cards) <= MOST_CARDS:
        fields.refuse(f"{path}.cards", f"give 1 to {MOST_CARDS} cards")
        return Meld(kind, ())
    cards = [_card(fields, f"{path}.cards[{n}]", text) for n, text in enumerate(message.cards)]
    return Meld(kind, tuple(cards))


def _card(fields: Fields, path: str, text: str) -> Card:
    card = _CARDS.get(text)
    if card is None:
        fields.refuse(path, "write a card as rank, suit, pack, as in KS1, or *1 for a joker")
        return NONE
    return card


def _end(fields: Fields, path: str, message: action_pb2.RunEnd.ValueType) -> int:
    end = _ENDS.get(message)
    if end is None:
        fields.refuse(path, "say RUN_END_LOW or RUN_END_HIGH, or leave it out")
        return NONE
    return end
