"""B-19: who ties for first plays the last contract once more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.cards import card_text, is_joker, parse_cards
from rummy_arena.game.engine import deciders, standard_move
from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import (
    DealEnd,
    DealEnded,
    DealStarted,
    Discarded,
    Event,
    GameEnded,
    LotsDrawn,
    WindowOpened,
)
from rummy_arena.game.replay import replay
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase
from rummy_arena.game.view import redact, view
from rummy_arena.rulesets.kalooki_bonus import KALOOKI_BONUS
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Position, Stacked, in_game, position


def tied(*totals: int, rules: RuleSet = KALOOKI_BONUS) -> tuple[Position, list[Event]]:
    """Return the position after the last contract, which leaves these totals, and its events.

    The last seat goes out in it; nobody else writes anything then.
    """
    seats, deals = len(totals), len(rules.contracts)
    before = (*totals[:-1], totals[-1] + 50)
    held = position(
        rules=rules,
        seats=seats,
        contract=deals,
        turn=seats - 1,
        hands={seats - 1: "2C"} | dict.fromkeys(range(seats - 1), ""),
        opened=range(seats),
    )
    in_game(held, scores=[before, *[(0,) * seats] * (deals - 2)])
    return held, held.does(f"{seats - 1} discards 2C")


def won(held: Position, winner: int, hands: Mapping[int, str], opened: Sequence[int] = ()) -> None:
    """Give the sudden death these hands, and the winner one card to go out with."""
    deal = held.deal
    for seat in deal.players:
        deal.hands[seat] = sorted(parse_cards(hands.get(seat, "2C1")))
        deal.opened_turn[seat] = 1 if seat in (*opened, winner) else 0
    deal.turn, deal.turn_number, deal.phase = winner, 9, Phase.PLAY


def void(held: Position) -> list[Event]:
    """Exhaust the stock of the present deal for the last time."""
    deal = held.deal
    deal.stock, deal.reshuffles, deal.phase = [], deal.rules.reshuffles, Phase.DRAW
    return held.does(f"{deal.turn} draws")


def draws_and_discards(held: Position) -> list[Event]:
    """Let the seat in turn draw from the stock, and return what its discard brings about."""
    seat = held.deal.turn
    held.does(f"{seat} draws")
    return held.does(f"{seat} discards {card_text(held.deal.hands[seat][0])}")


# --- who plays, and what --------------------------------------------------------------------------


@pytest.mark.clause("B-19")
@pytest.mark.parametrize(
    ("totals", "players"),
    [
        ((10, 40, 10), (0, 2)),
        ((10, 10, 10), (0, 1, 2)),
        ((-20, 5, -20, 30), (0, 2)),
        ((70, 70, 90, 70), (0, 1, 3)),
        ((9, 9, 9, 9, 9, 9), (0, 1, 2, 3, 4, 5)),
        ((50, 7, 50, 7, 50), (1, 3)),
    ],
)
def test_those_who_tie_for_first_play_the_ninth_contract_with_sixteen_cards(
    totals: tuple[int, ...], players: tuple[int, ...]
) -> None:
    held, events = tied(*totals)
    started = events[-1]
    assert isinstance(started, DealStarted)
    assert (started.number, started.contract, started.attempt) == (10, 9, 0)
    assert started.players == players
    deal = held.deal
    assert deal.contract.text == "4 runs"
    dealt = [len(hand) for hand in deal.hands]
    assert dealt == [16 if seat in players else 0 for seat in range(len(totals))]
    assert len(deal.stock) == 108 - 16 * len(players) - 1
    assert held.game is not None
    assert (held.game.totals, held.game.over) == (totals, False)


@pytest.mark.clause("B-19")
@pytest.mark.parametrize("totals", [(10, 11, 40), (10, 40, 40), (-50, 0, 0)])
def test_one_lowest_total_needs_no_sudden_death_whoever_ties_behind(
    totals: tuple[int, ...],
) -> None:
    _, events = tied(*totals)
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.totals, ended.places[0]) == (totals, 1)


@pytest.mark.clause("B-19", "X-4")
@pytest.mark.parametrize(
    ("totals", "dealer", "starter"),
    [((10, 40, 10), 0, 2), ((40, 10, 10), 1, 2), ((10, 10, 10), 0, 1), ((40, 40, 10, 10), 2, 3)],
)
def test_the_deal_passes_to_the_next_of_the_tied_and_the_one_after_starts(
    totals: tuple[int, ...], dealer: int, starter: int
) -> None:
    held, _ = tied(*totals)
    assert (held.deal.dealer, held.deal.turn) == (dealer, starter)


@pytest.mark.clause("B-19")
def test_the_short_form_ends_with_its_last_contract_which_is_the_ninth() -> None:
    held, events = tied(10, 40, 10, rules=get_rule_set("kalooki-bonus", {"short_form": "on"}))
    started = events[-1]
    assert isinstance(started, DealStarted)
    assert (started.number, started.contract) == (8, 7)
    assert held.deal.contract.text == "4 runs"
    assert {len(held.deal.hands[seat]) for seat in (0, 2)} == {16}


@pytest.mark.clause("B-19")
def test_who_does_not_play_has_no_action_and_sees_the_deal() -> None:
    held, events = tied(10, 40, 10)
    for command in ("1 draws", "1 takes", "1 calls"):
        held.refuses(command, NotYourTurn, "NOT_PLAYING", "B-19")
    assert held.game is not None
    seen = view(held.game, 1)
    assert (seen.players, seen.hand, seen.kinds) == ((0, 2), (), ())
    shown = redact(events[-1], 1, KALOOKI_BONUS, 3)
    assert isinstance(shown, DealStarted)
    assert (shown.hand, shown.players) == (b"", (0, 2))
    own = redact(events[-1], 2, KALOOKI_BONUS, 3)
    assert isinstance(own, DealStarted)
    assert own.hand == bytes(held.deal.hands[2])


@pytest.mark.clause("B-19", "X-19")
def test_two_take_turns_and_the_third_is_left_out() -> None:
    held, _ = tied(10, 40, 10)
    turns = []
    for _ in range(4):
        turns.append(held.deal.turn)
        draws_and_discards(held)
    assert turns == [2, 0, 2, 0]


# --- calls ----------------------------------------------------------------------------------------


@pytest.mark.clause("B-19")
def test_two_alone_cannot_call() -> None:
    held, _ = tied(10, 40, 10)
    assert [type(event) for event in draws_and_discards(held)] == [Discarded]
    assert held.phase() is Phase.DRAW
    for seat in (0, 2):
        held.refuses(f"{seat} calls", IllegalHere, "NO_CALL_WINDOW", "B-7")
    held.does("0 takes")


@pytest.mark.clause("B-19")
def test_a_third_of_the_tied_may_call_but_nobody_else() -> None:
    held, _ = tied(10, 10, 40, 10)
    assert held.deal.turn == 1
    _, opened = draws_and_discards(held)
    assert isinstance(opened, WindowOpened)
    assert opened.seats == (0,)
    assert deciders(held.deal) == (0,)
    held.refuses("2 calls", NotYourTurn, "NOT_PLAYING", "B-19")
    held.all("0 calls", "1 allows", "3 draws")
    assert held.deal.calls == [1, 0, 0, 0]


# --- how it ends ----------------------------------------------------------------------------------


@pytest.mark.clause("B-19")
def test_its_lowest_score_wins_and_the_totals_stay() -> None:
    held, _ = tied(10, 40, 10, 10)
    won(held, 2, {0: "KS1 QS1", 3: "3S1"}, opened=[0])
    ended, over = held.does("2 discards 2C")[1:]
    assert isinstance(ended, DealEnded)
    assert isinstance(over, GameEnded)
    assert ended.points == (20, 0, -50, 53)
    assert (over.totals, over.places) == ((10, 40, 10, 10), (2, 4, 1, 3))
    game = held.game
    assert game is not None
    assert game.over
    found = series.result(game)
    assert (found.totals, found.places) == (over.totals, over.places)
    assert [points[-1] for points in found.deal_points] == [20, 0, -50, 53]
    assert found.deals_won[2] == 1


@pytest.mark.clause("B-19", "X-16")
def test_two_who_tie_again_behind_the_winner_share_the_second_place() -> None:
    held, _ = tied(10, 40, 10, 10)
    won(held, 0, {2: "3S1", 3: "3H1"})
    over = held.does("0 discards 2C")[-1]
    assert isinstance(over, GameEnded)
    assert over.places == (1, 4, 2, 2)


@pytest.mark.clause("B-19", "X-16")
def test_ties_behind_the_first_place_stay_shared() -> None:
    held, _ = tied(10, 40, 40, 10)
    won(held, 3, {0: "3S1"})
    over = held.does("3 discards 2C")[-1]
    assert isinstance(over, GameEnded)
    assert (over.totals, over.places) == ((10, 40, 40, 10), (2, 3, 3, 1))


@pytest.mark.clause("B-19", "X-10")
def test_a_void_sudden_death_is_replayed_by_the_same_players_and_dealer() -> None:
    held, _ = tied(10, 40, 10)
    dealer = held.deal.dealer
    for attempt in (1, 2):
        ended, started = void(held)
        assert isinstance(ended, DealEnded)
        assert isinstance(started, DealStarted)
        assert (ended.end, ended.points) == (DealEnd.VOID, ())
        assert (started.number, started.contract, started.attempt) == (10, 9, attempt)
        assert (started.dealer, started.players) == (dealer, (0, 2))
    won(held, 2, {0: "KS1"})
    over = held.does("2 discards 2C")[-1]
    assert isinstance(over, GameEnded)
    assert (over.totals, over.places) == ((10, 40, 10), (2, 3, 1))


@pytest.mark.clause("B-19", "X-10")
def test_after_the_third_void_lots_decide() -> None:
    held, _ = tied(10, 40, 10, 10)
    void(held)
    void(held)
    ended, lots, over = void(held)
    assert isinstance(ended, DealEnded)
    assert ended.points == (0, 0, 0, 0)
    assert lots == LotsDrawn((3, 2, 0))  # the chance of a position draws in falling order
    assert isinstance(over, GameEnded)
    assert (over.totals, over.places) == ((10, 40, 10, 10), (3, 4, 2, 1))


@pytest.mark.clause("B-19", "X-9")
def test_two_players_have_sixty_turns_each() -> None:
    held, _ = tied(10, 40, 10)
    won(held, 2, {0: "KS1", 2: "2C1 3C1"})
    held.deal.turn_number = 120
    ended = held.does("2 discards 2C")[1]
    assert isinstance(ended, DealEnded)
    assert ended.end is DealEnd.CAP


@pytest.mark.clause("B-19", "B-24")
def test_the_stakes_of_sudden_death_are_between_its_players() -> None:
    held, _ = tied(10, 40, 10, 10, rules=get_rule_set("kalooki-bonus", {"stakes": "5"}))
    game = held.game
    assert game is not None
    before = list(game.ledger)
    won(held, 0, {})
    held.does("0 discards 2C")
    paid = [now - then for now, then in zip(game.ledger, before, strict=True)]
    assert paid == [20, 0, -10, -10]


# --- a whole game ---------------------------------------------------------------------------------


@pytest.mark.clause("B-19", "X-10", "X-17")
def test_a_game_of_absent_players_ends_with_lots_and_its_log_plays_again() -> None:
    rules = get_rule_set("kalooki-bonus", {"short_form": "on", "calls": "off"})
    chance = Stacked(rules)
    game, log = series.new_game(rules, 3, chance)
    while not game.over:
        (seat,) = deciders(game.deal)
        log += series.apply(game, seat, standard_move(game.deal, seat), chance)
    *_, lots, over = log
    assert lots == LotsDrawn((2, 1, 0))
    assert over == GameEnded((0, 0, 0), (3, 2, 1))
    started = [event for event in log if isinstance(event, DealStarted)]
    assert [event.number for event in started] == [deal for deal in range(1, 9) for _ in range(3)]
    assert game.winners == [NONE] * 8
    assert replay(rules, 3, log) == game
    assert not any(is_joker(event.card) for event in log if isinstance(event, Discarded))
