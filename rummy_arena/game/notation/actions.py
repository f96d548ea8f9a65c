"""Cards, melds and actions as text that reads well and parses back.

A card is rank, suit and pack: ``KS1``, ``TH2``; a joker ``*1`` to ``*9``. A set's cards have spaces
between them, a run's hyphens, low to high; a slash parts melds. An action is a seat, a verb and
what it needs. ``NOTATION.md`` has all of it, and whole games as well.

>>> seat, action = parse_action("2 opens KS1 KH1 KD2 / 4C1-5C1-*1-7C2")
>>> seat, action.kind.name, [meld.kind.name for meld in action.melds]
(2, 'OPEN', ['SET', 'RUN'])
>>> action_text(seat, action)
'2 opens KS1 KH1 KD2 / 4C1-5C1-*1-7C2'
>>> parse_action("2 lays 9H on 0 high")
Traceback (most recent call last):
    ...
rummy_arena.game.notation.forms.NotationError: found '9H' in '2 lays 9H on 0 high', \
expected a card: rank, suit and pack as in KS1 or TH2, or *1 for a joker
"""

from __future__ import annotations

from rummy_arena.game.actions import NONE, Action, ActionKind
from rummy_arena.game.cards import card_text, cards_text, parse_card, parse_cards

from .forms import Form, Forms, NotationError, meld_text, parse_meld, table_meld

__all__ = [
    "NotationError",
    "action_text",
    "card_text",
    "cards_text",
    "meld_text",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_meld",
    "table_meld",
]

_K = ActionKind
_EXCHANGE = "{seat} trades {card}{also} in {target:number}"
_FORMS: dict[ActionKind, str] = {
    _K.DRAW_STOCK: "{seat} draws",
    _K.DRAW_DISCARD: "{seat} takes",
    _K.DRAW_AND_OPEN: "{seat} takes {card} and opens {melds}",
    _K.OPEN: "{seat} opens {melds}",
    _K.MELD: "{seat} melds {melds}",
    _K.LAY_OFF: "{seat} lays {card} on {target:number}{end}",
    _K.MOVE_JOKER: "{seat} moves {card} in {target:number}{end}",
    _K.TAKE_JOKER: _EXCHANGE + " and melds {melds}",
    _K.DISCARD: "{seat} discards {card}",
    _K.END_TURN: "{seat} ends",
    _K.CALL: "{seat} calls",
    _K.PASS: "{seat} passes",
    _K.ALLOW: "{seat} allows",
    _K.FORBID: "{seat} forbids",
    _K.REBUY: "{seat} rebuys",
    _K.DECLINE: "{seat} declines",
}
_ONTO = _EXCHANGE + " onto {onto:number}{end}"
_WRITTEN = {kind: Form(text) for kind, text in _FORMS.items()}
_WRITTEN_ONTO = Form(_ONTO)
_READ = Forms(
    [*((text, kind) for kind, text in _FORMS.items()), (_ONTO, ActionKind.TAKE_JOKER)],
)


def action_text(seat: int, action: Action) -> str:
    """Return the action of a seat as text."""
    form = _WRITTEN_ONTO if action.onto != NONE else _WRITTEN[action.kind]
    return form.write({"seat": seat, **action._asdict()})


def parse_action(text: str) -> tuple[int, Action]:
    """Return the seat and the action that ``action_text`` writes as ``text``.

    NotationError says what was found and what was expected; no rule of play is checked.
    """
    kind, values = _READ.read(text)
    return values.pop("seat"), Action(kind, **values)
