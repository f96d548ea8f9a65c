"""B-8, B-9, B-13, B-20 to B-22: contracts, openings, sets and runs."""

from __future__ import annotations

import pytest

from rummy_arena.game.actions import ActionKind
from rummy_arena.game.engine import kinds
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.melds import MeldKind
from rummy_arena.rulesets.kalooki_bonus import KALOOKI_BONUS
from tests.spec.positions import Position, position


def playing(hand: str, *table: str, contract: int = 1, opened: bool = True) -> Position:
    """Return a position in which seat 0 holds the hand and has drawn."""
    return position(
        rules=KALOOKI_BONUS,
        contract=contract,
        hands={0: hand},
        table=table,
        opened=[0] if opened else [],
    )


# --- B-22, B-13: the contracts and their openings -------------------------------------------------

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
SIZES = (9, 10, 11, 12, 12, 13, 14, 15, 16)


@pytest.mark.clause("B-22", "B-13")
@pytest.mark.parametrize(("contract", "melds"), CONTRACTS)
def test_each_contract_opens_with_its_sets_and_runs(contract: int, melds: str) -> None:
    hand = melds.replace("/", " ").replace("-", " ")
    assert len(hand.split()) == KALOOKI_BONUS.contracts[contract - 1].hand_size
    held = playing(f"{hand} 2D", contract=contract, opened=False)
    assert kinds(held.deal, 0) == (ActionKind.OPEN, ActionKind.DISCARD)
    held.does(f"0 opens {melds}")
    assert held.deal.opened_turn[0] == held.deal.turn_number
    assert held.hand(0) == "2D"


@pytest.mark.clause("B-13", "X-18")
@pytest.mark.parametrize(("contract", "melds"), CONTRACTS)
def test_no_contract_opens_in_part_or_with_the_melds_of_another(contract: int, melds: str) -> None:
    hand = melds.replace("/", " ").replace("-", " ")
    held = playing(f"{hand} 2D", contract=contract, opened=False)
    part = melds.partition(" / ")[2]
    held.refuses(f"0 opens {part}", IllegalHere, "CONTRACT_NOT_MET", "B-13")
    other = playing(f"{hand} 2D", contract=contract % 9 + 1, opened=False)
    other.refuses(f"0 opens {melds}", IllegalHere, "CONTRACT_NOT_MET", "B-13")


@pytest.mark.clause("B-22")
def test_each_deal_gives_a_card_more_but_the_fifth() -> None:
    assert tuple(contract.hand_size for contract in KALOOKI_BONUS.contracts) == SIZES
    asked = [(contract.sets, contract.runs) for contract in KALOOKI_BONUS.contracts]
    assert asked == [(3, 0), (2, 1), (1, 2), (0, 3), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4)]


@pytest.mark.clause("B-13")
def test_the_melds_of_an_opening_may_be_longer_but_not_more() -> None:
    hand = "KS KH KD KC KS QS QH QD 4C 5C 6C 7C 8C JS JH JD 2D"
    held = playing(hand, contract=2, opened=False)
    longer = "0 opens KS KH KD KC KS / QS QH QD / 4C-5C-6C-7C-8C"
    held.refuses(f"{longer} / JS JH JD", IllegalHere, "CONTRACT_NOT_MET", "B-13")
    held.does(longer)
    assert (held.meld(0), held.meld(2)) == ("KS KH KD KC KS", "4C-5C-6C-7C-8C")


@pytest.mark.clause("B-13")
@pytest.mark.parametrize(
    ("melds", "code"),
    [
        ("KS KH / QS QH QD / 4C-5C-6C-7C", "SET_TOO_SHORT"),
        ("KS KH KD / QS QH QD / 4C-5C-6C", "RUN_TOO_SHORT"),
        ("KS KH KD / QS QH QD / 4C-*-6C", "RUN_TOO_SHORT"),
    ],
)
def test_a_set_has_three_cards_and_a_run_four(melds: str, code: str) -> None:
    held = playing("KS KH KD QS QH QD 4C 5C 6C 7C * 2D", contract=2, opened=False)
    held.refuses(f"0 opens {melds}", IllegalHere, code, "B-13")
    held.does("0 opens KS KH KD / QS QH QD / 4C-5C-6C-7C")


@pytest.mark.clause("B-13")
def test_nobody_opens_twice() -> None:
    held = playing("KS KH KD QS QH QD 6S 6H 6D 2C")
    held.refuses("0 opens KS KH KD / QS QH QD / 6S 6H 6D", IllegalHere, "ALREADY_OPENED", "B-12")
    held.does("0 melds KS KH KD")


# --- B-8: jokers keep apart -----------------------------------------------------------------------


@pytest.mark.clause("B-8")
def test_nine_joker_jack_joker_is_a_run_and_nine_joker_joker_queen_is_none() -> None:
    held = playing("9S JS QS * * 2C")
    held.refuses("0 melds 9S-*1-*2-QS", IllegalHere, "JOKERS_ADJACENT", "B-8")
    held.does("0 melds 9S-*1-JS-*2")
    assert held.meld(0) == "9S-*-JS-*"


@pytest.mark.clause("B-8")
@pytest.mark.parametrize(
    ("text", "code", "clause"),
    [
        ("*1-*2-9S-TS-JS", "JOKERS_ADJACENT", "B-8"),
        ("9S-TS-JS-*1-*2", "JOKERS_ADJACENT", "B-8"),
        ("*1-*2-*3-*4", "RUN_NEEDS_NATURALS", "B-8"),
    ],
)
def test_jokers_are_neighbours_nowhere_in_a_run(text: str, code: str, clause: str) -> None:
    held = playing("9S TS JS *1 *2 *3 *4 2C")
    held.refuses(f"0 melds {text}", IllegalHere, code, clause)
    held.does("0 melds *1-9S-TS-JS-*2")


@pytest.mark.clause("B-8")
def test_a_set_has_at_most_one_joker_more_than_naturals() -> None:
    held = playing("KS KH *1 *2 *3 *4 2C")
    held.refuses("0 melds KS KH *1 *2 *3 *4", IllegalHere, "SET_TOO_MANY_JOKERS", "B-8")
    held.does("0 melds KS KH *1 *2 *3")
    held.refuses("0 lays *4 on 0", IllegalHere, "SET_TOO_MANY_JOKERS", "B-8")
    assert not held.lists("0 lays *4 on 0")


@pytest.mark.clause("B-8")
def test_one_more_natural_makes_room_for_one_more_joker() -> None:
    held = playing("KD *4 2C", "1: KS KH *1 *2 *3")
    held.refuses("0 lays *4 on 0", IllegalHere, "SET_TOO_MANY_JOKERS", "B-8")
    held.all("0 lays KD on 0", "0 lays *4 on 0")
    assert held.meld(0) == "KS KH * * * KD *"


@pytest.mark.clause("B-8")
def test_the_order_in_which_a_set_is_given_means_nothing() -> None:
    held = playing("KS KH KD *1 *2 2C")
    held.does("0 melds *1 *2 KS KH KD")
    assert held.deal.melds[0].kind is MeldKind.SET


# --- B-9: two naturals ----------------------------------------------------------------------------


@pytest.mark.clause("B-9")
def test_a_set_has_two_naturals() -> None:
    held = playing("7S 7H *1 *2 2C")
    held.refuses("0 melds *1 7S *2", IllegalHere, "SET_NEEDS_NATURALS", "B-9")
    held.does("0 melds 7S 7H *1")


@pytest.mark.clause("B-9")
def test_both_naturals_may_be_twins() -> None:
    held = playing("7S1 7S2 *1 2C")
    held.refuses("0 melds 7S1 7S1 *1", Malformed, "REPEATED_CARD", "X-2")
    held.does("0 melds 7S1 7S2 *1")


# --- B-20: different ranks, different suits -------------------------------------------------------


@pytest.mark.clause("B-20")
def test_six_kings_are_one_set_and_not_two() -> None:
    hand = "KS1 KH1 KD1 KS2 KH2 KD2 QS QH QD 6S 6H 6D 9S 9H 9D 2C"
    held = playing(hand, contract=5, opened=False)
    held.refuses(
        "0 opens KS1 KH1 KD1 / KS2 KH2 KD2 / QS QH QD / 6S 6H 6D",
        IllegalHere,
        "SET_RANK_REPEATED",
        "B-20",
    )
    held.does("0 opens KS1 KH1 KD1 KS2 KH2 KD2 / QS QH QD / 6S 6H 6D / 9S 9H 9D")


@pytest.mark.clause("B-20")
def test_two_runs_of_one_suit_are_refused_even_when_they_are_far_apart() -> None:
    held = playing("AC 2C 3C 4C TC JC QC KC 8D 9D TD JD AH 2H 3H 4H 2S", contract=4, opened=False)
    held.refuses(
        "0 opens AC-2C-3C-4C / TC-JC-QC-KC / 8D-9D-TD-JD", IllegalHere, "RUN_SUIT_REPEATED", "B-20"
    )
    held.does("0 opens AC-2C-3C-4C / 8D-9D-TD-JD / AH-2H-3H-4H")


@pytest.mark.clause("B-20")
def test_later_melds_differ_too_but_those_of_others_do_not_matter() -> None:
    table = ["0: KS KD KC", "0: 4C-5C-6C-7C", "1: 9C 9H 9D", "1: 4H-5H-6H-7H"]
    held = playing("KS KD KH TC JC QC KC 9C 9S 9H TH JH QH 2D", *table)
    held.refuses("0 melds KS KD KH", IllegalHere, "SET_RANK_REPEATED", "B-20")
    held.refuses("0 melds TC-JC-QC-KC", IllegalHere, "RUN_SUIT_REPEATED", "B-20")
    held.all("0 melds 9C 9S 9H", "0 melds TH-JH-QH-KH")
    assert len(held.deal.melds) == 6


# --- B-21: the ace at both ends -------------------------------------------------------------------


@pytest.mark.clause("B-21")
@pytest.mark.parametrize("text", ["AC-2C-3C-4C", "JC-QC-KC-AC", "AC-2C-*-4C", "JC-*-KC-AC"])
def test_the_ace_is_low_or_high(text: str) -> None:
    held = playing("AC 2C 3C 4C JC QC KC * 7D")
    held.does(f"0 melds {text}")
    assert held.deal.melds[0].low == (0 if text.startswith("A") else 10)


@pytest.mark.clause("B-21")
@pytest.mark.parametrize("text", ["KC-AC-2C-3C", "QC-KC-AC-2C", "*-AC-2C-3C", "QC-KC-AC-*"])
def test_no_run_goes_round_the_corner(text: str) -> None:
    held = playing("AC 2C 3C QC KC * 7D")
    held.refuses(f"0 melds {text}", IllegalHere, "RUN_LEAVES_ACES", "X-13")


@pytest.mark.clause("B-21")
def test_a_run_from_ace_to_ace_has_fourteen_cards_and_is_closed() -> None:
    suit = [f"{rank}C" for rank in "A23456789TJQK"]
    held = playing(" ".join([*suit, "AC2", "*", "2C2", "7D"]))
    held.does(f"0 melds {'-'.join([*suit, 'AC2'])}")
    assert (held.deal.melds[0].low, len(held.deal.melds[0].cards)) == (0, 14)
    for card in ("*", "2C"):
        held.refuses(f"0 lays {card} on 0", IllegalHere, "RUN_CLOSED", "B-21")


@pytest.mark.clause("B-21")
def test_a_run_of_thirteen_takes_the_other_ace() -> None:
    suit = "-".join(f"{rank}C" for rank in "A23456789TJQK")
    held = playing("AC 2C *1 7D", f"1: {suit}")
    held.refuses("0 lays 2C on 0", IllegalHere, "CARD_DOES_NOT_FIT", "B-11")
    held.does("0 lays AC on 0")
    held.refuses("0 lays *1 on 0 high", IllegalHere, "RUN_CLOSED", "B-21")


@pytest.mark.clause("B-21")
def test_a_joker_may_be_one_of_the_two_aces() -> None:
    suit = "-".join(f"{rank}C" for rank in "A23456789TJQK")
    held = playing("*1 AC 7D", f"1: {suit}")
    held.does("0 lays *1 on 0")
    held.refuses("0 lays AC on 0", IllegalHere, "RUN_CLOSED", "B-21")
    held.refuses("0 moves AC in 0", IllegalHere, "NOT_OWN_RUN", "B-10")
