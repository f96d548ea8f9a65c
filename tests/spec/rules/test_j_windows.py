"""J-5, J-6, X-15, X-17: what a call window lets be heard, and when.

Seat 0 discards the seven of hearts, seat 1 is next, seats 2 and up may call. While the window is
open nothing is heard; when it closes, the answers come out in turn order.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from rummy_arena.game.actions import ALLOW, NONE, PASS
from rummy_arena.game.engine import asked, deciders, kinds, standard_move
from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import (
    Allowed,
    Called,
    CallGranted,
    Discarded,
    Drew,
    Event,
    Passed,
    WindowClosed,
    WindowOpened,
)
from rummy_arena.game.state import Phase
from rummy_arena.game.view import view
from tests.spec.positions import Position, in_game, position


def discarded(*, seats: int = 5, opened: tuple[int, ...] = ()) -> Position:
    """Return the position right after seat 0 discarded the seven of hearts."""
    return position(seats=seats, hands={0: "7H 8H"}, opened=opened).all("0 discards 7H")


def heard(held: Position, *commands: str) -> list[Event]:
    """Apply the commands and return all that is heard of them."""
    return [event for command in commands for event in held.does(command)]


# --- nothing is heard while the window is open ----------------------------------------------------


@pytest.mark.clause("J-5", "X-15")
@pytest.mark.parametrize("command", ["2 calls", "2 passes", "3 calls", "4 passes", "1 allows"])
def test_an_answer_to_an_open_window_is_not_heard(command: str) -> None:
    held = discarded()
    assert held.does(command) == []
    assert held.phase() is Phase.CALL_WINDOW


@pytest.mark.clause("J-5", "X-15")
def test_others_see_the_same_table_whatever_was_answered() -> None:
    game = in_game(held := discarded())
    before = {seat: view(game, seat) for seat in range(NONE, 5)}
    held.all("3 calls", "1 allows", "4 passes")
    for seat in (NONE, 0, 2):
        assert view(game, seat) == before[seat]
    for seat in (1, 3, 4):
        assert view(game, seat) == before[seat]._replace(kinds=())


@pytest.mark.clause("J-5", "X-15")
def test_all_who_were_asked_stay_asked_until_the_window_closes() -> None:
    held = discarded()
    assert asked(held.deal) == deciders(held.deal) == (2, 3, 4)
    held.all("3 calls", "2 passes")
    assert asked(held.deal) == (2, 3, 4)
    assert deciders(held.deal) == (4,)
    held.does("4 passes")
    assert asked(held.deal) == deciders(held.deal) == (1,)


@pytest.mark.clause("J-4", "X-15")
def test_only_those_who_may_call_are_asked() -> None:
    assert asked(discarded(opened=(3,)).deal) == (2, 4)


# --- simultaneous callers in every order of arrival -----------------------------------------------


@pytest.mark.clause("J-6", "X-15")
@pytest.mark.parametrize("order", [*permutations(("2 passes", "3 calls", "4 calls", "1 allows"))])
def test_any_order_of_arrival_is_heard_in_turn_order(order: tuple[str, ...]) -> None:
    held = discarded()
    if order[-1] == "1 allows":  # it comes after the window, and is the decision
        assert heard(held, *order[:-1]) == [Passed(2), Called(3), Called(4)]
        allowed, closed, granted = held.does("1 allows")
        assert (allowed, closed) == (Allowed(1), WindowClosed(3))
    else:
        waived, *answers, closed, granted = heard(held, *order)
        assert waived == Allowed(1)
        assert answers == [Passed(2), Called(3), Called(4)]
        assert closed == WindowClosed(3)
    assert isinstance(granted, CallGranted)
    assert (granted.seat, held.deal.calls) == (3, [0, 0, 0, 1, 0])


@pytest.mark.clause("J-6", "X-15")
@pytest.mark.parametrize("order", [*permutations(("0 calls", "1 calls", "4 calls"))])
def test_turn_order_goes_round_past_the_last_seat(order: tuple[str, ...]) -> None:
    held = position(seats=5, turn=2, hands={2: "7H 8H"})
    discard, window = held.does("2 discards 7H")
    assert isinstance(discard, Discarded)
    assert isinstance(window, WindowOpened)
    assert heard(held, *order) == [Called(4), Called(0), Called(1)]


@pytest.mark.clause("J-5", "J-6")
@pytest.mark.parametrize("order", [*permutations(("2 passes", "3 passes", "4 passes", "1 allows"))])
def test_a_window_without_a_call_closes_with_the_last_answer(order: tuple[str, ...]) -> None:
    held = discarded()
    passes = [Passed(2), Passed(3), Passed(4)]
    if order[-1] == "1 allows":
        assert heard(held, *order[:-1]) == [*passes, WindowClosed()]
        held.refuses("1 allows", IllegalHere, "WRONG_PHASE", "X-14")
    else:
        assert heard(held, *order) == [Allowed(1), *passes, WindowClosed()]
    held.does("1 takes")


# --- the next player ------------------------------------------------------------------------------


@pytest.mark.clause("J-5")
@pytest.mark.parametrize("order", [*permutations(("4 calls", "2 calls"))])
def test_a_card_taken_with_calls_pending_lets_them_be_heard_first(order: tuple[str, ...]) -> None:
    held = discarded().all(*order)
    *told, drew = held.does("1 takes")
    assert told == [Called(2), Called(4), WindowClosed()]
    assert isinstance(drew, Drew)
    assert held.deal.calls == [0] * 5
    held.refuses("3 calls", IllegalHere, "NO_CALL_WINDOW", "J-9")
    held.refuses("3 passes", NotYourTurn, "NOT_YOUR_TURN", "X-19")


@pytest.mark.clause("J-5")
def test_a_card_taken_in_the_decision_lets_nothing_be_heard_twice() -> None:
    held = discarded().all("4 calls", "2 calls", "3 passes")
    closed, drew = held.does("1 takes")
    assert (closed, type(drew)) == (WindowClosed(), Drew)


@pytest.mark.clause("J-5")
@pytest.mark.parametrize("at", range(3))
def test_a_next_player_who_waived_is_never_asked(at: int) -> None:
    answers = ["2 calls", "3 passes", "4 passes"]
    held = discarded().all(*answers[:at], "1 allows")
    assert kinds(held.deal, 1) == ()
    held.refuses("1 takes", NotYourTurn, "CALL_WINDOW_OPEN", "J-5")
    held.all(*answers[at:])
    assert (held.phase(), held.deal.calls[2]) == (Phase.DRAW, 1)


# --- silence, and seats that answered early -------------------------------------------------------


@pytest.mark.clause("J-5", "X-17")
@pytest.mark.parametrize("early", [("2 calls",), ("4 calls", "2 passes"), ("1 allows", "3 calls")])
def test_time_that_is_up_concerns_only_those_who_have_not_answered(early: tuple[str, ...]) -> None:
    held = discarded().all(*early)
    answered = {int(command[0]) for command in early}
    silent = deciders(held.deal)
    assert set(silent) == {2, 3, 4} - answered
    told: list[Event] = []
    for seat in silent:
        assert standard_move(held.deal, seat) == PASS
        told += held.does(f"{seat} passes")
    assert {event.seat for event in told if isinstance(event, Passed)} >= set(silent)
    assert {event.seat for event in told if isinstance(event, Called)} == {
        int(command[0]) for command in early if command.endswith("calls")
    }
    if "1 allows" not in early:
        assert deciders(held.deal) == (1,)
        assert standard_move(held.deal, 1) == ALLOW


@pytest.mark.clause("J-5", "X-17")
def test_a_seat_that_answered_early_is_waited_for_by_nobody() -> None:
    held = discarded().all("2 calls", "4 passes", "1 allows")
    assert deciders(held.deal) == (3,)
    assert isinstance(held.does("3 passes")[-1], CallGranted)
