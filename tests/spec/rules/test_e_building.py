"""E-12: lay-offs on runs, two cards on one end in a turn."""

from __future__ import annotations

from functools import partial

import pytest

from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.events import LaidOff
from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import position

european = partial(position, rules=KALUKI_EUROPEAN)
BUILT_ENOUGH = (IllegalHere, "BUILT_ENOUGH", "E-12")
BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)


@pytest.mark.clause("E-12")
@pytest.mark.parametrize(
    ("commands", "after"),
    [
        (("0 lays 5H on 0",), "5H-6H-7H-8H"),
        (("0 lays 9H on 0",), "6H-7H-8H-9H"),
        (("0 lays 5H on 0", "0 lays 4H on 0"), "4H-5H-6H-7H-8H"),
        (("0 lays 9H on 0", "0 lays 5H on 0"), "5H-6H-7H-8H-9H"),
    ],
)
@BOTH
def test_the_example_of_the_source_takes_five_or_nine_or_five_and_four(
    commands: tuple[str, ...], after: str, rules: RuleSet
) -> None:
    held = position(hands={0: "4H 5H 9H TH 2C"}, table=["1: 6H-7H-8H"], opened=[0], rules=rules)
    for card in ("4H", "TH"):
        held.refuses(f"0 lays {card} on 0", IllegalHere, "CARD_DOES_NOT_FIT", "E-12")
    held.all(*commands)
    assert held.meld(0) == after


@pytest.mark.clause("E-12")
@pytest.mark.parametrize("owner", [0, 1])
def test_any_players_run_is_built_on(owner: int) -> None:
    held = european(hands={0: "9H 2C"}, table=[f"{owner}: 6H-7H-8H"], opened=[0])
    (event,) = held.does("0 lays 9H on 0")
    assert isinstance(event, LaidOff)
    assert event.meld.owner == owner


@pytest.mark.clause("E-12")
@BOTH
def test_two_cards_go_on_one_end_in_one_turn_and_two_on_the_other(rules: RuleSet) -> None:
    held = position(
        hands={0: "3H 4H 5H 9H TH JH 2C"}, table=["1: 6H-7H-8H"], opened=[0], rules=rules
    )
    held.all("0 lays 9H on 0", "0 lays TH on 0")
    held.refuses("0 lays JH on 0", *BUILT_ENOUGH)
    assert not held.lists("0 lays JH on 0 high")
    held.all("0 lays 5H on 0", "0 lays 4H on 0")
    held.refuses("0 lays 3H on 0", *BUILT_ENOUGH)
    assert held.meld(0) == "4H-5H-6H-7H-8H-9H-TH"


@pytest.mark.clause("E-12")
def test_ends_taken_in_turn_are_counted_each() -> None:
    held = european(hands={0: "3H 4H 5H 9H TH JH 2C"}, table=["1: 6H-7H-8H"], opened=[0])
    held.all("0 lays 9H on 0", "0 lays 5H on 0", "0 lays TH on 0", "0 lays 4H on 0")
    held.refuses("0 lays JH on 0", *BUILT_ENOUGH)
    held.refuses("0 lays 3H on 0", *BUILT_ENOUGH)


@pytest.mark.clause("E-12")
def test_three_or_more_are_a_run_of_their_own() -> None:
    held = european(hands={0: "9H TH JH 2C"}, table=["1: 6H-7H-8H"], opened=[0])
    held.does("0 melds 9H-TH-JH")
    assert (held.meld(0), held.meld(1)) == ("6H-7H-8H", "9H-TH-JH")


@pytest.mark.clause("E-12")
def test_each_run_has_its_own_count() -> None:
    held = european(
        hands={0: "9H TH JH 9C TC JC 2C"}, table=["1: 6H-7H-8H", "2: 6C-7C-8C"], opened=[0]
    )
    held.all("0 lays 9H on 0", "0 lays TH on 0", "0 lays 9C on 1", "0 lays TC on 1")
    held.refuses("0 lays JH on 0", *BUILT_ENOUGH)
    held.refuses("0 lays JC on 1", *BUILT_ENOUGH)


@pytest.mark.clause("E-12")
def test_jokers_count_as_any_card() -> None:
    held = european(hands={0: "9H TH * 2C"}, table=["1: 6H-7H-8H"], opened=[0])
    held.all("0 lays 9H on 0", "0 lays TH on 0")
    held.refuses("0 lays * on 0 high", *BUILT_ENOUGH)
    held.does("0 lays * on 0 low")
    assert held.meld(0) == "*-6H-7H-8H-9H-TH"


@pytest.mark.clause("E-12")
def test_a_joker_that_fits_both_ends_needs_one_named_while_both_have_room() -> None:
    held = european(hands={0: "* 2C"}, table=["1: 6H-7H-8H"], opened=[0])
    held.refuses("0 lays * on 0", IllegalHere, "END_NEEDED", "E-12")
    assert held.lists("0 lays * on 0 low")
    assert held.lists("0 lays * on 0 high")


@pytest.mark.clause("E-12")
def test_the_next_turn_counts_anew_for_everybody() -> None:
    held = european(
        hands={0: "9H TH JH QH 2C", 1: "JH QH KH 3C"},
        table=["1: 6H-7H-8H"],
        opened=[0, 1],
        stock="5S 6S 7S 8S",
    )
    held.all("0 lays 9H on 0", "0 lays TH on 0")
    held.refuses("0 lays JH on 0", *BUILT_ENOUGH)
    held.all("0 discards 2C", "1 draws", "1 lays JH on 0", "1 lays QH on 0")
    held.refuses("1 lays KH on 0", *BUILT_ENOUGH)
    held.all("1 discards KH", "2 draws")
    held.does(f"2 discards {held.hand(2).split()[0]}")
    held.all("0 draws", "0 discards QH")


@pytest.mark.clause("E-12")
def test_the_player_too_goes_on_where_it_stopped_the_turn_before() -> None:
    held = european(
        hands={0: "9H TH JH QH KH 2C"}, table=["1: 6H-7H-8H"], opened=[0], stock="5S 6S 7S"
    )
    held.all("0 lays 9H on 0", "0 lays TH on 0", "0 discards 2C")
    for seat in (1, 2):
        held.does(f"{seat} draws")
        held.does(f"{seat} discards {held.hand(seat).split()[0]}")
    held.all("0 draws", "0 lays JH on 0", "0 lays QH on 0")
    held.refuses("0 lays KH on 0", *BUILT_ENOUGH)


@pytest.mark.clause("E-12")
def test_a_run_laid_down_in_this_turn_is_built_on_as_any_other() -> None:
    held = european(hands={0: "5H 6H 7H 8H 9H TH 2C"}, opened=[0])
    held.all("0 melds 5H-6H-7H", "0 lays 8H on 0", "0 lays 9H on 0")
    held.refuses("0 lays TH on 0", *BUILT_ENOUGH)


@pytest.mark.clause("E-12")
def test_a_set_has_no_end_to_name_and_no_such_limit() -> None:
    held = european(hands={0: "6D 6S 7D 7S 2C"}, table=["1: 6C 6H *", "1: 7C 7H *2"], opened=[0])
    held.all("0 lays 6D on 0", "0 lays 7D on 1")
    held.refuses("0 lays 6S on 0", IllegalHere, "SET_CLOSED", "E-22")


@pytest.mark.clause("E-12")
@pytest.mark.parametrize("rule_set", ["kaluki-european", "kaluki-american"])
def test_the_option_lifts_the_limit(rule_set: str) -> None:
    rules = get_rule_set(rule_set, {"build_per_end": "unlimited"})
    held = position(
        hands={0: "9H TH JH QH KH AH 2C"}, table=["1: 6H-7H-8H"], opened=[0], rules=rules
    )
    held.all(*(f"0 lays {card} on 0" for card in ("9H", "TH", "JH", "QH", "KH", "AH")))
    assert held.meld(0) == "6H-7H-8H-9H-TH-JH-QH-KH-AH"
    assert get_rule_set(rule_set, {"build_per_end": "2"}).build_per_end == 2


@pytest.mark.clause("E-12", "X-20")
def test_a_meld_that_is_not_there_takes_nothing() -> None:
    held = european(hands={0: "9H 2C"}, table=["1: 6H-7H-8H"], opened=[0])
    held.refuses("0 lays 9H on 1", Malformed, "UNKNOWN_MELD", "X-20")
