"""E-13: jokers taken from the table, in both games; what the joker costs and when."""

from __future__ import annotations

from functools import partial

import pytest

from rummy_arena.game.errors import IllegalHere, Malformed, NotYourTurn
from rummy_arena.game.events import DealEnd, JokerTaken
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from tests.spec.positions import plain, position

european = partial(position, rules=KALUKI_EUROPEAN)
american = partial(position, rules=KALUKI_AMERICAN)
BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)
MISSING = (IllegalHere, "SUITS_MISSING", "E-13")
CLOSED = (IllegalHere, "SET_CLOSED", "E-13")
NOT_USED = (IllegalHere, "JOKER_NOT_USED", "E-13")
NO_JOKER = (IllegalHere, "NO_JOKER_FOR_CARD", "E-13")

# --- a set's joker in the European game: two of the missing suits ---------------------------------


@pytest.mark.clause("E-13")
def test_the_example_of_the_source_asks_for_both_missing_fives() -> None:
    held = european(hands={0: "5D 5S KC KD 2C"}, table=["1: 5C 5H *"], opened=[0])
    held.refuses("0 trades 5D in 0 and melds KC KD *", *MISSING)
    held.refuses("0 trades 5S in 0 and melds KC KD *", *MISSING)
    (event,) = held.does("0 trades 5D 5S in 0 and melds KC KD *")
    assert isinstance(event, JokerTaken)
    assert (plain(event.cards), plain([event.joker]), event.target) == ("5D 5S", "*", 0)
    assert (held.meld(0), held.meld(1), held.hand(0)) == ("5C 5H 5D 5S", "KC KD *", "2C")


@pytest.mark.clause("E-13")
def test_they_are_given_in_either_order() -> None:
    held = european(hands={0: "5D 5S KC KD 2C"}, table=["1: 5C 5H *"], opened=[0])
    held.does("0 trades 5S 5D in 0 and melds KC KD *")
    assert held.meld(0) == "5C 5H 5S 5D"


@pytest.mark.clause("E-13")
@pytest.mark.parametrize(
    ("given", "cause", "code", "clause"),
    [
        ("5D1 5D2", IllegalHere, "SET_SUITS_REPEAT", "E-11"),  # one missing suit twice
        ("5D1 5C2", IllegalHere, "SET_SUITS_REPEAT", "E-11"),  # a suit that lies there
        ("5D1 6S", IllegalHere, "RANK_DOES_NOT_FIT", "E-11"),
        ("5D1 *2", IllegalHere, "RANK_DOES_NOT_FIT", "E-11"),  # a joker for a joker
        ("5D1 5D1", Malformed, "REPEATED_CARD", "X-2"),
        ("5D1 5S", Malformed, "CARD_NOT_HELD", "X-2"),
    ],
)
def test_nothing_else_pays_for_it(
    given: str, cause: type[IllegalHere] | type[Malformed], code: str, clause: str
) -> None:
    held = european(
        hands={0: "5D1 5D2 5C2 6S *2 KC KD 2C"}, table=["1: 5C1 5H *1"], opened=[0], pile="9S"
    )
    held.refuses(f"0 trades {given} in 0 and melds KC KD *1", cause, code, clause)


@pytest.mark.clause("E-13")
@pytest.mark.parametrize("table", ["5C 5H 5D *", "5C 5H * *2"])
def test_a_set_of_four_keeps_its_jokers(table: str) -> None:
    held = european(hands={0: "5S 5D2 KC KD 2C"}, table=[f"1: {table}"], opened=[0])
    held.refuses("0 trades 5S in 0 and melds KC KD *", *CLOSED)
    if "5D" not in table:
        held.refuses("0 trades 5S 5D2 in 0 and melds KC KD *", *CLOSED)


@pytest.mark.clause("E-13")
def test_laying_off_one_missing_suit_closes_the_set_to_the_exchange() -> None:
    held = european(hands={0: "5D 5S KC KD 2C"}, table=["1: 5C 5H *"], opened=[0])
    held.does("0 lays 5D on 0")
    held.refuses("0 trades 5S in 0 and melds KC KD *", *CLOSED)


@pytest.mark.clause("E-13")
@pytest.mark.parametrize("given", ["5D 5S", "5D 5H", "5H 5S"])
def test_beside_one_natural_two_of_three_missing_suits_release_one_joker(given: str) -> None:
    held = european(hands={0: "5D 5S 5H KC KD 2C"}, table=["1: 5C * *2"], opened=[0])
    held.refuses("0 trades 5D in 0 and melds KC KD *", *MISSING)
    held.does(f"0 trades {given} in 0 and melds KC KD *")
    assert held.meld(0) == f"5C * {given}"
    rest = held.hand(0).split()[1]
    held.refuses(f"0 trades {rest} in 0 onto 1", *CLOSED)


# --- a set's joker in the American game: one missing suit -----------------------------------------


@pytest.mark.clause("E-13", "E-27")
@pytest.mark.parametrize(
    ("table", "given", "after"),
    [
        ("5C 5H *", "5D", "5C 5H 5D"),
        ("5C 5H *", "5S", "5C 5H 5S"),
        ("5C 5H 5D *", "5S", "5C 5H 5D 5S"),
        ("5C 5H * *2", "5S", "5C 5H * 5S"),
        ("5C * *2", "5S", "5C * 5S"),
        ("5C * *2 *3", "5S", "5C * * 5S"),
    ],
)
def test_one_missing_suit_releases_a_joker(table: str, given: str, after: str) -> None:
    held = american(hands={0: f"{given} 5C2 KC KD 2C"}, table=[f"1: {table}"], opened=[0])
    held.refuses("0 trades 5C2 in 0 and melds KC KD *1", IllegalHere, "SET_SUITS_REPEAT", "E-11")
    held.does(f"0 trades {given} in 0 and melds KC KD *1")
    assert held.meld(0) == after


@pytest.mark.clause("E-13", "E-27")
def test_two_naturals_are_more_than_it_costs() -> None:
    held = american(hands={0: "5D 5S KC KD 2C"}, table=["1: 5C 5H *"], opened=[0])
    held.refuses("0 trades 5D 5S in 0 and melds KC KD *", *MISSING)


# --- a run's joker: the exact card ----------------------------------------------------------------


@pytest.mark.clause("E-13")
@pytest.mark.parametrize("card", ["7D", "6H", "9H", "8H", "*2"])
@BOTH
def test_only_the_very_card_that_it_stands_for(card: str, rules: RuleSet) -> None:
    held = position(
        hands={0: f"7H {card} KC KD 2C"}, table=["1: 6H2-*-8H2"], opened=[0], rules=rules
    )
    held.refuses(f"0 trades {card} in 0 and melds KC KD *1", *NO_JOKER)
    held.does("0 trades 7H in 0 and melds KC KD *1")
    assert held.meld(0) == "6H-7H-8H"


@pytest.mark.clause("E-13")
@pytest.mark.parametrize("card", ["7H1", "7H2"])
def test_of_either_pack(card: str) -> None:
    held = european(hands={0: f"{card} KC KD 2C"}, table=["1: 6H-*-8H"], opened=[0])
    held.does(f"0 trades {card} in 0 and melds KC KD *")


@pytest.mark.clause("E-13")
def test_one_natural_is_all_that_a_run_takes() -> None:
    held = european(hands={0: "7H 7H2 KC KD 2C"}, table=["1: 6H-*-8H"], opened=[0])
    held.refuses("0 trades 7H1 7H2 in 0 and melds KC KD *", *NO_JOKER)


@pytest.mark.clause("E-13")
def test_of_several_jokers_the_one_that_stands_for_the_card_is_taken() -> None:
    hand = "5C 6C KC KD 2C"
    five = european(hands={0: hand}, table=["1: 4C-*1-*2"], opened=[0])
    # The five stands where joker 1 stood, so joker 2 stays.
    five.refuses("0 trades 5C in 0 and melds KC KD *2", *NOT_USED)
    five.does("0 trades 5C in 0 and melds KC KD *1")
    six = european(hands={0: hand}, table=["1: 4C-*1-*2"], opened=[0])
    six.does("0 trades 6C in 0 and melds KC KD *2")
    assert (five.meld(0), six.meld(0)) == ("4C-5C-*", "4C-*-6C")


@pytest.mark.clause("E-13", "E-9")
def test_a_joker_above_the_king_costs_the_ace() -> None:
    held = european(hands={0: "AH JH KC KD 2C"}, table=["1: QH-KH-*"], opened=[0])
    held.refuses("0 trades JH in 0 and melds KC KD *", *NO_JOKER)
    held.does("0 trades AH in 0 and melds KC KD *")


@pytest.mark.clause("E-13")
def test_a_meld_without_a_joker_gives_none() -> None:
    held = european(
        hands={0: "5S 7H KC KD 2C *"}, table=["1: 5C 5H 5D", "1: 6H-7H2-8H"], opened=[0]
    )
    held.refuses("0 trades 5S in 0 and melds KC KD *", *NO_JOKER)
    held.refuses("0 trades 7H in 1 and melds KC KD *", *NO_JOKER)
    held.refuses("0 trades 7H in 2 and melds KC KD *", Malformed, "UNKNOWN_MELD", "X-20")


# --- who and when ---------------------------------------------------------------------------------


@pytest.mark.clause("E-13")
@pytest.mark.parametrize("owner", [0, 1])
def test_an_opened_player_takes_it_from_any_meld(owner: int) -> None:
    held = european(hands={0: "7H KC KD 2C"}, table=[f"{owner}: 6H-*-8H"], opened=[0])
    held.does("0 trades 7H in 0 and melds KC KD *")
    assert (held.deal.melds[0].owner, held.deal.melds[1].owner) == (owner, 0)


@pytest.mark.clause("E-13")
@BOTH
def test_an_unopened_player_takes_none(rules: RuleSet) -> None:
    held = position(hands={0: "7H KC KD 2C"}, table=["1: 6H-*-8H", "1: JH-QH-KH"], rules=rules)
    unopened = (IllegalHere, "NOT_OPENED", "E-13")
    held.refuses("0 trades 7H in 0 and melds KC KD *", *unopened)
    held.refuses("0 trades 7H in 0 onto 1 low", *unopened)


@pytest.mark.clause("E-13", "E-6")
def test_the_jokers_meld_is_no_part_of_the_opening() -> None:
    held = european(hands={0: "7H KC KD QC QD QH 2C"}, table=["1: 6H-*-8H"])
    held.refuses("0 opens KC KD * / QC QD QH", Malformed, "CARD_NOT_HELD", "X-2")


@pytest.mark.clause("E-13")
def test_in_the_turn_of_the_opening_it_is_taken_after_the_opening() -> None:
    held = european(hands={0: "TC JC QC KC 7H 3C 3D 2C"}, table=["1: 6H-*-8H"])
    command = "0 trades 7H in 0 and melds 3C 3D *"
    held.refuses(command, IllegalHere, "NOT_OPENED", "E-13")
    held.all("0 opens TC-JC-QC-KC", command)
    assert held.hand(0) == "2C"


@pytest.mark.clause("E-13")
def test_from_a_meld_of_this_very_turn_too() -> None:
    held = european(hands={0: "TC JC QC * KC 3C 3D 2C"})
    held.all("0 opens TC-JC-QC-*", "0 trades KC in 0 and melds 3C 3D *")
    assert held.meld(0) == "TC-JC-QC-KC"


@pytest.mark.clause("E-13", "X-14")
def test_in_ones_own_turn_between_draw_and_discard() -> None:
    held = european(
        hands={0: "7H KC KD 2C", 1: "7H2 KC2 KD2 3C"},
        table=["2: 6H-*-8H"],
        opened=[0, 1],
        phase=Phase.DRAW,
    )
    held.refuses("0 trades 7H in 0 and melds KC KD *", IllegalHere, "WRONG_PHASE", "X-14")
    held.refuses("1 trades 7H2 in 0 and melds KC2 KD2 *", NotYourTurn, "NOT_YOUR_TURN", "X-19")


@pytest.mark.clause("E-13", "E-19")
def test_a_card_is_left_for_the_discard() -> None:
    table = ["1: 6H-*-8H", "1: 5C 5H *2", "2: JH-QH-KH"]
    last = (IllegalHere, "DISCARD_NEEDED", "E-19")
    held = european(hands={0: "7H KC KD"}, table=table, opened=[0])
    held.refuses("0 trades 7H in 0 and melds KC KD *1", *last)
    one = european(hands={0: "7H"}, table=table, opened=[0])
    one.refuses("0 trades 7H in 0 onto 2 low", *last)
    two = european(hands={0: "5D 5S"}, table=table, opened=[0])
    two.refuses("0 trades 5D 5S in 1 onto 2 low", *last)
    left = european(hands={0: "7H KC KD 2C"}, table=table, opened=[0])
    left.all("0 trades 7H in 0 and melds KC KD *1", "0 discards 2C")
    assert left.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("E-13")
def test_there_is_no_move_of_a_joker_within_its_run() -> None:
    held = european(hands={0: "7H 2C"}, table=["1: 6H-*-8H"], opened=[0])
    held.refuses("0 moves 7H in 0", IllegalHere, "JOKER_IS_TAKEN", "E-13")
    held.does("0 trades 7H in 0 onto 0 high")
