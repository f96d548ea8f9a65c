"""Whole games go over the wire: every event, view and action, for every viewer."""

from __future__ import annotations

from collections import Counter

import pytest

from rummy_arena.api.v1 import action_pb2, card_pb2, table_event_pb2
from rummy_arena.api.v1.action_pb2 import Action as Message
from rummy_arena.api.v1.table_event_pb2 import TableEvent
from rummy_arena.client.wire import action_message
from rummy_arena.game import actions
from rummy_arena.game.actions import HIGH, LOW, NONE, Action, ActionKind, discard
from rummy_arena.game.engine import legal_actions
from rummy_arena.game.events import EVENT_TYPES, DealEnded
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.view import redact
from services.rpc.convert_action import action_of
from services.rpc.convert_event import _CONVERSIONS, event_message
from services.rpc.violations import Fields, InvalidRequest
from services.state.table_log import LIFE_EVENT_TYPES
from tests.state.whole_games import Sample, WholeGame, every_game


def same_action(action: Action) -> bool:
    fields = Fields()
    back = action_of(fields, Message.FromString(action_message(action).SerializeToString()))
    fields.done()
    return back == action


@every_game
def test_games_survive_the_wire(sample: Sample) -> None:
    whole, rules = WholeGame(sample), sample.rules
    kinds: Counter[str | None] = Counter()
    for game, seat, action in whole:
        assert same_action(action)
        assert all(map(same_action, legal_actions(game.deal, seat)))
    for sequence, event in enumerate(whole.log, start=1):
        for viewer in (NONE, *range(sample.seats)):
            message = event_message(sequence, redact(event, viewer, rules, sample.seats))
            assert message.sequence == sequence
            kinds[message.WhichOneof("event")] += 1
            assert Shown(message, viewer, rules.open_hands).only_what_may_be_seen()
    deals = sum(isinstance(event, DealEnded) for event in whole.log)
    assert kinds["deal_ended"] == deals * (sample.seats + 1)


class Shown:
    """A message of an event, and who it is for."""

    def __init__(self, message: TableEvent, viewer: int, open_hands: bool) -> None:
        self.kind = message.WhichOneof("event")
        self.event = getattr(message, self.kind or "")
        self.viewer = viewer
        self.open_hands = open_hands

    def only_what_may_be_seen(self) -> bool:
        """Return whether cards of other hands and of the stock are not there, or all where open."""
        if self.kind == "drew" and self.event.source == table_event_pb2.DRAW_SOURCE_STOCK:
            return bool(self.event.card) is self._may_see
        if self.kind == "call_granted":
            return bool(self.event.penalty_card) is self._may_see
        if self.kind == "deal_started":
            own = bool(self.event.hand) is (self.viewer in self.event.players)
            return own and bool(self.event.hands) is self.open_hands
        return True

    @property
    def _may_see(self) -> bool:
        return self.open_hands or self.event.seat == self.viewer


def test_every_event_has_its_message() -> None:
    assert set(_CONVERSIONS) == {*EVENT_TYPES, *LIFE_EVENT_TYPES}
    names = {name for name, _ in _CONVERSIONS.values()}
    assert names == {
        field.name for field in table_event_pb2.TableEvent.DESCRIPTOR.oneofs_by_name["event"].fields
    }


SET, RUN = Meld(MeldKind.SET, (0, 4, 8)), Meld(MeldKind.RUN, (0, 4, 208, 12))
ACTIONS = [
    actions.DRAW_STOCK,
    actions.DRAW_DISCARD,
    actions.open_with(SET, RUN),
    actions.lay_down(RUN),
    *(actions.lay_off(5, 0, end) for end in (NONE, LOW, HIGH)),
    *(actions.move_joker(5, 3, end) for end in (NONE, LOW, HIGH)),
    actions.discard(5),
    actions.END_TURN,
    actions.CALL,
    actions.PASS,
    actions.ALLOW,
    actions.FORBID,
    actions.draw_and_open(0, SET),
    actions.take_joker_to_meld((5,), 0, RUN),
    actions.take_joker_to_meld((5, 9), 1, SET),
    *(actions.take_joker_to_lay_off((5, 9), 0, 0, end) for end in (NONE, LOW, HIGH)),
    actions.take_joker_to_lay_off((5,), 2, 1),
    actions.REBUY,
    actions.DECLINE,
]


def test_every_kind_of_action_has_its_message() -> None:
    assert {action.kind for action in ACTIONS} == set(ActionKind)
    for kind in ActionKind:
        assert action_pb2.ActionKind.Value(f"ACTION_KIND_{kind.name}") == int(kind)
    assert all(map(same_action, ACTIONS))


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
        (
            action_pb2.Action(lay_off=action_pb2.LayOff(card="KS1", end=7)),  # type: ignore[arg-type]  # an unknown number
            "action.lay_off.end",
        ),
        (
            action_pb2.Action(draw_and_open=action_pb2.DrawAndOpen(card="KS1")),
            "action.draw_and_open.melds",
        ),
        (action_pb2.Action(take_joker=action_pb2.TakeJoker()), "action.take_joker.cards"),
        (
            action_pb2.Action(take_joker=action_pb2.TakeJoker(cards=["KS1", "KH1", "KC1"])),
            "action.take_joker.cards",
        ),
        (
            action_pb2.Action(take_joker=action_pb2.TakeJoker(cards=["KS1", ""])),
            "action.take_joker.cards[1]",
        ),
        (action_pb2.Action(take_joker=action_pb2.TakeJoker(cards=["KS1"])), "action.take_joker"),
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
