"""What is no action at all is refused like any other."""

from __future__ import annotations

import pytest

from rummy_arena.game import engine, series
from rummy_arena.game.actions import DRAW_STOCK, Action, ActionKind
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import position

from .plays import VARIANTS, Play, Setting, frozen, variant_name

SENSELESS = (
    None,
    "x",
    (1, 2, 3),
    Action(3),  # type: ignore[arg-type]
    Action(ActionKind.OPEN, melds=None),  # type: ignore[arg-type]
    Action(ActionKind.OPEN, melds=5),  # type: ignore[arg-type]
    Action(ActionKind.OPEN, melds=("x",)),  # type: ignore[arg-type]
    Action(ActionKind.OPEN, melds=(Meld(MeldKind.SET, None),)),  # type: ignore[arg-type]
    Action(ActionKind.OPEN, melds=(Meld(MeldKind.SET, ("a",)),)),  # type: ignore[arg-type]
    Action(ActionKind.MELD, melds=(Meld(MeldKind.RUN, ([1],)),)),  # type: ignore[arg-type]
    Action(ActionKind.DISCARD, "a"),  # type: ignore[arg-type]
    Action(ActionKind.DISCARD, 10**9),
    Action(ActionKind.DISCARD, 0.0),  # type: ignore[arg-type]
    Action(ActionKind.DISCARD, True),
    Action(ActionKind.DISCARD, None),  # type: ignore[arg-type]
    Action(ActionKind.LAY_OFF, 1, 0, end="high"),  # type: ignore[arg-type]
    Action(ActionKind.MOVE_JOKER, 1, 0.5),  # type: ignore[arg-type]
    Action(ActionKind.TAKE_JOKER, 1, 0, onto=None),  # type: ignore[arg-type]
    Action(ActionKind.LAY_OFF, 1, None),  # type: ignore[arg-type]
    Action(ActionKind.TAKE_JOKER, [1], 0),  # type: ignore[arg-type]
)


@pytest.mark.parametrize("rules", VARIANTS, ids=variant_name)
def test_what_is_no_action_at_all_is_refused_with_a_reason(rules: RuleSet) -> None:
    play = Play(Setting(rules, rules.min_seats, 1, 3))
    deal = play.deal
    play.apply(deal.turn, DRAW_STOCK)
    before = frozen(deal)
    for seat in (deal.turn, 99, -1, "1", None, 1.0):
        for action in SENSELESS:
            with pytest.raises(RuleViolation) as violation:
                series.apply(play.game, seat, action, play.chance)  # type: ignore[arg-type]
            assert violation.value.code.isupper()
    assert deal == before


ODD = (None, "0", 0.0, True, [1], -7, 99)


def test_odd_fields_of_an_opened_seats_actions_are_refused() -> None:
    rules = get_rule_set("kaluki-american")
    table = ["1: 6H 6S *", "0: 4C-5C-*-7C"]
    held = position(hands={0: "6D 6C 8C 9D 2H"}, table=table, opened=[0], rules=rules)
    deal = held.deal
    before = frozen(deal)
    card = deal.hands[0][0]
    listed = engine.legal_actions(deal, 0)
    for odd in ODD:
        for kind in (ActionKind.LAY_OFF, ActionKind.TAKE_JOKER, ActionKind.DISCARD):
            for action in (
                Action(kind, odd, 0, onto=1),  # type: ignore[arg-type]
                Action(kind, card, odd, onto=1),  # type: ignore[arg-type]
                Action(kind, card, 0, end=odd, onto=1),  # type: ignore[arg-type]
                Action(kind, card, 0, also=odd, onto=1),  # type: ignore[arg-type]
                Action(kind, card, 0, onto=odd),  # type: ignore[arg-type]
            ):
                try:
                    engine.check(deal, 0, action)
                except RuleViolation as violation:
                    refused = violation
                else:  # a field that this kind does not read
                    assert any(a[:2] == action[:2] for a in listed), action
                    engine.apply(frozen(deal), 0, action, list)
                    continue
                assert refused.code.isupper()
    assert deal == before
