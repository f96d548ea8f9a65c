"""C-17, C-19 to C-21, and the tables: seven deals, counter-clockwise, their score and their end."""

from __future__ import annotations

import pytest

from rummy_arena.game import engine, series
from rummy_arena.game.actions import NONE
from rummy_arena.game.cards import parse_cards
from rummy_arena.game.errors import IllegalHere
from rummy_arena.game.events import DealEnd, DealEnded, DealStarted, GameEnded
from rummy_arena.game.state import Game, Phase
from rummy_arena.rulesets.carioca_argentine import CARIOCA_ARGENTINE
from tests.spec.positions import Position, Stacked, in_game, position

CARIOCA = CARIOCA_ARGENTINE


def ending(held: Position, command: str) -> DealEnded:
    """Return the score of the deal that the command ends."""
    (ended,) = [event for event in held.does(command) if isinstance(event, DealEnded)]
    return ended


def last_deal(totals: tuple[int, ...], hands: dict[int, str]) -> tuple[Position, Game]:
    """Return deal seven with these totals before it; seat 0 holds one card and may go out."""
    held = position(
        rules=CARIOCA, seats=len(totals), contract=7, hands={0: "2C", **hands}, opened=[0]
    )
    zero = (0,) * len(totals)
    return held, in_game(held, scores=[totals, *[zero] * 5])


# --- The deal -------------------------------------------------------------------------------------


@pytest.mark.clause("C-2", "C-11")
@pytest.mark.parametrize("number", range(1, 8))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_cards_that_are_dealt_and_the_stock_that_is_left(number: int, seats: int) -> None:
    deal = engine.deal_cards(CARIOCA, seats, number, 0, CARIOCA.pack)
    size = 12 if number == 7 else 11
    assert [len(hand) for hand in deal.hands] == [size] * seats
    assert (len(deal.discards), len(deal.stock)) == (1, 107 - size * seats)


@pytest.mark.clause("C-21", "X-3")
@pytest.mark.parametrize("dealer", range(4))
def test_cards_are_dealt_counter_clockwise_from_the_dealers_right(dealer: int) -> None:
    pack = CARIOCA.pack
    deal = engine.deal_cards(CARIOCA, 4, 1, dealer, pack)
    order = [(dealer - step) % 4 for step in (1, 2, 3, 4)]
    assert deal.turn == order[0]
    for place, seat in enumerate(order):
        assert deal.hands[seat] == sorted(pack[place:44:4])
    assert deal.discards == [pack[44]]
    assert deal.stock[-1] == pack[45]


@pytest.mark.clause("C-21", "X-3")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_go_counter_clockwise(seats: int) -> None:
    game, _ = series.new_game(CARIOCA, seats, Stacked(CARIOCA))
    held = position(rules=CARIOCA, seats=seats, hands={})
    held.deal, held.game = game.deal, game
    for turn in range(2 * seats):
        seat = (-1 - turn) % seats
        assert (held.deal.turn, held.deal.turn_number) == (seat, turn + 1)
        held.does(f"{seat} draws")
        action = engine.standard_move(held.deal, seat)
        series.apply(game, seat, action, held.chance)


@pytest.mark.clause("C-17", "C-21", "X-3")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seven_deals_are_played_and_the_deal_passes_to_the_right(seats: int) -> None:
    chance = Stacked(CARIOCA)
    game, _ = series.new_game(CARIOCA, seats, chance)
    dealers, starters, numbers, last = [], [], [], None
    out = position(rules=CARIOCA, hands={0: "AC"}).action("0 discards AC")[1]
    while not game.over:
        deal = game.deal
        dealers.append(deal.dealer)
        starters.append(deal.turn)
        numbers.append((deal.number, deal.contract_number))
        deal.phase, deal.opened_turn[deal.turn] = Phase.PLAY, 99
        deal.hands[deal.turn] = [0]
        last = series.apply(game, deal.turn, out, chance)
    assert numbers == [(number, number) for number in range(1, 8)]
    assert dealers == [-deal % seats for deal in range(7)]
    assert starters == [(-deal - 1) % seats for deal in range(7)]
    assert last is not None
    assert isinstance(last[-1], GameEnded)


@pytest.mark.clause("C-21")
def test_two_players_take_turns_at_playing_and_at_dealing() -> None:
    held = position(
        rules=CARIOCA,
        seats=2,
        hands={0: "2C 3C", 1: "KC"},
        table=["1: KS KH KD"],
        stock="6C 5C 4C",
    )
    game = in_game(held)
    dealer = held.deal.dealer
    held.all("0 discards 3C", "1 draws", "1 discards 4C", "0 draws", "0 discards 2C")
    held.all("1 draws", "1 lays KC on 0")
    started = held.does("1 discards 6C")[-1]
    assert isinstance(started, DealStarted)
    assert (started.dealer, game.deal.turn) == (1 - dealer, dealer)


@pytest.mark.clause("C-21")
@pytest.mark.parametrize("seats", [1, 5])
def test_one_or_five_players_are_refused(seats: int) -> None:
    with pytest.raises(series.SeatsError, match="seats 2 to 4") as refused:
        series.new_game(CARIOCA, seats, Stacked(CARIOCA))
    assert refused.value.clause == "C-21"


# --- C-17: equal totals ---------------------------------------------------------------------------


@pytest.mark.clause("C-17")
def test_equal_lowest_totals_share_the_first_place_without_a_further_deal() -> None:
    held, game = last_deal((40, 35, 60, 33), {1: "5C", 2: "KC", 3: "7C"})
    events = held.does("0 discards 2C")
    assert events[-1] == GameEnded((40, 40, 70, 40), (1, 1, 4, 1))
    assert (game.over, series.result(game).places) == (True, (1, 1, 4, 1))
    with pytest.raises(IllegalHere, match="GAME_OVER") as refused:
        held.does("3 draws")
    assert refused.value.clause == "C-17"


@pytest.mark.clause("C-17")
def test_one_point_more_is_the_second_place_even_for_who_went_out_last() -> None:
    held, _ = last_deal((41, 35, 60), {1: "5C", 2: "KC"})
    assert held.does("0 discards 2C")[-1] == GameEnded((41, 40, 70), (2, 1, 3))


@pytest.mark.clause("C-17")
def test_the_sixth_deal_does_not_end_the_game() -> None:
    held = position(rules=CARIOCA, contract=6, hands={0: "2C"}, opened=[0])
    game = in_game(held)
    started = held.does("0 discards 2C")[-1]
    assert isinstance(started, DealStarted)
    assert (started.number, game.over, game.deal.contract.text) == (7, False, "3 runs")


# --- C-19: the score ------------------------------------------------------------------------------


@pytest.mark.clause("C-19")
@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("AH1 QS1 3D1", 33),  # the example of the source
        ("*1", 50),
        ("AS1 AC1 AH1 AD1", 80),
        ("JS1 QH1 KD1 TC1", 40),
        ("2S1 3H1 4D1 5C1 6S1 7H1 8D1 9C1", 44),
        ("", 0),
    ],
)
def test_hand_values(hand: str, points: int) -> None:
    assert CARIOCA.hand_points(list(parse_cards(hand))) == points


@pytest.mark.clause("C-19")
def test_who_goes_out_writes_nought_and_the_others_their_hands_opened_or_not() -> None:
    held = position(
        rules=CARIOCA,
        seats=4,
        hands={0: "2C", 1: "AH QS 3D", 2: "* 9C", 3: "TD"},
        table=["3: KS KH KD"],
        opened=[0, 3],
    )
    game = in_game(held)
    ended = ending(held, "0 discards 2C")
    assert (ended.end, ended.winner, ended.points) == (DealEnd.OUT, 0, (0, 33, 59, 10))
    assert game.totals == (0, 33, 59, 10)


@pytest.mark.clause("C-19")
def test_going_out_with_the_opening_doubles_nothing() -> None:
    held = position(rules=CARIOCA, hands={0: "8C 8D 8H KS KH KD 2C", 1: "AH QS 3D", 2: "4D"})
    in_game(held)
    held.does("0 opens 8C 8D 8H / KS KH KD")
    assert ending(held, "0 discards 2C").points == (0, 33, 4)


@pytest.mark.clause("C-19")
def test_points_are_added_to_the_total_before() -> None:
    held = position(rules=CARIOCA, contract=2, hands={0: "2C", 1: "AH QS 3D", 2: "4D"}, opened=[0])
    game = in_game(held, scores=[(10, 20, 0)])
    held.does("0 discards 2C")
    assert game.totals == (10, 53, 4)


# --- C-20: deals that are void again and again ----------------------------------------------------


@pytest.mark.clause("C-20")
@pytest.mark.parametrize("attempt", [0, 1])
def test_a_void_deal_is_dealt_again_by_the_same_dealer_with_its_contract(attempt: int) -> None:
    held = position(rules=CARIOCA, contract=3, hands={0: "2C"}, phase=Phase.DRAW, stock=0)
    game = in_game(held, attempt=attempt)
    ended, started = held.does("0 draws")
    assert isinstance(ended, DealEnded)
    assert isinstance(started, DealStarted)
    assert (ended.end, ended.winner, ended.points) == (DealEnd.VOID, NONE, ())
    assert (started.number, started.contract, started.attempt) == (3, 3, attempt + 1)
    assert (started.dealer, game.deal.turn, len(game.scores)) == (2, 1, 2)


@pytest.mark.clause("C-20")
def test_a_third_void_counts_nought_for_all_and_the_deal_passes_on() -> None:
    held = position(rules=CARIOCA, contract=3, hands={0: "2C"}, phase=Phase.DRAW, stock=0)
    game = in_game(held, attempt=2, scores=[(1, 2, 3), (4, 5, 6)])
    ended, started = held.does("0 draws")
    assert isinstance(ended, DealEnded)
    assert isinstance(started, DealStarted)
    assert (ended.points, game.totals) == ((0, 0, 0), (5, 7, 9))
    assert (started.number, started.attempt, started.dealer) == (4, 0, 1)


@pytest.mark.clause("C-20")
def test_a_third_void_of_the_seventh_deal_ends_the_game() -> None:
    held = position(rules=CARIOCA, contract=7, hands={0: "2C"}, phase=Phase.DRAW, stock=0)
    in_game(held, attempt=2, scores=[(3, 1, 1), *[(0, 0, 0)] * 5])
    assert held.does("0 draws")[-1] == GameEnded((3, 1, 1), (3, 1, 1))
