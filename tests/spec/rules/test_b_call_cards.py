"""B-5 to B-7: the cards that a call takes, several callers, and calls that were forbidden.

Seat 0 discards the seven of hearts, seat 1 is next, seats 2 and up may call.
"""

from __future__ import annotations

import pytest

from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import CallGranted, Drew, Reshuffled, Source, WindowOpened
from rummy_arena.game.state import Phase
from rummy_arena.rulesets.kalooki_bonus import KALOOKI_BONUS
from tests.spec.positions import plain, position
from tests.spec.rules.test_b_calls import discarded

# --- B-5: the draw after a call, and the cards that it takes --------------------------------------


@pytest.mark.clause("B-5")
def test_after_a_granted_call_the_next_player_draws_from_the_stock() -> None:
    held = discarded(stock="4D 5D 6D").all("2 calls", "3 passes", "0 allows")
    assert plain([held.deal.top]) == "9S"
    held.refuses("1 takes", IllegalHere, "STOCK_ONLY", "B-5")
    assert held.lists("1 draws")
    held.does("1 draws")
    assert "5D" in held.hand(1).split()


@pytest.mark.clause("B-5")
def test_after_a_forbidden_call_or_none_the_next_player_takes_from_either() -> None:
    for said in (("2 calls", "3 passes", "0 forbids"), ("2 passes", "3 passes")):
        held = discarded().all(*said)
        assert held.lists("1 draws")
        (drew,) = held.does("1 takes")
        assert isinstance(drew, Drew)
        assert (drew.source, plain([drew.card])) == (Source.DISCARD, "7H")


@pytest.mark.clause("B-5")
def test_only_the_turn_after_the_call_is_bound_to_the_stock() -> None:
    held = discarded().all("2 calls", "3 passes", "0 allows", "1 draws", "1 discards 2C")
    held.all("3 passes", "0 passes", "2 takes")
    assert held.phase() is Phase.PLAY


@pytest.mark.clause("B-5")
@pytest.mark.parametrize(
    ("stock", "pile", "reshuffled", "offered"),
    [
        (2, "9S", True, True),
        (1, "9S", True, False),
        (1, "9S 8S 2S 3S", True, False),  # the recycling is used up
        (1, "9S 8S", False, True),  # one card to recycle once 7H is gone
        (1, "9S", False, False),
        (0, "9S 8S 2S", False, True),
        (0, "9S 8S", False, False),
    ],
)
def test_a_discard_is_offered_when_the_stock_can_give_both_cards(
    stock: int, pile: str, reshuffled: bool, offered: bool
) -> None:
    held = discarded(stock=stock, pile=pile, reshuffled=reshuffled)
    assert (held.phase() is Phase.CALL_WINDOW) is offered
    if not offered:
        held.refuses("2 calls", IllegalHere, "CALL_CANNOT_BE_SERVED", "B-5")
        return
    held.all("2 calls", "3 passes", "0 allows", "1 draws")
    assert held.deal.outcome is None


@pytest.mark.clause("B-5")
def test_the_penalty_card_may_come_from_a_recycled_pile() -> None:
    held = discarded(stock=0, pile="4D 5D 6D")
    held.all("2 calls", "3 passes")
    *_, recycled, granted = held.does("0 allows")
    assert isinstance(recycled, Reshuffled)
    assert isinstance(granted, CallGranted)
    assert (plain([granted.card, granted.penalty]), plain(held.deal.discards)) == ("7H 5D", "6D")
    held.refuses("1 takes", IllegalHere, "STOCK_ONLY", "B-5")
    held.does("1 draws")


# --- B-6: several callers -------------------------------------------------------------------------


@pytest.mark.clause("B-6")
@pytest.mark.parametrize("order", [(2, 3, 4, 5), (5, 4, 3, 2), (4, 2, 5, 3)])
def test_the_first_caller_clockwise_is_heard_whoever_spoke_first(order: tuple[int, ...]) -> None:
    held = discarded(seats=6).all(*(f"{seat} calls" for seat in order))
    held.does("0 allows")
    assert held.deal.calls == [0, 0, 1, 0, 0, 0]


@pytest.mark.clause("B-6")
def test_the_order_goes_round_past_the_last_seat() -> None:
    held = position(rules=KALOOKI_BONUS, seats=4, turn=2, hands={2: "7H 8H"})
    held.all("2 discards 7H", "1 calls", "0 calls", "2 allows")
    assert held.deal.calls == [1, 0, 0, 0]


@pytest.mark.clause("B-6", "B-7")
def test_forbidding_the_first_caller_does_not_pass_the_card_to_the_second() -> None:
    held = discarded(seats=6).all("5 calls", "3 calls", "2 passes", "4 passes", "0 forbids")
    assert held.phase() is Phase.DRAW
    held.refuses("5 calls", IllegalHere, "NO_CALL_WINDOW", "B-7")
    held.refuses("0 allows", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("1 takes")
    assert held.deal.calls == [0] * 6


# --- B-7: each discard is offered once ------------------------------------------------------------


@pytest.mark.clause("B-7")
def test_a_forbidden_card_that_the_next_player_leaves_is_not_called_again() -> None:
    held = discarded(stock="4D 5D 6D").all("2 calls", "3 passes", "0 forbids", "1 draws")
    assert plain([held.deal.top]) == "7H"
    for seat in (0, 2, 3):
        held.refuses(f"{seat} calls", IllegalHere, "NO_CALL_WINDOW", "B-7")
    (_, opened) = held.does("1 discards 6D")
    assert isinstance(opened, WindowOpened)
    assert plain([opened.card]) == "6D"
    held.all("3 passes", "0 passes")
    held.refuses("3 calls", IllegalHere, "NO_CALL_WINDOW", "B-7")


@pytest.mark.clause("B-7")
def test_each_answers_once() -> None:
    held = discarded().all("2 passes")
    held.refuses("2 calls", IllegalHere, "ALREADY_ANSWERED", "B-7")
    held.refuses("2 passes", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("3 calls")
