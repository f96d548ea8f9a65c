"""J-22 to J-31: going out, doubling, the stock, the series, the score."""

from __future__ import annotations

import pytest

from rummy_arena.game import engine, series
from rummy_arena.game.cards import parse_cards
from rummy_arena.game.errors import IllegalHere, Malformed, NotYourTurn
from rummy_arena.game.events import DealEnd, DealEnded, GameEnded
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.kalooki_jamaican import KALOOKI_JAMAICAN
from tests.spec.positions import Position, Stacked, in_game, position

THREE_SETS = "KS KH KD QS QH QD 6S 6H 6D"
OPENING = "0 opens KS KH KD / QS QH QD / 6S 6H 6D"


def ending(held: Position, command: str) -> DealEnded:
    """Return the score of the deal that the command ends."""
    events = held.does(command)
    (ended,) = (event for event in events if isinstance(event, DealEnded))
    return ended


# --- J-22: an empty hand ends the deal ------------------------------------------------------------


@pytest.mark.clause("J-22")
@pytest.mark.parametrize(
    ("hand", "command"),
    [
        ("KC", "0 lays KC on 0"),
        ("6H", "0 moves 6H in 1"),
        ("9C 9D 9H", "0 melds 9C 9D 9H"),
        ("9C TC JC QC", "0 melds 9C-TC-JC-QC"),
        ("2C", "0 discards 2C"),
    ],
)
def test_the_deal_ends_with_the_last_card_with_or_without_a_discard(
    hand: str, command: str
) -> None:
    held = position(hands={0: hand}, table=["0: KS KH KD", "1: 5H-*-7H-8H"])
    held.does(command)
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)
    assert held.phase() is Phase.OVER
    held.refuses("1 draws", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("J-22")
def test_the_opening_may_empty_the_hand() -> None:
    held = position(hands={0: THREE_SETS})
    held.does(OPENING)
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("J-22")
def test_the_last_natural_may_be_kept_and_discarded() -> None:
    held = position(hands={0: "KC"}, table=["0: KS KH KD"])
    assert held.lists("0 lays KC on 0")
    held.does("0 discards KC")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("J-22")
def test_a_last_discard_opens_no_window() -> None:
    held = position(seats=4, hands={0: "2C"}, opened=[0])
    assert len(held.does("0 discards 2C")) == 1
    held.refuses("2 calls", IllegalHere, "DEAL_OVER", "X-19")


# --- J-23: holding one card -----------------------------------------------------------------------


@pytest.mark.clause("J-23")
def test_one_card_may_be_left_after_the_discard_and_nothing_is_announced() -> None:
    held = position(hands={0: "2C 3C"}, opened=[0])
    held.does("0 discards 2C")
    assert (held.hand(0), held.deal.outcome) == ("3C", None)
    held.refuses("0 lays 3C on 0", *_OUT_OF_TURN)


_OUT_OF_TURN = (NotYourTurn, "NOT_YOUR_TURN", "X-19")


# --- J-24: doubling -------------------------------------------------------------------------------


@pytest.mark.clause("J-24")
def test_going_out_in_the_turn_of_the_opening_doubles_all_others_opened_or_not() -> None:
    held = position(
        hands={0: f"{THREE_SETS} 2C", 1: "AS AH * 7D", 2: "TC 4D"}, opened=[2], stock=20
    )
    in_game(held)
    held.does(OPENING)
    ended = ending(held, "0 discards 2C")
    assert (ended.winner, ended.down_and_out, ended.points) == (0, True, (0, 146, 28))


@pytest.mark.clause("J-24")
def test_going_out_in_a_later_turn_doubles_nothing() -> None:
    held = position(
        hands={0: f"{THREE_SETS} 2C *", 1: "AS AH 7D 8D", 2: "TC 4D"},
        table=["2: JS JH JC"],
        stock="3C 9D 5D",
    )
    game = in_game(held)
    held.all(OPENING, "0 discards 2C")
    held.all("1 draws", "1 discards 7D", "2 draws", "2 discards TC", "1 passes", "0 draws")
    held.does("0 lays * on 0")
    ended = ending(held, f"0 discards {held.hand(0)}")
    assert not ended.down_and_out
    hands = [sum(KALOOKI_JAMAICAN.values.of(card) for card in hand) for hand in ended.hands]
    assert list(ended.points) == hands
    assert game.down_and_outs == [0, 0, 0]


@pytest.mark.clause("J-24")
def test_a_lay_off_that_empties_the_hand_in_the_opening_turn_doubles_too() -> None:
    held = position(hands={0: f"{THREE_SETS} JD", 1: "3C"}, table=["2: JS JH JC"])
    game = in_game(held)
    held.does(OPENING)
    ended = ending(held, "0 lays JD on 0")
    assert (ended.down_and_out, ended.points[1]) == (True, 6)
    assert game.down_and_outs == [1, 0, 0]


@pytest.mark.clause("J-24")
def test_the_doubling_is_for_this_deal_only() -> None:
    held = position(contract=2, hands={0: "2C", 1: "3C"}, table=["0: KS KH KD"])
    game = in_game(held, scores=[(0, 30, 40)])
    ended = ending(held, "0 discards 2C")
    assert (ended.down_and_out, ended.points[1], game.totals[1]) == (False, 3, 33)


# --- J-25, J-26: who draws where ------------------------------------------------------------------


@pytest.mark.clause("J-25")
def test_an_opened_player_draws_from_the_stock_only() -> None:
    held = position(hands={0: "2C"}, opened=[0], phase=Phase.DRAW)
    held.refuses("0 takes", IllegalHere, "STOCK_ONLY", "J-25")
    held.does("0 draws")


@pytest.mark.clause("J-25")
def test_the_opening_turn_may_begin_with_the_pile() -> None:
    held = position(hands={0: "KS KH KD QS QH QD 6S 6H 2C"}, phase=Phase.DRAW, pile="6D")
    held.all("0 takes", OPENING)


@pytest.mark.clause("J-25")
def test_an_opened_player_at_the_second_exhaustion_makes_the_deal_void() -> None:
    held = position(hands={0: "2C"}, opened=[0], phase=Phase.DRAW, stock=0, reshuffled=True)
    held.refuses("0 takes", IllegalHere, "STOCK_ONLY", "J-25")
    held.does("0 draws")
    assert held.deal.outcome == Outcome(DealEnd.VOID)


@pytest.mark.clause("J-26")
def test_an_unopened_player_at_the_second_exhaustion_may_take_the_top() -> None:
    held = position(hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True, pile="8S 9S")
    held.does("0 takes")
    assert (held.hand(0), held.deal.outcome) == ("2C 9S", None)


@pytest.mark.clause("J-26")
def test_an_unopened_player_who_draws_then_makes_the_deal_void() -> None:
    held = position(hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True, pile="8S 9S")
    held.does("0 draws")
    assert held.deal.outcome == Outcome(DealEnd.VOID)


# --- J-27: one recycling for each deal ------------------------------------------------------------


@pytest.mark.clause("J-27")
def test_the_pile_is_recycled_once() -> None:
    held = position(hands={0: "2C"}, phase=Phase.DRAW, stock=0, pile="7S 8S 9S")
    held.does("0 draws")
    assert held.deal.reshuffles == 1
    held.deal.stock.clear()
    held.all("0 discards 2C", "1 draws")
    assert held.deal.outcome == Outcome(DealEnd.VOID)


@pytest.mark.clause("J-27")
def test_each_replay_and_each_deal_may_recycle_again() -> None:
    held = position(hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True)
    game = in_game(held)
    held.does("0 draws")
    assert (game.attempt, game.deal.reshuffles) == (1, 0)
    out = position(hands={0: "2C"}, opened=[0], reshuffled=True)
    game = in_game(out)
    out.does("0 discards 2C")
    assert (game.deal.number, game.deal.reshuffles) == (2, 0)


# --- J-28: discards that fit the table ------------------------------------------------------------


@pytest.mark.clause("J-28")
def test_a_card_that_fits_the_table_may_be_discarded() -> None:
    held = position(hands={0: "KC 2C"}, table=["1: KS KH KD"], opened=[0])
    held.does("0 discards KC")
    assert held.deal.outcome is None


@pytest.mark.clause("J-28")
def test_a_discarded_card_is_not_laid_off_afterwards() -> None:
    held = position(hands={0: "KC 2C"}, table=["1: KS KH KD"], opened=[0], phase=Phase.PLAY)
    held.refuses("0 discards KD", Malformed, "CARD_NOT_HELD", "X-2")
    held.does("0 lays KC on 0")
    held.refuses("0 discards KC", Malformed, "CARD_NOT_HELD", "X-2")


# --- J-29: somebody can always act ----------------------------------------------------------------


@pytest.mark.clause("J-29")
@pytest.mark.parametrize("hand", ["2C", "*", "* 2C"])
@pytest.mark.parametrize("opened", [(), (0,)])
@pytest.mark.parametrize("pile", ["", "9S"])
@pytest.mark.parametrize("stock", [0, 1])
def test_the_seat_in_turn_can_draw_and_then_end_its_turn(
    hand: str, opened: tuple[int, ...], pile: str, stock: int
) -> None:
    held = position(
        hands={0: hand}, opened=opened, phase=Phase.DRAW, pile=pile, stock=stock, reshuffled=True
    )
    assert held.lists("0 draws")
    held.does("0 draws")
    assert (held.deal.outcome is None) == bool(stock)
    if stock:
        assert engine.legal_actions(held.deal, 0)
        held.refuses("0 draws", IllegalHere, "WRONG_PHASE", "X-14")


# --- J-30: nine deals -----------------------------------------------------------------------------


@pytest.mark.clause("J-30")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_nine_deals_are_played_and_the_deal_goes_round(seats: int) -> None:
    chance = Stacked(KALOOKI_JAMAICAN)
    game, _ = series.new_game(KALOOKI_JAMAICAN, seats, chance)
    dealers, numbers, last = [], [], None
    while not game.over:
        deal = game.deal
        dealers.append(deal.dealer)
        numbers.append(deal.number)
        deal.phase, deal.opened_turn[deal.turn] = Phase.PLAY, 99
        deal.hands[deal.turn] = [0]
        last = series.apply(
            game, deal.turn, position(hands={0: "AC"}).action("0 discards AC")[1], chance
        )
    assert numbers == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert dealers == [deal % seats for deal in range(9)]
    assert last is not None
    assert isinstance(last[-1], GameEnded)


@pytest.mark.clause("J-30")
def test_nothing_follows_the_ninth_deal() -> None:
    held = position(contract=9, hands={0: "2C", 1: "3C", 2: "4C"}, opened=[0])
    game = in_game(held, scores=[(10, 10, 0)] * 8)
    held.does("0 discards 2C")
    assert (game.over, game.totals) == (True, (80, 83, 4))
    assert series.result(game).places == (2, 3, 1)
    with pytest.raises(IllegalHere, match="GAME_OVER"):
        held.does("1 draws")


# --- J-31: the score ------------------------------------------------------------------------------


@pytest.mark.clause("J-31")
@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("*1", 50),
        ("AS1", 15),
        ("AC1", 15),
        ("AH1", 1),
        ("AD1", 1),
        ("KS1 QH1 JD1 TC1", 40),
        ("2S1 3H1 4D1 5C1 6S1 7H1 8D1 9C1", 44),
        ("AS1 AH1 *1 7D1", 73),
        ("", 0),
    ],
)
def test_hand_values(hand: str, points: int) -> None:
    assert KALOOKI_JAMAICAN.hand_points(list(parse_cards(hand))) == points


@pytest.mark.clause("J-31")
def test_the_example_of_the_source_scores_146() -> None:
    held = position(
        hands={0: "KS KH KD QS QH QD 6S 6H 6D", 1: "AS AH * 7D", 2: "2D"},
        phase=Phase.DRAW,
        stock="2C",
    )
    in_game(held)
    held.all("0 draws", OPENING)
    ended = ending(held, "0 discards 2C")
    assert ended.points == (0, 146, 4)


@pytest.mark.clause("J-31")
def test_melded_cards_do_not_count() -> None:
    held = position(hands={0: "2C", 1: "3C"}, table=["1: KS KH KD"], opened=[0])
    in_game(held)
    assert ending(held, "0 discards 2C").points[1] == 3


@pytest.mark.clause("J-31")
def test_a_red_ace_in_a_hand_counts_one_whatever_it_might_have_become() -> None:
    held = position(hands={0: "2C", 1: "JH QH KH AH"}, opened=[0])
    in_game(held)
    assert ending(held, "0 discards 2C").points[1] == 31
