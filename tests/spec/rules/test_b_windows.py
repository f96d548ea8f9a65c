"""B-1, B-6, X-15: what a call window of Kalooki with bonus lets be heard, and when.

Seat 0 discards the seven of hearts, seat 1 is next, seats 2 to 4 may call.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from rummy_arena.game.actions import FORBID, NONE, PASS
from rummy_arena.game.engine import asked, deciders, kinds, standard_move
from rummy_arena.game.errors import NotYourTurn
from rummy_arena.game.events import (
    Allowed,
    Called,
    CallGranted,
    Drew,
    Event,
    Forbade,
    Passed,
    WindowClosed,
)
from rummy_arena.game.state import Phase
from rummy_arena.game.view import view
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Position, in_game, position


def discarded(opened: tuple[int, ...] = (), **options: str) -> Position:
    """Return the position right after seat 0 discarded the seven of hearts."""
    rules = get_rule_set("kalooki-bonus", options)
    held = position(rules=rules, seats=5, hands={0: "7H 8H"}, opened=opened)
    return held.all("0 discards 7H")


def heard(held: Position, *commands: str) -> list[Event]:
    """Apply the commands and return all that is heard of them."""
    return [event for command in commands for event in held.does(command)]


@pytest.mark.clause("B-1", "B-6", "X-15")
@pytest.mark.parametrize("order", [*permutations(("2 passes", "3 calls", "4 calls"))])
def test_any_order_of_arrival_is_heard_in_turn_order(order: tuple[str, ...]) -> None:
    held = discarded()
    assert heard(held, *order[:2]) == []
    assert held.does(order[2]) == [Passed(2), Called(3), Called(4)]
    assert deciders(held.deal) == (0,)
    allowed, closed, granted = held.does("0 allows")
    assert (allowed, closed) == (Allowed(0), WindowClosed(3))
    assert isinstance(granted, CallGranted)
    assert granted.seat == 3


@pytest.mark.clause("B-1", "X-15")
def test_the_discarder_learns_of_a_call_when_all_have_answered() -> None:
    game = in_game(held := discarded())
    before = {seat: view(game, seat) for seat in (NONE, 0, 1, 2)}
    held.all("3 calls", "4 passes")
    assert {seat: view(game, seat) for seat in before} == before
    assert asked(held.deal) == (2, 3, 4)
    held.does("2 passes")
    assert (view(game, 0).caller, view(game, NONE).caller) == (3, 3)
    assert asked(held.deal) == (0,)


@pytest.mark.clause("B-1")
def test_the_next_player_does_not_waive_where_the_discarder_decides() -> None:
    held = discarded().all("3 calls")
    assert kinds(held.deal, 1) == ()
    for command in ("1 allows", "1 takes"):
        held.refuses(command, NotYourTurn, "CALL_WINDOW_OPEN", "B-1")


@pytest.mark.clause("B-1", "X-17")
def test_time_that_is_up_passes_for_the_silent_and_forbids_for_the_discarder() -> None:
    held = discarded().all("4 calls")
    told: list[Event] = []
    for seat in deciders(held.deal):
        assert standard_move(held.deal, seat) == PASS
        told += held.does(f"{seat} passes")
    assert told == [Passed(2), Passed(3), Called(4)]
    assert standard_move(held.deal, 0) == FORBID
    assert held.does("0 forbids") == [Forbade(0), WindowClosed()]


# --- call_priority=first_received -----------------------------------------------------------------


@pytest.mark.clause("B-6", "X-15")
@pytest.mark.parametrize("order", [*permutations(("2 passes", "3 passes", "4 calls"))])
def test_a_first_call_is_heard_after_the_passes_that_came_before_it(order: tuple[str, ...]) -> None:
    held = discarded(call_priority="first_received")
    at = order.index("4 calls")
    before = [Passed(int(command[0])) for command in sorted(order[:at])]
    assert heard(held, *order[: at + 1]) == [*before, Called(4)]
    assert held.phase() is Phase.CALL_DECISION
    for command in order[at + 1 :]:
        held.refuses(command, NotYourTurn, "NOT_YOUR_TURN", "X-19")


@pytest.mark.clause("B-6", "X-15")
def test_a_call_of_an_earlier_seat_is_heard_after_the_pass_of_a_later_one() -> None:
    held = discarded(call_priority="first_received").all("4 passes")
    assert held.does("2 calls") == [Passed(4), Called(2)]


@pytest.mark.clause("B-6")
@pytest.mark.parametrize("caller", [2, 3, 4])
def test_only_the_first_call_counts_whoever_makes_it(caller: int) -> None:
    held = discarded(call_priority="first_received").all(f"{caller} calls", "0 allows")
    assert [seat for seat, calls in enumerate(held.deal.calls) if calls] == [caller]


# --- call_authority=next_player -------------------------------------------------------------------


@pytest.mark.clause("B-1", "B-6", "X-15")
@pytest.mark.parametrize("opened", [(), (1,)])
@pytest.mark.parametrize("order", [*permutations(("1 allows", "2 calls", "3 passes", "4 calls"))])
def test_a_waiver_is_heard_before_the_answers(
    order: tuple[str, ...], opened: tuple[int, ...]
) -> None:
    held = discarded(opened, call_authority="next_player")
    told = heard(held, *order)
    answers = [Called(2), Passed(3), Called(4)]
    decided = order[-1] == "1 allows"
    assert told[:4] == ([*answers, Allowed(1)] if decided else [Allowed(1), *answers])
    assert told[4] == WindowClosed(2)
    assert held.deal.calls == [0, 0, 1, 0, 0]


@pytest.mark.clause("B-1", "B-6")
def test_a_waiver_and_passes_are_heard_before_the_call_that_decides() -> None:
    held = discarded(call_authority="next_player", call_priority="first_received")
    held.all("4 passes", "1 allows")
    told = held.does("3 calls")
    assert told[:4] == [Allowed(1), Passed(4), Called(3), WindowClosed(3)]


@pytest.mark.clause("B-1")
def test_a_card_taken_with_answers_pending_lets_them_be_heard_first() -> None:
    held = discarded((1,), call_authority="next_player").all("4 calls", "2 passes")
    *told, drew = held.does("1 takes")
    assert told == [Passed(2), Called(4), WindowClosed()]
    assert isinstance(drew, Drew)
