"""E-13, E-12: where a joker goes that was taken from the table."""

from __future__ import annotations

from functools import partial

import pytest

from rummy_arena.game import engine
from rummy_arena.game.actions import HIGH, LOW, Action, ActionKind, take_joker_to_lay_off
from rummy_arena.game.cards import parse_card
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.events import JokerTaken
from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Position, position

european = partial(position, rules=KALUKI_EUROPEAN)
american = partial(position, rules=KALUKI_AMERICAN)
BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)
BUILT_ENOUGH = (IllegalHere, "BUILT_ENOUGH", "E-12")

# --- never into the hand --------------------------------------------------------------------------


@pytest.mark.clause("E-13")
@BOTH
def test_it_is_used_at_once(rules: RuleSet) -> None:
    held = position(hands={0: "7H KC KD KS 2C"}, table=["1: 6H-*-8H"], opened=[0], rules=rules)
    nowhere = Action(ActionKind.TAKE_JOKER, parse_card("7H1"), 0)
    with pytest.raises(IllegalHere, match="JOKER_NOT_USED") as refused:
        engine.check(held.deal, 0, nowhere)
    assert refused.value.clause == "E-13"
    held.refuses(
        "0 trades 7H in 0 and melds KC KD KS", IllegalHere, "JOKER_NOT_USED", "E-13"
    )  # a meld without it does not use it
    assert held.meld(0) == "6H-*-8H"


@pytest.mark.clause("E-13")
def test_it_never_comes_into_the_hand() -> None:
    held = european(hands={0: "7H KC KD 2C"}, table=["1: 6H-*-8H"], opened=[0])
    held.does("0 trades 7H in 0 and melds KC KD *")
    assert held.hand(0) == "2C"
    held.refuses("0 discards *", Malformed, "CARD_NOT_HELD", "X-2")


@pytest.mark.clause("E-13")
@pytest.mark.parametrize(
    ("place", "cause", "code", "clause"),
    [
        ("and melds KC KD 2C *", IllegalHere, "SET_RANKS_DIFFER", "X-1"),
        ("and melds KC *", IllegalHere, "SET_TOO_SHORT", "E-22"),
        ("and melds 7H-*-9H", Malformed, "REPEATED_CARD", "X-2"),  # the card that is given
        ("and melds KC KH *", Malformed, "CARD_NOT_HELD", "X-2"),
        ("onto 1", IllegalHere, "SET_CLOSED", "E-22"),
        ("onto 2", IllegalHere, "END_NEEDED", "E-12"),
        ("onto 3 high", IllegalHere, "WRONG_END", "E-9"),
        ("onto 4", Malformed, "UNKNOWN_MELD", "X-20"),
    ],
)
def test_if_its_place_does_not_take_it_nothing_happens(
    place: str, cause: type[IllegalHere] | type[Malformed], code: str, clause: str
) -> None:
    table = ["1: 6H-*-8H", "1: 4C 4D 4H 4S", "2: 5S-6S-7S", "2: QD-KD2-AD"]
    held = european(hands={0: "7H 9H KC KD 2C"}, table=table, opened=[0])
    held.refuses(f"0 trades 7H in 0 {place}", cause, code, clause)
    assert (held.meld(0), held.hand(0)) == ("6H-*-8H", "2C KC KD 7H 9H")


@pytest.mark.clause("E-13")
def test_it_has_one_place_not_two() -> None:
    held = european(hands={0: "7H KC KD 2C"}, table=["1: 6H-*-8H", "1: JS-QS-KS"], opened=[0])
    _, meld = held.action("0 trades 7H in 0 and melds KC KD *")
    with pytest.raises(Malformed, match="TWO_PLACES_FOR_JOKER"):
        engine.check(held.deal, 0, meld._replace(onto=1))
    with pytest.raises(Malformed, match="ONE_MELD_EACH"):
        engine.check(held.deal, 0, meld._replace(melds=meld.melds * 2))


# --- a new meld -----------------------------------------------------------------------------------


@pytest.mark.clause("E-13")
@pytest.mark.parametrize("meld", ["KC KD *1", "QC-*1-AC", "*1-KC-AC", "8S-9S-*1", "KC *1 *2"])
def test_it_goes_to_a_new_meld_of_any_kind(meld: str) -> None:
    held = european(hands={0: "7H KC KD QC AC 8S 9S *2 2C"}, table=["1: 6H-*1-8H"], opened=[0])
    held.does(f"0 trades 7H in 0 and melds {meld}")
    assert held.meld(1) == meld.replace("*1", "*").replace("*2", "*")


@pytest.mark.clause("E-13")
def test_another_joker_of_the_table_does_not_come_along() -> None:
    held = european(hands={0: "5C KC 2C"}, table=["1: 4C-*1-*2"], opened=[0])
    held.refuses("0 trades 5C in 0 and melds KC *1 *2", Malformed, "CARD_NOT_HELD", "X-2")


@pytest.mark.clause("E-13", "E-26")
def test_two_jokers_are_taken_one_after_the_other() -> None:
    held = european(hands={0: "5C 6C KC KD QC QD 2C"}, table=["1: 4C-*1-*2"], opened=[0])
    held.all("0 trades 5C in 0 and melds KC KD *1", "0 trades 6C in 0 and melds QC QD *2")
    assert (held.meld(0), held.meld(1), held.meld(2)) == ("4C-5C-6C", "KC KD *", "QC QD *")


@pytest.mark.clause("E-13")
def test_the_same_joker_is_taken_again_from_where_it_went() -> None:
    held = european(hands={0: "7H KC KD KH KS QC QD 2C"}, table=["1: 6H-*-8H"], opened=[0])
    held.does("0 trades 7H in 0 and melds KC KD *")
    held.does("0 trades KH KS in 1 and melds QC QD *")
    assert (held.meld(1), held.meld(2)) == ("KC KD KH KS", "QC QD *")


# --- a lay-off ------------------------------------------------------------------------------------


@pytest.mark.clause("E-13")
@pytest.mark.parametrize(("end", "after"), [("low", "*-JS-QS-KS"), ("high", "JS-QS-KS-*")])
@BOTH
def test_it_goes_to_an_end_of_another_run(end: str, after: str, rules: RuleSet) -> None:
    held = position(
        hands={0: "7H 2C"}, table=["1: 6H-*-8H", "1: JS-QS-KS"], opened=[0], rules=rules
    )
    command = f"0 trades 7H in 0 onto 1 {end}"
    assert held.lists(command)
    held.refuses("0 trades 7H in 0 onto 1", IllegalHere, "END_NEEDED", "E-12")
    (event,) = held.does(command)
    assert isinstance(event, JokerTaken)
    assert (event.onto, event.end) == (1, LOW if end == "low" else HIGH)
    assert (held.meld(0), held.meld(1)) == ("6H-7H-8H", after)


@pytest.mark.clause("E-13")
def test_it_goes_to_another_set_with_room() -> None:
    held = european(hands={0: "7H 2C"}, table=["1: 6H-*-8H", "1: 4C 4D 4H"], opened=[0])
    held.does("0 trades 7H in 0 onto 1")
    assert held.meld(1) == "4C 4D 4H *"


@pytest.mark.clause("E-13")
@pytest.mark.parametrize(("end", "after"), [("low", "*-6H-7H-8H"), ("high", "6H-7H-8H-*")])
def test_it_goes_back_to_an_end_of_the_run_that_it_came_from(end: str, after: str) -> None:
    held = european(hands={0: "7H 2C"}, table=["1: 6H-*-8H"], opened=[0])
    held.does(f"0 trades 7H in 0 onto 0 {end}")
    assert held.meld(0) == after


@pytest.mark.clause("E-13")
def test_in_the_american_game_it_may_go_back_to_its_set() -> None:
    held = american(hands={0: "5D 2C"}, table=["1: 5C 5H *"], opened=[0])
    held.does("0 trades 5D in 0 onto 0")
    assert held.meld(0) == "5C 5H 5D *"
    full = american(hands={0: "5D 2C"}, table=["1: 5C 5H 5S *"], opened=[0])
    full.refuses("0 trades 5D in 0 onto 0", IllegalHere, "SET_CLOSED", "E-22")


@pytest.mark.clause("E-13")
def test_in_the_european_game_its_set_is_full() -> None:
    held = european(hands={0: "5D 5S 2C"}, table=["1: 5C 5H *"], opened=[0])
    held.refuses("0 trades 5D 5S in 0 onto 0", IllegalHere, "SET_CLOSED", "E-22")


@pytest.mark.clause("E-13", "E-9")
def test_a_full_run_takes_its_joker_nowhere() -> None:
    run = "2H-3H-*-5H-6H-7H-8H-9H-TH-JH-QH-KH-AH"
    held = european(hands={0: "4H 2C"}, table=[f"1: {run}", "1: QS-KS-AS"], opened=[0])
    held.refuses("0 trades 4H in 0 onto 0 high", IllegalHere, "RUN_CLOSED", "E-9")
    held.does("0 trades 4H in 0 onto 1 low")


# --- the limit of two on an end -------------------------------------------------------------------


@pytest.mark.clause("E-12", "E-13")
def test_a_joker_that_is_taken_counts_on_the_end_where_it_goes() -> None:
    held = european(hands={0: "7H TS QS 2C"}, table=["1: 6H-*-8H", "1: 7S-8S-9S"], opened=[0])
    held.all("0 lays TS on 1", "0 trades 7H in 0 onto 1 high")
    assert held.meld(1) == "7S-8S-9S-TS-*"
    held.refuses("0 lays QS on 1 high", *BUILT_ENOUGH)
    full = european(hands={0: "7H TS JS 2C"}, table=["1: 6H-*-8H", "1: 7S-8S-9S"], opened=[0])
    full.all("0 lays TS on 1", "0 lays JS on 1")
    full.refuses("0 trades 7H in 0 onto 1 high", *BUILT_ENOUGH)
    assert not full.lists("0 trades 7H in 0 onto 1 high")
    full.does("0 trades 7H in 0 onto 1 low")


@pytest.mark.clause("E-12", "E-13")
def test_a_joker_first_then_one_card_and_no_third() -> None:
    held = european(hands={0: "7H JS QS 2C"}, table=["1: 6H-*-8H", "1: 7S-8S-9S"], opened=[0])
    held.all("0 trades 7H in 0 onto 1 high", "0 lays JS on 1")
    held.refuses("0 lays QS on 1", *BUILT_ENOUGH)


@pytest.mark.clause("E-12", "E-13")
def test_the_natural_that_is_given_counts_on_no_end() -> None:
    held = european(hands={0: "8H 9H TH KC KD 2C"}, table=["1: 6H-7H-*"], opened=[0])
    held.does("0 trades 8H in 0 and melds KC KD *")
    held.all("0 lays 9H on 0", "0 lays TH on 0")
    assert held.meld(0) == "6H-7H-8H-9H-TH"


@pytest.mark.clause("E-12", "E-13")
def test_the_option_lifts_it_for_jokers_too() -> None:
    rules = get_rule_set("kaluki-european", {"build_per_end": "unlimited"})
    held = position(
        hands={0: "7H TS JS 2C"}, table=["1: 6H-*-8H", "1: 7S-8S-9S"], opened=[0], rules=rules
    )
    held.all("0 lays TS on 1", "0 lays JS on 1", "0 trades 7H in 0 onto 1 high")


# --- what is listed -------------------------------------------------------------------------------


@pytest.mark.clause("E-13")
@pytest.mark.parametrize("rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id)
def test_what_is_listed_is_all_that_goes_onto_the_table_and_nothing_more(rules: RuleSet) -> None:
    table = ["1: 6H-*1-8H", "1: 5C 5H *2", "2: JS-QS-KS", "2: 4C 4D 4H", "2: QD-KD-AD"]
    held = position(hands={0: "7H 5D 5S 9H 2C"}, table=table, opened=[0], rules=rules)
    listed = {
        action
        for action in engine.legal_actions(held.deal, 0)
        if action.kind is ActionKind.TAKE_JOKER
    }
    assert listed == _accepted(held)
    assert len(listed) == (13 if rules is KALUKI_EUROPEAN else 21)


def _accepted(held: Position) -> set[Action]:
    """Try every pair of cards, target, place and end."""
    hand = held.deal.hands[0]
    found = set()
    for cards in [*((card,) for card in hand), *((a, b) for a in hand for b in hand)]:
        if len(cards) > 1 and cards[0] > cards[1]:
            continue  # the order of the two does not matter; the lower id is listed first
        for target, _ in enumerate(held.deal.melds):
            for onto, meld in enumerate(held.deal.melds):
                for end in (-1,) if meld.suit < 0 else (LOW, HIGH):
                    action = take_joker_to_lay_off(cards, target, onto, end)
                    try:
                        engine.check(held.deal, 0, action)
                    except (IllegalHere, Malformed):
                        continue
                    found.add(action)
    return found
