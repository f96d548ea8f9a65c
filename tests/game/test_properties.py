"""What holds at each step of any play of any rule set."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from rummy_arena.game import engine
from rummy_arena.game.actions import Action, ActionKind
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.events import DealEnd
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Deal, Outcome, Phase
from rummy_arena.rulesets.registry import RULE_SETS

from .plays import Play, Setting, all_cards, examples, frozen, play_settings

BARE_KINDS = (
    ActionKind.DRAW_STOCK,
    ActionKind.DRAW_DISCARD,
    ActionKind.END_TURN,
    ActionKind.CALL,
    ActionKind.PASS,
    ActionKind.ALLOW,
)


@examples(40)
@given(play_settings())
def test_each_card_is_in_one_place_and_somebody_can_act(chosen: Setting) -> None:
    play = Play(chosen)
    pack = sorted(chosen.rules.pack)
    for step in play:
        deal = step.deal
        assert all_cards(deal) == pack
        assert all(hand == sorted(hand) and hand for hand in deal.hands)
        deciders = engine.deciders(deal)
        assert deciders
        for seat in deciders:
            assert engine.legal_actions(deal, seat)
            engine.check(deal, seat, engine.standard_move(deal, seat))
    assert all_cards(play.deal) == pack
    assert engine.deciders(play.deal) == ()


@examples(25)
@given(play_settings())
def test_what_is_listed_is_accepted_and_what_is_accepted_is_listed(chosen: Setting) -> None:
    play = Play(chosen)
    for step in play:
        deal = step.deal
        for seat in range(deal.seats):
            listed = set(engine.legal_actions(deal, seat))
            assert {a.kind for a in listed} <= set(engine.kinds(deal, seat))
            for action in listed:
                engine.check(deal, seat, action)
            for action in _without_melds(deal, seat, play.dice):
                assert (action in listed) == _accepted(deal, seat, action)


@examples(20)
@given(play_settings())
def test_every_listed_action_can_be_applied(chosen: Setting) -> None:
    play = Play(chosen)
    for step in play:
        if play.dice.random() < 0.15:
            before = frozen(step.deal)
            for action in engine.legal_actions(before, step.seat):
                trial = frozen(before)
                engine.apply(trial, step.seat, action, list)
                assert trial != before
                assert all_cards(trial) == all_cards(before)


@examples(20)
@given(play_settings())
def test_a_refused_action_changes_nothing(chosen: Setting) -> None:
    play = Play(chosen)
    refused = 0
    for step in play:
        if play.dice.random() < 0.7:
            continue
        deal = step.deal
        before = frozen(deal)
        seats = range(-1, deal.seats + 1)
        tries = [(seat, a) for seat in seats for a in _wild(deal, seat, play.dice)]
        for seat, action in tries:
            if not _accepted(deal, seat, action):
                refused += 1
                with pytest.raises(RuleViolation) as violation:
                    engine.apply(deal, seat, action, _no_reshuffle)
                assert violation.value.code.isupper()
                assert violation.value.clause[:2] in ("X-", "J-")
        assert deal == before
    assert refused or play.deal.turn_number < 4


@examples(40)
@given(play_settings())
def test_every_deal_ends_for_a_reason(chosen: Setting) -> None:
    play = Play(chosen)
    steps = sum(1 for _ in play)
    deal, outcome = play.deal, play.deal.outcome
    assert isinstance(outcome, Outcome)
    assert deal.phase is Phase.OVER
    assert deal.turn_number <= chosen.rules.turns_cap_per_seat * deal.seats
    assert steps <= chosen.rules.turns_cap_per_seat * deal.seats * (deal.seats + 30)
    empty = [seat for seat, hand in enumerate(deal.hands) if not hand]
    assert empty == ([outcome.winner] if outcome.end is DealEnd.OUT else [])
    assert outcome.down_and_out <= (outcome.end is DealEnd.OUT)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS.keys())
@pytest.mark.parametrize("most", [False, True])
def test_trading_the_top_card_for_ever_ends_at_the_cap(*, rules: RuleSet, most: bool) -> None:
    seats = rules.max_seats if most else rules.min_seats
    play = Play(Setting(rules, seats, 1, 7))
    deal = play.deal
    while deal.outcome is None:
        if deal.phase is Phase.CALL_WINDOW:
            play.apply(engine.deciders(deal)[0], Action(ActionKind.PASS))
        elif deal.phase is Phase.DRAW:
            play.apply(deal.turn, Action(ActionKind.DRAW_DISCARD))
        else:
            play.apply(deal.turn, engine.standard_move(deal, deal.turn))
    assert deal.outcome == Outcome(DealEnd.CAP)
    assert deal.turn_number == rules.turns_cap_per_seat * seats
    assert len(deal.stock) == len(rules.pack) - seats * rules.contracts[0].hand_size - 1


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS.keys())
@pytest.mark.parametrize("last", [False, True])
def test_absent_seats_alone_end_every_deal(*, rules: RuleSet, last: bool) -> None:
    for seats in range(rules.min_seats, rules.max_seats + 1):
        play = Play(Setting(rules, seats, len(rules.contracts) if last else 1, seats))
        deal = play.deal
        stock = len(deal.stock)
        while deal.outcome is None:
            seat = engine.deciders(deal)[0]
            play.apply(seat, engine.standard_move(deal, seat))
        assert deal.outcome == Outcome(DealEnd.VOID)
        # Each turn draws one and buries one; the recycling gives as many again; one more lacks.
        assert deal.turn_number == 2 * stock + 1


# --- candidates -----------------------------------------------------------------------------------


def _without_melds(deal: Deal, seat: int, dice: Random) -> list[Action]:
    """Return actions of all kinds that need no melds, legal and illegal ones."""
    hand = deal.hands[seat]
    cards = [*dice.sample(hand, min(3, len(hand))), dice.choice(deal.rules.pack)]
    actions = [Action(kind) for kind in BARE_KINDS]
    actions += [Action(ActionKind.DISCARD, card) for card in cards]
    for target in dice.sample(range(-1, len(deal.melds) + 1), min(3, len(deal.melds) + 2)):
        for card in cards:
            actions.append(Action(ActionKind.LAY_OFF, card, target))
            actions.append(Action(ActionKind.MOVE_JOKER, card, target))
    return actions


def _wild(deal: Deal, seat: int, dice: Random) -> list[Action]:
    """Return actions of every kind, most of them senseless."""
    inside = 0 <= seat < deal.seats
    actions = _without_melds(deal, seat if inside else 0, dice)
    hand = deal.hands[seat] if inside else deal.hands[0]
    for kind in (ActionKind.OPEN, ActionKind.MELD):
        melds = tuple(
            Meld(dice.choice(list(MeldKind)), tuple(dice.choices(hand, k=dice.randrange(6))))
            for _ in range(dice.randrange(4))
        )
        actions.append(Action(kind, melds=melds))
    return actions


def _accepted(deal: Deal, seat: int, action: Action) -> bool:
    try:
        engine.check(deal, seat, action)
    except RuleViolation:
        return False
    return True


def _no_reshuffle(cards: list[int]) -> list[int]:
    raise AssertionError("a refused action asked for a reshuffle")
