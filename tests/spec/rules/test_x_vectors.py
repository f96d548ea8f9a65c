"""The examples of the printed rules and what follows from them, all games in one place."""

from __future__ import annotations

import pytest

from rummy_arena.game import series
from rummy_arena.game.cards import parse_cards
from rummy_arena.game.errors import IllegalHere
from rummy_arena.game.events import DealEnd, DealEnded
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.registry import RULE_SETS
from tests.spec.every_game import GAMES, every_game, laying, of_games
from tests.spec.positions import Stacked, in_game, position

JAMAICAN = RULE_SETS["kalooki-jamaican"]
BONUS = RULE_SETS["kalooki-bonus"]
CARIOCA = RULE_SETS["carioca-argentine"]
KALUKI = tuple(rules for rules in GAMES if rules.by_elimination)
LOW_ACE = tuple(rules for rules in GAMES if rules.ace_low)
NEVER_DISCARD_JOKERS = tuple(rules for rules in GAMES if not rules.joker_discard)
MUST_DISCARD = tuple(rules for rules in GAMES if rules.final_discard)
TWO_TO_KING = "2S-3S-4S-5S-6S-7S-8S-9S-TS-JS-QS-KS"


# --- The examples of the sources ------------------------------------------------------------------


@pytest.mark.clause("J-24", "J-31")
def test_jamaican_opening_and_discard_double_73_to_146() -> None:
    held = position(
        rules=JAMAICAN,
        hands={0: "KS KH KD QS QH QD 6S 6H 6D", 1: "AS AH * 7D"},
        phase=Phase.DRAW,
        stock="2C",
    )
    in_game(held)
    held.all("0 draws", "0 opens KS KH KD / QS QH QD / 6S 6H 6D")
    ended = held.does("0 discards 2C")[1]
    assert isinstance(ended, DealEnded)
    assert ended.points[:2] == (0, 146)


@pytest.mark.clause("J-16", "J-19")
def test_jamaican_joker_of_the_nine_becomes_the_queen_and_the_seven_is_refused() -> None:
    held = position(rules=JAMAICAN, hands={0: "9H 7H 2C"}, table=["1: 8H-*-TH-JH"], opened=[0])
    held.does("0 moves 9H in 0")
    assert held.meld(0) == "8H-9H-TH-JH-*"
    held.refuses("0 lays 7H on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")


@pytest.mark.clause("C-19")
def test_carioca_ace_queen_and_three_are_33() -> None:
    assert CARIOCA.hand_points(list(parse_cards("AS1 QH1 3C1"))) == 20 + 10 + 3


@pytest.mark.clause("C-2")
def test_carioca_eight_of_spades_waits_for_the_next_turn() -> None:
    held = position(
        rules=CARIOCA,
        seats=2,
        contract=2,
        hands={0: "8C 8D 8H 4S 5S 6S 7S 8S 2C 3D"},
        stock="9D KC",
    )
    held.does("0 opens 8C 8D 8H / 4S-5S-6S-7S")
    held.refuses("0 lays 8S on 1", IllegalHere, "NOTHING_MORE_THIS_TURN", "C-2")
    held.refuses("0 lays 8S on 0", IllegalHere, "NOTHING_MORE_THIS_TURN", "C-2")
    held.all("0 discards 2C", "1 draws", "1 discards KC", "0 draws", "0 lays 8S on 1")
    assert held.meld(1) == "4S-5S-6S-7S-8S"


@pytest.mark.clause("B-8")
def test_bonus_nine_joker_jack_joker_is_legal_and_two_jokers_in_a_row_are_not() -> None:
    held = position(rules=BONUS, hands={0: "9H JH QH * * 2C"}, opened=[0])
    held.refuses("0 melds 9H-*-*-QH", IllegalHere, "JOKERS_ADJACENT", "B-8")
    held.does("0 melds 9H-*-JH-*")


@pytest.mark.clause("E-11", "E-12")
@of_games(KALUKI)
def test_kaluki_sets_take_the_missing_suit_and_runs_grow_at_both_ends(rules: RuleSet) -> None:
    for cards in (("5H",), ("9H",), ("5H", "4H"), ("5H", "9H")):
        held = position(
            rules=rules, hands={0: "6S 6D 5H 4H 9H 2C"}, table=["0: 6C 6H 6D", "1: 6H-7H-8H"]
        )
        held.refuses("0 lays 6D on 0", IllegalHere, "SET_SUITS_REPEAT", "E-11")
        held.does("0 lays 6S on 0")
        for card in cards:
            held.does(f"0 lays {card} on 1")
        assert len(held.deal.melds[1].cards) == 3 + len(cards)


# --- What follows from them -----------------------------------------------------------------------


@pytest.mark.clause("J-30")
def test_four_jamaican_seats_leave_71_cards_in_the_stock_of_deal_one() -> None:
    game, _ = series.new_game(JAMAICAN, 4, Stacked(JAMAICAN))
    assert len(game.deal.stock) == 71


@pytest.mark.clause("X-13")
@every_game
def test_king_ace_two_three_is_illegal_everywhere(rules: RuleSet) -> None:
    held, command = laying(rules, "KC-AC-2C-3C")
    held.refuses(command, IllegalHere, "RUN_LEAVES_ACES", rules.clause("RUN_LEAVES_ACES"))


@pytest.mark.clause("E-9")
@of_games(KALUKI)
def test_ace_two_three_is_illegal_in_kaluki(rules: RuleSet) -> None:
    held, command = laying(rules, "AC-2C-3C")
    held.refuses(command, IllegalHere, "RUN_LEAVES_ACES", "E-9")
    held, command = laying(rules, "QC-KC-AC")
    held.does(command)


@pytest.mark.clause("J-16")
def test_jamaican_joker_as_high_ace_opens_the_low_end() -> None:
    held = position(rules=JAMAICAN, hands={0: "TH 9H 2C"}, table=["1: JH-QH-KH-*"], opened=[0])
    held.all("0 lays TH on 0", "0 lays 9H on 0")
    assert held.meld(0) == "9H-TH-JH-QH-KH-*"


@pytest.mark.clause("J-19", "B-10")
@of_games(NEVER_DISCARD_JOKERS)
def test_the_six_waits_for_the_nine_on_top(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "6H 9H 2C"}, table=["0: 5H-*-7H-*"])
    clause = "J-19" if rules is JAMAICAN else "B-10"  # where the low end is open to the joker
    held.refuses("0 moves 6H in 0 high", IllegalHere, "JOKERS_ADJACENT", clause)
    held.all("0 lays 9H on 0 high", "0 moves 6H in 0 high")
    assert held.meld(0) == "5H-6H-7H-*-9H-*"


@pytest.mark.clause("J-17", "B-21", "C-9")
@of_games(LOW_ACE)
def test_a_run_of_fourteen_from_ace_to_ace_is_closed(rules: RuleSet) -> None:
    held = position(
        rules=rules, hands={0: "AS 2S * 2C"}, table=[f"0: AS-{TWO_TO_KING}"], opened=[0]
    )
    held.does("0 lays AS on 0")
    clause = rules.clause("RUN_CLOSED")
    assert clause in ("J-17", "B-21", "C-9")
    for card in ("2S", "*"):
        held.refuses(f"0 lays {card} on 0", IllegalHere, "RUN_CLOSED", clause)


@pytest.mark.clause("J-25", "B-17", "C-14")
@pytest.mark.parametrize(
    ("rules", "may"), [(JAMAICAN, False), (BONUS, True), (CARIOCA, True)], ids=["J", "B", "C"]
)
def test_the_pile_is_closed_to_who_opened_in_the_jamaican_game_only(
    rules: RuleSet, may: bool
) -> None:
    held = position(rules=rules, hands={0: "2C"}, opened=[0], phase=Phase.DRAW)
    assert held.lists("0 takes") is may
    if may:
        held.does("0 takes")
    else:
        held.refuses("0 takes", IllegalHere, "STOCK_ONLY", "J-25")


@pytest.mark.clause("C-10", "E-19")
@of_games(MUST_DISCARD)
def test_no_lay_off_leaves_nothing_to_discard(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "KC"}, table=["1: KS KH KD"], opened=[0])
    clause = rules.clause("DISCARD_NEEDED")
    held.refuses("0 lays KC on 0", IllegalHere, "DISCARD_NEEDED", clause)
    held.does("0 discards KC")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("J-21", "B-15")
@of_games(NEVER_DISCARD_JOKERS)
def test_a_hand_of_one_joker_ends_the_turn_without_a_discard(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "*"}, opened=[0])
    held.does("0 ends")
    assert (held.hand(0), held.phase(), held.deal.turn) == ("*", Phase.DRAW, 1)


@pytest.mark.clause("J-7", "B-5")
@of_games(NEVER_DISCARD_JOKERS)
@pytest.mark.parametrize(("stock", "recycled"), [(1, True), (1, False), (2, True)])
def test_a_call_needs_two_cards_of_the_stock_or_a_pile_to_renew_it_from(
    rules: RuleSet, stock: int, recycled: bool
) -> None:
    held = position(
        rules=rules, seats=4, hands={0: "7H 8H"}, stock=stock, reshuffled=recycled, pile="3D 4D 5D"
    )
    held.does("0 discards 7H")
    if stock == 1 and recycled:
        clause = "J-7" if rules is JAMAICAN else "B-5"
        held.refuses("2 calls", IllegalHere, "CALL_CANNOT_BE_SERVED", clause)
    else:
        held.does("2 calls")


@pytest.mark.clause("B-2")
def test_a_seventh_seat_is_refused_with_108_cards() -> None:
    with pytest.raises(series.SeatsError) as found:
        series.new_game(BONUS, 7, Stacked(BONUS))
    assert found.value.clause == "B-2"


@pytest.mark.clause("E-15", "E-17")
@of_games(KALUKI)
def test_a_total_of_150_is_alive_151_is_out_and_buys_back_to_the_highest(rules: RuleSet) -> None:
    held = position(
        rules=rules, seats=4, contract=2, hands={0: "2C", 1: "5D", 2: "5H", 3: ""}, opened=[0]
    )
    game = in_game(held, scores=[(20, 145, 146, 30)])
    held.does("0 discards 2C")
    assert game.totals == (20, 150, 151, 30)
    assert game.deal.offers == (2,)
    held.does("2 rebuys")
    assert game.totals == (20, 150, 150, 30)
