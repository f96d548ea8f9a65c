"""B-1, B-3, B-4, B-28: who calls a discard out of turn, and who decides about it.

Seat 0 discards the seven of hearts, seat 1 is next, seats 2 and up may call.
"""

from __future__ import annotations

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import ALLOW, FORBID, PASS, ActionKind
from rummy_arena.game.engine import deciders, kinds, standard_move
from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import (
    Allowed,
    CallGranted,
    Forbade,
    TurnEnded,
    WindowClosed,
)
from rummy_arena.game.state import Phase
from rummy_arena.game.view import view
from rummy_arena.rulesets.kalooki_bonus import KALOOKI_BONUS
from tests.spec.positions import Position, Stacked, in_game, plain, position


def discarded(
    *,
    seats: int = 4,
    opened: tuple[int, ...] = (),
    calls: dict[int, int] | None = None,
    stock: str | int | None = None,
    pile: str = "9S",
    reshuffled: bool = False,
) -> Position:
    """Return the position right after seat 0 discarded the seven of hearts."""
    held = position(
        rules=KALOOKI_BONUS,
        seats=seats,
        hands={0: "7H 8H"},
        opened=opened,
        calls=calls,
        stock=stock,
        pile=pile,
        reshuffled=reshuffled,
    )
    return held.all("0 discards 7H")


# --- B-1: the discarder allows or forbids ---------------------------------------------------------


@pytest.mark.clause("B-1")
def test_the_discarder_allows_and_the_caller_has_the_card() -> None:
    held = discarded(stock="4D 5D").all("3 passes", "2 calls")
    assert held.phase() is Phase.CALL_DECISION
    assert deciders(held.deal) == (0,)
    assert kinds(held.deal, 0) == (ActionKind.ALLOW, ActionKind.FORBID)
    allowed, closed, granted = held.does("0 allows")
    assert (allowed, closed) == (Allowed(0), WindowClosed(2))
    assert isinstance(granted, CallGranted)
    assert (granted.seat, plain([granted.card, granted.penalty])) == (2, "7H 5D")
    assert (held.deal.turn, held.phase()) == (1, Phase.DRAW)


@pytest.mark.clause("B-1")
def test_the_discarder_forbids_and_nobody_has_the_card() -> None:
    held = discarded(stock="4D 5D").all("3 passes", "2 calls")
    count = len(held.deal.hands[2])
    assert held.does("0 forbids") == [Forbade(0), WindowClosed()]
    assert (len(held.deal.hands[2]), held.deal.calls[2]) == (count, 0)
    assert (held.deal.turn, held.phase(), plain([held.deal.top])) == (1, Phase.DRAW, "7H")


@pytest.mark.clause("B-1")
@pytest.mark.parametrize("command", ["1 allows", "1 forbids", "2 allows", "3 forbids"])
def test_nobody_else_decides(command: str) -> None:
    held = discarded().all("3 passes", "2 calls")
    held.refuses(command, NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("0 allows")


@pytest.mark.clause("B-1")
@pytest.mark.parametrize("command", ["1 takes", "1 draws"])
def test_the_next_player_waits_for_the_answers_and_the_decision(command: str) -> None:
    held = discarded()
    held.refuses(command, NotYourTurn, "CALL_WINDOW_OPEN", "B-1")
    held.refuses("1 allows", NotYourTurn, "CALL_WINDOW_OPEN", "B-1")
    held.all("3 calls", "2 passes")
    held.refuses(command, NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.all("0 forbids", command)
    assert held.phase() is Phase.PLAY


@pytest.mark.clause("B-1")
def test_the_discarder_waits_until_all_have_answered() -> None:
    held = discarded().all("2 calls")
    for command in ("0 allows", "0 forbids"):
        held.refuses(command, NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.all("3 passes", "0 allows")


@pytest.mark.clause("B-1")
def test_there_is_nothing_to_decide_without_a_caller() -> None:
    held = discarded().all("2 passes", "3 passes")
    assert held.phase() is Phase.DRAW
    held.refuses("0 forbids", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.refuses("1 forbids", IllegalHere, "WRONG_PHASE", "X-14")
    held.does("1 takes")


@pytest.mark.clause("B-1")
def test_the_discarder_decides_once() -> None:
    held = discarded().all("2 calls", "3 passes", "0 forbids")
    held.refuses("0 allows", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    other = discarded().all("2 calls", "3 passes", "0 allows")
    other.refuses("0 forbids", NotYourTurn, "NOT_YOUR_TURN", "X-19")


@pytest.mark.clause("B-1")
def test_everybody_sees_whose_call_the_decision_is_about() -> None:
    held = discarded()
    game = in_game(held)
    held.all("3 calls", "2 passes")
    assert [view(game, seat).caller for seat in range(-1, 4)] == [3] * 5
    assert view(game, 0).kinds == (ActionKind.ALLOW, ActionKind.FORBID)
    assert view(game, 1).kinds == ()


@pytest.mark.clause("B-1", "X-17")
def test_silence_passes_in_the_window_and_forbids_in_the_decision() -> None:
    held = discarded().all("2 calls")
    assert standard_move(held.deal, 3) == PASS
    held.does("3 passes")
    assert standard_move(held.deal, 0) == FORBID
    assert standard_move(held.deal, 0) != ALLOW


# --- B-3: three calls each ------------------------------------------------------------------------


@pytest.mark.clause("B-3")
def test_a_third_call_is_granted() -> None:
    held = discarded(calls={2: 2}).all("2 calls", "3 passes", "0 allows")
    assert held.deal.calls == [0, 0, 3, 0]


@pytest.mark.clause("B-3")
def test_a_fourth_call_is_refused() -> None:
    held = discarded(calls={2: 3})
    held.refuses("2 calls", IllegalHere, "CALLS_USED_UP", "B-3")
    assert deciders(held.deal) == (3,)
    without_callers = discarded(calls={2: 3, 3: 3})
    assert without_callers.phase() is Phase.DRAW
    without_callers.refuses("2 calls", IllegalHere, "CALLS_USED_UP", "B-3")


@pytest.mark.clause("B-3", "B-7")
def test_calls_that_were_forbidden_or_lost_do_not_count() -> None:
    forbidden = discarded(calls={2: 2}).all("2 calls", "3 calls", "0 forbids")
    assert forbidden.deal.calls == [0, 0, 2, 0]
    lost = discarded().all("2 calls", "3 calls", "0 allows")
    assert lost.deal.calls == [0, 0, 1, 0]


# --- B-4: only a fresh discard of another player --------------------------------------------------


@pytest.mark.clause("B-4", "X-7")
def test_the_up_card_cannot_be_called_and_the_first_discard_can() -> None:
    game, _ = series.new_game(KALOOKI_BONUS, 4, Stacked(KALOOKI_BONUS))
    first = Position(game.deal, game)
    assert first.phase() is Phase.DRAW
    for seat in (0, 2, 3):
        first.refuses(f"{seat} calls", IllegalHere, "NO_CALL_WINDOW", "X-7")
    first.does("1 draws")
    natural = first.hand(1).split()[0]
    first.all(f"1 discards {natural}", "3 calls", "0 passes", "1 allows")
    assert game.deal.calls == [0, 0, 0, 1]


@pytest.mark.clause("B-4")
def test_the_next_player_draws_it_and_does_not_call() -> None:
    held = discarded()
    held.refuses("1 calls", IllegalHere, "NEXT_PLAYER_DRAWS", "B-4")
    held.all("2 passes", "3 passes", "1 takes")
    assert held.deal.calls[1] == 0


@pytest.mark.clause("B-4")
def test_nobody_calls_his_own_discard() -> None:
    held = discarded()
    held.refuses("0 calls", IllegalHere, "DISCARDER_CANNOT_CALL", "B-4")
    held.does("2 calls")


@pytest.mark.clause("B-4")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_all_others_who_have_not_opened_may_call(seats: int) -> None:
    held = discarded(seats=seats)
    assert deciders(held.deal) == tuple(range(2, seats))


@pytest.mark.clause("B-4", "B-15")
def test_a_turn_that_ended_without_a_discard_leaves_nothing_to_call() -> None:
    held = position(rules=KALOOKI_BONUS, seats=4, hands={0: "*"}, opened=[0])
    assert held.does("0 ends") == [TurnEnded(0)]
    held.refuses("2 calls", IllegalHere, "NO_CALL_WINDOW", "B-7")
    held.does("1 takes")


# --- B-28: who has opened -------------------------------------------------------------------------


@pytest.mark.clause("B-28")
def test_who_has_opened_does_not_call_and_who_has_not_does() -> None:
    held = discarded(opened=(2,))
    assert deciders(held.deal) == (3,)
    held.refuses("2 calls", IllegalHere, "OPENED_CANNOT_CALL", "B-28")
    held.does("3 calls")
    without_callers = discarded(opened=(2, 3))
    assert without_callers.phase() is Phase.DRAW
    without_callers.refuses("2 calls", IllegalHere, "OPENED_CANNOT_CALL", "B-28")


@pytest.mark.clause("B-28")
@pytest.mark.parametrize("answer", ["0 allows", "0 forbids"])
def test_who_has_opened_still_decides_about_his_own_discard(answer: str) -> None:
    held = discarded(opened=(0, 1)).all("2 calls", "3 passes")
    assert deciders(held.deal) == (0,)
    held.refuses(answer.replace("0", "1"), NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does(answer)
    assert held.deal.calls[2] == ("allows" in answer)


@pytest.mark.clause("B-28")
def test_a_granted_call_does_not_open_and_its_caller_may_call_again() -> None:
    held = discarded(stock="2D 3D 4D 5D 6D").all("2 calls", "3 passes", "0 allows")
    held.refuses("2 discards 7H", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    assert (held.deal.turn, held.deal.opened_turn[2]) == (1, 0)
    held.all("1 draws", "1 discards 2C", "3 passes", "0 passes", "2 draws", "2 discards 7H")
    held.all("0 passes", "1 passes", "3 takes", "3 discards 7H")
    held.all("1 passes", "2 calls", "3 allows")
    assert held.deal.calls == [0, 0, 2, 0]
