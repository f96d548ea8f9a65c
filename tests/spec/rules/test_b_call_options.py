"""B-1, B-6, B-24: other deciders, other priorities and no calls at all, as a table may choose."""

from __future__ import annotations

import pytest

from rummy_arena.game.actions import ALLOW, PASS, ActionKind
from rummy_arena.game.engine import deciders, kinds, standard_move
from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import Called, CallGranted, Discarded, Passed, WindowClosed
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Position, position


def bonus(**options: str) -> RuleSet:
    """Return the rule set with these options."""
    return get_rule_set("kalooki-bonus", options)


def discarded(rules: RuleSet, seats: int = 4, opened: tuple[int, ...] = ()) -> Position:
    """Return the position right after seat 0 discarded the seven of hearts."""
    held = position(rules=rules, seats=seats, hands={0: "7H 8H"}, opened=opened)
    return held.all("0 discards 7H")


# --- call_authority=next_player -------------------------------------------------------------------

NEXT_PLAYER = bonus(call_authority="next_player")


@pytest.mark.clause("B-1")
@pytest.mark.parametrize("before", [(), ("2 calls",), ("2 calls", "3 calls"), ("3 passes",)])
@pytest.mark.parametrize("opened", [(), (1,)])
def test_the_next_player_takes_it_from_the_callers_opened_or_not(
    before: tuple[str, ...], opened: tuple[int, ...]
) -> None:
    held = discarded(NEXT_PLAYER, opened=opened).all(*before)
    assert held.lists("1 takes")
    held.does("1 takes")
    assert held.hand(1).split().count("7H") == 1
    assert (held.phase(), held.deal.calls) == (Phase.PLAY, [0, 0, 0, 0])


@pytest.mark.clause("B-1")
def test_the_next_player_allows_and_nobody_forbids() -> None:
    held = discarded(NEXT_PLAYER).all("3 calls", "2 passes")
    assert held.phase() is Phase.CALL_DECISION
    assert deciders(held.deal) == (1,)
    assert kinds(held.deal, 1) == (ActionKind.DRAW_DISCARD, ActionKind.ALLOW)
    held.refuses("1 forbids", IllegalHere, "WRONG_PHASE", "X-14")
    held.refuses("1 draws", IllegalHere, "WRONG_PHASE", "X-14")
    for command in ("0 forbids", "0 allows", "2 allows"):
        held.refuses(command, NotYourTurn, "NOT_YOUR_TURN", "X-19")
    assert isinstance(held.does("1 allows")[-1], CallGranted)
    held.refuses("1 takes", IllegalHere, "STOCK_ONLY", "B-5")


@pytest.mark.clause("B-1")
def test_a_next_player_who_waived_is_not_asked_again() -> None:
    held = discarded(NEXT_PLAYER).all("1 allows", "2 passes")
    held.refuses("1 takes", NotYourTurn, "CALL_WINDOW_OPEN", "B-1")
    assert isinstance(held.does("3 calls")[-1], CallGranted)


@pytest.mark.clause("X-17")
def test_silence_of_the_next_player_lets_the_call_pass() -> None:
    held = discarded(NEXT_PLAYER)
    assert standard_move(held.deal, 2) == PASS
    held.all("2 calls", "3 passes")
    assert standard_move(held.deal, 1) == ALLOW


# --- call_priority=first_received -----------------------------------------------------------------

FIRST = bonus(call_priority="first_received")


@pytest.mark.clause("B-6")
def test_the_first_call_to_come_in_ends_the_window() -> None:
    held = discarded(FIRST, seats=6).all("4 passes")
    assert held.does("5 calls") == [Passed(4), Called(5)]
    assert held.phase() is Phase.CALL_DECISION
    held.refuses("2 calls", IllegalHere, "NO_CALL_WINDOW", "B-7")
    held.refuses("2 passes", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("0 allows")
    assert held.deal.calls == [0, 0, 0, 0, 0, 1]


@pytest.mark.clause("B-6", "B-7")
def test_the_first_call_forbidden_no_other_is_heard() -> None:
    held = discarded(FIRST, seats=6).all("5 calls", "0 forbids")
    held.refuses("2 calls", IllegalHere, "NO_CALL_WINDOW", "B-7")
    held.does("1 takes")


@pytest.mark.clause("B-6")
def test_without_a_call_the_window_waits_for_all() -> None:
    held = discarded(FIRST, seats=5).all("2 passes", "3 passes")
    assert held.phase() is Phase.CALL_WINDOW
    assert held.all().does("4 passes")[-1] == WindowClosed()


@pytest.mark.clause("B-6")
def test_by_default_a_first_call_waits_for_the_others() -> None:
    held = discarded(bonus(), seats=6).all("5 calls")
    assert held.phase() is Phase.CALL_WINDOW
    held.all("2 calls", "3 passes", "4 passes", "0 allows")
    assert held.deal.calls == [0, 0, 1, 0, 0, 0]


@pytest.mark.clause("B-1", "B-6")
def test_both_options_together_let_the_next_player_decide_about_the_first_call() -> None:
    both = bonus(call_authority="next_player", call_priority="first_received")
    held = discarded(both).all("3 calls")
    assert deciders(held.deal) == (1,)
    held.does("1 allows")
    assert held.deal.calls == [0, 0, 0, 1]
    waived = discarded(both).all("1 allows", "3 calls")
    assert waived.deal.calls == [0, 0, 0, 1]
    taken = discarded(both).all("3 calls", "1 takes")
    assert taken.deal.calls == [0, 0, 0, 0]


# --- calls=off ------------------------------------------------------------------------------------


@pytest.mark.clause("B-24")
def test_without_calls_no_window_opens_and_a_call_is_refused() -> None:
    held = position(rules=bonus(calls="off"), seats=4, hands={0: "7H 8H"})
    (event,) = held.does("0 discards 7H")
    assert isinstance(event, Discarded)
    assert held.phase() is Phase.DRAW
    for seat in (0, 1, 2, 3):
        held.refuses(f"{seat} calls", IllegalHere, "NO_CALLS", "B-24")
    held.refuses("2 passes", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("1 takes")


@pytest.mark.clause("B-24")
def test_with_calls_the_same_discard_may_be_called() -> None:
    held = discarded(bonus(calls="on"))
    assert deciders(held.deal) == (2, 3)
    held.does("2 calls")
