"""J-18 to J-21: jokers that move within a run, and hands of jokers alone."""

from __future__ import annotations

import pytest

from rummy_arena.game.actions import ActionKind
from rummy_arena.game.engine import kinds
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.events import DealEnd, JokerMoved, TurnEnded
from rummy_arena.game.state import Outcome, Phase
from tests.spec.positions import plain, position

# --- J-18: who may replace a joker, and when ------------------------------------------------------


@pytest.mark.clause("J-18")
@pytest.mark.parametrize("owner", [0, 1])
def test_an_opened_player_moves_jokers_of_its_own_and_of_others(owner: int) -> None:
    held = position(hands={0: "9H 2C"}, table=[f"{owner}: 8H-*-TH-JH"], opened=[0])
    (moved,) = held.does("0 moves 9H in 0")
    assert isinstance(moved, JokerMoved)
    assert (moved.seat, moved.target, plain([moved.card])) == (0, 0, "9H")


@pytest.mark.clause("J-18")
def test_it_may_be_done_in_the_opening_turn_but_only_after_the_opening() -> None:
    hand = "KS KH KD QS QH QD 6S 6H 6D 9H 2C"
    held = position(hands={0: hand}, table=["1: 8H-*-TH-JH"])
    held.refuses("0 moves 9H in 0", IllegalHere, "NOT_OPENED", "J-11")
    held.all("0 opens KS KH KD / QS QH QD / 6S 6H 6D", "0 moves 9H in 0")
    assert held.hand(0) == "2C"


@pytest.mark.clause("J-18")
def test_a_joker_in_a_set_stays() -> None:
    held = position(hands={0: "QD 2C"}, table=["1: QS QH *"], opened=[0])
    held.refuses("0 moves QD in 0", IllegalHere, "JOKER_FIXED_IN_SET", "J-18")
    held.does("0 lays QD on 0")


@pytest.mark.clause("J-18")
@pytest.mark.parametrize("card", ["9D", "8H", "QH", "*"])
def test_only_the_exact_natural_replaces_a_joker(card: str) -> None:
    held = position(hands={0: "9H 9D 8H QH * 2C"}, table=["1: 8H-*-TH-JH"], opened=[0])
    held.refuses(f"0 moves {card} in 0", IllegalHere, "NO_JOKER_FOR_CARD", "J-18")
    held.does("0 moves 9H in 0")


@pytest.mark.clause("J-18")
def test_the_natural_must_be_held() -> None:
    held = position(hands={0: "2C 3C"}, table=["1: 8H-*-TH-JH"], opened=[0])
    held.refuses("0 moves 9H in 0", Malformed, "CARD_NOT_HELD", "X-2")


# --- J-19: where the joker goes -------------------------------------------------------------------


@pytest.mark.clause("J-19")
def test_the_joker_goes_to_the_high_end() -> None:
    held = position(hands={0: "9H 7H 2C"}, table=["1: 8H-*-TH-JH"], opened=[0])
    held.does("0 moves 9H in 0")
    assert (held.meld(0), held.deal.melds[0].low) == ("8H-9H-TH-JH-*", 7)
    held.refuses("0 lays 7H on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")


@pytest.mark.clause("J-19")
def test_the_joker_goes_to_the_low_end_when_the_ace_is_reached() -> None:
    held = position(hands={0: "QH 2C"}, table=["1: JH-*-KH-AH"], opened=[0])
    held.does("0 moves QH in 0")
    assert (held.meld(0), held.deal.melds[0].low) == ("*-JH-QH-KH-AH", 9)


@pytest.mark.clause("J-19")
def test_the_six_waits_until_a_natural_nine_is_on_top_and_the_eight_does_not() -> None:
    hand = "6H 8H 9H 2C"
    held = position(hands={0: hand}, table=["1: 5H-*-7H-*"], opened=[0])
    held.refuses("0 moves 6H in 0", IllegalHere, "JOKERS_ADJACENT", "J-19")
    held.all("0 lays 9H on 0", "0 moves 6H in 0")
    assert held.meld(0) == "5H-6H-7H-*-9H-*"
    other = position(hands={0: hand}, table=["1: 5H-*-7H-*"], opened=[0])
    other.does("0 moves 8H in 0")
    assert other.meld(0) == "5H-*-7H-8H-*"
    other.refuses("0 moves 6H in 0", IllegalHere, "JOKERS_ADJACENT", "J-19")


@pytest.mark.clause("J-19")
def test_a_joker_for_the_high_ace_goes_to_the_low_end() -> None:
    held = position(hands={0: "AH 2C"}, table=["1: JH-QH-KH-*"], opened=[0])
    held.does("0 moves AH in 0")
    assert held.meld(0) == "*-JH-QH-KH-AH"


@pytest.mark.clause("J-19")
def test_it_stays_when_a_joker_already_sits_at_the_low_end() -> None:
    held = position(hands={0: "AH QH 2C"}, table=["1: *-JH-QH-KH-*"], opened=[0])
    held.refuses("0 moves AH in 0", IllegalHere, "JOKERS_ADJACENT", "J-19")
    inner = position(hands={0: "QH 2C"}, table=["1: *-JH-*-KH-AH"], opened=[0])
    inner.refuses("0 moves QH in 0", IllegalHere, "JOKERS_ADJACENT", "J-19")


@pytest.mark.clause("J-19")
def test_the_joker_at_the_bottom_goes_up_or_back_to_the_bottom() -> None:
    up = position(hands={0: "7H 2C"}, table=["1: *-8H-9H-TH"], opened=[0])
    up.does("0 moves 7H in 0")
    assert up.meld(0) == "7H-8H-9H-TH-*"
    down = position(hands={0: "TH 2C"}, table=["1: *-JH-QH-KH-AH"], opened=[0])
    down.does("0 moves TH in 0")
    assert down.meld(0) == "*-TH-JH-QH-KH-AH"


@pytest.mark.clause("J-19")
def test_no_joker_moves_in_a_run_of_fourteen() -> None:
    table = "1: AH-2H-3H-*-5H-6H-7H-8H-9H-TH-JH-QH-KH"
    thirteen = position(hands={0: "4H AH 2C"}, table=[table], opened=[0])
    thirteen.does("0 lays AH on 0")
    thirteen.refuses("0 moves 4H in 0", IllegalHere, "RUN_CLOSED", "J-19")
    earlier = position(hands={0: "4H AH 2C"}, table=[table], opened=[0])
    earlier.does("0 moves 4H in 0")
    assert earlier.meld(0) == "AH-2H-3H-4H-5H-6H-7H-8H-9H-TH-JH-QH-KH-*"


@pytest.mark.clause("J-19")
def test_a_joker_for_the_low_ace_is_replaced_by_an_ace() -> None:
    held = position(hands={0: "AH 2C"}, table=["1: *-2H-3H-4H"], opened=[0])
    held.does("0 moves AH in 0")
    assert held.meld(0) == "AH-2H-3H-4H-*"


# --- J-20: a replacement spends a hand card -------------------------------------------------------


@pytest.mark.clause("J-20")
def test_a_replacement_may_empty_the_hand() -> None:
    held = position(hands={0: "9H"}, table=["1: 8H-*-TH-JH"], opened=[0])
    held.does("0 moves 9H in 0")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("J-20")
def test_the_joker_never_comes_into_the_hand() -> None:
    held = position(hands={0: "9H 2C"}, table=["1: 8H-*-TH-JH"], opened=[0])
    held.does("0 moves 9H in 0")
    assert held.hand(0) == "2C"
    held.refuses("0 lays * on 0", Malformed, "CARD_NOT_HELD", "X-2")


# --- J-21: only jokers left -----------------------------------------------------------------------


@pytest.mark.clause("J-21")
@pytest.mark.parametrize("hand", ["*", "* *"])
def test_a_hand_of_jokers_ends_the_turn_without_a_discard_or_a_window(hand: str) -> None:
    held = position(seats=4, hands={0: hand}, opened=[0], pile="9S")
    assert kinds(held.deal, 0)[-1] is ActionKind.END_TURN
    held.refuses("0 discards *", IllegalHere, "JOKER_DISCARD", "J-21")
    assert held.does("0 ends") == [TurnEnded(0)]
    assert (held.phase(), held.deal.turn, held.hand(0)) == (Phase.DRAW, 1, hand)
    assert plain(held.deal.discards) == "9S"


@pytest.mark.clause("J-21")
def test_whoever_holds_a_natural_must_discard_it() -> None:
    held = position(hands={0: "* 2C"}, opened=[0])
    held.refuses("0 ends", IllegalHere, "DISCARD_REQUIRED", "J-21")
    held.refuses("0 discards *", IllegalHere, "JOKER_DISCARD", "J-21")
    held.does("0 discards 2C")


@pytest.mark.clause("J-21")
def test_a_card_that_is_not_held_is_not_taken_for_a_joker() -> None:
    held = position(hands={0: "*"}, opened=[0])
    held.refuses("0 discards 2C", Malformed, "CARD_NOT_HELD", "X-2")


@pytest.mark.clause("J-21")
def test_a_last_joker_may_still_be_laid_off_where_it_fits() -> None:
    held = position(hands={0: "*"}, table=["1: QS QH QD"], opened=[0])
    held.does("0 lays * on 0")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)
