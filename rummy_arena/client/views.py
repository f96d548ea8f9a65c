"""Tables, as their player is told of them, as the views that bots choose from."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_arena.api.v1 import card_pb2, table_pb2
from rummy_arena.game.actions import NONE, ActionKind
from rummy_arena.game.cards import JOKER_BASE, SUIT_OF, Card
from rummy_arena.game.melds import MeldKind, TableMeld
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase, Progress
from rummy_arena.game.view import View
from rummy_arena.rulesets.registry import get_rule_set

from .wire import CARD_TEXT, MELD_KINDS, RUN_ENDS

_CARDS = {text: card for card, text in CARD_TEXT.items()}
_ENDS = {value: end for end, value in RUN_ENDS.items()}
_KINDS_OF_MELDS = {value: kind for kind, value in MELD_KINDS.items()}
# The API numbers its phases from 1, the game from 0: only the names agree.
_PHASES = {table_pb2.Phase.Value(f"PHASE_{phase.name}"): phase for phase in Phase}


def view_of(table: table_pb2.Table, rules: RuleSet) -> View:
    """Return the table as the one who asked for it sees it: the view that its arena has of it.

    ``rules`` are those of the table, as ``rules_of`` returns them. KeyError or ValueError for what
    no arena of this version sends, and for a table that has not started.
    """
    if not table.HasField("view"):
        raise ValueError(f"table {table.id} has not started: there is no view of it yet")
    seen = table.view
    contract_number = seen.contract.number
    return View(
        rules=rules,
        seat=seen.seat if seen.HasField("seat") else NONE,
        number=seen.deal_number,
        contract=rules.contracts[contract_number - 1],
        dealer=seen.dealer,
        phase=_PHASES[seen.phase],
        turn=seen.turn,
        turn_number=seen.turn_number,
        hand=tuple(sorted(_cards(seen.hand))),
        melds=tuple(map(_table_meld, seen.melds)),
        top=_CARDS[seen.top_discard],
        stock_count=seen.stock_count,
        hand_counts=tuple([seat.hand_count for seat in seen.seats]),
        opened_turn=tuple([seat.opened_turn for seat in seen.seats]),
        calls=tuple([seat.calls for seat in seen.seats]),
        totals=tuple([seat.total for seat in seen.seats]),
        kinds=tuple(map(ActionKind, table.decision.kinds)),  # numbered alike on both sides
        contract_number=contract_number,
        players=tuple(seen.players),
        progress=_progress(seen.progress),
        caller=seen.caller if seen.HasField("caller") else NONE,
        hands=tuple([_cards(hand.cards) for hand in seen.hands]),
        attempt=seen.attempt,
    )


def rules_of(table: table_pb2.Table) -> RuleSet:
    """Return the rules of a table, its options included.

    UnknownRuleSet or OptionError for what this version of the library does not know.
    """
    return get_rule_set(table.rule_set_id, table.rule_set_options)


def _progress(message: table_pb2.TurnProgress) -> Progress:
    return Progress(
        taken=_CARDS[message.taken],
        melds_before=message.melds_before,
        laid_off=message.laid_off,
        built=tuple([(built.table_meld, _ENDS[built.end], built.cards) for built in message.built]),
    )


def _table_meld(message: card_pb2.TableMeld) -> TableMeld:
    kind = _KINDS_OF_MELDS[message.kind]
    cards = _cards(message.cards)
    suit = NONE
    if kind is MeldKind.RUN:
        suit = next(SUIT_OF[card] for card in cards if card < JOKER_BASE)  # J-14: there is one
    return TableMeld(message.owner, kind, message.low - 1, suit, cards)


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple([_CARDS[text] for text in texts])
