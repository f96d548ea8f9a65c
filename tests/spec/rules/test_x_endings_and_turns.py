"""X-9 to X-20: how deals end, what a turn is, what may be seen, who is absent."""

from __future__ import annotations

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import ALLOW, DRAW_STOCK, END_TURN, NONE, PASS
from rummy_arena.game.engine import deciders, standard_move
from rummy_arena.game.errors import IllegalHere, Malformed, NotYourTurn
from rummy_arena.game.events import (
    DealEnd,
    DealEnded,
    DealStarted,
    Drew,
    GameEnded,
    Reshuffled,
    Source,
)
from rummy_arena.game.melds import MeldKind
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.game.view import redact, view
from tests.spec.positions import in_game, plain, position

OPENING = "0 opens KS KH KD / QS QH QD / 6S 6H 6D"
OPENED_HAND = "KS KH KD QS QH QD 6S 6H 6D"


@pytest.mark.clause("X-9")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_discard_of_turn_sixty_of_each_seat_closes_the_deal_without_points(seats: int) -> None:
    last = position(seats=seats, hands={0: "2C 3C"}, turn_number=60 * seats)
    in_game(last)
    ended = last.does("0 discards 2C")[1]
    assert isinstance(ended, DealEnded)
    assert (ended.end, ended.winner, ended.points) == (DealEnd.CAP, NONE, ())


@pytest.mark.clause("X-9")
def test_one_turn_earlier_play_goes_on() -> None:
    last = position(hands={0: "2C 3C"}, turn_number=179)
    last.does("0 discards 2C")
    assert last.deal.outcome is None
    assert last.deal.turn_number == 180


@pytest.mark.clause("X-9")
def test_going_out_in_the_last_turn_counts() -> None:
    last = position(hands={0: "2C"}, opened=[0], turn_number=180)
    last.does("0 discards 2C")
    assert last.deal.outcome == Outcome(DealEnd.OUT, 0)
    last.refuses("1 draws", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("X-10")
@pytest.mark.parametrize("attempt", [0, 1])
def test_a_void_deal_is_replayed_twice(attempt: int) -> None:
    held = position(hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True)
    game = in_game(held, attempt=attempt)
    ended, started = held.does("0 draws")
    assert isinstance(ended, DealEnded)
    assert isinstance(started, DealStarted)
    assert (ended.end, ended.points) == (DealEnd.VOID, ())
    assert (started.number, started.attempt) == (1, attempt + 1)
    assert game.scores == []


@pytest.mark.clause("X-10")
def test_the_third_void_of_a_contract_scores_nothing_for_all_and_the_game_goes_on() -> None:
    held = position(hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True)
    game = in_game(held, attempt=2)
    ended, started = held.does("0 draws")
    assert isinstance(ended, DealEnded)
    assert isinstance(started, DealStarted)
    assert (ended.end, ended.winner, ended.points) == (DealEnd.VOID, NONE, (0, 0, 0))
    assert (started.number, started.attempt) == (2, 0)
    assert (game.scores, game.winners) == ([(0, 0, 0)], [NONE])


@pytest.mark.clause("X-10")
def test_a_third_void_of_the_last_contract_ends_the_game() -> None:
    held = position(contract=9, hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True)
    game = in_game(held, attempt=2, scores=[(5, 0, 1)] * 8)
    assert isinstance(held.does("0 draws")[-1], GameEnded)
    assert game.over
    assert game.totals == (40, 0, 8)


@pytest.mark.clause("X-11")
def test_who_draws_the_last_card_plays_on_and_may_go_out() -> None:
    last = position(
        hands={0: "2C"}, phase=Phase.DRAW, stock="KC", reshuffled=True, table=["0: KS KH KD"]
    )
    last.all("0 draws", "0 lays KC on 0", "0 discards 2C")
    assert last.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("X-11")
def test_the_pile_is_recycled_when_a_card_is_needed_and_its_top_stays() -> None:
    needed = position(hands={0: "KC"}, phase=Phase.DRAW, stock="2C", pile="3D 4D 5D 6D")
    needed.all("0 draws", "0 discards KC")
    assert not needed.deal.stock
    assert needed.deal.reshuffles == 0
    recycled, drew = needed.all("2 passes").does("1 draws")
    assert isinstance(recycled, Reshuffled)
    assert isinstance(drew, Drew)
    assert (recycled.count, plain(list(recycled.order))) == (4, "3D 4D 5D 6D")
    assert plain([drew.card]) == "6D"
    assert plain(needed.deal.discards) == "KC"


@pytest.mark.clause("X-11")
def test_the_second_exhaustion_voids_the_deal_when_a_card_is_needed() -> None:
    needed = position(hands={0: "KC"}, phase=Phase.DRAW, stock="2C", pile="3D 4D", reshuffled=True)
    needed.all("0 draws", "0 discards KC")
    assert needed.deal.outcome is None
    needed.does("1 draws")
    assert needed.deal.outcome == Outcome(DealEnd.VOID)
    needed.refuses("1 takes", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("X-11")
def test_a_pile_of_one_card_has_nothing_to_recycle() -> None:
    needed = position(hands={0: "KC"}, phase=Phase.DRAW, stock=0, pile="3D")
    assert needed.does("0 draws") == []
    assert needed.deal.outcome == Outcome(DealEnd.VOID)


@pytest.mark.clause("X-13")
def test_a_run_says_low_to_high_what_its_jokers_stand_for() -> None:
    hand = "8H * TH JH 9S 2C 3C 4C AS"
    for text, low in (("8H-*-TH-JH", 7), ("*-TH-JH", None), ("TH-JH-*", None)):
        held = position(contract=9, hands={0: hand}, opened=[0])
        if low is None:
            held.refuses(f"0 melds {text}", IllegalHere, "RUN_TOO_SHORT", "J-11")
        else:
            held.does(f"0 melds {text}")
            assert held.deal.melds[0].low == low


@pytest.mark.clause("X-13")
def test_a_joker_at_either_end_is_told_by_its_place() -> None:
    for text, low in (("9C-TC-JC-*", 8), ("*-9C-TC-JC", 7), ("*-2C-3C-4C", 0), ("JC-QC-KC-*", 10)):
        held = position(hands={0: "9C TC JC QC KC 2C 3C 4C * 7D"}, opened=[0])
        held.does(f"0 melds {text}")
        assert held.deal.melds[0].low == low


@pytest.mark.clause("X-13")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("*-AC-2C-3C", "RUN_LEAVES_ACES"),
        ("QC-KC-AC-*", "RUN_LEAVES_ACES"),
        ("KC-AC-2C-3C", "RUN_LEAVES_ACES"),
        ("JC-TC-9C-8C", "RUN_NOT_CONSECUTIVE"),
        ("8C-*-9C-TC", "RUN_NOT_CONSECUTIVE"),
        ("8C-9C-TC-QC", "RUN_NOT_CONSECUTIVE"),
        ("8C1-8C2-9C-TC", "RUN_NOT_CONSECUTIVE"),
        ("*1-*2-2C-3C", "RUN_LEAVES_ACES"),
    ],
)
def test_a_list_that_leaves_the_aces_or_breaks_the_order_is_refused(text: str, code: str) -> None:
    held = position(hands={0: "AC 2C 3C 8C1 8C2 9C TC JC QC KC *1 *2 7D"}, opened=[0])
    held.refuses(f"0 melds {text}", IllegalHere, code, "X-13")


@pytest.mark.clause("X-14")
def test_lay_offs_joker_moves_and_lay_downs_mix_in_any_order() -> None:
    hand = "KC 6H JD JS JC 9D 9S 9H 2C"
    table = ["1: KS KH KD", "2: 5H-*-7H-8H"]
    for order in (
        ("0 lays KC on 0", "0 melds JD JS JC", "0 moves 6H in 1", "0 melds 9D 9S 9H"),
        ("0 moves 6H in 1", "0 melds 9D 9S 9H", "0 lays KC on 0", "0 melds JD JS JC"),
    ):
        held = position(hands={0: hand}, opened=[0], table=table)
        held.all(*order, "0 discards 2C")
        assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("X-14")
def test_nothing_is_played_before_the_draw_or_drawn_after_it() -> None:
    held = position(hands={0: "KC 2C 3C"}, phase=Phase.DRAW, table=["0: KS KH KD"])
    for command in ("0 lays KC on 0", "0 discards 2C", "0 melds KC 2C 3C", "0 ends"):
        held.refuses(command, IllegalHere, "WRONG_PHASE", "X-14")
    held.does("0 draws")
    held.refuses("0 draws", IllegalHere, "WRONG_PHASE", "X-14")
    held.refuses("0 takes", IllegalHere, "WRONG_PHASE", "X-14")
    held.does("0 lays KC on 0")


@pytest.mark.clause("X-15")
def test_a_seat_sees_the_table_the_top_the_counts_and_its_own_hand() -> None:
    held = position(
        hands={0: "2C 3C", 1: "4D"}, opened=[2], calls={1: 2}, pile="9S 8S", table=["2: KS KH KD"]
    )
    game = in_game(held)
    seen = view(game, 0)
    assert plain(seen.hand) == "2C 3C"
    assert plain([seen.top]) == "8S"
    assert plain(seen.melds[0].cards) == "KS KH KD"
    assert (seen.stock_count, seen.hand_counts) == (108 - 3 - 2 - 2 - 1 - 3, (2, 1, 3))
    assert (seen.calls, [bool(turn) for turn in seen.opened_turn]) == ((0, 2, 0), [0, 0, 1])


@pytest.mark.clause("X-15")
def test_a_spectator_sees_no_hand_and_nobody_sees_stock_hands_or_buried_discards() -> None:
    held = position(hands={0: "2C 3C", 1: "4D"}, pile="9S 8S")
    game = in_game(held)
    spectator = view(game, NONE)
    assert (spectator.hand, spectator.kinds) == ((), ())
    before = view(game, 1)
    deal = held.deal
    deal.hands[0], deal.hands[2] = (
        sorted([deal.stock[0], deal.discards[0]]),
        sorted([*deal.stock[1:4]]),
    )
    assert view(game, 1) == before


@pytest.mark.clause("X-15")
def test_a_stock_card_is_shown_to_its_drawer_only_and_hands_when_the_deal_is_over() -> None:
    held = position(hands={0: "2C"}, opened=[0], phase=Phase.DRAW, stock="7H")
    game = in_game(held)
    (drew,) = held.does("0 draws")
    assert redact(drew, 0, game.rules, 3) == drew
    for seat in (1, 2, NONE):
        assert redact(drew, seat, game.rules, 3) == Drew(0, Source.STOCK, NONE)
    held.deal.hands[0].remove(held.action("0 discards 2C")[1].card)
    ended = held.does("0 discards 7H")[1]
    assert isinstance(ended, DealEnded)
    assert redact(ended, NONE, game.rules, 3) == ended
    assert [len(hand) for hand in ended.hands] == [0, 3, 3]


@pytest.mark.clause("X-16")
def test_equal_totals_share_a_place() -> None:
    assert series.ranked([(points, 0) for points in (30, 12, 12, 50)]) == (3, 1, 1, 4)
    assert series.ranked([(points, 0) for points in (7, 7, 7)]) == (1, 1, 1)


@pytest.mark.clause("X-16")
def test_different_totals_do_not_share_and_the_lowest_is_first() -> None:
    assert series.ranked([(points, 0) for points in (30, 12, 13, 50)]) == (3, 1, 2, 4)


@pytest.mark.clause("X-17")
def test_an_absent_seat_draws_from_the_stock_and_discards_the_drawn_card() -> None:
    absent = position(hands={0: "AS 3C"}, phase=Phase.DRAW, stock="7H")
    assert standard_move(absent.deal, 0) == DRAW_STOCK
    absent.does("0 draws")
    assert standard_move(absent.deal, 0) == absent.action("0 discards 7H")[1]


@pytest.mark.clause("X-17")
@pytest.mark.parametrize(
    ("hand", "discard"),
    [
        ("AS KH 3C", "AS"),  # a black ace counts most
        ("AH KH 3C", "KH"),  # a red one least
        ("KH TC JS QD 9S", "TC"),  # equal penalties: the lower rank
        ("KS KH KD", "KD"),  # then the lower suit
        ("KS1 KS2 9S", "KS1"),  # then the lower card id
    ],
)
def test_an_absent_seat_that_drew_a_joker_discards_its_most_expensive_natural(
    hand: str, discard: str
) -> None:
    absent = position(hands={0: hand}, phase=Phase.DRAW, stock="*")
    absent.does("0 draws")
    assert standard_move(absent.deal, 0) == absent.action(f"0 discards {discard}")[1]


@pytest.mark.clause("X-17")
def test_an_absent_seat_never_calls_and_always_allows() -> None:
    absent = position(seats=4, hands={0: "7H 8H", 3: "7D 7S"})
    absent.does("0 discards 7H")
    assert absent.phase() is Phase.CALL_WINDOW
    assert deciders(absent.deal) == (2, 3)
    assert standard_move(absent.deal, 2) == PASS
    assert standard_move(absent.deal, 1) == ALLOW
    absent.all("2 passes", "3 calls")
    assert absent.phase() is Phase.CALL_DECISION
    assert standard_move(absent.deal, 1) == ALLOW


@pytest.mark.clause("X-17")
def test_an_absent_seat_with_jokers_alone_ends_its_turn() -> None:
    absent = position(hands={0: "*"}, opened=[0])
    assert standard_move(absent.deal, 0) == END_TURN
    assert standard_move(position(hands={0: "* 2C"}, opened=[0]).deal, 0) != END_TURN


@pytest.mark.clause("X-18")
def test_a_wrong_contract_costs_nothing_and_the_right_one_may_follow() -> None:
    held = position(hands={0: f"{OPENED_HAND} 2C"})
    game = in_game(held)
    held.refuses("0 opens KS KH KD / QS QH QD", IllegalHere, "CONTRACT_NOT_MET", "J-11")
    assert game.totals == (0, 0, 0)
    held.does(OPENING)
    assert held.hand(0) == "2C"


@pytest.mark.clause("X-18")
def test_a_call_too_many_costs_nothing() -> None:
    held = position(seats=4, hands={0: "7H 8H"}, calls={2: 3})
    game = in_game(held)
    held.does("0 discards 7H")
    held.refuses("2 calls", IllegalHere, "CALLS_USED_UP", "J-1")
    held.does("3 passes")
    assert (game.totals, held.deal.calls[2]) == ((0, 0, 0, 0), 3)


@pytest.mark.clause("X-19")
def test_a_turn_lasts_from_the_draw_to_the_discard() -> None:
    held = position(hands={0: f"{OPENED_HAND} 2C 3C", 1: "7H"})
    held.does(OPENING)
    held.refuses("1 draws", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    turn = held.deal.turn_number
    held.does("0 discards 3C")
    assert held.deal.turn_number == turn + 1
    held.refuses("0 discards 2C", NotYourTurn, "NOT_YOUR_TURN", "X-19")


@pytest.mark.clause("X-19")
def test_a_call_belongs_to_no_turn() -> None:
    held = position(seats=4, hands={0: "7H 8H"})
    held.does("0 discards 7H")
    turn = held.deal.turn_number
    held.all("3 calls", "2 passes", "1 allows")
    assert (held.deal.turn, held.deal.turn_number) == (1, turn)
    held.refuses("3 discards 7H", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("1 draws")


@pytest.mark.clause("X-20")
def test_two_runs_that_meet_stay_two() -> None:
    held = position(hands={0: "8H 2C"}, table=["0: 4H-5H-6H-7H", "1: 9H-TH-JH-QH"])
    held.does("0 lays 8H on 0")
    assert (held.meld(0), held.meld(1)) == ("4H-5H-6H-7H-8H", "9H-TH-JH-QH")
    held.refuses("0 lays 9H on 0", Malformed, "CARD_NOT_HELD", "X-2")


@pytest.mark.clause("X-20")
def test_nothing_is_laid_on_a_meld_that_does_not_exist() -> None:
    held = position(hands={0: "8H 2C"}, table=["0: 4H-5H-6H-7H"])
    held.refuses("0 lays 8H on 1", Malformed, "UNKNOWN_MELD", "X-20")
    held.refuses("0 moves 8H in -1", Malformed, "UNKNOWN_MELD", "X-20")
    held.refuses("0 lays 2C on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")
    held.does("0 lays 8H on 0")
    assert [meld.kind for meld in held.deal.melds] == [MeldKind.RUN]
