"""C-4 to C-9, C-15: what may be done with the melds on the table after the opening."""

from __future__ import annotations

import pytest

from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.events import JokerMoved, LaidOff
from rummy_arena.rulesets.carioca_argentine import CARIOCA_ARGENTINE
from tests.spec.positions import Position, position

TWO_TO_KING = "2S-3S-4S-5S-6S-7S-8S-9S-TS-JS-QS-KS"


def opened(hand: str, *table: str, opened: tuple[int, ...] = (0,)) -> Position:
    """Return a position whose seat 0 opened earlier, holds the hand and is to play."""
    return position(rules=CARIOCA_ARGENTINE, hands={0: hand}, table=table, opened=opened)


# --- C-4: jokers later ----------------------------------------------------------------------------


@pytest.mark.clause("C-4")
def test_jokers_are_laid_off_side_by_side_without_limit() -> None:
    held = opened("* * * * 2C", "1: 5S-6S-7S-8S")
    held.all("0 lays * on 0 high", "0 lays * on 0 high", "0 lays * on 0 low", "0 lays * on 0 low")
    assert held.meld(0) == "*-*-5S-6S-7S-8S-*-*"
    assert held.deal.melds[0].low == 2


@pytest.mark.clause("C-4")
def test_a_joker_of_the_opening_takes_another_beside_it_in_a_later_turn_only() -> None:
    held = position(
        rules=CARIOCA_ARGENTINE,
        seats=2,
        contract=2,
        hands={0: "8C 8D * 4S 5S 6S *2 *3 2C 3C"},
        stock="4C 9C",
    )
    held.refuses("0 opens 8C 8D *1 / *2-4S-5S-*3", IllegalHere, "OPENING_JOKERS", "C-3")
    held.does("0 opens 8C 8D *1 / *2-4S-5S-6S")
    held.refuses("0 lays *3 on 0", IllegalHere, "NOTHING_MORE_THIS_TURN", "C-2")
    held.all("0 discards 2C", "1 draws", "1 discards 9C", "0 draws", "0 lays *3 on 1 low")
    assert held.meld(1) == "*-*-4S-5S-6S"


@pytest.mark.clause("C-4")
def test_a_set_may_hold_more_jokers_than_naturals() -> None:
    held = opened("* * * 2C", "1: 8C 8D *")
    held.all("0 lays * on 0", "0 lays * on 0", "0 lays * on 0")
    assert held.meld(0) == "8C 8D * * * *"
    held.refuses("0 lays * on 0", Malformed, "CARD_NOT_HELD", "X-2")


# --- C-5, C-6: sets -------------------------------------------------------------------------------


@pytest.mark.clause("C-5")
def test_a_set_takes_its_rank_in_any_suit_as_often_as_there_are_cards() -> None:
    held = opened("8S 8H 8C 8D 8S 2C", "1: 8C 8D 8H")
    for card in ("8S1", "8H2", "8C2", "8D2", "8S2"):
        assert held.lists(f"0 lays {card} on 0")
        held.does(f"0 lays {card} on 0")
    assert held.meld(0) == "8C 8D 8H 8S 8H 8C 8D 8S"
    assert held.hand(0) == "2C"


@pytest.mark.clause("C-4", "C-5")
def test_all_eights_and_all_jokers_may_lie_in_one_set() -> None:
    held = opened("8C 8D 8H 8H 8S 8S * * * 2C", "1: 8C 8D *")
    cards = ("8C", "8D", "8H1", "8H2", "8S1", "8S2", "*2", "*3", "*4")
    held.all(*[f"0 lays {card} on 0" for card in cards])
    assert len(held.deal.melds[0].cards) == 12
    held.refuses("0 lays 2C on 0", IllegalHere, "RANK_DOES_NOT_FIT", "C-5")


@pytest.mark.clause("C-5")
@pytest.mark.parametrize("card", ["7C", "9C", "KS"])
def test_a_set_refuses_another_rank(card: str) -> None:
    held = opened(f"{card} 8S 2C", "1: 8C 8D *")
    held.refuses(f"0 lays {card} on 0", IllegalHere, "RANK_DOES_NOT_FIT", "C-5")
    held.does("0 lays 8S on 0")


@pytest.mark.clause("C-5")
def test_a_joker_in_a_set_stands_for_no_suit_so_that_every_copy_may_join_it() -> None:
    held = opened("8C 8D 8H 8H 8S 8S 2C", "1: 8C 8D *")
    for card in ("8C", "8D", "8H1", "8H2", "8S1", "8S2"):
        held.does(f"0 lays {card} on 0")
    assert held.meld(0) == "8C 8D * 8C 8D 8H 8H 8S 8S"


@pytest.mark.clause("C-6")
def test_a_joker_of_a_set_stays_and_the_natural_is_added() -> None:
    held = opened("8H 2C", "1: 8C 8D *")
    for end in ("", " low", " high"):
        held.refuses(f"0 moves 8H in 0{end}", IllegalHere, "JOKER_FIXED_IN_SET", "C-6")
    held.does("0 lays 8H on 0")
    assert held.meld(0) == "8C 8D * 8H"


# --- C-7: where cards go --------------------------------------------------------------------------


@pytest.mark.clause("C-7")
def test_runs_of_all_grow_at_both_ends_in_one_turn() -> None:
    held = opened("8S 9S 3S 4H 9H 2C", "1: 4S-5S-6S-7S", "2: 5H-6H-7H-8H")
    (laid,) = held.does("0 lays 8S on 0")
    assert isinstance(laid, LaidOff)
    held.all("0 lays 3S on 0", "0 lays 9S on 0 high", "0 lays 9H on 1", "0 lays 4H on 1 low")
    assert (held.meld(0), held.meld(1)) == ("3S-4S-5S-6S-7S-8S-9S", "4H-5H-6H-7H-8H-9H")


@pytest.mark.clause("C-7")
def test_a_turn_lays_off_as_many_cards_as_it_likes_on_one_end() -> None:
    held = opened("8S 9S TS JS QS 3S 2S AS 2C", "1: 4S-5S-6S-7S")
    held.all(*[f"0 lays {card} on 0 high" for card in ("8S", "9S", "TS", "JS", "QS")])
    held.refuses("0 lays AS on 0 high", IllegalHere, "CARD_DOES_NOT_FIT", "C-7")
    held.all(*[f"0 lays {card} on 0 low" for card in ("3S", "2S", "AS")])
    assert held.meld(0) == "AS-2S-3S-4S-5S-6S-7S-8S-9S-TS-JS-QS"


@pytest.mark.clause("C-7")
@pytest.mark.parametrize("card", ["9S", "2S", "5S", "8H", "3H", "7S"])
def test_only_the_next_card_of_the_suit_fits_an_end(card: str) -> None:
    held = opened(f"{card} 8S 2C", "1: 4S-5S-6S-7S")
    for end in ("", " low", " high"):
        held.refuses(f"0 lays {card} on 0{end}", IllegalHere, "CARD_DOES_NOT_FIT", "C-7")
    held.refuses("0 lays 8S on 0 low", IllegalHere, "CARD_DOES_NOT_FIT", "C-7")
    held.does("0 lays 8S on 0 high")


@pytest.mark.clause("C-7")
def test_a_joker_that_fits_both_ends_needs_one_named() -> None:
    held = opened("* * 2C", "1: 4S-5S-6S-7S")
    held.refuses("0 lays * on 0", IllegalHere, "END_NEEDED", "C-7")
    assert held.lists("0 lays * on 0 low")
    assert held.lists("0 lays * on 0 high")
    top = opened("* 2C", "1: JS-QS-KS-AS")
    top.refuses("0 lays * on 0 high", IllegalHere, "WRONG_END", "C-7")
    top.does("0 lays * on 0")
    assert top.meld(0) == "*-JS-QS-KS-AS"


# --- C-7, C-8: the natural takes the joker's place ------------------------------------------------


@pytest.mark.clause("C-7")
@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize(
    ("run", "card", "low", "high"),
    [
        ("5S-*-7S-8S", "6S", "*-5S-6S-7S-8S", "5S-6S-7S-8S-*"),
        ("*-6S-7S-8S", "5S", "*-5S-6S-7S-8S", "5S-6S-7S-8S-*"),
        ("5S-6S-7S-*", "8S", "*-5S-6S-7S-8S", "5S-6S-7S-8S-*"),
        ("*-5S-*-7S-8S-*", "6S", "*-*-5S-6S-7S-8S-*", "*-5S-6S-7S-8S-*-*"),
        ("5S-*-*-8S", "7S", "*-5S-*-7S-8S", "5S-*-7S-8S-*"),
    ],
)
def test_the_joker_of_anybodys_run_goes_to_the_end_that_is_named(
    owner: int, run: str, card: str, low: str, high: str
) -> None:
    for end, shown in (("low", low), ("high", high)):
        held = opened(f"{card} 2C", f"{owner}: {run}")
        held.refuses(f"0 moves {card} in 0", IllegalHere, "END_NEEDED", "C-7")
        assert held.lists(f"0 moves {card} in 0 {end}")
        (moved,) = held.does(f"0 moves {card} in 0 {end}")
        assert isinstance(moved, JokerMoved)
        assert (held.meld(0), held.hand(0)) == (shown, "2C")
        assert held.deal.melds[0].owner == owner


@pytest.mark.clause("C-7")
@pytest.mark.parametrize(
    ("run", "card", "closed", "shown"),
    [
        ("JS-*-KS-AS", "QS", "high", "*-JS-QS-KS-AS"),
        ("JS-QS-KS-*", "AS", "high", "*-JS-QS-KS-AS"),
        ("*-2S-3S-4S", "AS", "low", "AS-2S-3S-4S-*"),
        ("AS-2S-*-4S", "3S", "low", "AS-2S-3S-4S-*"),
        ("AS-*-3S-4S-5S-6S-7S-8S-9S-TS-JS-QS-KS", "2S", "low", None),
    ],
)
def test_an_end_that_has_reached_an_ace_takes_no_joker(
    run: str, card: str, closed: str, shown: str | None
) -> None:
    held = opened(f"{card} 2C", f"1: {run}")
    held.refuses(f"0 moves {card} in 0 {closed}", IllegalHere, "WRONG_END", "C-7")
    assert not held.lists(f"0 moves {card} in 0 {closed}")
    held.does(f"0 moves {card} in 0")
    assert held.meld(0) == (shown or f"AS-{TWO_TO_KING}-*")


@pytest.mark.clause("C-7")
@pytest.mark.parametrize(
    ("run", "card"),
    [
        (f"AS-{TWO_TO_KING.replace('2S', '*')}-AS", "2S"),
        (f"*-{TWO_TO_KING}-AS", "AS"),
        (f"AS-{TWO_TO_KING}-*", "AS"),
        (f"*-{TWO_TO_KING}-*", "AS"),
    ],
)
def test_no_joker_moves_in_a_run_of_fourteen(run: str, card: str) -> None:
    held = opened(f"{card} 2C", f"1: {run}")
    for end in ("", " low", " high"):
        held.refuses(f"0 moves {card} in 0{end}", IllegalHere, "RUN_CLOSED", "C-7")


@pytest.mark.clause("C-7")
@pytest.mark.parametrize("card", ["6H", "5S", "7S", "9S", "*"])
def test_only_the_card_that_the_joker_stands_for_takes_its_place(card: str) -> None:
    held = opened(f"{card} 6S 2C", "1: 5S-*-7S-8S")
    held.refuses(f"0 moves {card} in 0 high", IllegalHere, "NO_JOKER_FOR_CARD", "C-7")
    held.refuses("0 moves 6S2 in 0 high", Malformed, "CARD_NOT_HELD", "X-2")
    held.does("0 moves 6S in 0 high")


@pytest.mark.clause("C-7")
def test_a_turn_may_move_the_same_joker_and_others_again() -> None:
    held = opened("6S 9S 4S TH AH 2C", "1: 5S-*-7S-8S", "2: 9H-*-JH-QH")
    held.all("0 moves 6S in 0 high", "0 moves 9S in 0 low", "0 moves 4S in 0 high")
    assert held.meld(0) == "4S-5S-6S-7S-8S-9S-*"
    held.does("0 moves TH in 1 high")
    held.refuses("0 moves AH in 1 low", IllegalHere, "NO_JOKER_FOR_CARD", "C-7")
    held.does("0 lays AH on 1")
    assert held.meld(1) == "9H-TH-JH-QH-*-AH"


@pytest.mark.clause("C-7")
def test_cards_go_on_where_the_moved_joker_left_the_end() -> None:
    held = opened("6S 9S TS 4S 2C", "1: 5S-*-7S-8S")
    held.does("0 moves 6S in 0 high")
    held.refuses("0 lays 9S on 0", IllegalHere, "CARD_DOES_NOT_FIT", "C-7")
    held.all("0 lays TS on 0", "0 lays 4S on 0")
    assert held.meld(0) == "4S-5S-6S-7S-8S-*-TS"


@pytest.mark.clause("C-7")
def test_a_joker_leaves_its_run_for_no_hand_and_no_other_run() -> None:
    held = opened("6S 2C", "1: 5S-*-7S-8S", "1: 9H-TH-JH-QH", "2: KS KH KD")
    held.refuses("0 trades 6S in 0 onto 1 high", IllegalHere, "JOKER_IS_NOT_TAKEN", "C-7")
    held.refuses("0 trades 6S in 0 onto 2", IllegalHere, "JOKER_IS_NOT_TAKEN", "C-7")
    held.does("0 moves 6S in 0 high")
    held.refuses("0 discards *", Malformed, "CARD_NOT_HELD", "X-2")
    assert held.hand(0) == "2C"


@pytest.mark.clause("C-7")
def test_who_has_not_opened_moves_no_joker() -> None:
    held = opened("6S 2C", "1: 5S-*-7S-8S", opened=())
    held.refuses("0 moves 6S in 0 high", IllegalHere, "NOT_OPENED", "C-2")


# --- C-9: from ace to ace -------------------------------------------------------------------------


@pytest.mark.clause("C-9")
@pytest.mark.parametrize("first", ["low", "high"])
@pytest.mark.parametrize("second", ["AS2", "*"])
def test_a_run_from_ace_to_ace_is_closed(first: str, second: str) -> None:
    held = opened(f"AS1 {second} * 2S 2C", f"1: {TWO_TO_KING}")
    held.refuses("0 lays AS1 on 0", IllegalHere, "END_NEEDED", "C-7")
    held.does(f"0 lays AS1 on 0 {first}")
    held.refuses(f"0 lays {second} on 0 {first}", IllegalHere, "WRONG_END", "C-7")
    held.does(f"0 lays {second} on 0")
    assert len(held.deal.melds[0].cards) == 14
    for end in ("", " low", " high"):
        held.refuses(f"0 lays * on 0{end}", IllegalHere, "RUN_CLOSED", "C-9")
        held.refuses(f"0 lays 2S on 0{end}", IllegalHere, "RUN_CLOSED", "C-9")


@pytest.mark.clause("C-9")
def test_the_two_aces_are_two_cards() -> None:
    held = opened("AS1 2C", f"1: {TWO_TO_KING}")
    held.does("0 lays AS1 on 0 low")
    held.refuses("0 lays AS1 on 0 high", Malformed, "CARD_NOT_HELD", "X-2")


@pytest.mark.clause("C-9")
def test_nothing_goes_round_the_corner() -> None:
    high = opened("2S TS 2C", "1: JS-QS-KS-AS")
    high.refuses("0 lays 2S on 0", IllegalHere, "CARD_DOES_NOT_FIT", "C-7")
    high.refuses("0 lays 2S on 0 high", IllegalHere, "WRONG_END", "C-7")
    high.does("0 lays TS on 0")
    low = opened("KS 5S 2C", "1: AS-2S-3S-4S")
    low.refuses("0 lays KS on 0", IllegalHere, "CARD_DOES_NOT_FIT", "C-7")
    low.refuses("0 lays KS on 0 low", IllegalHere, "WRONG_END", "C-7")
    low.does("0 lays 5S on 0")


@pytest.mark.clause("C-9")
def test_an_ace_goes_to_an_end_only_when_all_ranks_between_are_there() -> None:
    held = opened("AS AS 2S 2C", "1: 3S-4S-5S-6S-7S-8S-9S-TS-JS-QS-KS")
    held.refuses("0 lays AS on 0 low", IllegalHere, "CARD_DOES_NOT_FIT", "C-7")
    held.all("0 lays AS1 on 0", "0 lays 2S on 0", "0 lays AS2 on 0 low")
    assert held.meld(0) == f"AS-{TWO_TO_KING}-AS"


@pytest.mark.clause("C-9")
def test_a_joker_for_the_low_ace_leaves_the_high_end_to_a_natural_ace() -> None:
    held = opened("AS 2C", f"1: *-{TWO_TO_KING}")
    held.refuses("0 moves AS in 0 low", IllegalHere, "WRONG_END", "C-7")
    assert held.lists("0 lays AS on 0 high")
    assert held.lists("0 moves AS in 0 high")
    held.does("0 lays AS on 0")
    assert held.meld(0) == f"*-{TWO_TO_KING}-AS"


# --- C-15: no further melds -----------------------------------------------------------------------


@pytest.mark.clause("C-15")
@pytest.mark.parametrize("meld", ["8C 8D 8H", "4S-5S-6S-7S", "8C 8D *"])
def test_no_meld_is_laid_down_after_the_opening(meld: str) -> None:
    cards = meld.replace("-", " ")
    held = opened(f"{cards} KC 2C", "0: KS KH KD")
    held.refuses(f"0 melds {meld}", IllegalHere, "NO_NEW_MELDS", "C-15")
    held.does("0 lays KC on 0")
    held.refuses(f"0 melds {meld}", IllegalHere, "NO_NEW_MELDS", "C-15")


@pytest.mark.clause("C-15")
def test_nobody_opens_twice() -> None:
    held = opened("8C 8D 8H QS QH QD 8S 2C", "0: KS KH KD")
    held.refuses("0 opens 8C 8D 8H / QS QH QD", IllegalHere, "ALREADY_OPENED", "C-15")
    now = position(rules=CARIOCA_ARGENTINE, hands={0: "8C 8D 8H QS QH QD KS KH KD JS JH JD 2C"})
    now.does("0 opens 8C 8D 8H / QS QH QD")
    now.refuses("0 opens KS KH KD / JS JH JD", IllegalHere, "ALREADY_OPENED", "C-15")
    now.refuses("0 melds KS KH KD", IllegalHere, "NO_NEW_MELDS", "C-15")
