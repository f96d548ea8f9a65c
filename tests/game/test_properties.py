"""What holds at each step of any play of any rule set."""

from __future__ import annotations

import pytest
from hypothesis import given

from rummy_arena.game import engine, series
from rummy_arena.game.actions import DRAW_DISCARD
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.events import DealEnd, DealEnded, GameEnded
from rummy_arena.game.replay import replay
from rummy_arena.game.rules import UNLIMITED, PilePolicy, RuleSet
from rummy_arena.game.state import Outcome, Phase

from .plain_player import accepted
from .plays import (
    VARIANTS,
    Play,
    Setting,
    all_cards,
    examples,
    frozen,
    play_settings,
    variant_name,
    whole_game,
)
from .wild import actions_without_melds, wild_actions


@examples(15)
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


@examples(10)
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
            for action in actions_without_melds(deal, seat, play.dice):
                assert (action in listed) == accepted(deal, seat, action)


@examples(10)
@given(play_settings())
def test_every_action_that_the_check_accepts_can_be_applied(chosen: Setting) -> None:
    play = Play(chosen)
    for step in play:
        if play.dice.random() < 0.15:
            before = frozen(step.deal)
            listed = engine.legal_actions(before, step.seat)
            wild = [
                a
                for a in wild_actions(before, step.seat, play.dice)
                if accepted(before, step.seat, a)
            ]
            for action in [*listed, *wild]:
                trial = frozen(before)
                engine.apply(trial, step.seat, action, list)
                assert trial != before
                assert all_cards(trial) == all_cards(before)


@examples(10)
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
        tries = [(seat, a) for seat in seats for a in wild_actions(deal, seat, play.dice)]
        for seat, action in tries:
            if not accepted(deal, seat, action):
                refused += 1
                with pytest.raises(RuleViolation) as violation:
                    engine.apply(deal, seat, action, _no_reshuffle)
                assert violation.value.code.isupper()
                assert violation.value.clause[0] in ("X", chosen.rules.head.clauses)
                assert violation.value.clause != "X-18" or violation.value.code.startswith(
                    "UNKNOWN"
                )
        assert deal == before
    assert refused or play.deal.turn_number < 4


@examples(15)
@given(play_settings())
def test_every_deal_ends_for_a_reason(chosen: Setting) -> None:
    play = Play(chosen)
    steps = sum(1 for _ in play)
    deal, outcome = play.deal, play.deal.outcome
    assert isinstance(outcome, Outcome)
    assert deal.phase is Phase.OVER
    assert deal.turn_number <= chosen.rules.turns_cap_per_seat * deal.seats
    assert steps <= chosen.rules.turns_cap_per_seat * deal.seats * (deal.seats + 40)
    empty = [seat for seat, hand in enumerate(deal.hands) if not hand]
    assert empty == ([outcome.winner] if outcome.end is DealEnd.OUT else [])
    assert outcome.down_and_out <= (outcome.end is DealEnd.OUT)


@pytest.mark.parametrize(
    "rules",
    [rules for rules in VARIANTS if rules.pile is not PilePolicy.TO_OPEN],
    ids=variant_name,
)
def test_trading_the_top_card_for_ever_ends_at_the_cap(rules: RuleSet) -> None:
    for seats in (rules.min_seats, rules.max_seats):
        play = Play(Setting(rules, seats, 1, 7))
        deal = play.deal
        while deal.outcome is None:
            seat = engine.deciders(deal)[0]
            trades = deal.phase is Phase.DRAW
            play.apply(seat, DRAW_DISCARD if trades else engine.standard_move(deal, seat))
        assert deal.outcome == Outcome(DealEnd.CAP)
        assert deal.turn_number == rules.turns_cap_per_seat * seats
        dealt = seats * rules.contracts[0].cards_each(seats)
        assert len(deal.stock) == len(rules.pack) - dealt - 1


@pytest.mark.parametrize("rules", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("last", [False, True])
def test_absent_seats_alone_end_every_deal(*, rules: RuleSet, last: bool) -> None:
    for seats in range(rules.min_seats, rules.max_seats + 1):
        play = Play(Setting(rules, seats, len(rules.contracts) if last else 1, seats))
        deal = play.deal
        stock = len(deal.stock)
        while deal.outcome is None:
            seat = engine.deciders(deal)[0]
            play.apply(seat, engine.standard_move(deal, seat))
        # Each turn draws one and buries one; the recycling gives as many again; one more lacks.
        turns, cap = 2 * stock + 1, rules.turns_cap_per_seat * seats
        voided = rules.reshuffles < UNLIMITED and turns <= cap
        assert deal.outcome == Outcome(DealEnd.VOID if voided else DealEnd.CAP)
        assert deal.turn_number == (turns if voided else cap)


@examples(10)
@given(play_settings())
def test_every_game_ends_with_places_and_a_ledger_that_sums_to_nought(chosen: Setting) -> None:
    game, log = whole_game(chosen)
    assert game.over
    last, rules = log[-1], chosen.rules
    assert isinstance(last, GameEnded)
    result = series.result(game)
    assert (last.totals, last.places) == (result.totals, result.places)
    assert sorted(last.places)[0] == 1
    for seat, place in enumerate(last.places):
        better = sum(other < place for other in last.places)
        assert place == better + 1, seat
    assert sum(result.ledger) == 0 == game.pot
    assert bool(last.ledger) == bool(rules.buy_in or rules.deal_stake)
    ended = [event for event in log if isinstance(event, DealEnded)]
    assert len([event for event in ended if event.points]) == len(game.scores)
    most = rules.best_of * (len(rules.contracts) + 1)
    assert len(game.scores) <= (rules.deals_cap if rules.by_elimination else most)
    assert replay(rules, chosen.seats, log) == game


def _no_reshuffle(cards: list[int]) -> list[int]:
    raise AssertionError("a refused action asked for a reshuffle")
