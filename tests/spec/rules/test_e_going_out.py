"""E-3, E-19, E-20, E-29: the last discard, a Kaluki, and what hands cost."""

from __future__ import annotations

from functools import partial

import pytest

from rummy_arena.game.cards import parse_cards
from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import DealEnd, DealEnded
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Position, in_game, position

european = partial(position, rules=KALUKI_EUROPEAN)
BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)
DISCARD_NEEDED = (IllegalHere, "DISCARD_NEEDED", "E-19")
OPENING = "0 opens KC KD KH / QC QD QH"
OPENING_HAND = "KC KD KH QC QD QH"


def ending(held: Position, command: str) -> DealEnded:
    """Return the score of the deal that the command ends."""
    (ended,) = (event for event in held.does(command) if isinstance(event, DealEnded))
    return ended


# --- E-3: hand values -----------------------------------------------------------------------------


@pytest.mark.clause("E-3")
@pytest.mark.parametrize(
    ("hand", "european_points", "american_points"),
    [
        ("*1", 15, 25),
        ("AC1 AD1 AH1 AS1", 44, 60),
        ("KS1 QH1 JD1 TC1", 40, 40),
        ("2S1 3H1 4D1 5C1 6S1 7H1 8D1 9C1", 44, 44),
        ("*1 *2 AS1", 41, 65),
        ("", 0, 0),
    ],
)
def test_cards_left_in_a_hand(hand: str, european_points: int, american_points: int) -> None:
    cards = list(parse_cards(hand))
    assert KALUKI_EUROPEAN.hand_points(cards) == european_points
    assert KALUKI_AMERICAN.hand_points(cards) == american_points


@pytest.mark.clause("E-3")
@BOTH
def test_only_hands_count_opened_or_not(rules: RuleSet) -> None:
    held = position(
        hands={0: "2C", 1: "3C TD", 2: "3H TS"},
        table=["0: KC KD *", "1: QC QD *2"],
        rules=rules,
    )
    game = in_game(held)
    assert ending(held, "0 discards 2C").points == (0, 13, 13)
    assert game.totals == (0, 13, 13)


@pytest.mark.clause("E-3")
def test_a_meld_kept_in_the_hand_counts_card_by_card() -> None:
    held = european(hands={0: "2C", 1: "QC KC *", 2: "AC AD AH"}, opened=[0])
    in_game(held)
    assert ending(held, "0 discards 2C").points == (0, 35, 33)


# --- E-19: the last card is discarded -------------------------------------------------------------


@pytest.mark.clause("E-19")
@pytest.mark.parametrize(
    ("hand", "command"),
    [
        ("KS", "0 lays KS on 0"),
        ("9S", "0 lays 9S on 1"),
        ("9C 9D 9H", "0 melds 9C 9D 9H"),
        ("9C TC JC QC", "0 melds 9C-TC-JC-QC"),
        ("7H", "0 trades 7H in 2 onto 1 high"),
    ],
)
@BOTH
def test_nothing_but_a_discard_empties_the_hand(hand: str, command: str, rules: RuleSet) -> None:
    table = ["0: KC KD KH", "1: 6S-7S-8S", "1: 6H-*-8H"]
    held = position(hands={0: hand}, table=table, rules=rules, pile="2S")
    held.refuses(command, *DISCARD_NEEDED)
    held.refuses("0 ends", IllegalHere, "DISCARD_REQUIRED", "E-19")
    with_one_more = position(hands={0: f"{hand} 2C"}, table=table, rules=rules, pile="2S")
    with_one_more.all(command, "0 discards 2C")
    assert with_one_more.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("E-19")
def test_an_opening_keeps_a_card_too() -> None:
    held = european(hands={0: OPENING_HAND})
    held.refuses(OPENING, *DISCARD_NEEDED)
    assert held.deal.opened_turn[0] == 0


@pytest.mark.clause("E-19")
def test_a_card_that_fits_the_table_may_be_the_last_discard() -> None:
    held = european(hands={0: "KS"}, table=["0: KC KD KH"])
    assert not held.lists("0 lays KS on 0")
    held.does("0 discards KS")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("E-19")
def test_every_turn_ends_with_a_discard() -> None:
    held = european(hands={0: "2C 3C"}, opened=[0])
    held.refuses("0 ends", IllegalHere, "DISCARD_REQUIRED", "E-19")
    held.refuses("1 draws", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("0 discards 2C")
    held.refuses("0 discards 3C", NotYourTurn, "NOT_YOUR_TURN", "X-19")


@pytest.mark.clause("E-19")
def test_nobody_lays_anything_down_after_a_player_went_out() -> None:
    held = european(hands={0: "2C", 1: "KS 5C"}, table=["0: KC KD KH", "1: 7C 7D 7H"])
    held.does("0 discards 2C")
    held.refuses("1 lays KS on 0", IllegalHere, "DEAL_OVER", "X-19")
    held.refuses("1 draws", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("E-19", "E-3")
def test_with_one_card_left_and_one_drawn_only_a_discard_goes_out() -> None:
    held = european(hands={0: "KS"}, table=["0: KC KD KH"], phase=Phase.DRAW, stock="5C", pile="9S")
    held.all("0 draws", "0 lays KS on 0")
    held.refuses("0 lays 5C on 0", IllegalHere, "RANK_DOES_NOT_FIT", "E-11")
    held.does("0 discards 5C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


# --- E-20: a Kaluki -------------------------------------------------------------------------------


@pytest.mark.clause("E-20")
def test_opening_and_going_out_in_one_turn_is_a_kaluki_and_changes_no_penalty() -> None:
    held = european(hands={0: f"{OPENING_HAND} 2C", 1: "KS", 2: "*"})
    game = in_game(held)
    held.does(OPENING)
    ended = ending(held, "0 discards 2C")
    assert (ended.winner, ended.down_and_out, ended.points) == (0, True, (0, 10, 15))
    assert game.down_and_outs == [1, 0, 0]


@pytest.mark.clause("E-20")
def test_with_all_thirteen_cards_in_melds_of_its_own() -> None:
    hand = "KC KD KH QC QD QH 2S-3S-4S 6D-7D-8D 9C".replace("-", " ")
    held = european(hands={0: hand}, phase=Phase.DRAW, stock="9D", pile="5H")
    held.all("0 draws", "0 opens KC KD KH / QC QD QH / 2S-3S-4S / 6D-7D-8D", "0 lays 9D on 3")
    held.does("0 discards 9C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("E-20")
@pytest.mark.parametrize(
    ("more", "table"),
    [
        ("0 lays AS on 0", "1: JS-QS-KS"),
        ("0 melds 4C 4D 4H", ""),
        ("0 trades 7H in 0 and melds 4C 4D *", "1: 6H-*-8H"),
    ],
)
def test_lay_offs_and_jokers_of_the_table_may_be_part_of_it(more: str, table: str) -> None:
    spent = {"AS": "AS", "4C": "4C 4D 4H", "7H": "7H 4C 4D"}[more.split()[2]]
    held = european(hands={0: f"{OPENING_HAND} {spent} 2C"}, table=[table] if table else [])
    held.all(OPENING, more)
    held.does("0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("E-20")
def test_and_it_may_begin_with_the_top_of_the_pile() -> None:
    held = european(hands={0: "KC KD KH QC QD 2C"}, phase=Phase.DRAW, pile="9S QH")
    held.all("0 takes QH and opens KC KD KH / QC QD QH", "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("E-20")
def test_going_out_a_turn_after_the_opening_is_none() -> None:
    held = european(
        hands={0: f"{OPENING_HAND} 2C 3C", 1: "5C 6D", 2: "5H 6S"}, stock="KS 4D 8D", pile="9S"
    )
    game = in_game(held)
    held.all(OPENING, "0 discards 2C", "1 draws", "1 discards 5C", "2 draws", "2 discards 5H")
    held.all("0 draws", "0 lays KS on 0")
    ended = ending(held, "0 discards 3C")
    assert (ended.winner, ended.down_and_out, ended.points) == (0, False, (0, 14, 10))
    assert game.down_and_outs == [0, 0, 0]


@pytest.mark.clause("E-20")
@pytest.mark.parametrize(
    ("option", "points"), [("none", (0, 10, 15)), ("double", (0, 20, 30)), ("plus25", (0, 35, 40))]
)
def test_the_option_makes_it_dear_for_the_others(option: str, points: tuple[int, ...]) -> None:
    rules = get_rule_set("kaluki-european", {"kaluki_penalty": option})
    hands = {0: f"{OPENING_HAND} 2C", 1: "KS", 2: "*"}
    kaluki = position(hands=hands, rules=rules)
    in_game(kaluki)
    kaluki.does(OPENING)
    assert ending(kaluki, "0 discards 2C").points == points
    plain = position(hands={**hands, 0: "2C"}, opened=[0], rules=rules)
    in_game(plain)
    assert ending(plain, "0 discards 2C").points == (0, 10, 15)


@pytest.mark.clause("E-20", "E-15")
@pytest.mark.parametrize("option", ["double", "plus25"])
def test_the_option_spares_who_is_out_of_the_game(option: str) -> None:
    rules = get_rule_set("kaluki-european", {"kaluki_penalty": option})
    held = position(
        seats=4, players=(0, 1, 3), hands={0: f"{OPENING_HAND} 2C", 1: "KS", 3: "*"}, rules=rules
    )
    in_game(held)
    held.does(OPENING)
    assert ending(held, "0 discards 2C").points[2] == 0


# --- E-29: the first turn -------------------------------------------------------------------------


@pytest.mark.clause("E-29")
@BOTH
def test_a_player_may_go_out_in_the_first_turn_of_the_deal(rules: RuleSet) -> None:
    held = position(
        hands={0: f"{OPENING_HAND} 2C"}, phase=Phase.DRAW, pile="KS", turn_number=1, rules=rules
    )
    held.does("0 takes")
    held.refuses("0 opens KC KD KH KS / QC QD QH 2C", IllegalHere, "SET_RANKS_DIFFER", "X-1")
    held.all("0 opens KC KD KH KS / QC QD QH", "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("E-29")
def test_and_so_may_the_others_in_theirs() -> None:
    held = european(hands={1: OPENING_HAND, 0: "2C 3C"}, turn_number=1, stock="5C", pile="9S")
    held.all("0 discards 2C", "1 draws", "1 opens KC KD KH / QC QD QH", "1 discards 5C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 1, True)
