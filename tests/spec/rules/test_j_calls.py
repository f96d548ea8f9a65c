"""J-1 to J-10: requests of a discard out of turn.

Seat 0 discards the seven of hearts, seat 1 is next, seats 2 and up may call.
"""

from __future__ import annotations

import pytest

from rummy_arena.game.engine import deciders, kinds
from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import (
    Allowed,
    Called,
    CallGranted,
    Drew,
    Event,
    Passed,
    Reshuffled,
    Source,
    WindowClosed,
    WindowOpened,
)
from rummy_arena.game.state import Phase
from tests.spec.positions import Position, plain, position


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
        seats=seats,
        hands={0: "7H 8H"},
        opened=opened,
        calls=calls,
        stock=stock,
        pile=pile,
        reshuffled=reshuffled,
    )
    return held.all("0 discards 7H")


# --- J-1: three successful requests for each player in each deal ---------------------------------


@pytest.mark.clause("J-1")
def test_a_third_request_is_granted() -> None:
    held = discarded(calls={2: 2, 3: 3})
    held.all("2 calls", "1 allows")
    assert held.deal.calls == [0, 0, 3, 3]


@pytest.mark.clause("J-1")
def test_a_fourth_request_is_refused() -> None:
    held = discarded(calls={2: 3})
    held.refuses("2 calls", IllegalHere, "CALLS_USED_UP", "J-1")
    assert deciders(held.deal) == (3,)


@pytest.mark.clause("J-1")
def test_requests_that_were_refused_or_lost_do_not_count() -> None:
    refused = discarded().all("2 calls", "3 calls", "1 takes")
    assert refused.deal.calls == [0, 0, 0, 0]
    lost = discarded().all("2 calls", "3 calls", "1 allows")
    assert lost.deal.calls == [0, 0, 1, 0]


# --- J-2: nobody requests his own discard ---------------------------------------------------------


@pytest.mark.clause("J-2")
def test_the_discarder_cannot_request_it() -> None:
    held = discarded()
    held.refuses("0 calls", IllegalHere, "DISCARDER_CANNOT_CALL", "J-2")
    held.does("2 calls")


# --- J-4: who may request -------------------------------------------------------------------------


@pytest.mark.clause("J-4")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_all_but_the_discarder_and_the_next_player_may_request(seats: int) -> None:
    held = discarded(seats=seats)
    assert deciders(held.deal) == tuple(range(2, seats))


@pytest.mark.clause("J-4")
def test_an_opened_player_cannot_request() -> None:
    held = discarded(opened=(2,))
    held.refuses("2 calls", IllegalHere, "OPENED_CANNOT_CALL", "J-4")
    held.does("3 calls")


@pytest.mark.clause("J-4")
def test_the_next_player_takes_and_does_not_request() -> None:
    held = discarded()
    held.refuses("1 calls", IllegalHere, "NEXT_PLAYER_DRAWS", "J-4")
    held.does("1 takes")


@pytest.mark.clause("J-4")
def test_no_window_opens_when_nobody_may_request() -> None:
    assert discarded(opened=(2, 3)).phase() is Phase.DRAW
    assert discarded(calls={2: 3}, opened=(3,)).phase() is Phase.DRAW
    assert discarded(opened=(2,)).phase() is Phase.CALL_WINDOW


# --- J-5: the window, and the next player's priority ----------------------------------------------


@pytest.mark.clause("J-5")
def test_a_discard_opens_a_window_for_those_who_may_request() -> None:
    held = position(seats=4, hands={0: "7H 8H"})
    _, opened = held.does("0 discards 7H")
    assert isinstance(opened, WindowOpened)
    assert (plain([opened.card]), opened.seats) == ("7H", (2, 3))
    assert held.phase() is Phase.CALL_WINDOW


@pytest.mark.clause("J-5")
@pytest.mark.parametrize(
    ("before", "heard"),
    [
        ((), []),
        (("2 calls",), [Called(2)]),
        (("2 calls", "3 calls"), []),  # heard when the last of them answered
        (("3 passes",), [Passed(3)]),
    ],
)
def test_an_unopened_next_player_may_take_it_whatever_others_said(
    before: tuple[str, ...], heard: list[Event]
) -> None:
    held = discarded().all(*before)
    *closed, drew = held.does("1 takes")
    assert closed == [*heard, WindowClosed()]
    assert isinstance(drew, Drew)
    assert (drew.seat, drew.source, plain([drew.card])) == (1, Source.DISCARD, "7H")
    assert held.phase() is Phase.PLAY
    held.refuses("3 calls", IllegalHere, "NO_CALL_WINDOW", "J-9")


@pytest.mark.clause("J-5")
def test_an_unopened_next_player_decides_when_all_have_answered() -> None:
    held = discarded().all("3 calls", "2 passes")
    assert held.phase() is Phase.CALL_DECISION
    assert deciders(held.deal) == (1,)
    held.refuses("1 draws", IllegalHere, "WRONG_PHASE", "X-14")
    held.refuses("2 calls", IllegalHere, "NO_CALL_WINDOW", "J-9")
    allowed, closed, granted = held.does("1 allows")
    assert (allowed, closed) == (Allowed(1), WindowClosed(3))
    assert isinstance(granted, CallGranted)
    assert granted.seat == 3


@pytest.mark.clause("J-5")
def test_in_the_decision_the_next_player_may_still_take_it() -> None:
    held = discarded().all("3 calls", "2 passes", "1 takes")
    assert held.deal.calls == [0] * 4
    assert held.hand(1).endswith("7H")


@pytest.mark.clause("J-5")
def test_a_next_player_who_waived_is_not_asked_again() -> None:
    held = discarded().all("1 allows", "2 passes")
    held.refuses("1 takes", NotYourTurn, "CALL_WINDOW_OPEN", "J-5")
    held.refuses("1 allows", NotYourTurn, "CALL_WINDOW_OPEN", "J-5")
    assert isinstance(held.does("3 calls")[-1], CallGranted)


@pytest.mark.clause("J-5")
def test_who_waived_for_nothing_draws_as_usual() -> None:
    held = discarded().all("1 allows", "2 passes", "3 passes")
    assert held.phase() is Phase.DRAW
    held.does("1 takes")


@pytest.mark.clause("J-5")
def test_waiving_one_window_leaves_the_next_player_of_the_next_one_its_priority() -> None:
    held = discarded().all("1 allows", "2 calls", "3 passes", "1 draws", "1 discards 2C")
    held.all("3 calls", "0 passes")
    assert held.phase() is Phase.CALL_DECISION
    again = discarded().all("1 allows", "2 passes", "3 passes", "1 draws", "1 discards 2C")
    again.does("2 takes")


@pytest.mark.clause("J-5")
def test_an_opened_next_player_always_allows() -> None:
    held = discarded(opened=(1,))
    assert kinds(held.deal, 1) == ()
    held.does("2 calls")
    held.refuses("1 takes", NotYourTurn, "CALL_WINDOW_OPEN", "J-5")
    assert isinstance(held.does("3 passes")[-1], CallGranted)


@pytest.mark.clause("J-5")
def test_each_may_answer_once() -> None:
    held = discarded().all("2 passes")
    held.refuses("2 calls", IllegalHere, "ALREADY_ANSWERED", "J-9")
    held.refuses("2 passes", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("3 calls")


# --- J-6: simultaneous requests -------------------------------------------------------------------


@pytest.mark.clause("J-6")
@pytest.mark.parametrize("order", [(2, 3, 4, 5), (5, 4, 3, 2), (4, 2, 5, 3)])
def test_the_first_caller_after_the_next_player_gets_it_whoever_spoke_first(
    order: tuple[int, ...],
) -> None:
    held = discarded(seats=6).all(*(f"{seat} calls" for seat in order), "1 allows")
    assert held.deal.calls == [0, 0, 1, 0, 0, 0]
    held = discarded(seats=6).all(
        *(f"{seat} {'passes' if seat in (2, 3) else 'calls'}" for seat in order), "1 allows"
    )
    assert held.deal.calls == [0, 0, 0, 0, 1, 0]


@pytest.mark.clause("J-6")
def test_the_order_goes_round_past_the_last_seat() -> None:
    held = position(seats=4, turn=2, hands={2: "7H 8H"})
    held.all("2 discards 7H", "1 calls", "0 calls", "3 allows")
    assert held.deal.calls == [1, 0, 0, 0]


# --- J-7: a request needs two stock cards ---------------------------------------------------------


@pytest.mark.clause("J-7")
@pytest.mark.parametrize(
    ("stock", "pile", "reshuffled", "offered"),
    [
        (2, "9S", True, True),
        (1, "9S", True, False),
        (1, "9S 8S 2S 3S", True, False),  # recycling is used up
        (0, "9S 8S 2S 3S", True, False),
        (1, "9S 8S", False, True),  # the eight stays as top, the nine is recycled
        (1, "9S", False, False),  # the nine stays as top, nothing to recycle
        (0, "9S 8S 2S", False, True),
        (0, "9S 8S", False, False),
    ],
)
def test_a_request_is_offered_only_if_penalty_and_draw_can_both_be_given(
    *, stock: int, pile: str, reshuffled: bool, offered: bool
) -> None:
    held = discarded(stock=stock, pile=pile, reshuffled=reshuffled)
    if not offered:
        assert held.phase() is Phase.DRAW
        held.refuses("2 calls", IllegalHere, "CALL_CANNOT_BE_SERVED", "J-7")
        held.does("1 takes")
        assert held.deal.calls == [0] * 4
        return
    held.all("2 calls", "3 passes", "1 allows", "1 draws")
    assert (held.deal.outcome, held.deal.calls) == (None, [0, 0, 1, 0])


# --- J-8: what the interrupted player draws -------------------------------------------------------


@pytest.mark.clause("J-8")
def test_after_a_granted_request_the_next_player_draws_from_the_stock() -> None:
    held = discarded(stock="4D 5D").all("2 calls", "3 passes", "1 allows")
    assert plain(held.deal.discards) == "9S"
    assert not held.lists("1 takes")
    held.refuses("1 takes", IllegalHere, "STOCK_ONLY", "J-8")
    held.does("1 draws")
    assert "4D" in held.hand(1)


@pytest.mark.clause("J-8")
def test_the_turn_after_that_may_take_the_pile_again() -> None:
    held = discarded().all("2 calls", "3 passes", "1 allows", "1 draws", "1 discards 2C")
    held.all("3 passes", "0 passes", "2 takes")


@pytest.mark.clause("J-8")
def test_the_card_that_became_top_stays_when_the_penalty_needs_a_recycling() -> None:
    held = discarded(stock=0, pile="9S 8S 2S 3S").all("2 calls", "3 passes")
    _, _, recycled, granted = held.does("1 allows")
    assert isinstance(recycled, Reshuffled)
    assert isinstance(granted, CallGranted)
    assert (plain(list(recycled.order)), plain([granted.penalty])) == ("9S 8S 2S", "2S")
    assert plain(held.deal.discards) == "3S"


# --- J-9: one request between two draws -----------------------------------------------------------


@pytest.mark.clause("J-9")
def test_the_card_under_a_granted_one_cannot_be_requested() -> None:
    held = discarded(pile="9S 8S").all("2 calls", "3 passes", "1 allows")
    held.refuses("3 calls", IllegalHere, "NO_CALL_WINDOW", "J-9")
    held.refuses("2 calls", IllegalHere, "NO_CALL_WINDOW", "J-9")


@pytest.mark.clause("J-9")
def test_the_next_discard_opens_the_next_window() -> None:
    held = discarded().all("2 calls", "3 passes", "1 allows", "1 draws", "1 discards 2C")
    assert deciders(held.deal) == (0, 3)
    held.does("3 calls")


@pytest.mark.clause("J-9")
def test_nothing_can_be_requested_when_the_window_has_closed() -> None:
    held = discarded().all("2 passes", "3 passes")
    held.refuses("2 calls", IllegalHere, "NO_CALL_WINDOW", "J-9")
    held.does("1 draws")
    held.refuses("2 calls", IllegalHere, "NO_CALL_WINDOW", "J-9")


# --- J-10: what a caller gets and may do ----------------------------------------------------------


@pytest.mark.clause("J-10")
def test_a_caller_gets_the_discard_and_one_stock_card() -> None:
    held = discarded(stock="4D 5D 6D")
    count = len(held.deal.hands[2])
    held.all("2 calls", "3 passes", "1 allows")
    assert len(held.deal.hands[2]) == count + 2
    assert {"7H", "6D"} <= set(held.hand(2).split())
    assert (held.deal.turn, held.phase()) == (1, Phase.DRAW)


@pytest.mark.clause("J-10")
def test_a_caller_neither_lays_down_nor_discards_before_its_own_turn() -> None:
    held = position(
        seats=3,
        hands={0: "6D 8H", 1: "2C 3C 4C", 2: "KS KH KD QS QH QD 6S 6H"},
        stock="8C 8D 7D 7C 7S",
    )
    held.all("0 discards 6D", "2 calls", "1 allows")
    opening = "2 opens KS KH KD / QS QH QD / 6S 6H 6D"
    held.refuses(opening, NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.refuses("2 discards 7S", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.all("1 draws", "1 discards 2C", "0 passes", "2 draws", opening)
    assert held.deal.opened_turn[2]


@pytest.mark.clause("J-8", "J-21")
def test_a_turn_without_a_discard_leaves_the_buried_card_out_of_reach() -> None:
    held = position(
        hands={0: "2C 3C 4C", 1: "*", 2: "5H 7H 9C"}, opened=[0, 1], pile="8S", stock="KD *2 9H"
    )
    held.all("0 discards 2C", "2 calls", "1 draws", "1 ends")
    held.refuses("2 takes", IllegalHere, "STOCK_ONLY", "J-8")
    held.does("2 draws")
    held.all("2 discards 5H", "0 draws", "0 discards 3C")
    assert held.deal.stock_only is False
