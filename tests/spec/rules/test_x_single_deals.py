"""B-22, C-17, E-23, J-30: games of a single contract, and of fewer deals than sixty."""

from __future__ import annotations

import pytest

from rummy_arena.game.events import GameEnded, RebuyOffered
from rummy_arena.game.rules import TieForFirst
from rummy_arena.game.series import result
from rummy_arena.rulesets.errors import InvalidOption
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from tests.spec.positions import in_game, position

NUMBERS = [
    (name, number)
    for name, rules in RULE_SETS.items()
    if not rules.by_elimination
    for number in range(1, len(rules.contracts) + 1)
]


@pytest.mark.clause("J-30", "B-22", "C-17")
@pytest.mark.parametrize(("name", "number"), NUMBERS)
def test_a_game_of_one_contract_has_that_deal_and_no_other(name: str, number: int) -> None:
    rules = get_rule_set(name, {"contract": str(number)})
    assert rules.contracts == (RULE_SETS[name].contracts[number - 1],)
    held = position(rules=rules, seats=3, hands={0: "2C"}, opened=[0])
    game = in_game(held)
    assert isinstance(held.does("0 discards 2C")[-1], GameEnded)
    assert len(game.scores) == 1


@pytest.mark.clause("J-30", "B-22", "C-17")
@pytest.mark.parametrize("name", sorted({name for name, _ in NUMBERS}))
def test_all_contracts_are_the_plain_game(name: str) -> None:
    assert get_rule_set(name, {"contract": "0"}) is RULE_SETS[name]
    with pytest.raises(InvalidOption, match="must be a whole number from 0 to"):
        get_rule_set(name, {"contract": str(len(RULE_SETS[name].contracts) + 1)})


@pytest.mark.clause("B-22", "B-19")
def test_equal_totals_of_a_single_deal_share_the_place_without_sudden_death() -> None:
    rules = get_rule_set("kalooki-bonus", {"contract": "4"})
    assert rules.tie_for_first is TieForFirst.SHARED
    assert RULE_SETS["kalooki-bonus"].tie_for_first is TieForFirst.SUDDEN_DEATH


@pytest.mark.clause("B-22", "B-23")
def test_a_contract_of_the_short_form_is_counted_within_it() -> None:
    short = get_rule_set("kalooki-bonus", {"short_form": "on"}).contracts
    for number, contract in enumerate(short, start=1):
        chosen = {"short_form": "on", "contract": str(number)}
        assert get_rule_set("kalooki-bonus", chosen).contracts == (contract,)
    with pytest.raises(InvalidOption, match="not played in the short form") as refused:
        get_rule_set("kalooki-bonus", {"short_form": "on", "contract": "8"})
    assert (refused.value.option, refused.value.clause) == ("contract", "B-22")


@pytest.mark.clause("B-22", "B-24")
def test_a_single_deal_is_no_best_of_three() -> None:
    with pytest.raises(InvalidOption, match="drop best_of"):
        get_rule_set("kalooki-bonus", {"best_of": "3", "contract": "1"})


@pytest.mark.clause("E-23")
@pytest.mark.parametrize("name", ["kaluki-european", "kaluki-american"])
@pytest.mark.parametrize(("deals", "played", "over"), [("1", 0, True), ("3", 1, False)])
def test_a_game_ends_after_the_deals_that_were_chosen(
    name: str, deals: str, played: int, over: bool
) -> None:
    rules = get_rule_set(name, {"deals": deals})
    hands = {0: "2C", 1: "KC", 2: "KD KH"}
    held = position(rules=rules, seats=3, contract=played + 1, hands=hands, opened=[0])
    game = in_game(held, scores=[(0, 0, 0)] * played)
    held.does("0 discards 2C")
    assert (game.over, len(game.scores)) == (over, played + 1)
    if over:
        assert result(game).places == (1, 2, 3)


@pytest.mark.clause("E-23", "E-17")
def test_nobody_buys_back_after_the_last_deal_and_who_is_above_150_is_placed_last() -> None:
    rules = get_rule_set("kaluki-european", {"deals": "2", "rebuys": "2"})
    hands = {0: "2C", 1: "KC KD", 2: "KH"}
    held = position(rules=rules, seats=3, contract=2, hands=hands, opened=[0])
    game = in_game(held, scores=[(0, 140, 141)])
    events = held.does("0 discards 2C")
    assert not any(isinstance(event, RebuyOffered) for event in events)
    assert game.totals == (0, 160, 151)
    assert result(game).places == (1, 3, 2)
