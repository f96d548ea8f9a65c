"""E-9, E-10, E-11, E-22, E-26: what lies on the table as a set or a run."""

from __future__ import annotations

from functools import partial

import pytest

from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.melds import MeldKind
from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Position, position

european = partial(position, rules=KALUKI_EUROPEAN)
LOW_ACE = get_rule_set("kaluki-american", {"ace": "high_or_low"})
BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)
TWO_TO_KING = "2H-3H-4H-5H-6H-7H-8H-9H-TH-JH-QH-KH"


def melding(meld: str, rules: RuleSet = KALUKI_EUROPEAN) -> Position:
    """Return a position whose opened seat 0 holds the cards of ``meld`` and the nine of spades."""
    cards = meld.replace("-", " ")
    return position(hands={0: f"{cards} 9S"}, opened=[0], rules=rules, pile="8S")


# --- E-9: the ace is high -------------------------------------------------------------------------


@pytest.mark.clause("E-9")
@pytest.mark.parametrize("meld", ["QH-KH-AH", "*-KH-AH", "QH-KH-*", "*-*2-AH", f"{TWO_TO_KING}-AH"])
@BOTH
def test_it_stands_above_the_king(meld: str, rules: RuleSet) -> None:
    held = melding(meld, rules)
    held.does(f"0 melds {meld}")
    assert held.deal.melds[0].low + len(held.deal.melds[0].cards) - 1 == 13


@pytest.mark.clause("E-9")
@pytest.mark.parametrize(
    "meld",
    [
        "AH-2H-3H",  # the ace below the two
        "KH-AH-2H",  # the example of the source
        "QH-KH-AH-2H",
        "*-2H-3H",  # a joker where only a low ace could be
        "AH-*-3H",
        "AH-*-*2",
        "QH-KH-AH-*",
        "KH-AH-*",
        "*-AH-2H",
        f"AH-{TWO_TO_KING}",
        f"*-{TWO_TO_KING}",
        f"AH-{TWO_TO_KING}-AH2",
    ],
)
@BOTH
def test_it_never_stands_below_the_two(meld: str, rules: RuleSet) -> None:
    held = melding(meld, rules)
    held.refuses(f"0 melds {meld}", IllegalHere, "RUN_LEAVES_ACES", "E-9")


@pytest.mark.clause("E-9")
@BOTH
def test_a_run_on_the_table_ends_at_the_two_and_at_the_ace(rules: RuleSet) -> None:
    held = position(hands={0: "AH * 5H 9S"}, table=["1: 2H-3H-4H"], opened=[0], rules=rules)
    held.refuses("0 lays AH on 0", IllegalHere, "CARD_DOES_NOT_FIT", "E-12")
    held.refuses("0 lays AH on 0 low", IllegalHere, "WRONG_END", "E-9")
    held.refuses("0 lays * on 0 low", IllegalHere, "WRONG_END", "E-9")
    held.does("0 lays * on 0")
    assert held.meld(0) == "2H-3H-4H-*"
    top = position(hands={0: "2H TH 9S"}, table=["1: JH-QH-KH-AH"], opened=[0], rules=rules)
    top.refuses("0 lays 2H on 0", IllegalHere, "CARD_DOES_NOT_FIT", "E-12")
    top.refuses("0 lays 2H on 0 high", IllegalHere, "WRONG_END", "E-9")
    top.does("0 lays TH on 0")


@pytest.mark.clause("E-9")
def test_a_run_has_thirteen_cards_at_most() -> None:
    held = european(hands={0: "AH AH2 * 9S"}, table=[f"1: {TWO_TO_KING}"], opened=[0])
    held.does("0 lays AH1 on 0")
    for card in ("AH2", "*"):
        held.refuses(f"0 lays {card} on 0", IllegalHere, "RUN_CLOSED", "E-9")


@pytest.mark.clause("E-9")
@pytest.mark.parametrize(
    "meld", ["AH-2H-3H", "*-2H-3H", "AH-*-*2", "QH-KH-AH", f"AH-{TWO_TO_KING}"]
)
def test_the_option_of_the_american_game_lets_it_stand_below_the_two(meld: str) -> None:
    held = melding(meld, LOW_ACE)
    held.does(f"0 melds {meld}")


@pytest.mark.clause("E-9")
def test_but_never_round_the_corner_nor_at_both_ends() -> None:
    corner = melding("KH-AH-2H", LOW_ACE)
    corner.refuses("0 melds KH-AH-2H", IllegalHere, "RUN_LEAVES_ACES", "E-9")
    both = melding(f"AH-{TWO_TO_KING}-AH2", LOW_ACE)
    both.refuses(f"0 melds AH-{TWO_TO_KING}-AH2", IllegalHere, "RUN_TOO_LONG", "E-9")


@pytest.mark.clause("E-9")
def test_with_the_option_an_ace_that_fits_both_ends_goes_where_the_player_says() -> None:
    held = position(
        hands={0: "AH AH2 9S"}, table=[f"1: {TWO_TO_KING}"], opened=[0], rules=LOW_ACE, pile="8S"
    )
    held.refuses("0 lays AH1 on 0", IllegalHere, "END_NEEDED", "E-12")
    held.does("0 lays AH1 on 0 low")
    assert held.meld(0).startswith("AH-2H")
    held.refuses("0 lays AH2 on 0 high", IllegalHere, "RUN_CLOSED", "E-9")


# --- E-10: jokers in melds ------------------------------------------------------------------------


@pytest.mark.clause("E-10")
@pytest.mark.parametrize(
    ("meld", "kind", "low"),
    [
        ("4C * *2", MeldKind.SET, 3),  # the example of the source: a set of fours
        ("4C-*-*2", MeldKind.RUN, 3),  # or four, five, six of clubs
        ("*-4C-*2", MeldKind.RUN, 2),
        ("*-*2-4C", MeldKind.RUN, 1),
        ("4C-*-*2-7C", MeldKind.RUN, 3),
        ("4C 4D * *2", MeldKind.SET, 3),
    ],
)
@BOTH
def test_one_natural_is_enough_and_the_player_says_what_it_is(
    meld: str, kind: MeldKind, low: int, rules: RuleSet
) -> None:
    held = melding(meld, rules)
    held.does(f"0 melds {meld}")
    assert (held.deal.melds[0].kind, held.deal.melds[0].low) == (kind, low)


@pytest.mark.clause("E-10")
@pytest.mark.parametrize("meld", ["4C-*-*2-*3-*4", "4C * *2 *3", "*-*2-*3-*4-6C"])
def test_four_jokers_may_stand_side_by_side_in_the_american_game(meld: str) -> None:
    melding(meld, KALUKI_AMERICAN).does(f"0 melds {meld}")


@pytest.mark.clause("E-10")
@pytest.mark.parametrize(
    ("meld", "code"), [("* *2 *3", "SET_NEEDS_NATURALS"), ("*-*2-*3", "RUN_NEEDS_NATURALS")]
)
def test_jokers_alone_are_no_meld(meld: str, code: str) -> None:
    melding(meld, KALUKI_AMERICAN).refuses(f"0 melds {meld}", IllegalHere, code, "E-10")


@pytest.mark.clause("E-10")
def test_jokers_are_laid_off_beside_jokers() -> None:
    held = european(hands={0: "* 9S"}, table=["1: 5H-6H-*"], opened=[0])
    held.refuses("0 lays * on 0", IllegalHere, "END_NEEDED", "E-12")
    held.does("0 lays * on 0 high")
    assert held.meld(0) == "5H-6H-*-*"


@pytest.mark.clause("E-10")
@pytest.mark.parametrize(
    ("meld", "code", "clause"),
    [
        ("4C-*-7C", "RUN_NOT_CONSECUTIVE", "X-13"),  # one joker does not fill two places
        ("4C-*-6D", "RUN_SUITS_DIFFER", "X-1"),
        ("6C-*-4C", "RUN_NOT_CONSECUTIVE", "X-13"),
        ("4C 5C *", "SET_RANKS_DIFFER", "X-1"),
    ],
)
def test_a_joker_mends_no_other_fault(meld: str, code: str, clause: str) -> None:
    melding(meld).refuses(f"0 melds {meld}", IllegalHere, code, clause)


# --- E-11: suits of a set -------------------------------------------------------------------------


@pytest.mark.clause("E-11")
@pytest.mark.parametrize("meld", ["6C1 6C2 6H", "6C1 6C2 *", "6C1 6H 6D 6H2"])
@BOTH
def test_no_suit_stands_twice_in_a_set(meld: str, rules: RuleSet) -> None:
    held = melding(meld, rules)
    held.refuses(f"0 melds {meld}", IllegalHere, "SET_SUITS_REPEAT", "E-11")


@pytest.mark.clause("E-11")
@BOTH
def test_the_example_of_the_source_takes_only_the_missing_suit(rules: RuleSet) -> None:
    held = position(
        hands={0: "6C2 6H2 6D2 6S 7S 9S"}, table=["1: 6C1 6H1 6D1"], opened=[0], rules=rules
    )
    for card in ("6C2", "6H2", "6D2"):
        held.refuses(f"0 lays {card} on 0", IllegalHere, "SET_SUITS_REPEAT", "E-11")
    held.refuses("0 lays 7S on 0", IllegalHere, "RANK_DOES_NOT_FIT", "E-11")
    held.does("0 lays 6S on 0")
    assert held.meld(0) == "6C 6H 6D 6S"


@pytest.mark.clause("E-11")
@pytest.mark.parametrize("card", ["6D", "6S"])
def test_a_joker_stands_for_no_suit_so_any_missing_one_is_added(card: str) -> None:
    held = european(hands={0: f"{card} 6C2 9S"}, table=["1: 6C1 6H *"], opened=[0])
    held.refuses("0 lays 6C2 on 0", IllegalHere, "SET_SUITS_REPEAT", "E-11")
    held.does(f"0 lays {card} on 0")
    assert held.meld(0) == f"6C 6H * {card}"


@pytest.mark.clause("E-11")
def test_every_missing_suit_fits_beside_one_natural_and_two_jokers() -> None:
    for card in ("6D", "6H", "6S", "6C2"):
        held = european(hands={0: f"{card} 9S"}, table=["1: 6C1 * *2"], opened=[0])
        if card == "6C2":
            held.refuses("0 lays 6C2 on 0", IllegalHere, "SET_SUITS_REPEAT", "E-11")
        else:
            held.does(f"0 lays {card} on 0")


@pytest.mark.clause("E-11", "E-22")
def test_with_four_cards_no_suit_is_missing_even_if_one_is_a_joker() -> None:
    held = european(hands={0: "6S *2 9S"}, table=["1: 6C 6H 6D *"], opened=[0])
    held.refuses("0 lays 6S on 0", IllegalHere, "SET_CLOSED", "E-22")
    held.refuses("0 lays *2 on 0", IllegalHere, "SET_CLOSED", "E-22")


# --- E-22: lengths --------------------------------------------------------------------------------


@pytest.mark.clause("E-22")
@pytest.mark.parametrize(
    ("meld", "code"),
    [
        ("6C 6H", "SET_TOO_SHORT"),
        ("6C *", "SET_TOO_SHORT"),
        ("6C 6H 6D 6S *", "SET_TOO_LONG"),
        ("6C 6H 6D 6S 6C2", "SET_TOO_LONG"),
        ("6C-7C", "RUN_TOO_SHORT"),
        ("6C-*", "RUN_TOO_SHORT"),
    ],
)
@BOTH
def test_sets_have_three_or_four_cards_and_runs_three_at_least(
    meld: str, code: str, rules: RuleSet
) -> None:
    held = melding(meld, rules)
    held.refuses(f"0 melds {meld}", IllegalHere, code, "E-22")


@pytest.mark.clause("E-22")
@pytest.mark.parametrize("meld", ["6C 6H 6D", "6C 6H 6D 6S", "6C-7C-8C", "6C-7C-8C-9C-TC-JC-QC"])
def test_the_lengths_that_there_are(meld: str) -> None:
    melding(meld).does(f"0 melds {meld}")


@pytest.mark.clause("E-22")
def test_six_in_sequence_are_laid_down_as_one_run_or_as_two() -> None:
    hand = "6C 7C 8C 9C TC JC 9S"
    one = european(hands={0: hand})
    one.does("0 opens 6C-7C-8C-9C-TC-JC")
    two = european(hands={0: hand})
    two.does("0 opens 6C-7C-8C / 9C-TC-JC")
    assert (len(one.deal.melds), len(two.deal.melds)) == (1, 2)
    five = european(hands={0: hand})
    five.refuses("0 opens 7C-8C-9C / TC-JC", IllegalHere, "RUN_TOO_SHORT", "E-22")


@pytest.mark.clause("E-22", "X-20")
def test_two_runs_that_meet_stay_two() -> None:
    held = european(
        hands={0: "9C TC 9S"}, table=["1: 6C-7C-8C", "1: TC-JC-QC"], opened=[0], pile="8S"
    )
    held.all("0 lays 9C on 0")
    assert (held.meld(0), held.meld(1)) == ("6C-7C-8C-9C", "TC-JC-QC")
    held.does("0 lays TC on 0")  # the twin of the ten that the other run begins with
    assert held.meld(0) == "6C-7C-8C-9C-TC"


# --- E-26: equal melds ----------------------------------------------------------------------------


@pytest.mark.clause("E-26")
@pytest.mark.parametrize(
    "melds",
    [
        "KC KD KH / KC2 KD2 KH2",
        "KC KD KH / KC2 KS KH2",
        "QH-KH-AH / QH2-KH2-AH2",
        "TH-JH-QH / QH2-KH-AH",
    ],
)
@BOTH
def test_two_sets_of_a_rank_and_two_runs_of_a_suit_are_laid_down(
    melds: str, rules: RuleSet
) -> None:
    hand = melds.replace("/", " ").replace("-", " ")
    held = position(hands={0: f"{hand} 9S"}, rules=rules, pile="8S")
    held.does(f"0 opens {melds}")


@pytest.mark.clause("E-26")
def test_one_card_is_in_one_meld_only() -> None:
    held = european(hands={0: "KC KD KH KC2 KS 9S"})
    held.refuses("0 opens KC KD KH / KC2 KS KH2", Malformed, "CARD_NOT_HELD", "X-2")
    held.does("0 opens KC KD KH KS")
