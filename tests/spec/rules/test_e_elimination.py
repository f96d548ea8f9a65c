"""E-15, E-23, E-24: who is out of the game, in which order, and who deals on."""

from __future__ import annotations

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.cards import parse_cards
from rummy_arena.game.engine import deciders
from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import DealStarted, GameEnded
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from tests.spec.deal_ends import NO_REBUYS, after_a_deal, out_of
from tests.spec.positions import Position, Stacked, in_game, position

BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)

# --- E-15: above 150 ------------------------------------------------------------------------------


@pytest.mark.clause("E-15")
@BOTH
def test_with_150_a_player_plays_on_and_with_151_it_is_out(rules: RuleSet) -> None:
    held, game, events = after_a_deal((0, 140, 141, 0), {1: "KC", 2: "KD", 3: "4C"}, rules=rules)
    assert game.totals == (0, 150, 151, 4)
    # One re-buy is on offer, to the seat with 151 alone.
    assert deciders(held.deal) == (2,)
    assert out_of(events + held.does("2 declines")) == (2,)
    assert held.deal.players == (0, 1, 3)


@pytest.mark.clause("E-15")
def test_several_leave_after_one_deal() -> None:
    _, game, events = after_a_deal(
        (100, 149, 120, 150, 10), {1: "2D", 2: "AC AD AH", 3: "2H", 4: "KC"}
    )
    assert game.totals == (100, 151, 153, 152, 20)
    assert out_of(events) == (2, 3, 1)
    assert (game.over, game.deal.players) == (False, (0, 4))


@pytest.mark.clause("E-15")
def test_the_winner_of_a_deal_stays_whatever_it_has() -> None:
    held, game, _ = after_a_deal((150, 150, 150), {1: "2D", 2: "2H"})
    assert (game.over, game.totals) == (True, (150, 152, 152))
    held.refuses("0 draws", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("E-15")
def test_penalties_of_the_whole_game_count() -> None:
    held = position(
        contract=3, hands={0: "2C", 1: "KC", 2: "2D"}, opened=[0], rules=NO_REBUYS, pile="8C"
    )
    game = in_game(held, scores=[(5, 80, 0), (5, 61, 20)])
    events = held.does("0 discards 2C")
    assert (game.totals, out_of(events)) == ((10, 151, 22), (1,))


@pytest.mark.clause("E-15", "E-24")
def test_who_is_out_gets_no_card_no_turn_and_no_points() -> None:
    held, game, _ = after_a_deal((0, 145, 0, 0), {1: "KC", 2: "4D", 3: "4H"})
    deal = game.deal
    assert (deal.players, [len(hand) for hand in deal.hands]) == ((0, 2, 3), [13, 0, 13, 13])
    held.deal.turn = 0
    for command in ("1 draws", "1 takes", "1 discards 2C", "1 rebuys"):
        held.refuses(command, NotYourTurn, "NOT_PLAYING", "E-24")
    held.all("0 draws", f"0 discards {held.hand(0).split()[0]}")
    assert held.deal.turn == 2
    held.deal.phase, held.deal.hands[2], held.deal.opened_turn[2] = Phase.PLAY, [0], 1
    held.does("2 discards AC")
    assert [row[1] for row in game.scores] == [10, 0]
    assert game.totals[1] == 155


# --- E-23: the last one left, and the order of all ------------------------------------------------


@pytest.mark.clause("E-23")
@BOTH
def test_the_game_ends_when_one_player_is_left(rules: RuleSet) -> None:
    held, game, events = after_a_deal((40, 145, 149), {1: "KC", 2: "2D"}, rules=rules)
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.totals, ended.places) == ((40, 155, 151), (1, 3, 2))
    assert game.over
    with pytest.raises(IllegalHere, match="GAME_OVER") as refused:
        held.does("0 draws")
    assert refused.value.clause == "E-23"


@pytest.mark.clause("E-23")
def test_with_two_left_it_goes_on() -> None:
    _, game, events = after_a_deal((40, 140, 149), {1: "KC", 2: "2D"})
    assert not game.over
    assert isinstance(events[-1], DealStarted)
    assert events[-1].players == (0, 1)


@pytest.mark.clause("E-23")
def test_the_others_are_placed_in_the_reverse_order_of_their_leaving() -> None:
    _, game, events = after_a_deal(
        (30, 200, 149, 151, 140), {2: "2D", 4: "2H"}, winner=0, gone=(3, 1)
    )
    assert out_of(events) == (2,)
    held = Position(game.deal, game)
    deal = held.deal
    deal.phase, deal.turn, deal.hands[0], deal.opened_turn[0] = Phase.PLAY, 0, [0], 1
    (ended,) = (event for event in held.does("0 discards AC") if isinstance(event, GameEnded))
    # Seat 1 has the highest total of all, yet seat 3 left before it.
    assert ended.places == (1, 4, 3, 5, 2)


@pytest.mark.clause("E-23")
@pytest.mark.parametrize(
    ("totals", "left", "dealer", "order"),
    [
        # The lower total first.
        ((0, 149, 149, 149), {1: "3C", 2: "5C", 3: "4C"}, 3, (1, 3, 2)),
        # Equal totals: fewer points in this deal.
        ((0, 148, 147, 149), {1: "4C", 2: "5C", 3: "3C"}, 3, (3, 1, 2)),
        # All equal: seats from the dealer's left.
        ((0, 149, 149, 149), {1: "4C", 2: "4D", 3: "4H"}, 3, (1, 2, 3)),
        ((0, 149, 149, 149), {1: "4C", 2: "4D", 3: "4H"}, 0, (1, 2, 3)),
        ((0, 149, 149, 149), {1: "4C", 2: "4D", 3: "4H"}, 1, (2, 3, 1)),
        ((0, 149, 149, 149), {1: "4C", 2: "4D", 3: "4H"}, 2, (3, 1, 2)),
        # The total comes before the points of the deal.
        ((0, 141, 149, 150), {1: "KC", 2: "4D", 3: "2H"}, 3, (1, 3, 2)),
    ],
)
def test_who_leave_in_one_deal_are_placed_by_total_points_of_the_deal_and_seat(
    totals: tuple[int, ...], left: dict[int, str], dealer: int, order: tuple[int, ...]
) -> None:
    _, game, events = after_a_deal(totals, left, dealer=dealer)
    assert out_of(events) == order[::-1]
    places = series.result(game).places
    assert tuple(sorted((1, 2, 3), key=lambda seat: places[seat])) == order
    assert sorted(places) == [1, 2, 3, 4]


@pytest.mark.clause("E-23")
def test_a_game_of_sixty_deals_ends_with_the_lowest_total() -> None:
    left = {1: "KC", 2: "KD", 3: "KH"}
    held, game, events = after_a_deal((50, 20, 150, 40), left, number=60, rules=KALUKI_EUROPEAN)
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    # Seats 0 and 3 share the second place; seat 2 left, and nobody buys into no more deals.
    assert (ended.totals, ended.places) == ((50, 30, 160, 50), (2, 1, 4, 2))
    assert (out_of(events), game.over) == ((2,), True)
    held.refuses("2 rebuys", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("E-23")
def test_a_game_of_fifty_nine_deals_goes_on() -> None:
    _, game, events = after_a_deal((0, 0, 0), {1: "KC", 2: "KD"}, number=59)
    assert (game.over, game.deal.number) == (False, 60)
    assert isinstance(events[-1], DealStarted)


@pytest.mark.clause("E-23", "X-10")
def test_a_deal_that_stays_void_counts_among_the_sixty() -> None:
    held = position(
        contract=60, hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True, rules=NO_REBUYS
    )
    game = in_game(held, attempt=2, scores=[(1, 2, 1)] * 59)
    ended = held.does("0 draws")[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.totals, ended.places, game.winners[-1]) == ((59, 118, 59), (1, 3, 1), NONE)


# --- E-24: the dealer -----------------------------------------------------------------------------


@pytest.mark.clause("E-24")
@pytest.mark.parametrize(
    ("dealer", "leaving", "next_dealer", "starter"),
    [
        (0, (), 1, 2),
        (0, (1,), 2, 3),  # the next dealer left
        (0, (2,), 1, 3),  # the next starter left
        (0, (0,), 1, 2),  # the dealer itself left
        (0, (1, 2), 3, 4),
        (3, (4, 0), 1, 2),
        (4, (0, 4), 1, 2),
    ],
)
def test_the_deal_passes_to_the_next_seat_that_is_in_the_game(
    dealer: int, leaving: tuple[int, ...], next_dealer: int, starter: int
) -> None:
    winner = next(seat for seat in range(5) if seat not in leaving)
    totals = [150 if seat in leaving else 0 for seat in range(5)]
    left = {seat: f"5{suit}" for seat, suit in zip(range(5), "CDHSC", strict=True)}
    left.pop(winner)
    _, game, events = after_a_deal(totals, left, winner=winner, dealer=dealer)
    assert set(out_of(events)) == set(leaving)
    assert (game.deal.dealer, game.deal.turn) == (next_dealer, starter)


@pytest.mark.clause("E-24", "X-4")
def test_a_void_deal_among_the_rest_keeps_dealer_and_players() -> None:
    held = position(
        seats=4,
        players=(0, 2, 3),
        hands={0: "2C"},
        phase=Phase.DRAW,
        stock=0,
        reshuffled=True,
        rules=KALUKI_EUROPEAN,
    )
    held.deal.dealer = 3
    game = in_game(held)
    game.eliminated[:] = [1]
    started = held.does("0 draws")[-1]
    assert isinstance(started, DealStarted)
    assert (started.dealer, started.players, started.attempt) == (3, (0, 2, 3), 1)
    assert (game.deal.turn, len(game.deal.hands[1])) == (0, 0)


@pytest.mark.clause("E-24")
def test_the_button_goes_round_a_whole_game() -> None:
    chance = Stacked(NO_REBUYS)
    game, _ = series.new_game(NO_REBUYS, 4, chance)
    held = Position(game.deal, game)
    dealers = []
    while not game.over:
        deal = held.deal = game.deal
        dealers.append(deal.dealer)
        winner = deal.players[0]
        for seat in deal.players:
            deal.hands[seat] = list(parse_cards("5C1"))
        deal.hands[deal.players[-1]] = list(parse_cards("KC1 KD1 KH1 KS1 QC1 QD1"))
        deal.hands[winner] = list(parse_cards("2C1"))
        deal.phase, deal.turn, deal.opened_turn[winner] = Phase.PLAY, winner, 1
        held.does("0 discards 2C")
    # With sixty points a deal seat 3 leaves after three deals, seat 2 after six, seat 1 after nine.
    assert dealers == [0, 1, 2, 0, 1, 2, 0, 1, 0]
    assert series.result(game).places == (1, 2, 3, 4)
