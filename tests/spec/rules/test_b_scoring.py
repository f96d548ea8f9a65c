"""B-16, B-18: how a deal ends, and what it costs."""

from __future__ import annotations

import pytest

from rummy_arena.game.actions import NONE
from rummy_arena.game.cards import parse_cards
from rummy_arena.game.errors import IllegalHere
from rummy_arena.game.events import DealEnd, DealEnded, DealStarted, GameEnded, Reshuffled
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.kalooki_bonus import KALOOKI_BONUS
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Position, in_game, plain, position

THREE_SETS = "KS KH KD QS QH QD 6S 6H 6D"
OPENING = "0 opens KS KH KD / QS QH QD / 6S 6H 6D"


def ending(held: Position, command: str) -> DealEnded:
    """Return the score of the deal that the command ends."""
    (ended,) = [event for event in held.does(command) if isinstance(event, DealEnded)]
    return ended


# --- B-18: what a deal costs ----------------------------------------------------------------------


@pytest.mark.clause("B-18")
def test_out_is_fifty_less_opened_the_hand_and_not_opened_fifty_more_than_the_hand() -> None:
    held = position(
        rules=KALOOKI_BONUS,
        seats=4,
        hands={0: "2C", 1: "AS AH 7D *", 2: "TC 4D", 3: "KD"},
        opened=[0, 1],
    )
    game = in_game(held)
    ended = ending(held, "0 discards 2C")
    assert (ended.end, ended.winner) == (DealEnd.OUT, 0)
    assert ended.points == (-50, 15 + 1 + 7 + 50, 10 + 4 + 50, 10 + 50)
    assert game.totals == ended.points


@pytest.mark.clause("B-18")
def test_fifty_and_thirty_in_hand_two_are_eighty() -> None:
    held = position(
        rules=KALOOKI_BONUS, contract=2, hands={0: "2C", 1: "KS QH JC", 2: "KC QD JH"}, opened=[0]
    )
    game = in_game(held, scores=[(0, -50, 7)])
    assert ending(held, "0 discards 2C").points == (-50, 80, 80)
    assert game.totals == (-50, 30, 87)


@pytest.mark.clause("B-18")
def test_nothing_is_doubled_when_the_winner_opened_in_that_turn() -> None:
    held = position(rules=KALOOKI_BONUS, hands={0: f"{THREE_SETS} 2C", 1: "AS AH * 7D", 2: "TC 4D"})
    game = in_game(held)
    held.does(OPENING)
    ended = ending(held, "0 discards 2C")
    assert (ended.down_and_out, ended.points) == (True, (-50, 123, 64))
    assert game.down_and_outs == [1, 0, 0]


@pytest.mark.clause("B-18")
def test_a_player_whose_turn_never_came_pays_fifty_more_too() -> None:
    held = position(
        rules=KALOOKI_BONUS,
        hands={0: THREE_SETS, 1: "2C 3C 4C", 2: "2D 3D"},
        turn_number=1,
    )
    in_game(held)
    assert ending(held, OPENING).points == (-50, 59, 55)


@pytest.mark.clause("B-18", "B-12")
def test_extra_melds_do_not_cost_the_bonus() -> None:
    held = position(rules=KALOOKI_BONUS, hands={0: f"{THREE_SETS} 9C 9D 9H", 1: "2C", 2: "3C"})
    in_game(held)
    held.does(OPENING)
    assert ending(held, "0 melds 9C 9D 9H").points == (-50, 52, 53)


@pytest.mark.clause("B-18")
def test_a_total_may_be_negative_and_the_lowest_wins() -> None:
    held = position(rules=KALOOKI_BONUS, contract=9, hands={0: "2C", 1: "3C", 2: "4C"}, opened=[0])
    rows = [(-50, 60, 70)] * 4 + [(90, -50, 60)] * 4
    game = in_game(held, scores=rows)
    last = held.does("0 discards 2C")[-1]
    assert isinstance(last, GameEnded)
    assert (last.totals, last.places) == ((110, 93, 574), (2, 1, 3))
    assert game.over
    negative = position(rules=KALOOKI_BONUS, contract=9, hands={0: "2C"}, opened=[0, 1, 2])
    in_game(negative, scores=[(-50, 0, 1)] * 8)
    ended = negative.does("0 discards 2C")[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.totals[0], ended.places[0]) == (-450, 1)


@pytest.mark.clause("B-18", "X-19")
def test_a_finished_game_takes_no_more_actions() -> None:
    held = position(rules=KALOOKI_BONUS, contract=9, hands={0: "2C"}, opened=[0])
    in_game(held, scores=[(-50, 60, 70)] * 8)
    held.does("0 discards 2C")
    with pytest.raises(IllegalHere) as refused:
        held.does("1 draws")
    assert (refused.value.code, refused.value.clause) == ("GAME_OVER", "B-19")


@pytest.mark.clause("B-18")
@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("*1", 50),
        ("AS1 AC1", 30),
        ("AH1 AD1", 2),
        ("KS1 QH1 JD1 TC1", 40),
        ("2S1 3H1 4D1 5C1 6S1 7H1 8D1 9C1", 44),
        ("", 0),
    ],
)
def test_cards_cost_what_the_table_says(cards: str, points: int) -> None:
    assert KALOOKI_BONUS.hand_points(list(parse_cards(cards))) == points


@pytest.mark.clause("B-24")
def test_a_joker_may_cost_twenty_five() -> None:
    cheap = get_rule_set("kalooki-bonus", {"joker_penalty": "25"})
    for rules, joker in ((KALOOKI_BONUS, 50), (cheap, 25)):
        held = position(rules=rules, hands={0: "2C", 1: "* 3C", 2: "* AS"}, opened=[0, 1])
        in_game(held)
        assert ending(held, "0 discards 2C").points == (-50, joker + 3, joker + 15 + 50)


# --- B-16: the stock, void deals ------------------------------------------------------------------


@pytest.mark.clause("B-16")
def test_the_stock_is_renewed_once_and_then_the_deal_is_void() -> None:
    held = position(
        rules=KALOOKI_BONUS, hands={0: "KC 2C"}, phase=Phase.DRAW, stock=0, pile="3D 4D"
    )
    in_game(held)
    recycled, _ = held.does("0 draws")
    assert isinstance(recycled, Reshuffled)
    assert plain(list(recycled.order)) == "3D"
    held.does("0 discards KC")
    ended, started = held.does("1 draws")
    assert isinstance(ended, DealEnded)
    assert (ended.end, ended.winner, ended.points) == (DealEnd.VOID, NONE, ())
    assert isinstance(started, DealStarted)


@pytest.mark.clause("B-16", "X-4")
def test_a_void_deal_is_dealt_again_by_the_same_dealer_without_bonus_or_penalty() -> None:
    held = position(
        rules=KALOOKI_BONUS,
        contract=3,
        hands={0: "2C"},
        phase=Phase.DRAW,
        stock=0,
        reshuffled=True,
        opened=[1],
    )
    game = in_game(held, scores=[(-50, 60, 70), (60, -50, 70)])
    dealer = held.deal.dealer
    ended, started = held.does("0 draws")
    assert isinstance(ended, DealEnded)
    assert isinstance(started, DealStarted)
    assert (started.number, started.contract, started.attempt) == (3, 3, 1)
    assert (started.dealer, game.totals) == (dealer, (10, 10, 140))
    assert (game.deal.calls, game.deal.reshuffles) == ([0, 0, 0], 0)


@pytest.mark.clause("B-16")
def test_an_opened_player_still_takes_from_the_pile_when_the_stock_is_gone() -> None:
    held = position(
        rules=KALOOKI_BONUS,
        hands={0: "2C 3C"},
        phase=Phase.DRAW,
        stock=0,
        reshuffled=True,
        opened=[0],
    )
    in_game(held)
    held.all("0 takes", "0 discards 2C")
    assert held.deal.outcome is None
    assert isinstance(held.does("1 draws")[0], DealEnded)


@pytest.mark.clause("B-16", "X-11")
def test_who_draws_the_last_card_may_go_out() -> None:
    held = position(
        rules=KALOOKI_BONUS,
        hands={0: "2C"},
        phase=Phase.DRAW,
        stock="KC",
        reshuffled=True,
        table=["0: KS KH KD"],
    )
    held.all("0 draws", "0 lays KC on 0", "0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("X-10")
def test_after_the_third_void_all_write_nought_without_the_fifty_and_the_deal_moves_on() -> None:
    held = position(
        rules=KALOOKI_BONUS, hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True, opened=[1]
    )
    game = in_game(held, attempt=2)
    dealer = held.deal.dealer
    ended, started = held.does("0 draws")
    assert isinstance(ended, DealEnded)
    assert isinstance(started, DealStarted)
    assert (ended.end, ended.points) == (DealEnd.VOID, (0, 0, 0))
    assert (started.number, started.attempt, started.dealer) == (2, 0, (dealer + 1) % 3)
    assert (game.scores, game.winners) == ([(0, 0, 0)], [NONE])


@pytest.mark.clause("X-9", "X-10")
@pytest.mark.parametrize(("attempt", "points"), [(0, ()), (2, (0, 0, 0))])
def test_a_deal_that_reaches_the_cap_counts_as_a_void_one(
    attempt: int, points: tuple[int, ...]
) -> None:
    held = position(rules=KALOOKI_BONUS, hands={0: "2C 3C"}, opened=[0], turn_number=180)
    in_game(held, attempt=attempt)
    ended = ending(held, "0 discards 2C")
    assert (ended.end, ended.winner, ended.points) == (DealEnd.CAP, NONE, points)
    before = position(rules=KALOOKI_BONUS, hands={0: "2C 3C"}, opened=[0], turn_number=179)
    before.does("0 discards 2C")
    assert before.deal.outcome is None
