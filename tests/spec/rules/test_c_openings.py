"""C-1 to C-3, C-11: the exact contract of an opening."""

from __future__ import annotations

import pytest

from rummy_arena.game.engine import legal_actions
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.events import DealEnd, Opened
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.carioca_argentine import CARIOCA_ARGENTINE
from tests.spec.positions import Position, plain, position

CARIOCA = CARIOCA_ARGENTINE
SETS = ("8C 8D 8H", "KS KH KD", "QS QH QD", "JS JH JD")
RUNS = ("4S-5S-6S-7S", "4H-5H-6H-7H", "9C-TC-JC-QC", "AD-2D-3D-4D")
CONTRACTS = ((2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3))


def opening(sets: int, runs: int) -> str:
    """Return so many sets and runs as a command writes them."""
    return " / ".join([*SETS[:sets], *RUNS[:runs]])


def holding(melds: str, *more: str, contract: int = 1, table: tuple[str, ...] = ()) -> Position:
    """Return a position whose seat 0 holds the melds and more cards, and is to play."""
    cards = " ".join([melds.replace("/", " ").replace("-", " "), *more])
    return position(rules=CARIOCA, contract=contract, hands={0: cards}, table=table)


# --- C-1: equal ranks and equal suits -------------------------------------------------------------


@pytest.mark.clause("C-1")
@pytest.mark.parametrize(
    ("contract", "melds"),
    [
        (1, "8C 8D 8H / 8S 8C 8D"),
        (1, "8C 8C 8D / 8D 8H 8H"),
        (1, "8C 8D * / 8S 8H *"),
        (3, "3S-4S-5S-6S / 7S-8S-9S-TS"),
        (3, "4S-5S-6S-7S / 5S-6S-7S-8S"),
        (3, "4S-5S-6S-7S / 4S-5S-6S-7S"),
        (3, "4S-5S-6S-* / *-5S-6S-7S"),
        (4, "8C 8D 8H / 8S 8C 8D / 8H 8S *"),
        (7, "AS-2S-3S-4S / 4S-5S-6S-7S / JS-QS-KS-AS"),
    ],
)
def test_sets_of_one_rank_and_runs_of_one_suit_open(contract: int, melds: str) -> None:
    held = holding(melds, "2C 3D", contract=contract)
    (opened,) = held.does(f"0 opens {melds}")
    assert isinstance(opened, Opened)
    assert " / ".join(held.meld(at) for at in range(len(held.deal.melds))) == melds
    assert held.hand(0) == "2C 3D"


@pytest.mark.clause("C-1")
def test_six_eights_are_two_sets_only_when_they_are_laid_as_two() -> None:
    held = holding("8C 8D 8H 8S 8C 8D", "2C")
    held.refuses("0 opens 8C 8D 8H 8S 8C2 8D2", IllegalHere, "CONTRACT_NOT_MET", "C-2")
    held.refuses("0 opens 8C 8D 8H / 8S 8C1 8D2", Malformed, "REPEATED_CARD", "X-2")


@pytest.mark.clause("C-1")
def test_eight_cards_in_sequence_are_two_runs_only_when_they_are_laid_as_two() -> None:
    held = holding("3S-4S-5S-6S-7S-8S-9S-TS", "2C", contract=3)
    held.refuses("0 opens 3S-4S-5S-6S-7S-8S-9S-TS", IllegalHere, "CONTRACT_NOT_MET", "C-2")
    held.refuses("0 opens 3S-4S-5S-6S / 6S-7S-8S-9S", Malformed, "REPEATED_CARD", "X-2")


# --- C-2: exactly the contract --------------------------------------------------------------------


@pytest.mark.clause("C-2")
def test_the_seven_contracts_and_their_hands() -> None:
    assert tuple((c.sets, c.runs) for c in CARIOCA.contracts) == CONTRACTS
    assert tuple(c.hand_size for c in CARIOCA.contracts) == (11, 11, 11, 11, 11, 11, 12)
    assert [3 * sets + 4 * runs for sets, runs in CONTRACTS] == [6, 7, 8, 9, 10, 11, 12]


@pytest.mark.clause("C-2")
@pytest.mark.parametrize("number", range(1, 8))
def test_each_contract_opens_with_its_melds_in_any_order_and_with_no_others(number: int) -> None:
    sets, runs = CONTRACTS[number - 1]
    for other in CONTRACTS:
        held = holding(opening(*other), "2C 3D", contract=number)
        if other == (sets, runs):
            held.does(f"0 opens {opening(*other)}")
            assert plain(held.deal.hands[0]) == "2C 3D"
        else:
            held.refuses(f"0 opens {opening(*other)}", IllegalHere, "CONTRACT_NOT_MET", "C-2")
    turned = " / ".join(reversed(opening(sets, runs).split(" / ")))
    holding(turned, "2C 3D", contract=number).does(f"0 opens {turned}")


@pytest.mark.clause("C-2")
@pytest.mark.parametrize(
    ("contract", "melds", "code", "clause"),
    [
        (1, "8C 8D 8H 8S / KS KH KD", "OPENING_NOT_EXACT", "C-2"),
        (1, "8C 8D 8H * / KS KH KD", "OPENING_NOT_EXACT", "C-2"),
        (1, "8C 8D / KS KH KD", "SET_TOO_SHORT", "C-2"),
        (1, "8C 8D 8H / KS KH KD / QS QH QD", "CONTRACT_NOT_MET", "C-2"),
        (1, "8C 8D 8H", "CONTRACT_NOT_MET", "C-2"),
        (2, "8C 8D 8H / 4S-5S-6S-7S-8S", "OPENING_NOT_EXACT", "C-2"),
        (2, "8C 8D 8H / *-4S-5S-6S-7S", "OPENING_NOT_EXACT", "C-2"),
        (2, "8C 8D 8H / 5S-6S-7S", "RUN_TOO_SHORT", "C-2"),
        (2, "8C 8D 8H / 4S-5S-6S-7S / 4H-5H-6H-7H", "CONTRACT_NOT_MET", "C-2"),
        (2, "8C 8D KH / 4S-5S-6S-7S", "SET_RANKS_DIFFER", "X-1"),
        (2, "8C 8D 8H / 4S-5S-6H-7S", "RUN_SUITS_DIFFER", "X-1"),
        (2, "8C 8D 8H / 4S-5S-7S-8S", "RUN_NOT_CONSECUTIVE", "X-13"),
        (2, "8C 8D 8H / KS-AS-2S-3S", "RUN_LEAVES_ACES", "X-13"),
        (2, "8C 8D 8H / QS-KS-AS-*", "RUN_LEAVES_ACES", "X-13"),
        (2, "8C 8D 8H / *-AS-2S-3S", "RUN_LEAVES_ACES", "X-13"),
    ],
)
def test_what_is_not_the_exact_contract_is_refused(
    contract: int, melds: str, code: str, clause: str
) -> None:
    held = holding(melds, "2C 3D", contract=contract)
    held.refuses(f"0 opens {melds}", IllegalHere, code, clause)


@pytest.mark.clause("C-2")
@pytest.mark.parametrize("run", ["AS-2S-3S-4S", "JS-QS-KS-AS", "*-2S-3S-4S", "JS-QS-KS-*"])
def test_an_ace_opens_below_the_two_or_above_the_king(run: str) -> None:
    melds = f"8C 8D 8H / {run}"
    held = holding(melds, "2C", contract=2)
    held.does(f"0 opens {melds}")
    assert held.deal.melds[1].low == (10 if run.startswith("J") else 0)


@pytest.mark.clause("C-2")
def test_the_opening_turn_is_for_the_opening_alone() -> None:
    table = ("1: 9C 9D 9H", "1: TH-*-QH-KH", "2: 2D-3D-4D-5D")
    held = holding(opening(2, 0), "8S 9S JH AD * 2C", table=table)
    held.does(f"0 opens {opening(2, 0)}")
    for command in (
        "0 lays 8S on 3",  # on a meld of its own
        "0 lays 9S on 0",  # on another's set
        "0 lays AD on 2 low",
        "0 lays * on 1 high",
        "0 moves JH in 1 low",
        "0 moves JH in 1 high",
    ):
        held.refuses(command, IllegalHere, "NOTHING_MORE_THIS_TURN", "C-2")
    held.does("0 discards 2C")
    assert held.deal.turn == 2


@pytest.mark.clause("C-2")
def test_nothing_is_laid_down_before_the_opening_and_nothing_in_parts() -> None:
    held = holding(opening(2, 0), "9S JH 2C", table=("1: 9C 9D 9H", "1: TH-*-QH-KH"))
    held.refuses("0 melds 8C 8D 8H", IllegalHere, "NOT_OPENED", "C-2")
    held.refuses("0 lays 9S on 0", IllegalHere, "NOT_OPENED", "C-2")
    held.refuses("0 moves JH in 1 high", IllegalHere, "NOT_OPENED", "C-2")
    held.refuses("0 opens 8C 8D 8H", IllegalHere, "CONTRACT_NOT_MET", "C-2")
    held.does(f"0 opens {opening(2, 0)}")


@pytest.mark.clause("C-2")
@pytest.mark.parametrize("place", ["on 1 high", "on 0"])
def test_the_example_of_the_source_the_eighth_card_waits_a_turn(place: str) -> None:
    held = position(
        rules=CARIOCA,
        contract=2,
        hands={0: "8C 8D 8H 4S 5S 6S 8S 2C 3D KH QD", 1: "9C TC", 2: "JC QC"},
        phase=Phase.DRAW,
        stock="9D KC 2H 7S",
    )
    held.all("0 draws", "0 opens 8C 8D 8H / 4S-5S-6S-7S")
    held.refuses(f"0 lays 8S {place}", IllegalHere, "NOTHING_MORE_THIS_TURN", "C-2")
    held.all("0 discards 2C", "2 draws", "2 discards 2H", "1 draws", "1 discards KC")
    held.all("0 draws", f"0 lays 8S {place}", "0 discards 3D")
    assert {held.meld(0), held.meld(1)} in (
        {"8C 8D 8H", "4S-5S-6S-7S-8S"},
        {"8C 8D 8H 8S", "4S-5S-6S-7S"},
    )


@pytest.mark.clause("C-2")
def test_the_opening_is_in_another_turn_only_after_the_next_draw() -> None:
    held = position(rules=CARIOCA, seats=2, hands={0: "8C 8D 8H KS KH KD 8S 2C 3C"}, stock="4C 9C")
    held.all(f"0 opens {opening(2, 0)}", "0 discards 2C", "1 draws", "1 discards 9C")
    held.refuses("0 lays 8S on 0", IllegalHere, "WRONG_PHASE", "X-14")
    held.all("0 draws", "0 lays 8S on 0")


# --- C-3: one joker in each meld ------------------------------------------------------------------


@pytest.mark.clause("C-3")
@pytest.mark.parametrize(
    ("contract", "melds"),
    [
        (1, "8C 8D * / KS * KD"),
        (4, "8C 8D * / KS * KD / * QH QD"),
        (5, "8C 8D * / KS * KD / 4S-*-6S-7S"),
        (7, "*-5S-6S-7S / 4H-*-6H-7H / 9C-TC-JC-*"),
    ],
)
def test_each_meld_of_the_opening_may_hold_one_joker(contract: int, melds: str) -> None:
    held = holding(melds, "2C", contract=contract)
    held.does(f"0 opens {melds}")
    assert held.deal.opened_turn[0] == held.deal.turn_number


@pytest.mark.clause("C-3")
@pytest.mark.parametrize(
    ("contract", "melds", "code"),
    [
        (1, "8C * * / KS KH KD", "OPENING_JOKERS"),
        (1, "8C 8D 8H / KS * *", "OPENING_JOKERS"),
        (1, "8C 8D 8H / * * *", "SET_NEEDS_NATURALS"),
        (3, "4S-*-6S-* / 4H-5H-6H-7H", "OPENING_JOKERS"),
        (3, "4S-*-*-7S / 4H-5H-6H-7H", "OPENING_JOKERS"),
        (3, "*-5S-6S-* / 4H-5H-6H-7H", "OPENING_JOKERS"),
        (3, "*-*-*-7S / 4H-5H-6H-7H", "OPENING_JOKERS"),
        (3, "*-*-*-* / 4H-5H-6H-7H", "RUN_NEEDS_NATURALS"),
    ],
)
def test_a_second_joker_in_a_meld_of_the_opening_is_refused(
    contract: int, melds: str, code: str
) -> None:
    held = holding(melds, "2C", contract=contract)
    held.refuses(f"0 opens {melds}", IllegalHere, code, "C-3")


# --- C-11: deals six and seven --------------------------------------------------------------------


@pytest.mark.clause("C-11")
@pytest.mark.parametrize("contract", [6, 7])
@pytest.mark.parametrize("last", ["2C", "*"])
def test_the_opening_of_the_last_two_contracts_leaves_the_card_to_go_out_with(
    contract: int, last: str
) -> None:
    melds = opening(*CONTRACTS[contract - 1])
    held = holding(melds, last, contract=contract)
    size = CARIOCA.contracts[contract - 1].hand_size
    assert len(held.deal.hands[0]) == size + 1
    held.does(f"0 opens {melds}")
    assert [action.card for action in legal_actions(held.deal, 0)] == held.deal.hands[0]
    held.does(f"0 discards {last}")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("C-11")
def test_the_card_taken_from_the_pile_is_what_is_left_and_goes_back() -> None:
    melds = opening(0, 3)
    held = position(
        rules=CARIOCA,
        contract=7,
        hands={0: melds.replace("/", " ").replace("-", " ")},
        phase=Phase.DRAW,
        pile="9S",
    )
    held.all("0 takes", f"0 opens {melds}", "0 discards 9S")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("C-11")
@pytest.mark.parametrize(
    ("contract", "melds"),
    [
        (6, "8C 8D 8H 8S / 4S-5S-6S-7S / 4H-5H-6H-7H"),
        (6, "8C 8D 8H / 4S-5S-6S-7S-8S / 4H-5H-6H-7H"),
        (7, "4S-5S-6S-7S / 4H-5H-6H-7H / 9C-TC-JC-QC-KC"),
    ],
)
def test_no_opening_spends_the_card_to_go_out_with(contract: int, melds: str) -> None:
    held = holding(melds, contract=contract)
    held.refuses(f"0 opens {melds}", IllegalHere, "OPENING_NOT_EXACT", "C-2")
