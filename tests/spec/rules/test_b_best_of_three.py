"""B-24: the best of three whole games, won on games and then on the sum of penalties."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rummy_arena.game import series
from rummy_arena.game.cards import parse_cards
from rummy_arena.game.engine import deciders, standard_move
from rummy_arena.game.events import DealStarted, Event, GameEnded, LegEnded, LotsDrawn
from rummy_arena.game.replay import replay
from rummy_arena.game.state import Game, Leg, Phase
from rummy_arena.game.view import view
from rummy_arena.rulesets.kalooki_bonus import KALOOKI_BONUS
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Position, Stacked

RULES = get_rule_set("kalooki-bonus", {"best_of": "3", "short_form": "on"})
DEALS = len(RULES.contracts)


def begun(seats: int = 3, **options: str) -> tuple[Position, Game]:
    """Return the first deal of a best of three in the short form."""
    rules = get_rule_set("kalooki-bonus", {"best_of": "3", "short_form": "on", **options})
    game, _ = series.new_game(rules, seats, Stacked(rules))
    return Position(game.deal, game), game


def goes_out(held: Position, winner: int, hands: Mapping[int, str]) -> list[Event]:
    """Let the winner go out of the present deal while others, all opened, hold these hands."""
    deal = held.deal
    for seat in deal.players:
        deal.hands[seat] = sorted(parse_cards(hands.get(seat, "")))
        deal.opened_turn[seat] = 1
    deal.hands[winner] = list(parse_cards("2C1"))
    deal.turn, deal.turn_number, deal.phase = winner, 9, Phase.PLAY
    return held.does(f"{winner} discards 2C")


def leg(held: Position, winner: int, hands: Mapping[int, str]) -> list[Event]:
    """Let the winner go out of every deal of a leg, and return what the last one brings about."""
    for _ in range(DEALS - 1):
        goes_out(held, winner, {})
    return goes_out(held, winner, hands)


@pytest.mark.clause("B-24")
def test_two_games_won_end_it_early() -> None:
    held, game = begun()
    first = leg(held, 1, {0: "KS1", 2: "3S1"})
    assert first[2] == LegEnded(1, (10, -350, 3), (3, 1, 2))
    assert not game.over
    second = leg(held, 1, {0: "KS1", 2: "KH1"})
    assert second[2:] == [
        LegEnded(2, (10, -350, 10), (2, 1, 2)),
        GameEnded((20, -700, 13), (3, 1, 2)),
    ]
    assert game.over
    assert len(game.scores) == 2 * DEALS


@pytest.mark.clause("B-24")
def test_a_third_game_is_played_when_nobody_has_won_two() -> None:
    held, game = begun()
    leg(held, 1, {0: "KS1", 2: "3S1"})
    second = leg(held, 2, {0: "3S1", 1: "KS1"})
    assert isinstance(second[-1], DealStarted)
    assert (len(game.legs), game.over) == (2, False)
    third = leg(held, 1, {0: "KS1", 2: "3S1"})
    assert isinstance(third[-1], GameEnded)
    assert third[-1].places == (3, 1, 2)
    assert third[-1].totals == (23, -690, -344)
    assert game.legs[1] == Leg((3, 10, -350), (2, 3, 1))


@pytest.mark.clause("B-24")
def test_games_won_count_before_the_sum_of_penalties() -> None:
    held, _ = begun()
    dear = "*1 *2 *3 *4 AS1 AC1"
    for _ in range(DEALS - 1):
        goes_out(held, 0, {})
    goes_out(held, 1, {0: "KS1", 2: dear})  # seat 0 has -290 and wins the leg
    for _ in range(DEALS):
        goes_out(held, 1, {0: dear})  # seat 1 wins the second by far
    for _ in range(3):
        goes_out(held, 0, {})
    for _ in range(3):
        goes_out(held, 1, {})
    over = goes_out(held, 0, {1: "3S1"})[-1]
    assert isinstance(over, GameEnded)
    assert over.totals[1] < over.totals[0]
    assert over.places == (1, 2, 3)


@pytest.mark.clause("B-24")
def test_of_equal_games_won_the_lower_sum_wins() -> None:
    held, _ = begun()
    leg(held, 0, {1: "KS1", 2: "KH1"})
    leg(held, 1, {0: "5S1", 2: "KH1"})
    third = leg(held, 2, {0: "KH1", 1: "KS1"})
    over = third[-1]
    assert isinstance(over, GameEnded)
    assert over == GameEnded((-335, -330, -330), (1, 2, 2))


@pytest.mark.clause("B-24", "B-19", "X-16")
def test_equal_games_and_equal_sums_play_sudden_death() -> None:
    held, game = begun()
    for winner in (0, 1, 2):
        last = leg(held, winner, {})[-1]
    assert isinstance(last, DealStarted)
    assert (game.over, last.contract, last.players) == (False, 7, (0, 1, 2))
    assert game.totals == (0, 0, -350)  # of the last leg, as before the deal
    over = goes_out(held, 1, {0: "KS1", 2: "3S1"})[-1]
    assert over == GameEnded((-350, -350, -350), (3, 1, 2))
    assert len(game.legs) == 3


@pytest.mark.clause("B-24", "X-16")
def test_whoever_is_behind_has_no_part_in_the_last_sudden_death() -> None:
    held, _ = begun()
    leg(held, 0, {2: "KH1"})
    leg(held, 1, {2: "KH1"})
    last = leg(held, 2, {})[-1]
    assert isinstance(last, DealStarted)
    assert last.players == (0, 1)
    over = goes_out(held, 0, {1: "KS1"})[-1]
    assert isinstance(over, GameEnded)
    assert over.places == (1, 2, 3)


@pytest.mark.clause("B-24")
def test_each_game_begins_at_nought_while_deals_and_dealers_go_on() -> None:
    held, game = begun()
    events = leg(held, 1, {0: "KS1", 2: "3S1"})
    started = events[-1]
    assert isinstance(started, DealStarted)
    assert (started.number, started.contract, started.attempt) == (DEALS + 1, 1, 0)
    assert started.dealer == DEALS % 3
    assert {len(hand) for hand in held.deal.hands} == {9}
    assert game.totals == view(game, 0).totals == (0, 0, 0)
    goes_out(held, 2, {0: "KS1"})
    assert game.totals == (10, 0, -50)
    assert series.final_totals(game) == (10, -350, 3)


@pytest.mark.clause("B-24", "B-19")
def test_a_tie_in_a_game_is_played_off_and_all_play_the_next_game() -> None:
    held, game = begun(4)
    for number in range(DEALS - 1):
        goes_out(held, 1 if number % 2 else 2, {})
    started = goes_out(held, 0, {3: "KS1"})[-1]
    assert isinstance(started, DealStarted)
    assert (started.number, started.contract, started.players) == (DEALS + 1, DEALS, (1, 2))
    ended, following = goes_out(held, 2, {1: "KS1"})[2:]
    assert ended == LegEnded(1, (-50, -150, -150, 10), (3, 2, 1, 4))
    assert isinstance(following, DealStarted)
    assert (following.number, following.contract) == (DEALS + 2, 1)
    assert following.players == (0, 1, 2, 3)
    assert game.totals == (0, 0, 0, 0)
    last = leg(held, 2, {})[-1]
    assert isinstance(last, GameEnded)
    assert last.totals == (-50, -150, -500, 10)
    assert last.places == (3, 2, 1, 4)


@pytest.mark.clause("B-24")
def test_the_result_holds_every_deal_and_the_stakes_of_all_games() -> None:
    held, game = begun(stakes="3")
    leg(held, 1, {0: "KS1"})
    over = leg(held, 1, {0: "KS1"})[-1]
    assert isinstance(over, GameEnded)
    assert over.ledger == (-6 * 14, 12 * 14, -6 * 14)
    found = series.result(game)
    assert [len(points) for points in found.deal_points] == [2 * DEALS] * 3
    assert (found.totals, found.places, found.ledger) == (over.totals, over.places, over.ledger)
    assert found.deals_won == (0, 14, 0)


@pytest.mark.clause("B-24")
def test_one_game_alone_has_no_legs() -> None:
    rules = get_rule_set("kalooki-bonus", {"short_form": "on"})
    game, _ = series.new_game(rules, 3, Stacked(rules))
    events = leg(Position(game.deal, game), 1, {})
    assert [type(event) for event in events[2:]] == [GameEnded]
    assert game.legs == []
    assert KALOOKI_BONUS.best_of == 1


@pytest.mark.clause("B-24", "B-19")
def test_a_match_of_absent_players_ends_after_two_games_and_its_log_plays_again() -> None:
    rules = get_rule_set("kalooki-bonus", {"best_of": "3", "short_form": "on", "calls": "off"})
    chance = Stacked(rules)
    game, log = series.new_game(rules, 3, chance)
    while not game.over:
        (seat,) = deciders(game.deal)
        log += series.apply(game, seat, standard_move(game.deal, seat), chance)
    assert [event for event in log if isinstance(event, LegEnded | LotsDrawn)] == [
        LotsDrawn((2, 1, 0)),
        LegEnded(1, (0, 0, 0), (3, 2, 1)),
        LotsDrawn((2, 1, 0)),
        LegEnded(2, (0, 0, 0), (3, 2, 1)),
    ]
    assert log[-1] == GameEnded((0, 0, 0), (2, 2, 1))
    assert replay(rules, 3, log) == game
