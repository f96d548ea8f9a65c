"""X-13, X-14, X-19, X-20: what a joker stands for, and what a turn is made of."""

from __future__ import annotations

import pytest

from rummy_arena.game.engine import check
from rummy_arena.game.errors import IllegalHere, Malformed, NotYourTurn
from rummy_arena.game.events import DealEnd
from rummy_arena.game.kinds import decision_seat
from rummy_arena.game.melds import MeldKind
from rummy_arena.game.rules import JokerExchange, NewMelds, RuleSet, RunEnds
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.every_game import GAMES, WITH_CALLS, cards, every_game, laying, of_games, opening
from tests.spec.positions import position, run

LOW_ACE = tuple(rules for rules in GAMES if rules.ace_low)
HIGH_ACE_ONLY = tuple(rules for rules in GAMES if not rules.ace_low)
ADJACENT = tuple(rules for rules in GAMES if rules.jokers_adjacent)
MELDS_ANY_TIME = tuple(rules for rules in GAMES if rules.new_melds is NewMelds.ALWAYS)
BOTH_ENDS = tuple(rules for rules in GAMES if rules.run_ends is RunEnds.EITHER)
MOVES_JOKERS = tuple(rules for rules in GAMES if rules.joker_exchange is JokerExchange.SHIFT)

# --- what a joker stands for ----------------------------------------------------------------


@pytest.mark.clause("X-13")
@every_game
@pytest.mark.parametrize(
    ("text", "low"),
    [
        ("8C-*-TC-JC", 7),
        ("9C-TC-JC-*", 8),
        ("*-9C-TC-JC", 7),
        ("JC-QC-KC-*", 10),
        ("*-QC-KC-AC", 10),
        ("2C-*-4C-5C", 1),
        ("*-3C-4C-5C", 1),
    ],
)
def test_a_joker_is_told_by_its_place_counted_from_the_first_natural(
    rules: RuleSet, text: str, low: int
) -> None:
    held, command = laying(rules, text)
    held.does(command)
    assert (held.meld(0), held.deal.melds[0].low) == (text, low)


@pytest.mark.clause("X-13")
@of_games(LOW_ACE)
@pytest.mark.parametrize("text", ["AC-2C-3C-4C", "*-2C-3C-4C", "AC-*-3C-4C"])
def test_a_low_ace_begins_a_run(rules: RuleSet, text: str) -> None:
    held, command = laying(rules, text)
    held.does(command)
    assert held.deal.melds[0].low == 0


@pytest.mark.clause("X-13")
@of_games(HIGH_ACE_ONLY)
@pytest.mark.parametrize("text", ["AC-2C-3C", "AC-2C-3C-4C", "*-2C-3C-4C", "AC-*-3C"])
def test_where_aces_are_high_only_nothing_lies_below_the_two(rules: RuleSet, text: str) -> None:
    held, command = laying(rules, text)
    held.refuses(command, IllegalHere, "RUN_LEAVES_ACES", "E-9")
    fits, command = laying(rules, "*-3C-4C")
    fits.does(command)


@pytest.mark.clause("X-13")
@every_game
@pytest.mark.parametrize("text", ["KC-AC-2C-3C", "QC-KC-AC-*", "*-AC-2C-3C", "*-KC-AC-2C"])
def test_a_list_that_goes_on_beyond_an_ace_is_refused_everywhere(rules: RuleSet, text: str) -> None:
    held, command = laying(rules, text)
    clause = rules.clause("RUN_LEAVES_ACES")
    assert clause in ("X-13", "E-9")
    held.refuses(command, IllegalHere, "RUN_LEAVES_ACES", clause)


@pytest.mark.clause("X-13")
def test_an_american_table_may_play_the_ace_low_but_not_round_the_corner() -> None:
    rules = get_rule_set("kaluki-american", {"ace": "high_or_low"})
    held, command = laying(rules, "AC-2C-3C")
    held.does(command)
    wrong, command = laying(rules, "KC-AC-2C")
    wrong.refuses(command, IllegalHere, "RUN_LEAVES_ACES", "E-9")


@pytest.mark.clause("X-13")
@every_game
@pytest.mark.parametrize(
    "text", ["JC-TC-9C-8C", "8C-*-9C-TC", "8C-9C-TC-QC", "8C-8C-9C-TC", "8C-TC-9C-JC"]
)
def test_a_list_out_of_order_is_refused_everywhere(rules: RuleSet, text: str) -> None:
    held, command = laying(rules, text)
    held.refuses(command, IllegalHere, "RUN_NOT_CONSECUTIVE", "X-13")
    fits, command = laying(rules, "8C-9C-TC-JC")
    fits.does(command)


@pytest.mark.clause("X-13")
@of_games(ADJACENT)
def test_two_jokers_at_the_bottom_are_counted_down_from_the_first_natural(rules: RuleSet) -> None:
    assert run("*-*-4C-5C", rules=rules).low == 1
    with pytest.raises(IllegalHere) as refused:
        run("*-*-2C-3C", rules=rules)
    assert (refused.value.code, refused.value.clause) == (
        "RUN_LEAVES_ACES",
        rules.clause("RUN_LEAVES_ACES"),
    )


@pytest.mark.clause("X-13")
@every_game
@pytest.mark.parametrize("text", ["* KS KH", "KS * KH", "KH KS *"])
def test_the_cards_of_a_set_have_no_order_and_its_joker_has_its_rank(
    rules: RuleSet, text: str
) -> None:
    melds = opening(rules).replace("KS KH KD", text)
    held = position(rules=rules, hands={0: f"{cards(melds)} 2C"})
    held.does(f"0 opens {melds}")
    found = held.deal.melds[0]
    assert (found.kind, found.low, found.suit) == (MeldKind.SET, 12, -1)


# --- the order of a turn --------------------------------------------------------------------


@pytest.mark.clause("X-14")
@of_games(MELDS_ANY_TIME)
@pytest.mark.parametrize("turned", [False, True])
def test_lay_offs_jokers_and_lay_downs_mix_in_any_order(rules: RuleSet, turned: bool) -> None:
    takes = rules.joker_exchange is JokerExchange.TAKE
    joker = "0 trades 6H in 1 onto 2 low" if takes else "0 moves 6H in 1"
    order = ["0 lays KC on 0", "0 melds JD JS JC", joker, "0 melds 9D 9S 9H"]
    held = position(
        rules=rules,
        hands={0: "KC 6H JD JS JC 9D 9S 9H 2C"},
        opened=[0],
        table=["1: KS KH KD", "2: 5H-*-7H-8H", "1: TC-JC-QC-KC"],
    )
    held.all(*(reversed(order) if turned else order), "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("X-14")
@of_games(MOVES_JOKERS)
@pytest.mark.parametrize("turned", [False, True])
def test_lay_offs_and_joker_moves_mix_in_any_order(rules: RuleSet, turned: bool) -> None:
    order = ["0 lays KC on 0", "0 moves 6H in 1 high", "0 lays QC on 2"]
    held = position(
        rules=rules,
        hands={0: "KC QC 6H 2C"},
        table=["1: KS KH KD", "0: 5H-*-7H-8H", "2: 8C-9C-TC-JC"],
    )
    held.all(*(reversed(order) if turned else order), "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("X-14")
@of_games(tuple(rules for rules in GAMES if rules.new_melds is NewMelds.BEFORE_LAY_OFF))
def test_where_lay_downs_come_first_they_do(rules: RuleSet) -> None:
    hand = "KC JD JS JC 9D 9S 9H 2C"
    held = position(rules=rules, hands={0: hand}, opened=[0], table=["1: KS KH KD"])
    held.all("0 melds JD JS JC", "0 lays KC on 0")
    held.refuses("0 melds 9D 9S 9H", IllegalHere, "MELD_AFTER_LAY_OFF", "B-12")


@pytest.mark.clause("X-14")
@every_game
def test_nothing_is_played_before_the_draw_or_drawn_after_it(rules: RuleSet) -> None:
    held = position(
        rules=rules,
        hands={0: "KC 2C 3C"},
        phase=Phase.DRAW,
        table=["0: KS KH KD", "1: 5H-*-7H-8H"],
    )
    for command in (
        "0 lays KC on 0",
        "0 discards 2C",
        "0 melds KC 2C 3C",
        "0 opens KC 2C 3C",
        "0 moves 2C in 1",
        "0 trades 2C in 1 onto 0",
        "0 ends",
        "0 passes",
        "0 allows",
        "0 forbids",
    ):
        held.refuses(command, IllegalHere, "WRONG_PHASE", "X-14")
    held.does("0 draws")
    for command in ("0 draws", "0 takes", "0 takes 9S and opens 9S 9H 9D", "0 allows"):
        held.refuses(command, IllegalHere, "WRONG_PHASE", "X-14")
    held.does("0 lays KC on 0")


# --- a turn ---------------------------------------------------------------------------------


@pytest.mark.clause("X-19")
@every_game
def test_a_turn_lasts_from_the_draw_to_the_discard(rules: RuleSet) -> None:
    melds = opening(rules)
    held = position(rules=rules, hands={0: f"{cards(melds)} 2C 3C", 1: "7H", 2: "7H"})
    held.does(f"0 opens {melds}")
    for command in ("1 draws", "2 draws", "1 discards 7H", "2 ends"):
        held.refuses(command, NotYourTurn, "NOT_YOUR_TURN", "X-19")
    turn, after = held.deal.turn_number, held.deal.after[0]
    held.does("0 discards 3C")
    assert (held.deal.turn_number, held.deal.turn) == (turn + 1, after)
    held.refuses("0 discards 2C", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.refuses("0 lays 2C on 0", NotYourTurn, "NOT_YOUR_TURN", "X-19")


@pytest.mark.clause("X-19")
@of_games(WITH_CALLS)
def test_who_asks_out_of_turn_is_told_who_must_decide(rules: RuleSet) -> None:
    held = position(rules=rules, seats=4, hands={0: "7H 8H"})
    held.all("0 discards 7H", "2 calls", "3 passes")
    decider = decision_seat(held.deal)
    other = 1 - decider
    for command in (f"{other} allows", f"{other} forbids", "2 draws"):
        seat, action = held.action(command)
        with pytest.raises(NotYourTurn) as found:
            check(held.deal, seat, action)
        assert found.value.facts == {"seat": seat, "turn": decider}


@pytest.mark.clause("X-19")
@every_game
def test_the_emptied_hand_ends_the_deal_for_everybody(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "2C"}, opened=[0])
    held.does("0 discards 2C")
    for command in ("1 draws", "2 draws", "0 draws", "1 takes", "2 calls", "1 passes", "0 ends"):
        held.refuses(command, IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("X-19")
@of_games(WITH_CALLS)
def test_a_call_belongs_to_no_turn(rules: RuleSet) -> None:
    held = position(rules=rules, seats=4, hands={0: "7H 8H"})
    held.does("0 discards 7H")
    turn = held.deal.turn_number
    held.all("3 calls", "2 passes")
    held.does(f"{decision_seat(held.deal)} allows")
    assert (held.deal.turn, held.deal.turn_number) == (1, turn)
    held.refuses("3 discards 7H", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("1 draws")


# --- no merging, no splitting ---------------------------------------------------------------


@pytest.mark.clause("X-20")
@every_game
def test_two_runs_that_meet_stay_two(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "8H 2C"}, table=["0: 4H-5H-6H-7H", "1: 9H-TH-JH-QH"])
    held.does("0 lays 8H on 0")
    assert (held.meld(0), held.meld(1)) == ("4H-5H-6H-7H-8H", "9H-TH-JH-QH")
    held.refuses("0 lays 9H on 0", Malformed, "CARD_NOT_HELD", "X-2")


@pytest.mark.clause("X-20")
@of_games(BOTH_ENDS)
def test_a_card_between_two_runs_goes_to_the_one_that_is_named(rules: RuleSet) -> None:
    table = ["0: 4H-5H-6H-7H", "1: 9H-TH-JH-QH"]
    for target, shown in ((0, "4H-5H-6H-7H-8H"), (1, "8H-9H-TH-JH-QH")):
        held = position(rules=rules, hands={0: "8H 2C"}, table=table)
        held.does(f"0 lays 8H on {target}")
        assert held.meld(target) == shown
        assert len(held.deal.melds) == 2


@pytest.mark.clause("X-20")
@every_game
@pytest.mark.parametrize("target", [1, -1, 99])
def test_nothing_is_laid_on_a_meld_that_does_not_exist(rules: RuleSet, target: int) -> None:
    held = position(rules=rules, hands={0: "8H 2C"}, table=["0: 4H-5H-6H-7H"])
    joker = "trades" if rules.joker_exchange is JokerExchange.TAKE else "moves"
    onto = " onto 0 low" if joker == "trades" else ""
    held.refuses(f"0 lays 8H on {target}", Malformed, "UNKNOWN_MELD", "X-20")
    held.refuses(f"0 {joker} 8H in {target}{onto}", Malformed, "UNKNOWN_MELD", "X-20")
    clause = rules.clause("CARD_DOES_NOT_FIT")
    held.refuses("0 lays 2C on 0", IllegalHere, "CARD_DOES_NOT_FIT", clause)
    held.does("0 lays 8H on 0")
    assert [meld.kind for meld in held.deal.melds] == [MeldKind.RUN]


@pytest.mark.clause("X-20")
@of_games(HIGH_ACE_ONLY)
def test_six_cards_in_sequence_are_one_run_or_two_as_they_are_laid_down(rules: RuleSet) -> None:
    hand = "8H 9H TH JH QH KH 2C 3C"
    for melds, count in (("8H-9H-TH-JH-QH-KH", 1), ("8H-9H-TH / JH-QH-KH", 2)):
        held = position(rules=rules, hands={0: hand})
        held.does(f"0 opens {melds}")
        assert len(held.deal.melds) == count
        held.refuses("0 melds 8H-9H-TH", Malformed, "CARD_NOT_HELD", "X-2")
