"""E-1, E-2, E-27: seats, cards dealt, and all that the American game does otherwise.

Written out as numbers, so that the rule sets' own data is not what proves it.
"""

from __future__ import annotations

from dataclasses import fields

import pytest

from rummy_arena.game import engine, series
from rummy_arena.game.cards import is_joker
from rummy_arena.game.errors import IllegalHere
from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.errors import InvalidOption, UnknownOption
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from rummy_arena.rulesets.registry import get_rule_set, options_of
from tests.spec.deal_ends import after_a_deal
from tests.spec.positions import Stacked, position

BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)
HANDS = {
    "kaluki-european": {2: 13, 3: 13, 4: 13, 5: 13},
    "kaluki-american": {2: 15, 3: 13, 4: 13, 5: 13, 6: 11},
}
STOCK = {
    "kaluki-european": {2: 79, 3: 66, 4: 53, 5: 40},
    "kaluki-american": {2: 77, 3: 68, 4: 55, 5: 42, 6: 41},
}

# --- E-1: seats -----------------------------------------------------------------------------------


@pytest.mark.clause("E-1")
@BOTH
def test_so_many_players_and_no_others(rules: RuleSet) -> None:
    for seats in range(9):
        if seats in HANDS[rules.id]:
            game, _ = series.new_game(rules, seats, Stacked(rules))
            assert game.deal.players == tuple(range(seats))
            continue
        with pytest.raises(series.SeatsError) as refused:
            series.new_game(rules, seats, Stacked(rules))
        assert refused.value.clause == "E-1"


@pytest.mark.clause("E-1", "E-27", "X-2")
@pytest.mark.parametrize(
    ("rules", "cards", "jokers"), [(KALUKI_EUROPEAN, 106, 2), (KALUKI_AMERICAN, 108, 4)]
)
def test_two_packs_and_two_or_four_jokers(rules: RuleSet, cards: int, jokers: int) -> None:
    assert len(set(rules.pack)) == cards
    assert sum(map(is_joker, rules.pack)) == jokers


# --- E-2: cards dealt -----------------------------------------------------------------------------


@pytest.mark.clause("E-2")
@pytest.mark.parametrize(
    ("rules", "seats"),
    [(rules, seats) for rules in (KALUKI_EUROPEAN, KALUKI_AMERICAN) for seats in HANDS[rules.id]],
    ids=lambda value: getattr(value, "id", value),
)
def test_the_cards_dealt_by_the_number_of_players(rules: RuleSet, seats: int) -> None:
    deal = engine.deal_cards(rules, seats, 1, 0, rules.pack)
    assert [len(hand) for hand in deal.hands] == [HANDS[rules.id][seats]] * seats
    assert (len(deal.stock), len(deal.discards)) == (STOCK[rules.id][seats], 1)
    assert deal.turn == 1
    assert not any(deal.opened_turn)


@pytest.mark.clause("E-2")
@pytest.mark.parametrize(
    ("gone", "each"), [((), 11), ((1,), 13), ((1, 2), 13), ((1, 2, 3), 13), ((1, 2, 3, 4), 15)]
)
def test_in_the_american_game_it_follows_who_is_left(gone: tuple[int, ...], each: int) -> None:
    rules = get_rule_set("kaluki-american", {"rebuys": "0"})
    totals = [150 if seat in gone else 0 for seat in range(6)]
    left = {seat: f"2{suit}" for seat, suit in zip(range(1, 6), "DHSCD", strict=True)}
    _, game, _ = after_a_deal(totals, left, rules=rules)
    hands = [len(hand) for hand in game.deal.hands]
    assert hands == [0 if seat in gone else each for seat in range(6)]
    assert len(game.deal.stock) == 107 - each * (6 - len(gone))


@pytest.mark.clause("E-2")
def test_in_the_european_game_it_is_thirteen_whoever_is_left() -> None:
    rules = get_rule_set("kaluki-european", {"rebuys": "0"})
    _, game, _ = after_a_deal((0, 150, 0), {1: "2D", 2: "2H"}, rules=rules)
    assert [len(hand) for hand in game.deal.hands] == [13, 0, 13]


# --- E-27: the rest is the European game ----------------------------------------------------------


@pytest.mark.clause("E-27")
def test_what_the_american_game_does_otherwise_and_nothing_more() -> None:
    different = {
        field.name
        for field in fields(RuleSet)
        if getattr(KALUKI_EUROPEAN, field.name) != getattr(KALUKI_AMERICAN, field.name)
    }
    assert different - {"id", "title", "head"} == {
        "max_seats",
        "jokers",
        "contracts",
        "values",
        "exchange_naturals",
        "stake_doubling",
    }
    assert KALUKI_AMERICAN.contracts[0].points == 51
    assert KALUKI_EUROPEAN.contracts[0].points == 40


@pytest.mark.clause("E-27", "E-4")
def test_between_40_and_51_points_one_game_opens_and_the_other_does_not() -> None:
    hand, command = "TH JH QH KH 2C", "0 opens TH-JH-QH-KH"
    position(hands={0: hand}, rules=KALUKI_EUROPEAN).does(command)
    american = position(hands={0: hand}, rules=KALUKI_AMERICAN)
    american.refuses(command, IllegalHere, "POINTS_NOT_REACHED", "E-4")


@pytest.mark.clause("E-27", "E-15", "E-17")
def test_the_american_game_eliminates_above_150_and_sells_re_buys_too() -> None:
    held, game, _ = after_a_deal((0, 145, 90), {1: "KC", 2: "5D"}, rules=KALUKI_AMERICAN)
    held.does("1 rebuys")
    assert (game.totals, game.pot) == ((0, 95, 95), 4)


@pytest.mark.clause("E-27", "E-20")
def test_each_game_has_its_options() -> None:
    names = {
        rule_set: [option.name for option in options_of(rule_set)]
        for rule_set in ("kaluki-european", "kaluki-american")
    }
    assert names == {
        "kaluki-european": ["rebuys", "build_per_end", "deals", "kaluki_penalty"],
        "kaluki-american": ["rebuys", "build_per_end", "deals", "ace"],
    }
    with pytest.raises(UnknownOption, match="kaluki_penalty"):
        get_rule_set("kaluki-american", {"kaluki_penalty": "double"})
    with pytest.raises(UnknownOption, match="'ace'"):
        get_rule_set("kaluki-european", {"ace": "high_or_low"})


@pytest.mark.clause("E-17", "E-12", "E-20", "E-9")
@pytest.mark.parametrize(
    ("rule_set", "option", "value", "clause"),
    [
        ("kaluki-european", "rebuys", "3", "E-17"),
        ("kaluki-european", "rebuys", "-1", "E-17"),
        ("kaluki-american", "build_per_end", "3", "E-12"),
        ("kaluki-european", "kaluki_penalty", "triple", "E-20"),
        ("kaluki-american", "ace", "low", "E-9"),
    ],
)
def test_a_value_that_no_clause_names_is_refused(
    rule_set: str, option: str, value: str, clause: str
) -> None:
    with pytest.raises(InvalidOption) as refused:
        get_rule_set(rule_set, {option: value})
    assert (refused.value.option, refused.value.clause) == (option, clause)


@pytest.mark.clause("E-12", "E-17", "E-20")
def test_options_hold_together_and_alone() -> None:
    rules = get_rule_set(
        "kaluki-european", {"rebuys": "2", "build_per_end": "unlimited", "kaluki_penalty": "plus25"}
    )
    assert (rules.rebuys, rules.down_and_out_extra, rules.down_and_out_factor) == (2, 25, 1)
    assert rules.build_per_end > 13
    assert get_rule_set("kaluki-european", {"rebuys": "1"}) is KALUKI_EUROPEAN
