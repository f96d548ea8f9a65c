"""B-11, B-12, B-14, B-17, B-27: a turn after the opening, and the turn of the opening."""

from __future__ import annotations

import pytest

from rummy_arena.game.actions import ActionKind
from rummy_arena.game.engine import kinds
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.events import DealEnd, LaidOff
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.kalooki_bonus import KALOOKI_BONUS
from tests.spec.positions import Position, position

THREE_SETS = "KS KH KD QS QH QD 6S 6H 6D"
OPENING = "0 opens KS KH KD / QS QH QD / 6S 6H 6D"


def playing(hand: str, *table: str, opened: bool = True, phase: Phase = Phase.PLAY) -> Position:
    """Return a position of seat 0's turn; it has drawn unless the phase says otherwise."""
    return position(
        rules=KALOOKI_BONUS,
        hands={0: hand},
        table=table,
        opened=[0] if opened else [],
        phase=phase,
        pile="TH",
    )


# --- B-11: either end -----------------------------------------------------------------------------


@pytest.mark.clause("B-11")
@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize(
    ("card", "end", "meld"), [("4H", 0, "4H-5H-6H-7H-8H"), ("9H", 1, "5H-6H-7H-8H-9H")]
)
def test_a_run_grows_at_both_ends_whoever_owns_it(
    owner: int, card: str, end: int, meld: str
) -> None:
    held = playing(f"{card} 2C", f"{owner}: 5H-6H-7H-8H")
    (laid,) = held.does(f"0 lays {card} on 0")
    assert isinstance(laid, LaidOff)
    assert (laid.end, held.meld(0), held.deal.melds[0].owner) == (end, meld, owner)


@pytest.mark.clause("B-11")
@pytest.mark.parametrize("card", ["4D", "9D", "TH", "3H", "8H"])
def test_what_does_not_continue_the_run_is_refused_at_either_end(card: str) -> None:
    held = playing(f"{card} 4H 2C", "1: 5H-6H-7H-8H")
    for end in ("", " low", " high"):
        held.refuses(f"0 lays {card} on 0{end}", IllegalHere, "CARD_DOES_NOT_FIT", "B-11")
    held.refuses("0 lays 4H on 0 high", IllegalHere, "CARD_DOES_NOT_FIT", "B-11")
    held.does("0 lays 4H on 0 low")


@pytest.mark.clause("B-11")
def test_a_joker_fits_both_ends_so_the_player_names_one() -> None:
    for end, meld in (("low", "*-5H-6H-7H-8H"), ("high", "5H-6H-7H-8H-*")):
        held = playing("* 2C", "1: 5H-6H-7H-8H")
        held.refuses("0 lays * on 0", IllegalHere, "END_NEEDED", "B-11")
        assert held.lists(f"0 lays * on 0 {end}")
        held.does(f"0 lays * on 0 {end}")
        assert held.meld(0) == meld


@pytest.mark.clause("B-11", "B-8")
def test_beside_a_joker_no_other_joker_is_laid() -> None:
    held = playing("* 2C", "1: *-5H-6H-7H")
    held.refuses("0 lays * on 0 low", IllegalHere, "JOKERS_ADJACENT", "B-8")
    held.does("0 lays * on 0")
    assert held.meld(0) == "*-5H-6H-7H-*"
    both = playing("*3 8H 2C", "1: *-5H-6H-7H-*")
    both.refuses("0 lays *3 on 0", IllegalHere, "JOKERS_ADJACENT", "B-8")
    both.refuses("0 lays 8H on 0", IllegalHere, "CARD_DOES_NOT_FIT", "B-11")


@pytest.mark.clause("B-11")
def test_an_ace_fits_both_ends_of_the_run_from_two_to_king() -> None:
    twelve = "-".join(f"{rank}H" for rank in "23456789TJQK")
    for end, low in (("low", 0), ("high", 1)):
        held = position(rules=KALOOKI_BONUS, hands={0: "AH 2C"}, table=[f"0: {twelve}"], pile="4S")
        held.refuses("0 lays AH on 0", IllegalHere, "END_NEEDED", "B-11")
        held.does(f"0 lays AH on 0 {end}")
        assert held.deal.melds[0].low == low


@pytest.mark.clause("B-11")
def test_an_end_at_an_ace_is_shut_and_the_other_is_open() -> None:
    low = playing("5H *  KH 2C", "1: AH-2H-3H-4H")
    low.refuses("0 lays * on 0 low", IllegalHere, "WRONG_END", "B-11")
    low.refuses("0 lays KH on 0", IllegalHere, "CARD_DOES_NOT_FIT", "B-11")
    low.does("0 lays 5H on 0")
    high = playing("TH * 2H 2C", "1: JH-QH-KH-AH")
    high.refuses("0 lays * on 0 high", IllegalHere, "WRONG_END", "B-11")
    high.refuses("0 lays 2H on 0", IllegalHere, "CARD_DOES_NOT_FIT", "B-11")
    high.does("0 lays * on 0")
    assert high.meld(0) == "*-JH-QH-KH-AH"


@pytest.mark.clause("B-11")
def test_a_set_grows_by_its_rank_in_any_suit_and_without_a_limit() -> None:
    held = playing("KS2 KC1 KC2 KH2 QC 2C", "1: KS KH KD")
    held.refuses("0 lays QC on 0", IllegalHere, "RANK_DOES_NOT_FIT", "B-11")
    held.all("0 lays KS2 on 0", "0 lays KC1 on 0", "0 lays KC2 on 0", "0 lays KH2 on 0")
    assert held.meld(0) == "KS KH KD KS KC KC KH"


@pytest.mark.clause("B-11", "X-20")
def test_cards_go_one_by_one_on_one_meld_that_exists() -> None:
    held = playing("9H TH 4H 2C", "1: 5H-6H-7H-8H")
    held.refuses("0 lays TH on 0", IllegalHere, "CARD_DOES_NOT_FIT", "B-11")
    held.refuses("0 lays 9H on 1", Malformed, "UNKNOWN_MELD", "X-20")
    held.all("0 lays 9H on 0", "0 lays TH on 0", "0 lays 4H on 0", "0 discards 2C")
    assert held.meld(0) == "4H-5H-6H-7H-8H-9H-TH"


# --- B-12: new melds before lay-offs --------------------------------------------------------------


@pytest.mark.clause("B-12")
def test_further_melds_are_laid_one_by_one_in_any_later_turn() -> None:
    held = playing("9C 9D 9H 3S 4S 5S 6S 2C", "0: KS KH KD")
    held.all("0 melds 9C 9D 9H", "0 melds 3S-4S-5S-6S", "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("B-12")
def test_two_melds_are_two_actions() -> None:
    held = playing("9C 9D 9H 3S 4S 5S 6S 2C", "0: KS KH KD")
    both = "0 melds 9C 9D 9H / 3S-4S-5S-6S"
    held.refuses(both, Malformed, "ONE_MELD_EACH", "B-12")
    held.does("0 melds 9C 9D 9H")


@pytest.mark.clause("B-12")
@pytest.mark.parametrize(
    "first", ["0 lays KC on 0", "0 lays JC on 1 high", "0 moves 9C in 1 low", "0 lays 9D on 2"]
)
def test_after_a_lay_off_or_a_joker_move_no_new_meld_that_turn(first: str) -> None:
    table = ["0: KS KH KD", "0: 7C-8C-*-TC", "1: 9S 9H 9S"]
    held = playing("KC JC 9C 9D 5C 5D 5H 2C 3C", *table)
    assert ActionKind.MELD in kinds(held.deal, 0)
    held.does(first)
    assert ActionKind.MELD not in kinds(held.deal, 0)
    held.refuses("0 melds 5C 5D 5H", IllegalHere, "MELD_AFTER_LAY_OFF", "B-12")
    fresh = playing("KC JC 9C 9D 5C 5D 5H 2C 3C", *table)
    fresh.all("0 melds 5C 5D 5H", first)


@pytest.mark.clause("B-12")
def test_in_the_next_turn_new_melds_are_free_again() -> None:
    held = position(
        rules=KALOOKI_BONUS,
        hands={0: "KC 5C 5D 5H 2C 3C 4H", 1: "2D 3D", 2: "JD QD"},
        table=["0: KS KH KD", "1: 6C 6D 6H", "2: 7C 7D 7H"],
    )
    held.all("0 lays KC on 0", "0 discards 2C", "1 takes", "1 discards 2D")
    held.all("2 takes", "2 discards JD", "0 takes", "0 melds 5C 5D 5H")
    assert held.meld(3) == "5C 5D 5H"


@pytest.mark.clause("B-12")
def test_the_lay_offs_of_others_do_not_bind() -> None:
    held = position(
        rules=KALOOKI_BONUS,
        hands={0: "KC 2C 3C", 1: "5C 5D 5H 2D"},
        table=["0: KS KH KD", "1: 6C 6D 6H", "2: 7C 7D 7H"],
    )
    held.all("0 lays KC on 0", "0 discards 2C", "1 takes", "1 melds 5C 5D 5H")


@pytest.mark.clause("B-12")
def test_lay_offs_themselves_go_on() -> None:
    held = playing("KC KS2 9H 4H 2C", "0: KS KH KD", "1: 5H-6H-7H-8H")
    held.all("0 lays KC on 0", "0 lays 9H on 1", "0 lays KS2 on 0", "0 lays 4H on 1")
    assert held.hand(0) == "2C"


# --- B-27: the turn of the opening ----------------------------------------------------------------


@pytest.mark.clause("B-27", "B-12")
def test_who_has_just_opened_melds_and_lays_off_in_that_turn() -> None:
    held = playing(f"{THREE_SETS} KC 9C 9D 9H 2C", "1: JS JH JD", opened=False)
    held.all(OPENING, "0 melds 9C 9D 9H", "0 lays KC on 1", "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("B-27", "B-12")
def test_a_lay_off_in_the_turn_of_the_opening_ends_its_melds_too() -> None:
    held = playing(f"{THREE_SETS} JC 9C 9D 9H 2C", "1: JS JH JD", opened=False)
    held.all(OPENING, "0 lays JC on 0")
    held.refuses("0 melds 9C 9D 9H", IllegalHere, "MELD_AFTER_LAY_OFF", "B-12")


@pytest.mark.clause("B-27")
@pytest.mark.parametrize("command", ["0 lays JC on 0", "0 melds 9C 9D 9H"])
def test_nothing_is_laid_before_the_opening(command: str) -> None:
    held = playing(f"{THREE_SETS} JC 9C 9D 9H 2C", "1: JS JH JD", opened=False)
    held.refuses(command, IllegalHere, "NOT_OPENED", "B-27")
    held.all(OPENING, command)


# --- B-17: the pile after the opening -------------------------------------------------------------


@pytest.mark.clause("B-17")
def test_an_opened_player_takes_the_top_of_the_pile() -> None:
    held = playing("2C 3C", "0: KS KH KD", phase=Phase.DRAW)
    assert held.lists("0 takes")
    assert held.lists("0 draws")
    held.does("0 takes")
    assert held.hand(0).split()[-1] == "TH"


@pytest.mark.clause("B-17", "X-6")
def test_only_the_top_is_taken_and_only_once() -> None:
    held = position(
        rules=KALOOKI_BONUS, hands={0: "2C 3C"}, opened=[0], phase=Phase.DRAW, pile="9S TH"
    )
    held.does("0 takes")
    assert "9S" not in held.hand(0).split()
    held.refuses("0 takes", IllegalHere, "WRONG_PHASE", "X-14")
    empty = position(rules=KALOOKI_BONUS, hands={0: "2C"}, phase=Phase.DRAW, pile="")
    empty.refuses("0 takes", IllegalHere, "PILE_EMPTY", "X-6")


@pytest.mark.clause("B-17", "X-8")
@pytest.mark.parametrize("opened", [(), (0,)])
def test_the_card_just_taken_may_be_discarded_again(opened: tuple[int, ...]) -> None:
    held = position(
        rules=KALOOKI_BONUS, hands={0: "2C 3C"}, opened=opened, phase=Phase.DRAW, pile="9S"
    )
    held.does("0 takes")
    assert held.lists("0 discards 9S")
    held.does("0 discards 9S")


# --- B-14: the last card --------------------------------------------------------------------------


@pytest.mark.clause("B-14")
@pytest.mark.parametrize(
    ("hand", "command"),
    [
        ("KC", "0 lays KC on 0"),
        ("9C 9D 9H", "0 melds 9C 9D 9H"),
        ("9C TC JC QC", "0 melds 9C-TC-JC-QC"),
        ("2C", "0 discards 2C"),
        ("KC", "0 discards KC"),
    ],
)
def test_the_last_card_is_melded_laid_off_or_discarded(hand: str, command: str) -> None:
    held = playing(hand, "0: KS KH KD")
    held.does(command)
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)
    held.refuses("1 draws", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("B-14")
def test_the_opening_alone_may_empty_the_hand() -> None:
    held = playing(THREE_SETS, opened=False)
    held.does(OPENING)
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("B-14")
def test_a_card_that_is_left_must_be_discarded_and_one_that_stays_keeps_the_deal_going() -> None:
    held = playing("2C 3C", "0: KS KH KD")
    held.refuses("0 ends", IllegalHere, "DISCARD_REQUIRED", "B-15")
    held.does("0 discards 2C")
    assert held.deal.outcome is None
