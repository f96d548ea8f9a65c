"""Actions that callers send, checked field by field."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_arena.api.v1 import action_pb2, card_pb2
from rummy_arena.client.wire import CARD_TEXT, MELD_KINDS
from rummy_arena.game import actions
from rummy_arena.game.actions import NONE, Action
from rummy_arena.game.cards import Card
from rummy_arena.game.melds import Meld, MeldKind

from .violations import Fields

MOST_MELDS = 16
MOST_CARDS = 16
"""Of one meld: the longest run has 14."""

_CARDS = {text: card for card, text in CARD_TEXT.items() if text}
_KINDS = {message: kind for kind, message in MELD_KINDS.items()}
_PLAIN = {
    "draw_stock": actions.DRAW_STOCK,
    "draw_discard": actions.DRAW_DISCARD,
    "end_turn": actions.END_TURN,
    "call": actions.CALL,
    "pass_discard": actions.PASS,
    "allow": actions.ALLOW,
}


def action_of(fields: Fields, message: action_pb2.Action) -> Action:
    """Return the action of a message; refuse its fields under ``action.``."""
    verb = message.WhichOneof("action")
    if verb is None:
        fields.refuse("action", "say what to do: set one of its fields, such as draw_stock")
        return actions.END_TURN
    if verb in _PLAIN:
        return _PLAIN[verb]
    path = f"action.{verb}"
    if verb == "open":
        return actions.open_with(*_melds(fields, f"{path}.melds", message.open.melds))
    if verb == "meld":
        return actions.lay_down(_meld(fields, f"{path}.meld", message.meld.meld))
    if verb == "discard":
        return actions.discard(_card(fields, f"{path}.card", message.discard.card))
    if verb == "lay_off":
        card = _card(fields, f"{path}.card", message.lay_off.card)
        return actions.lay_off(card, message.lay_off.table_meld)
    card = _card(fields, f"{path}.card", message.move_joker.card)
    return actions.move_joker(card, message.move_joker.table_meld)


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
