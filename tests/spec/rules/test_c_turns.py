"""C-10, C-12 to C-14, C-16: draws, discards, going out, and a stock that is used up."""

from __future__ import annotations

import pytest

from rummy_arena.game.engine import legal_actions
from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import DealEnd, Discarded, Drew, Reshuffled, Source
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.carioca_argentine import CARIOCA_ARGENTINE
from tests.spec.positions import Position, plain, position


def opened(hand: str, *table: str) -> Position:
    """Return a position whose seat 0 opened earlier, holds the hand and is to play."""
    return position(rules=CARIOCA_ARGENTINE, hands={0: hand}, table=table, opened=[0])


def to_draw(hand: str, pile: str, stock: str | int, *, opened: tuple[int, ...] = ()) -> Position:
    """Return a position of two seats whose seat 0 is to draw."""
    return position(
        rules=CARIOCA_ARGENTINE,
        seats=2,
        hands={0: hand, 1: "4H 6H"},
        phase=Phase.DRAW,
        pile=pile,
        stock=stock,
        opened=opened,
    )


# --- C-10: the last card is discarded -------------------------------------------------------------


@pytest.mark.clause("C-10")
@pytest.mark.parametrize(
    ("card", "commands"),
    [
        ("KC", ("0 lays KC on 0",)),
        ("4S", ("0 lays 4S on 1", "0 lays 4S on 1 low")),
        ("6S", ("0 moves 6S in 1 low", "0 moves 6S in 1 high")),
        ("*", ("0 lays * on 0", "0 lays * on 1 high")),
    ],
)
def test_the_last_card_is_not_laid_off_and_the_last_but_one_is(
    card: str, commands: tuple[str, ...]
) -> None:
    for command in commands:
        last = opened(card, "1: KS KH KD", "1: 5S-*-7S-8S")
        last.refuses(command, IllegalHere, "DISCARD_NEEDED", "C-10")
        two = opened(f"{card} 2C", "1: KS KH KD", "1: 5S-*-7S-8S")
        two.all(command, "0 discards 2C")
        assert two.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("C-10")
def test_an_opening_leaves_a_card_to_discard() -> None:
    hand = "8C 8D 8H KS KH KD"
    held = position(rules=CARIOCA_ARGENTINE, hands={0: hand})
    held.refuses("0 opens 8C 8D 8H / KS KH KD", IllegalHere, "DISCARD_NEEDED", "C-10")
    more = position(rules=CARIOCA_ARGENTINE, hands={0: f"{hand} 2C"})
    more.all("0 opens 8C 8D 8H / KS KH KD", "0 discards 2C")
    assert more.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("C-10")
def test_a_last_card_can_only_be_discarded_and_that_ends_the_deal() -> None:
    held = opened("KC", "1: KS KH KD")
    held.refuses("0 ends", IllegalHere, "DISCARD_REQUIRED", "C-10")
    assert legal_actions(held.deal, 0) == [held.action("0 discards KC")[1]]
    held.does("0 discards KC")
    assert (held.deal.outcome, held.phase()) == (Outcome(DealEnd.OUT, 0), Phase.OVER)
    held.refuses("2 draws", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("C-10")
@pytest.mark.parametrize("hand", ["*", "* *", "* 2C"])
def test_no_turn_ends_without_a_discard_not_even_with_jokers_alone(hand: str) -> None:
    held = opened(hand)
    held.refuses("0 ends", IllegalHere, "DISCARD_REQUIRED", "C-10")
    held.does("0 discards *")
    assert (held.deal.outcome is None) == (" " in hand)


# --- C-12: a joker may be discarded ---------------------------------------------------------------


@pytest.mark.clause("C-12")
def test_a_joker_is_discarded_and_the_next_player_takes_it() -> None:
    held = position(rules=CARIOCA_ARGENTINE, hands={0: "* 2C", 2: "3C 4C"})
    (discarded,) = held.does("0 discards *")
    assert isinstance(discarded, Discarded)
    (drew,) = held.does("2 takes")
    assert isinstance(drew, Drew)
    assert (drew.source, drew.card) == (Source.DISCARD, discarded.card)
    assert held.hand(2) == "3C 4C *"


@pytest.mark.clause("C-12")
def test_a_joker_that_was_taken_is_kept_for_a_turn_as_any_card() -> None:
    held = to_draw("*2 2C", pile="3C *1", stock=5)
    held.does("0 takes")
    held.refuses("0 discards *1", IllegalHere, "THROWN_BACK", "C-16")
    held.does("0 discards *2")
    held.all("1 draws", "1 discards 4H", "0 draws", "0 discards *1")


# --- C-13: a stock that is used up ----------------------------------------------------------------


@pytest.mark.clause("C-13")
def test_the_pile_below_its_top_becomes_the_stock_again_and_again() -> None:
    held = to_draw("2C 3C", pile="7S 8S 9S", stock=0)
    for time in range(1, 60):
        seat = held.deal.turn
        recycled, drew = held.does(f"{seat} draws")
        assert isinstance(recycled, Reshuffled)
        assert isinstance(drew, Drew)
        assert (held.deal.reshuffles, recycled.count) == (time, 2)
        assert len(held.deal.discards) == 1
        held.deal.discards[:0] = held.deal.stock  # as if they had been drawn and discarded
        held.deal.stock.clear()
        held.does(f"{seat} discards {plain(held.deal.hands[seat][:1])}")
    assert held.deal.outcome is None


@pytest.mark.clause("C-13")
def test_the_top_stays_where_it_is() -> None:
    held = to_draw("2C 3C", pile="7S 8S 9S", stock=0)
    held.does("0 draws")
    assert (plain(held.deal.discards), plain(held.deal.stock), held.hand(0)) == (
        "9S",
        "7S",
        "2C 3C 8S",
    )


@pytest.mark.clause("C-13")
@pytest.mark.parametrize("pile", ["9S", ""])
def test_the_deal_is_void_when_nothing_lies_below_the_top(pile: str) -> None:
    held = to_draw("2C 3C", pile=pile, stock=0)
    assert held.does("0 draws") == []
    assert held.deal.outcome == Outcome(DealEnd.VOID)


@pytest.mark.clause("C-13")
def test_whoever_takes_the_top_instead_plays_on() -> None:
    held = to_draw("2C 3C", pile="9S", stock=0, opened=(0,))
    held.all("0 takes", "0 discards 2C", "1 takes", "1 discards 4H")
    assert held.deal.outcome is None
    held.does("0 draws")
    assert held.deal.outcome == Outcome(DealEnd.VOID)


# --- C-14: the pile is open to all, in turn -------------------------------------------------------


@pytest.mark.clause("C-14")
@pytest.mark.parametrize("opened", [(), (0,)])
@pytest.mark.parametrize("turn_number", [1, 7])
def test_opened_or_not_a_player_draws_from_either_pile(
    opened: tuple[int, ...], turn_number: int
) -> None:
    for verb, hand in (("takes", "2C 3C 9S"), ("draws", "2C 3C 7H")):
        held = to_draw("2C 3C", pile="8S 9S", stock="7H", opened=opened)
        held.deal.turn_number = turn_number
        assert held.lists(f"0 {verb}")
        held.does(f"0 {verb}")
        assert held.hand(0) == hand
        held.refuses("0 takes", IllegalHere, "WRONG_PHASE", "X-14")


@pytest.mark.clause("C-14")
def test_no_discard_is_called_out_of_turn() -> None:
    held = position(rules=CARIOCA_ARGENTINE, seats=4, hands={0: "7H 8H"})
    held.does("0 discards 7H")
    assert (held.phase(), held.deal.turn) == (Phase.DRAW, 3)
    for seat in (0, 1, 2, 3):
        held.refuses(f"{seat} calls", IllegalHere, "NO_CALLS", "C-14")
    held.refuses("1 passes", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.refuses("3 allows", IllegalHere, "WRONG_PHASE", "X-14")
    held.refuses("1 takes", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("3 takes")


@pytest.mark.clause("C-14")
def test_the_card_taken_need_not_be_used() -> None:
    held = to_draw("2C 3C", pile="9S", stock=5)
    held.all("0 takes", "0 discards 3C")
    assert held.hand(0) == "2C 9S"
    held.refuses("1 takes 3C and opens KS KH KD", IllegalHere, "WRONG_PHASE", "X-14")


# --- C-16: no throwing back -----------------------------------------------------------------------


@pytest.mark.clause("C-16")
def test_a_card_taken_from_the_pile_stays_for_that_turn_and_its_twin_may_go() -> None:
    held = to_draw("9S2 2C", pile="9S1", stock=5)
    held.does("0 takes")
    held.refuses("0 discards 9S1", IllegalHere, "THROWN_BACK", "C-16")
    held.does("0 discards 9S2")
    held.all("1 draws", "1 discards 4H", "0 draws", "0 discards 9S1")


@pytest.mark.clause("C-16")
def test_a_card_from_the_stock_may_go_at_once() -> None:
    held = to_draw("2C 3C", pile="8S", stock="9S")
    held.all("0 draws", "0 discards 9S")


@pytest.mark.clause("C-16")
def test_the_card_taken_goes_when_it_is_the_only_one_left() -> None:
    held = position(
        rules=CARIOCA_ARGENTINE,
        hands={0: "KC"},
        phase=Phase.DRAW,
        pile="2C",
        table=["0: KS KH KD"],
    )
    held.does("0 takes")
    held.refuses("0 discards 2C", IllegalHere, "THROWN_BACK", "C-16")
    held.all("0 lays KC on 0", "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("C-16")
def test_the_card_taken_may_be_laid_off_and_another_one_goes() -> None:
    held = position(
        rules=CARIOCA_ARGENTINE,
        hands={0: "2C"},
        phase=Phase.DRAW,
        pile="KC",
        table=["0: KS KH KD"],
    )
    held.all("0 takes", "0 lays KC on 0", "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)
