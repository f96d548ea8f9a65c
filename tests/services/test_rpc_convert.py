"""Whole games go over the wire: every event, view and action, for every viewer."""

from __future__ import annotations

from collections import Counter

import pytest

from rummy_arena.api.v1 import action_pb2, card_pb2, table_event_pb2
from rummy_arena.bots.bot import Dice
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client.wire import action_message
from rummy_arena.game import series
from rummy_arena.game.actions import NONE, Action, ActionKind, discard
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.engine import deciders, legal_actions
from rummy_arena.game.events import EVENT_TYPES, DealEnded
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.view import redact, view
from rummy_arena.rulesets.registry import RULE_SETS
from services.rpc.convert_action import action_of
from services.rpc.convert_event import _CONVERSIONS, event_message
from services.rpc.convert_rules import rule_set_message
from services.rpc.convert_table import view_message
from services.rpc.violations import Fields, InvalidRequest

SEATS = 4


def same_action(action: Action) -> bool:
    fields = Fields()
    back = action_of(fields, action_message(action))
    fields.done()
    return back == action


@pytest.mark.parametrize("rule_set", sorted(RULE_SETS))
@pytest.mark.parametrize("bot", sorted(HOUSE_BOTS))
def test_games_survive_the_wire(rule_set: str, bot: str) -> None:
    rules = RULE_SETS[rule_set]
    chance = SeededChance(rules, bot.encode().rjust(32, b"-"))
    game, events = series.new_game(rules, SEATS, chance)
    kinds: Counter[str | None] = Counter()
    while not game.over and not any(isinstance(event, DealEnded) for event in events):
        seat = deciders(game.deal)[0]
        assert all(map(same_action, legal_actions(game.deal, seat)))
        assert view_message(view(game, seat)).seat == seat
        assert not view_message(view(game, NONE)).HasField("seat")
        action = HOUSE_BOTS[bot].choose(view(game, seat), Dice(b"dice", len(events)))
        assert same_action(action)
        events += series.apply(game, seat, action, chance)
    for sequence, event in enumerate(events, start=1):
        for viewer in (NONE, *range(SEATS)):
            message = event_message(sequence, redact(event, viewer, rules, SEATS))
            assert message.sequence == sequence
            kinds[message.WhichOneof("event")] += 1
    assert kinds["deal_ended"] == SEATS + 1


def test_every_event_has_its_message() -> None:
    assert set(_CONVERSIONS) == set(EVENT_TYPES)
    names = {name for name, _ in _CONVERSIONS.values()}
    assert names == {
        field.name for field in table_event_pb2.TableEvent.DESCRIPTOR.oneofs_by_name["event"].fields
    }


def test_every_kind_of_action_has_its_message() -> None:
    meld = Meld(MeldKind.SET, (0, 4, 8))
    for kind in ActionKind:
        with_card = kind in (ActionKind.LAY_OFF, ActionKind.MOVE_JOKER, ActionKind.DISCARD)
        with_melds = kind in (ActionKind.OPEN, ActionKind.MELD)
        target = 0 if with_card and kind is not ActionKind.DISCARD else NONE
        action = Action(kind, 5 if with_card else NONE, target, (meld,) if with_melds else ())
        assert same_action(action)
        assert action_pb2.ActionKind.Value(f"ACTION_KIND_{kind.name}") == int(kind)


def test_every_rule_set_is_described() -> None:
    for rules in RULE_SETS.values():
        message = rule_set_message(rules)
        assert [contract.number for contract in message.contracts] == list(
            range(1, len(rules.contracts) + 1)
        )


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (action_pb2.Action(), "action"),
        (action_pb2.Action(discard=action_pb2.Discard()), "action.discard.card"),
        (action_pb2.Action(discard=action_pb2.Discard(card="1S1")), "action.discard.card"),
        (action_pb2.Action(lay_off=action_pb2.LayOff(card="ks1")), "action.lay_off.card"),
        (action_pb2.Action(move_joker=action_pb2.MoveJoker(card="KS5")), "action.move_joker.card"),
        (action_pb2.Action(open=action_pb2.Open()), "action.open.melds"),
        (
            action_pb2.Action(open=action_pb2.Open(melds=[card_pb2.Meld(kind=9)])),  # type: ignore[arg-type]  # an unknown number
            "action.open.melds[0].kind",
        ),
        (
            action_pb2.Action(
                meld=action_pb2.LayDown(
                    meld=card_pb2.Meld(kind=card_pb2.MELD_KIND_RUN, cards=["KS1", "?"])
                )
            ),
            "action.meld.meld.cards[1]",
        ),
        (action_pb2.Action(meld=action_pb2.LayDown()), "action.meld.meld.kind"),
    ],
)
def test_wrong_fields_are_named(message: action_pb2.Action, field: str) -> None:
    fields = Fields()
    action_of(fields, message)
    with pytest.raises(InvalidRequest) as caught:
        fields.done()
    assert field in [violation.field for violation in caught.value.violations]


def test_plain_messages_are_not_changed_by_use() -> None:
    before = action_message(discard(5)).SerializeToString()
    assert action_message(discard(5)).SerializeToString() == before
