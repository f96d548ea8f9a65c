"""E-4, E-5, E-6, E-28: the points of an opening, and what counts towards them."""

from __future__ import annotations

from functools import partial

import pytest

from rummy_arena.game import engine
from rummy_arena.game.actions import Action, ActionKind
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.melds import meld_points
from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from tests.spec.positions import position, run

european = partial(position, rules=KALUKI_EUROPEAN)
american = partial(position, rules=KALUKI_AMERICAN)

# --- E-3: what a meld is worth --------------------------------------------------------------------


@pytest.mark.clause("E-3")
@pytest.mark.parametrize(
    ("meld", "european_points", "american_points"),
    [
        ("2C-3C-4C", 9, 9),
        ("8D-9D-TD", 27, 27),
        ("QH-KH-AH", 31, 35),
        ("AC AD AH", 33, 45),
        ("AC AD AH AS", 44, 60),
        ("KC KD *", 30, 30),
        ("AC * *2", 33, 45),
        ("4C * *2", 12, 12),
        ("4C-*-*2", 15, 15),
        ("*-*2-4C", 9, 9),
        ("*-4C-*2", 12, 12),
        ("QH-KH-*", 31, 35),
        ("QH-*-AH", 31, 35),
        ("*-*2-AH", 31, 35),
        ("2S-3S-4S-5S-6S-7S-8S-9S-TS-JS-QS-KS-AS", 95, 99),
    ],
)
def test_a_meld_counts_its_cards_and_a_joker_what_it_stands_for(
    meld: str, european_points: int, american_points: int
) -> None:
    found = [
        meld_points(rules, run(meld, rules=rules)) for rules in (KALUKI_EUROPEAN, KALUKI_AMERICAN)
    ]
    assert found == [european_points, american_points]


# --- E-4: 40 or 51 at least -----------------------------------------------------------------------


@pytest.mark.clause("E-4")
@pytest.mark.parametrize(
    ("rules", "hand", "too_little", "enough"),
    [
        (KALUKI_EUROPEAN, "9H TH JH QH KH 2C", "9H-TH-JH-QH", "TH-JH-QH-KH"),  # 39, 40
        (KALUKI_EUROPEAN, "KC KD KH 2S 3S 4S 5S 9C", "KC KD KH / 2S-3S-4S", None),  # 39
        (KALUKI_EUROPEAN, "AC AD AH 2S 2H 2D 2C", "AC AD AH / 2S 2H 2D", None),  # 39
        (KALUKI_EUROPEAN, "AC AD AH AS 2C", "AC AD AH", "AC AD AH AS"),  # 33, 44
        (
            KALUKI_AMERICAN,
            "KC KD KH 2S 3S 4S 5S 6S 7S 9C",
            "KC KD KH / 2S-3S-4S-5S-6S",  # 50
            "KC KD KH / 2S-3S-4S-5S-6S-7S",  # 57
        ),
        (KALUKI_AMERICAN, "KC KD KH 6S 7S 8S 2C", "KC KD KH", "KC KD KH / 6S-7S-8S"),  # 51
        (KALUKI_AMERICAN, "TH JH QH KH AH 2C", "TH-JH-QH-KH", "TH-JH-QH-KH-AH"),  # 40, 55
    ],
)
def test_the_points_are_reached_or_not(
    rules: RuleSet, hand: str, too_little: str, enough: str | None
) -> None:
    held = position(hands={0: hand}, rules=rules)
    held.refuses(f"0 opens {too_little}", IllegalHere, "POINTS_NOT_REACHED", "E-4")
    if enough:
        held.does(f"0 opens {enough}")
        assert held.deal.opened_turn[0] == held.deal.turn_number


@pytest.mark.clause("E-4", "E-3")
def test_a_joker_in_an_opening_counts_as_the_card_that_it_stands_for() -> None:
    held = european(hands={0: "9H JH QH * 2C"})
    # As the ten the run is worth 39 points, at the high end as the king there is no run.
    held.refuses("0 opens 9H-*-JH-QH", IllegalHere, "POINTS_NOT_REACHED", "E-4")
    ace = european(hands={0: "JH QH KH * 2C"})
    ace.does("0 opens JH-QH-KH-*")
    low = european(hands={0: "JH QH KH * 2C"})
    low.does("0 opens *-JH-QH-KH")
    high = american(hands={0: "JH QH KH * 2C 3C"})
    high.refuses("0 opens JH-QH-KH-*", IllegalHere, "POINTS_NOT_REACHED", "E-4")  # 45


@pytest.mark.clause("E-4", "E-3")
def test_the_place_of_a_joker_decides_between_39_and_40_points() -> None:
    hand = "KC KD KS 3H 4H * 2C"
    low = european(hands={0: hand})
    low.refuses("0 opens KC KD KS / *-3H-4H", IllegalHere, "POINTS_NOT_REACHED", "E-4")
    low.does("0 opens KC KD KS / 3H-4H-*")


# --- E-5: in one turn and in one command ----------------------------------------------------------


@pytest.mark.clause("E-5")
def test_an_opening_may_have_any_number_of_melds() -> None:
    held = european(hands={0: "2C 2D 2H 3C 3D 3H 4C 4D 4H 5C 5D 5H 9S"})
    held.refuses("0 opens 2C 2D 2H / 3C 3D 3H / 4C 4D 4H", IllegalHere, "POINTS_NOT_REACHED", "E-4")
    held.does("0 opens 2C 2D 2H / 3C 3D 3H / 4C 4D 4H / 5C 5D 5H")  # 42
    assert len(held.deal.melds) == 4


@pytest.mark.clause("E-5")
def test_a_small_meld_alone_is_no_first_step() -> None:
    held = european(hands={0: "KC KD KH QC QD QH 2C"})
    held.refuses("0 opens KC KD KH", IllegalHere, "POINTS_NOT_REACHED", "E-4")
    held.refuses("0 melds KC KD KH", IllegalHere, "NOT_OPENED", "E-5")
    held.does("0 opens KC KD KH / QC QD QH")


@pytest.mark.clause("E-5")
def test_lay_offs_after_the_opening_are_no_part_of_it() -> None:
    held = european(hands={0: "KC KD KH QC QD AH 2C"}, table=["1: JH-QH-KH", "1: QH QS *"])
    held.refuses("0 opens KC KD KH / QC QD", IllegalHere, "SET_TOO_SHORT", "E-22")
    held.refuses("0 lays QC on 1", IllegalHere, "NOT_OPENED", "E-6")
    assert held.deal.opened_turn[0] == 0


@pytest.mark.clause("E-5")
def test_once_opened_a_meld_may_be_worth_anything_and_comes_alone() -> None:
    held = european(hands={0: "TH JH QH KH 2C 2D 2H 3C 3D 3H 9S"})
    held.does("0 opens TH-JH-QH-KH")
    held.refuses("0 opens 2C 2D 2H / 3C 3D 3H", IllegalHere, "ALREADY_OPENED", "E-5")
    held.refuses("0 melds 2C 2D 2H / 3C 3D 3H", Malformed, "ONE_MELD_EACH", "E-5")
    held.all("0 melds 2C 2D 2H", "0 melds 3C 3D 3H")
    assert held.hand(0) == "9S"


@pytest.mark.clause("E-5")
def test_an_opening_of_nothing_is_none() -> None:
    held = european(hands={0: "TH JH QH KH 2C"})
    with pytest.raises(IllegalHere, match="POINTS_NOT_REACHED"):
        engine.check(held.deal, 0, Action(ActionKind.OPEN))


@pytest.mark.clause("E-5")
def test_one_bad_meld_refuses_the_whole_opening() -> None:
    held = european(hands={0: "TH JH QH KH 2C 2D 3H 9S"})
    held.refuses("0 opens TH-JH-QH-KH / 2C 2D 3H", IllegalHere, "SET_RANKS_DIFFER", "X-1")
    held.refuses("0 opens TH-JH-QH-KH / 2C 2D", IllegalHere, "SET_TOO_SHORT", "E-22")
    held.refuses("0 opens TH-JH-QH-KH / KH 2C 2D", Malformed, "REPEATED_CARD", "X-2")
    held.does("0 opens TH-JH-QH-KH")


# --- E-6: lay-offs do not count -------------------------------------------------------------------


@pytest.mark.clause("E-6")
@pytest.mark.parametrize("rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id)
def test_nothing_is_laid_off_before_the_opening_to_reach_the_points(rules: RuleSet) -> None:
    # With the ace on the table's run the hand would have its points.
    held = position(hands={0: "KC KD KH 2S 2D 2C AH 9S"}, table=["1: JH-QH-KH"], rules=rules)
    held.refuses("0 lays AH on 0", IllegalHere, "NOT_OPENED", "E-6")
    held.refuses("0 opens KC KD KH / 2S 2D 2C", IllegalHere, "POINTS_NOT_REACHED", "E-4")
    assert not held.lists("0 lays AH on 0 high")


@pytest.mark.clause("E-6")
def test_in_the_turn_of_the_opening_lay_offs_follow_it() -> None:
    held = european(hands={0: "TC JC QC KC AH 9S"}, table=["1: JH-QH-KH"])
    held.refuses("0 lays AH on 0", IllegalHere, "NOT_OPENED", "E-6")
    held.all("0 opens TC-JC-QC-KC", "0 lays AH on 0")
    assert held.meld(0) == "JH-QH-KH-AH"


@pytest.mark.clause("E-6")
def test_the_example_of_the_source_needs_forty_points_before_building() -> None:
    held = european(hands={0: "9H 2C"}, table=["1: 6H-7H-8H"], opened=[1])
    held.refuses("0 lays 9H on 0", IllegalHere, "NOT_OPENED", "E-6")
    opened = european(hands={0: "9H 2C"}, table=["1: 6H-7H-8H"], opened=[0])
    opened.does("0 lays 9H on 0")


# --- E-28: no run is asked for, nor a meld without jokers -----------------------------------------


@pytest.mark.clause("E-28")
@pytest.mark.parametrize(
    ("rules", "melds"),
    [
        (KALUKI_EUROPEAN, "KC KD KH KS"),
        (KALUKI_EUROPEAN, "KC KD * / QC QD *2"),
        (KALUKI_EUROPEAN, "JC-QC-* / 4D-5D-*2"),
        (KALUKI_AMERICAN, "KC KD * / QC QD *2"),
        (KALUKI_AMERICAN, "AC * *2 / 2C 2D 2H"),
    ],
)
def test_sets_alone_open_and_every_meld_may_hold_jokers(rules: RuleSet, melds: str) -> None:
    hand = melds.replace("/", " ").replace("-", " ") + " 9S"
    held = position(hands={0: hand}, rules=rules)
    held.does(f"0 opens {melds}")
    assert held.hand(0) == "9S"
