"""B-10, B-15: jokers that move within a run, and hands of jokers alone."""

from __future__ import annotations

import pytest

from rummy_arena.game.actions import ActionKind
from rummy_arena.game.engine import kinds, standard_move
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.events import DealEnd, JokerMoved, TurnEnded
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.kalooki_bonus import KALOOKI_BONUS
from tests.spec.positions import Position, plain, position

SUIT = tuple(f"{rank}H" for rank in "A23456789TJQK")


def playing(hand: str, *table: str) -> Position:
    """Return a position in which seat 0 has opened, holds the hand and has drawn."""
    return position(rules=KALOOKI_BONUS, hands={0: hand}, table=table, opened=[0])


# --- B-10: who moves a joker, and when ------------------------------------------------------------


@pytest.mark.clause("B-10")
def test_the_owner_moves_the_joker_of_a_run_from_an_earlier_turn() -> None:
    held = playing("9H 2C", "0: 8H-*-TH-JH")
    (moved,) = held.does("0 moves 9H in 0 high")
    assert isinstance(moved, JokerMoved)
    assert (moved.seat, moved.target, plain([moved.card])) == (0, 0, "9H")
    assert (held.meld(0), held.hand(0)) == ("8H-9H-TH-JH-*", "2C")


@pytest.mark.clause("B-10")
@pytest.mark.parametrize("end", ["", " low", " high"])
def test_nobody_moves_the_joker_of_another(end: str) -> None:
    held = playing("9H 2C", "1: 8H-*-TH-JH")
    held.refuses(f"0 moves 9H in 0{end}", IllegalHere, "NOT_OWN_RUN", "B-10")


@pytest.mark.clause("B-10")
def test_a_run_of_the_opening_waits_for_the_next_turn() -> None:
    hand = "4C 5C 6C 7C 8D * TD JD AH 2H 3H 4H 9D 2C 3C"
    held = position(
        rules=KALOOKI_BONUS, contract=4, hands={0: hand, 1: "2D 3D", 2: "KD QD"}, stock="7S 8S 9S"
    )
    held.does("0 opens 4C-5C-6C-7C / 8D-*-TD-JD / AH-2H-3H-4H")
    for end in ("low", "high"):
        held.refuses(f"0 moves 9D in 1 {end}", IllegalHere, "RUN_TOO_NEW", "B-10")
    held.all("0 discards 2C", "2 passes", "1 takes", "1 discards 2D")
    held.all("2 takes", "2 discards KD", "1 passes", "0 draws", "0 moves 9D in 1 low")
    assert held.meld(1) == "*-8D-9D-TD-JD"


@pytest.mark.clause("B-10")
def test_a_later_run_waits_too_while_an_older_one_does_not() -> None:
    held = playing("8D * TD JD 9D 9H 2C", "0: 8H-*-TH-JH")
    held.does("0 melds 8D-*-TD-JD")
    held.refuses("0 moves 9D in 1 low", IllegalHere, "RUN_TOO_NEW", "B-10")
    held.does("0 moves 9H in 0 low")


@pytest.mark.clause("B-10")
def test_the_owner_keeps_the_right_after_others_added_to_the_run() -> None:
    held = position(
        rules=KALOOKI_BONUS,
        hands={0: "QH * 7D 2D", 1: "9H KH 2C"},
        table=["1: 8H-*-TH-JH"],
        opened=[0],
        pile="4S",
    )
    held.all("0 lays QH on 0", "0 lays * on 0 low", "0 discards 7D", "2 passes", "1 draws")
    held.refuses("1 moves 9H in 0 low", IllegalHere, "JOKERS_ADJACENT", "B-10")
    held.does("1 moves 9H in 0 high")
    assert held.meld(0) == "*-8H-9H-TH-JH-QH-*"


@pytest.mark.clause("B-10")
def test_a_joker_that_another_laid_on_the_run_is_the_owners_to_move() -> None:
    held = playing("QH 2C", "0: 8H-9H-TH-JH-*")
    held.does("0 moves QH in 0 low")
    assert held.meld(0) == "*-8H-9H-TH-JH-QH"


@pytest.mark.clause("B-10")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_joker_in_a_set_stays(owner: int) -> None:
    held = playing("QD 2C", f"{owner}: QS QH *")
    held.refuses("0 moves QD in 0", IllegalHere, "JOKER_FIXED_IN_SET", "B-10")
    held.does("0 lays QD on 0")


@pytest.mark.clause("B-10")
@pytest.mark.parametrize("card", ["9D", "8H", "QH", "*"])
def test_only_the_exact_natural_replaces_a_joker(card: str) -> None:
    held = playing("9H 9D 8H QH * 2C", "0: 8H-*-TH-JH")
    held.refuses(f"0 moves {card} in 0 low", IllegalHere, "NO_JOKER_FOR_CARD", "B-10")
    held.does("0 moves 9H in 0 low")


@pytest.mark.clause("B-10")
def test_the_natural_must_be_held_and_the_joker_is_not_taken_into_the_hand() -> None:
    held = playing("2C 3C TC 9H", "0: 8H-*-TH-JH")
    held.refuses("0 moves JH in 0", Malformed, "CARD_NOT_HELD", "X-2")
    held.refuses("0 trades 9H in 0 onto 0 high", IllegalHere, "JOKER_IS_NOT_TAKEN", "B-10")


@pytest.mark.clause("B-10", "B-27")
def test_it_needs_an_opening() -> None:
    held = position(rules=KALOOKI_BONUS, hands={0: "9H 2C"}, table=["1: 8H-*-TH-JH"])
    held.refuses("0 moves 9H in 0 low", IllegalHere, "NOT_OPENED", "B-27")


# --- B-10: where the joker goes -------------------------------------------------------------------


@pytest.mark.clause("B-10")
@pytest.mark.parametrize(
    ("end", "meld", "low"), [("low", "*-8H-9H-TH-JH", 6), ("high", "8H-9H-TH-JH-*", 7)]
)
def test_the_owner_names_the_end(end: str, meld: str, low: int) -> None:
    held = playing("9H 2C", "0: 8H-*-TH-JH")
    held.refuses("0 moves 9H in 0", IllegalHere, "END_NEEDED", "B-11")
    assert held.lists(f"0 moves 9H in 0 {end}")
    held.does(f"0 moves 9H in 0 {end}")
    assert (held.meld(0), held.deal.melds[0].low) == (meld, low)


@pytest.mark.clause("B-10")
def test_the_end_needs_no_name_where_one_alone_is_free() -> None:
    high_ace = playing("QH 2C", "0: JH-*-KH-AH")
    high_ace.refuses("0 moves QH in 0 high", IllegalHere, "WRONG_END", "B-11")
    high_ace.does("0 moves QH in 0")
    assert high_ace.meld(0) == "*-JH-QH-KH-AH"
    low_ace = playing("2H 7C", "0: AH-*-3H-4H")
    low_ace.refuses("0 moves 2H in 0 low", IllegalHere, "WRONG_END", "B-11")
    low_ace.does("0 moves 2H in 0")
    assert low_ace.meld(0) == "AH-2H-3H-4H-*"


@pytest.mark.clause("B-10", "B-8")
def test_the_six_waits_for_a_nine_on_top_before_its_joker_goes_high() -> None:
    hand = "6H 8H 9H 2C"
    held = playing(hand, "0: 5H-*-7H-*")
    held.refuses("0 moves 6H in 0 high", IllegalHere, "JOKERS_ADJACENT", "B-10")
    held.all("0 lays 9H on 0", "0 moves 6H in 0 high")
    assert held.meld(0) == "5H-6H-7H-*-9H-*"
    low = playing(hand, "0: 5H-*-7H-*")
    low.does("0 moves 6H in 0")
    assert low.meld(0) == "*-5H-6H-7H-*"
    eight = playing(hand, "0: 5H-*-7H-*")
    eight.does("0 moves 8H in 0 high")
    assert eight.meld(0) == "5H-*-7H-8H-*"


@pytest.mark.clause("B-10", "B-8")
def test_with_an_ace_below_the_joker_has_no_other_way() -> None:
    held = playing("2H 5H 7C", "0: AH-*-3H-*")
    held.refuses("0 moves 2H in 0", IllegalHere, "JOKERS_ADJACENT", "B-10")
    held.all("0 lays 5H on 0", "0 moves 2H in 0")
    assert held.meld(0) == "AH-2H-3H-*-5H-*"


@pytest.mark.clause("B-10", "B-8")
def test_between_jokers_at_both_ends_nothing_moves() -> None:
    held = playing("9H 6H 2C", "0: *-7H-8H-*-TH-*")
    for end in ("", " low", " high"):
        held.refuses(f"0 moves 9H in 0{end}", IllegalHere, "JOKERS_ADJACENT", "B-10")
    held.does("0 moves 6H in 0 low")
    assert held.meld(0) == "*-6H-7H-8H-*-TH-*"


@pytest.mark.clause("B-10")
def test_the_joker_of_an_end_goes_to_the_other_end_or_on() -> None:
    for end, meld in (("high", "7H-8H-9H-TH-*"), ("low", "*-7H-8H-9H-TH")):
        held = playing("7H 2C", "0: *-8H-9H-TH")
        held.does(f"0 moves 7H in 0 {end}")
        assert held.meld(0) == meld


@pytest.mark.clause("B-10")
def test_a_joker_for_an_ace_moves_to_the_end_that_is_left() -> None:
    high = playing("AH 2C", "0: JH-QH-KH-*")
    high.does("0 moves AH in 0")
    assert high.meld(0) == "*-JH-QH-KH-AH"
    low = playing("AH 2C", "0: *-2H-3H-4H")
    low.does("0 moves AH in 0")
    assert low.meld(0) == "AH-2H-3H-4H-*"


@pytest.mark.clause("B-10")
def test_no_joker_moves_in_a_run_of_fourteen() -> None:
    thirteen = "-".join("*" if card == "4H" else card for card in SUIT)
    held = playing("4H AH 2C", f"0: {thirteen}")
    held.does("0 lays AH on 0")
    held.refuses("0 moves 4H in 0", IllegalHere, "RUN_CLOSED", "B-10")
    earlier = playing("4H AH 2C", f"0: {thirteen}")
    earlier.does("0 moves 4H in 0")
    assert earlier.meld(0) == "-".join([*SUIT, "*"])


@pytest.mark.clause("B-10", "B-14")
def test_a_joker_move_may_empty_the_hand() -> None:
    held = playing("9H", "0: 8H-*-TH-JH")
    held.does("0 moves 9H in 0 low")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


# --- B-15: jokers are not discarded ---------------------------------------------------------------


@pytest.mark.clause("B-15")
@pytest.mark.parametrize("opened", [(), (0,)])
def test_a_joker_is_not_discarded_opened_or_not(opened: tuple[int, ...]) -> None:
    held = position(rules=KALOOKI_BONUS, hands={0: "* 2C"}, opened=opened)
    held.refuses("0 discards *", IllegalHere, "JOKER_DISCARD", "B-15")
    held.does("0 discards 2C")


@pytest.mark.clause("B-15")
def test_not_even_when_a_joker_was_melded_before() -> None:
    held = playing("*2 2C", "0: 8H-*1-TH-JH")
    held.refuses("0 discards *2", IllegalHere, "JOKER_DISCARD", "B-15")
    held.all("0 lays *2 on 0 high", "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("B-15")
def test_a_hand_of_one_joker_ends_its_turn_without_a_discard_and_no_window_opens() -> None:
    held = playing("*")
    assert ActionKind.DISCARD not in kinds(held.deal, 0)
    assert held.lists("0 ends")
    held.refuses("0 discards *", IllegalHere, "JOKER_DISCARD", "B-15")
    assert held.does("0 ends") == [TurnEnded(0)]
    assert (held.phase(), held.deal.turn, held.hand(0)) == (Phase.DRAW, 1, "*")
    assert plain([held.deal.top]) == "9S"


@pytest.mark.clause("B-15")
def test_who_holds_a_natural_must_discard() -> None:
    held = playing("*1 *2 2C")
    held.refuses("0 ends", IllegalHere, "DISCARD_REQUIRED", "B-15")
    assert not held.lists("0 ends")
    held.does("0 discards 2C")


@pytest.mark.clause("B-15", "B-14")
def test_a_last_joker_that_fits_may_be_laid_off_or_kept() -> None:
    kept = playing("*", "1: KS KH KD")
    kept.does("0 ends")
    assert kept.deal.outcome is None
    laid = playing("*", "1: KS KH KD")
    laid.does("0 lays * on 0")
    assert laid.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("B-15", "X-17")
def test_an_absent_seat_that_drew_a_joker_discards_its_most_expensive_natural() -> None:
    held = position(rules=KALOOKI_BONUS, hands={0: "AS KH 3C"}, phase=Phase.DRAW, stock="*")
    held.does("0 draws")
    assert standard_move(held.deal, 0) == held.action("0 discards AS")[1]


@pytest.mark.clause("B-15", "X-8", "X-5")
def test_a_joker_from_the_pile_stays_in_the_hand_and_a_natural_may_go_back() -> None:
    joker = position(
        rules=KALOOKI_BONUS, hands={0: "2C 3C"}, phase=Phase.DRAW, pile="*", turn_number=1
    )
    joker.does("0 takes")
    joker.refuses("0 discards *", IllegalHere, "JOKER_DISCARD", "B-15")
    natural = position(rules=KALOOKI_BONUS, hands={0: "2C 3C"}, phase=Phase.DRAW, pile="9S")
    natural.all("0 takes", "0 discards 9S")
    assert plain([natural.deal.top]) == "9S"
