"""J-11 to J-17: openings, sets, runs, and where cards may be laid off."""

from __future__ import annotations

import pytest

from rummy_arena.game.actions import ActionKind
from rummy_arena.game.engine import kinds
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.state import Phase
from tests.spec.positions import position

THREE_SETS = "KS KH KD QS QH QD 6S 6H 6D"

# --- J-11: the opening ----------------------------------------------------------------------------

CONTRACTS = [
    (1, "KS KH KD / QS QH QD / 6S 6H 6D"),
    (2, "KS KH KD / QS QH QD / 4C-5C-6C-7C"),
    (3, "KS KH KD / 4C-5C-6C-7C / 8D-9D-TD-JD"),
    (4, "4C-5C-6C-7C / 8D-9D-TD-JD / AH-2H-3H-4H"),
    (5, "KS KH KD / QS QH QD / 6S 6H 6D / 9S 9H 9D"),
    (6, "KS KH KD / QS QH QD / 6S 6H 6D / 8C-9C-TC-JC"),
    (7, "KS KH KD / QS QH QD / 4C-5C-6C-7C / 8D-9D-TD-JD"),
    (8, "KS KH KD / 4C-5C-6C-7C / 8D-9D-TD-JD / AH-2H-3H-4H"),
    (9, "4C-5C-6C-7C / 8D-9D-TD-JD / AH-2H-3H-4H / JS-QS-KS-AS"),
]


@pytest.mark.clause("J-11")
@pytest.mark.parametrize(("contract", "melds"), CONTRACTS)
def test_each_contract_opens_with_its_sets_and_runs(contract: int, melds: str) -> None:
    hand = melds.replace("/", " ").replace("-", " ")
    held = position(contract=contract, hands={0: f"{hand} 2D"})
    assert kinds(held.deal, 0) == (ActionKind.OPEN, ActionKind.DISCARD)
    held.does(f"0 opens {melds}")
    assert held.deal.opened_turn[0] == held.deal.turn_number
    assert len(held.deal.melds) == melds.count("/") + 1


@pytest.mark.clause("J-11")
@pytest.mark.parametrize(("contract", "melds"), CONTRACTS)
def test_no_contract_opens_in_part_or_with_the_melds_of_another(contract: int, melds: str) -> None:
    hand = melds.replace("/", " ").replace("-", " ")
    held = position(contract=contract, hands={0: f"{hand} 2D"})
    part = melds.partition(" / ")[2]
    held.refuses(f"0 opens {part}", IllegalHere, "CONTRACT_NOT_MET", "J-11")
    other = position(contract=contract % 9 + 1, hands={0: f"{hand} 2D"})
    other.refuses(f"0 opens {melds}", IllegalHere, "CONTRACT_NOT_MET", "J-11")


@pytest.mark.clause("J-11")
def test_the_melds_of_an_opening_may_be_longer_but_not_more() -> None:
    hand = "KS KH KD KC QS QH QD 4C 5C 6C 7C 8C JS JH JD 2D"
    held = position(contract=2, hands={0: hand})
    held.refuses(
        "0 opens KS KH KD KC / QS QH QD / 4C-5C-6C-7C-8C / JS JH JD",
        IllegalHere,
        "CONTRACT_NOT_MET",
        "J-11",
    )
    held.does("0 opens KS KH KD KC / QS QH QD / 4C-5C-6C-7C-8C")
    assert (held.meld(0), held.meld(2)) == ("KS KH KD KC", "4C-5C-6C-7C-8C")
    held.does("0 melds JS JH JD")
    assert held.hand(0) == "2D"


@pytest.mark.clause("J-11")
@pytest.mark.parametrize(
    ("melds", "code"),
    [
        ("KS KH / QS QH QD / 4C-5C-6C-7C", "SET_TOO_SHORT"),
        ("KS KH KD / QS QH QD / 4C-5C-6C", "RUN_TOO_SHORT"),
    ],
)
def test_a_set_has_three_cards_and_a_run_four(melds: str, code: str) -> None:
    held = position(contract=2, hands={0: "KS KH KD QS QH QD 4C 5C 6C 7C 2D"})
    held.refuses(f"0 opens {melds}", IllegalHere, code, "J-11")
    held.does("0 opens KS KH KD / QS QH QD / 4C-5C-6C-7C")


@pytest.mark.clause("J-11")
def test_before_the_opening_nothing_is_laid_down_or_laid_off() -> None:
    held = position(hands={0: f"{THREE_SETS} KC 6C 2D"}, table=["1: KS KH KD", "2: 5C-*-7C-8C"])
    for command in ("0 melds QS QH QD", "0 lays KC on 0", "0 moves 6C in 1"):
        held.refuses(command, IllegalHere, "NOT_OPENED", "J-11")
    held.all("0 opens KS KD KC / QS QH QD / 6S 6H 6D", "0 moves 6C in 1")


@pytest.mark.clause("J-11")
def test_nobody_opens_twice_and_further_melds_go_down_one_by_one() -> None:
    held = position(hands={0: f"{THREE_SETS} 9S 9H 9D 2D"})
    held.does("0 opens KS KH KD / QS QH QD / 6S 6H 6D")
    held.refuses("0 opens 9S 9H 9D", IllegalHere, "ALREADY_OPENED", "J-11")
    held.refuses("0 melds 9S 9H 9D / 9S 9H 9D", Malformed, "ONE_MELD_EACH", "J-11")
    held.does("0 melds 9S 9H 9D")


@pytest.mark.clause("J-11")
def test_further_melds_may_be_of_either_kind_whatever_the_contract() -> None:
    held = position(hands={0: f"{THREE_SETS} 7C 8C 9C TC 2D"})
    held.all("0 opens KS KH KD / QS QH QD / 6S 6H 6D", "0 melds 7C-8C-9C-TC")
    assert held.meld(3) == "7C-8C-9C-TC"


# --- J-12: different ranks and suits, each owner for itself ---------------------------------------


@pytest.mark.clause("J-12")
def test_an_opening_has_sets_of_different_ranks() -> None:
    held = position(hands={0: "KS1 KH1 KD1 KS2 KH2 KD2 6S 6H 6D QC QD QH"})
    held.refuses(
        "0 opens KS1 KH1 KD1 / KS2 KH2 KD2 / 6S 6H 6D", IllegalHere, "SET_RANK_REPEATED", "J-12"
    )
    held.does("0 opens KS1 KH1 KD1 / QC QD QH / 6S 6H 6D")


@pytest.mark.clause("J-12")
def test_an_opening_has_runs_of_different_suits() -> None:
    held = position(contract=3, hands={0: "KS KH KD 4C 5C 6C 7C TC JC QC KC TD JD QD"})
    held.refuses(
        "0 opens KS KH KD / 4C-5C-6C-7C / TC-JC-QC-KC", IllegalHere, "RUN_SUIT_REPEATED", "J-12"
    )
    held.does("0 opens KS KH KC / 4C-5C-6C-7C / TD-JD-QD-KD")


@pytest.mark.clause("J-12")
def test_later_melds_count_as_well_but_others_do_not() -> None:
    table = ["0: KS KH KC", "0: 4C-5C-6C-7C", "1: QS QH QC", "1: 4D-5D-6D-7D"]
    hand = "KS KH KD TC JC QC KC QS QH TD JD QD KD 9D 2D"
    held = position(hands={0: hand}, table=table)
    held.refuses("0 melds KS KH KD", IllegalHere, "SET_RANK_REPEATED", "J-12")
    held.refuses("0 melds TC-JC-QC-KC", IllegalHere, "RUN_SUIT_REPEATED", "J-12")
    held.all("0 melds 9D-TD-JD-QD", "0 melds QS QH QC")
    held.refuses("0 melds KS KH KD", IllegalHere, "SET_RANK_REPEATED", "J-12")


# --- J-13: jokers in a set ------------------------------------------------------------------------


@pytest.mark.clause("J-13")
@pytest.mark.parametrize("text", ["QS QH *", "QS QH * *", "QS QH * * * *", "* QS * QH"])
def test_a_set_takes_any_number_of_jokers_beside_two_naturals(text: str) -> None:
    held = position(hands={0: "QS QH * * * * 2D"}, opened=[0])
    held.does(f"0 melds {text}")
    assert held.meld(0) == text


@pytest.mark.clause("J-13")
@pytest.mark.parametrize("text", ["QS * *", "QS * * *", "* * *"])
def test_a_set_with_fewer_naturals_is_refused(text: str) -> None:
    held = position(hands={0: "QS QH * * * * 2D"}, opened=[0])
    held.refuses(f"0 melds {text}", IllegalHere, "SET_NEEDS_NATURALS", "J-13")


@pytest.mark.clause("J-13")
def test_jokers_may_always_be_laid_off_on_a_set() -> None:
    held = position(hands={0: "* * * 2D"}, table=["1: QS QH *"], opened=[0])
    held.all("0 lays * on 0", "0 lays * on 0", "0 lays * on 0")
    assert held.meld(0) == "QS QH * * * *"


# --- J-14: no meld of jokers alone, no run with one natural ---------------------------------------


@pytest.mark.clause("J-14")
def test_a_run_has_two_naturals_at_least() -> None:
    held = position(hands={0: "AC 5C 7C * * * * 2D"}, opened=[0])
    held.refuses("0 melds *-*-*-*", IllegalHere, "RUN_NEEDS_NATURALS", "J-14")
    held.refuses("0 melds *-5C-*-*", IllegalHere, "JOKERS_ADJACENT", "J-15")
    held.refuses("0 melds *-*-*-AC", IllegalHere, "JOKERS_ADJACENT", "J-15")
    held.does("0 melds 5C-*-7C-*")


# --- J-15: jokers are never neighbours in a run ---------------------------------------------------


@pytest.mark.clause("J-15")
@pytest.mark.parametrize("text", ["8C-*-TC-*", "*-9C-*-JC", "9C-*-JC-*-KC", "*-9C-TC-*"])
def test_a_run_may_hold_jokers_apart(text: str) -> None:
    held = position(hands={0: "8C 9C TC JC KC * * 2D"}, opened=[0])
    held.does(f"0 melds {text}")
    assert held.meld(0) == text


@pytest.mark.clause("J-15")
@pytest.mark.parametrize("text", ["9C-*-*-QC", "*-*-TC-JC", "TC-JC-*-*", "8C-9C-*-*-QC"])
def test_a_run_may_not_hold_jokers_side_by_side(text: str) -> None:
    held = position(hands={0: "8C 9C TC JC QC * * 2D"}, opened=[0])
    held.refuses(f"0 melds {text}", IllegalHere, "JOKERS_ADJACENT", "J-15")


@pytest.mark.clause("J-15")
def test_a_joker_is_laid_off_on_a_natural_only() -> None:
    held = position(hands={0: "* * 9C 2D"}, table=["1: 5C-6C-7C-8C"], opened=[0])
    held.does("0 lays * on 0")
    held.refuses("0 lays * on 0", IllegalHere, "JOKERS_ADJACENT", "J-15")
    held.refuses("0 lays 9C on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")


@pytest.mark.clause("J-15")
def test_a_joker_at_the_low_end_keeps_others_off_when_that_end_opens() -> None:
    held = position(hands={0: "* TC 2D"}, table=["1: *-JC-QC-KC-AC"], opened=[0])
    held.refuses("0 lays * on 0", IllegalHere, "JOKERS_ADJACENT", "J-15")
    held.refuses("0 lays TC on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")


# --- J-16: upwards to the ace, then downwards -----------------------------------------------------


@pytest.mark.clause("J-16")
def test_a_run_grows_upwards_to_the_ace_and_then_downwards() -> None:
    held = position(hands={0: "QC KC AC TC 9C 2D"}, table=["1: 8C-9C-TC-JC"], opened=[0])
    held.all("0 lays QC on 0", "0 lays KC on 0", "0 lays AC on 0")
    assert held.meld(0) == "8C-9C-TC-JC-QC-KC-AC"
    held.refuses("0 lays 9C on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")
    down = position(hands={0: "TC 9C 2D"}, table=["1: JC-QC-KC-AC"], opened=[0])
    down.all("0 lays TC on 0", "0 lays 9C on 0")
    assert down.meld(0) == "9C-TC-JC-QC-KC-AC"


@pytest.mark.clause("J-16")
def test_before_the_ace_the_low_end_is_shut() -> None:
    held = position(hands={0: "7C KC QC 2D"}, table=["1: 8C-9C-TC-JC"], opened=[0])
    held.refuses("0 lays 7C on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")
    held.refuses("0 lays KC on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")
    held.does("0 lays QC on 0")


@pytest.mark.clause("J-16")
def test_only_the_suit_of_the_run_fits() -> None:
    held = position(hands={0: "QD QC 2D"}, table=["1: 8C-9C-TC-JC"], opened=[0])
    held.refuses("0 lays QD on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")
    held.does("0 lays QC on 0")


@pytest.mark.clause("J-16")
def test_a_joker_for_the_high_ace_opens_the_low_end() -> None:
    held = position(hands={0: "TC * 9C 2D"}, table=["1: JC-QC-KC-*"], opened=[0])
    held.all("0 lays TC on 0", "0 lays * on 0")
    assert held.meld(0) == "*-TC-JC-QC-KC-*"
    shut = position(hands={0: "TC AC 2D"}, table=["1: TC-JC-QC-KC"], opened=[0])
    shut.refuses("0 lays TC on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")
    shut.does("0 lays AC on 0")


@pytest.mark.clause("J-16")
def test_a_low_ace_does_not_open_the_low_end() -> None:
    held = position(hands={0: "KC 5C 2D"}, table=["1: AC-2C-3C-4C"], opened=[0])
    held.refuses("0 lays KC on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")
    held.does("0 lays 5C on 0")


@pytest.mark.clause("J-16")
def test_a_joker_laid_off_goes_to_the_open_end_as_well() -> None:
    held = position(hands={0: "* 2D"}, table=["1: 8C-9C-TC-JC"], opened=[0])
    held.does("0 lays * on 0")
    assert (held.meld(0), held.deal.melds[0].low) == ("8C-9C-TC-JC-*", 7)


@pytest.mark.clause("J-16")
def test_a_set_takes_its_rank_in_any_suit_and_nothing_else() -> None:
    held = position(hands={0: "QS QH JD 2D"}, table=["1: QS QH QD"], opened=[0])
    held.all("0 lays QS on 0", "0 lays QH on 0")
    held.refuses("0 lays JD on 0", IllegalHere, "RANK_DOES_NOT_FIT", "J-16")


@pytest.mark.clause("J-16")
def test_the_opening_itself_may_start_anywhere_with_jokers_at_either_end() -> None:
    hand = "* 3C 4C 5C TD JD QD * AH 2H 3H 4H 9S"
    held = position(contract=4, hands={0: hand})
    held.does("0 opens *-3C-4C-5C / TD-JD-QD-* / AH-2H-3H-4H")
    assert [meld.low for meld in held.deal.melds] == [1, 9, 0]


# --- J-17: from ace to ace ------------------------------------------------------------------------

ALL_BUT_ACE = "2C-3C-4C-5C-6C-7C-8C-9C-TC-JC-QC-KC"


@pytest.mark.clause("J-17")
def test_a_run_from_ace_to_ace_of_fourteen_is_legal_and_then_closed() -> None:
    held = position(hands={0: "AC * 2D"}, table=[f"1: AC-{ALL_BUT_ACE}"], opened=[0])
    held.does("0 lays AC on 0")
    assert len(held.deal.melds[0].cards) == 14
    held.refuses("0 lays * on 0", IllegalHere, "RUN_CLOSED", "J-17")


@pytest.mark.clause("J-17")
def test_one_of_its_aces_may_be_a_joker_and_it_may_grow_from_above() -> None:
    held = position(hands={0: "* KC 2D"}, table=[f"1: {ALL_BUT_ACE}-AC"], opened=[0])
    held.does("0 lays * on 0")
    assert held.meld(0) == f"*-{ALL_BUT_ACE}-AC"
    held.refuses("0 lays KC on 0", IllegalHere, "RUN_CLOSED", "J-17")


@pytest.mark.clause("J-17")
def test_it_may_be_laid_down_at_once_but_not_with_one_ace_at_both_ends_or_longer() -> None:
    hand = f"{ALL_BUT_ACE.replace('-', ' ')} AC1 AC2 * 2D"
    held = position(contract=9, hands={0: hand}, opened=[0])
    held.refuses(f"0 melds AC1-{ALL_BUT_ACE}-AC1", Malformed, "REPEATED_CARD", "X-2")
    held.refuses(f"0 melds AC1-{ALL_BUT_ACE}-AC2-*", IllegalHere, "RUN_LEAVES_ACES", "X-13")
    held.does(f"0 melds AC1-{ALL_BUT_ACE}-AC2")


@pytest.mark.clause("J-17")
@pytest.mark.parametrize("text", ["KC-AC-2C-3C", "QC-KC-AC-2C", "*-AC-2C-3C"])
def test_a_run_never_goes_round_the_corner(text: str) -> None:
    held = position(hands={0: "QC KC AC 2C 3C 4C * 9D"}, opened=[0], phase=Phase.PLAY)
    held.refuses(f"0 melds {text}", IllegalHere, "RUN_LEAVES_ACES", "X-13")
    held.does("0 melds AC-2C-3C-4C")
