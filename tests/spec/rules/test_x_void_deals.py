"""X-4, X-9 to X-11: deals that end without a winner, and the stock that is used up."""

from __future__ import annotations

import pytest

from rummy_arena.game.actions import NONE
from rummy_arena.game.errors import IllegalHere
from rummy_arena.game.events import (
    CallGranted,
    DealEnd,
    DealEnded,
    DealStarted,
    Drew,
    Event,
    GameEnded,
    Reshuffled,
)
from rummy_arena.game.kinds import decision_seat
from rummy_arena.game.rules import UNLIMITED, RuleSet
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.every_game import (
    GAMES,
    WITH_CALLS,
    WITH_CONTRACTS,
    every_game,
    every_table,
    of_games,
)
from tests.spec.positions import Position, in_game, plain, position

RENEW_ONCE = tuple(rules for rules in GAMES if rules.reshuffles == 1)
RENEW_ALWAYS = tuple(rules for rules in GAMES if rules.reshuffles == UNLIMITED)


def used_up(rules: RuleSet, *, contract: int = 1, pile: str = "9S") -> Position:
    """Return a position whose seat 0 is to draw and finds nothing."""
    return position(
        rules=rules,
        contract=contract,
        hands={0: "2C"},
        phase=Phase.DRAW,
        stock=0,
        reshuffled=True,
        pile=pile,
    )


def end_and_start(events: list[Event]) -> tuple[DealEnded, DealStarted]:
    """Return the end of a deal and the start of the next."""
    *_, ended, started = events
    assert isinstance(ended, DealEnded)
    assert isinstance(started, DealStarted)
    return ended, started


# --- who deals next --------------------------------------------------------------------------


@pytest.mark.clause("X-4")
@every_game
def test_after_a_void_deal_the_same_seat_deals_the_same_contract_from_a_fresh_deck(
    rules: RuleSet,
) -> None:
    held = used_up(rules, contract=2)
    game = in_game(held)
    dealer, contract, starter = held.deal.dealer, held.deal.contract_number, held.deal.after[2]
    _, started = end_and_start(held.does("0 draws"))
    assert (started.number, started.attempt, started.dealer) == (2, 1, dealer)
    assert (started.contract, game.deal.contract_number) == (contract, contract)
    assert game.deal.turn == starter
    assert held.chance.asked == [(2, 1)]
    dealt = 3 * game.deal.contract.cards_each(3)
    assert len(game.deal.stock) == len(rules.pack) - dealt - 1
    assert (game.deal.reshuffles, game.deal.melds, game.deal.turn_number) == (0, [], 1)


@pytest.mark.clause("X-4")
@every_game
def test_after_a_scored_deal_the_next_seat_deals_the_next_deal(rules: RuleSet) -> None:
    held = position(rules=rules, contract=2, hands={0: "2C"}, opened=[0])
    game = in_game(held)
    dealer, after = held.deal.dealer, held.deal.after
    _, started = end_and_start(held.does("0 discards 2C"))
    assert (started.number, started.attempt, started.dealer) == (3, 0, after[dealer])
    assert game.deal.turn == after[after[dealer]]


@pytest.mark.clause("X-4")
@every_game
def test_a_third_void_moves_the_deal_on_for_a_row_was_written(rules: RuleSet) -> None:
    held = used_up(rules, contract=2)
    game = in_game(held, attempt=2)
    _, started = end_and_start(held.does("0 draws"))
    assert (started.number, started.attempt) == (3, 0)
    assert started.dealer == held.deal.after[2]
    assert len(game.scores) == 2


# --- the cap on turns ------------------------------------------------------------------------


@pytest.mark.clause("X-9")
@every_table
def test_the_discard_of_turn_sixty_of_each_seat_closes_the_deal_without_points(
    rules: RuleSet, seats: int
) -> None:
    last = position(rules=rules, seats=seats, hands={0: "2C 3C"}, turn_number=60 * seats)
    game = in_game(last)
    ended, started = end_and_start(last.does("0 discards 2C"))
    assert (ended.end, ended.winner, ended.points) == (DealEnd.CAP, NONE, ())
    assert (started.number, started.attempt, game.scores) == (1, 1, [])


@pytest.mark.clause("X-9")
@every_table
def test_one_turn_earlier_play_goes_on(rules: RuleSet, seats: int) -> None:
    last = position(rules=rules, seats=seats, hands={0: "2C 3C"}, turn_number=60 * seats - 1)
    last.does("0 discards 2C")
    assert last.deal.outcome is None
    assert last.deal.turn_number == 60 * seats


@pytest.mark.clause("X-9")
@every_game
def test_the_cap_counts_who_is_dealt_in(rules: RuleSet) -> None:
    for turn_number, closed in ((119, False), (120, True)):
        last = position(
            rules=rules, seats=3, players=(0, 2), hands={0: "2C 3C"}, turn_number=turn_number
        )
        last.does("0 discards 2C")
        assert (last.deal.outcome == Outcome(DealEnd.CAP)) is closed


@pytest.mark.clause("X-9")
@every_game
def test_going_out_in_the_last_turn_counts(rules: RuleSet) -> None:
    last = position(rules=rules, hands={0: "2C"}, opened=[0], turn_number=180)
    last.does("0 discards 2C")
    assert last.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("X-9")
@of_games(WITH_CALLS)
def test_the_last_discard_is_not_called_and_jokers_alone_end_the_last_turn_too(
    rules: RuleSet,
) -> None:
    last = position(rules=rules, seats=4, hands={0: "2C 3C"}, turn_number=240)
    assert len(last.does("0 discards 2C")) == 1
    last.refuses("2 calls", IllegalHere, "DEAL_OVER", "X-19")
    jokers = position(rules=rules, hands={0: "*"}, opened=[0], turn_number=180)
    jokers.does("0 ends")
    assert jokers.deal.outcome == Outcome(DealEnd.CAP)


# --- replays --------------------------------------------------------------------------------


@pytest.mark.clause("X-10")
@every_game
@pytest.mark.parametrize("attempt", [0, 1])
def test_a_void_deal_is_replayed_twice(rules: RuleSet, attempt: int) -> None:
    held = used_up(rules)
    game = in_game(held, attempt=attempt)
    ended, started = end_and_start(held.does("0 draws"))
    assert (ended.end, ended.points) == (DealEnd.VOID, ())
    assert (started.number, started.attempt) == (1, attempt + 1)
    assert (game.scores, game.totals) == ([], (0, 0, 0))


@pytest.mark.clause("X-10")
@every_game
@pytest.mark.parametrize("cap", [False, True])
def test_the_third_void_writes_nought_for_all_opened_or_not(rules: RuleSet, cap: bool) -> None:
    if cap:
        held = position(rules=rules, contract=2, hands={0: "2C 3C"}, opened=[1], turn_number=180)
    else:
        held = used_up(rules, contract=2)
        held.deal.opened_turn[1] = 2
    game = in_game(held, attempt=2, scores=[(5, 7, 9)])
    ledger = list(game.ledger)
    ended, started = end_and_start(held.does("0 discards 2C" if cap else "0 draws"))
    assert (ended.winner, ended.points) == (NONE, (0, 0, 0))
    assert (started.number, started.attempt) == (3, 0)
    assert (game.totals, game.winners[-1], game.ledger) == ((5, 7, 9), NONE, ledger)


@pytest.mark.clause("X-10")
@of_games(WITH_CONTRACTS)
def test_a_third_void_of_the_last_contract_ends_the_game(rules: RuleSet) -> None:
    last = len(rules.contracts)
    held = used_up(rules, contract=last)
    game = in_game(held, attempt=2, scores=[(5, 0, 1)] * (last - 1))
    assert isinstance(held.does("0 draws")[-1], GameEnded)
    assert game.over
    assert game.totals == (5 * (last - 1), 0, last - 1)


@pytest.mark.clause("X-10")
@every_game
def test_stakes_are_for_deals_that_somebody_wins(rules: RuleSet) -> None:
    if rules.id == "kalooki-bonus":
        rules = get_rule_set(rules.id, {"stakes": "3"})
    held = used_up(rules)
    game = in_game(held, attempt=2)
    before = list(game.ledger)
    held.does("0 draws")
    assert game.ledger == before


# --- when the stock is used up --------------------------------------------------------------


@pytest.mark.clause("X-11")
@every_game
def test_who_draws_the_last_card_plays_on_and_may_go_out(rules: RuleSet) -> None:
    last = position(
        rules=rules,
        hands={0: "2C"},
        phase=Phase.DRAW,
        stock="KC",
        reshuffled=True,
        table=["0: KS KH KD"],
    )
    last.all("0 draws", "0 lays KC on 0", "0 discards 2C")
    assert last.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("X-11")
@every_game
def test_the_pile_is_renewed_when_a_card_is_needed_and_its_top_stays(rules: RuleSet) -> None:
    needed = position(
        rules=rules, hands={0: "KC"}, phase=Phase.DRAW, stock="2C", pile="3D 4D 5D 6D"
    )
    needed.all("0 draws", "0 discards KC")
    if needed.phase() is Phase.CALL_WINDOW:
        needed.does("2 passes")
    assert (needed.deal.stock, needed.deal.reshuffles) == ([], 0)
    recycled, drew = needed.does(f"{needed.deal.turn} draws")
    assert isinstance(recycled, Reshuffled)
    assert isinstance(drew, Drew)
    assert (recycled.count, plain(list(recycled.order))) == (4, "3D 4D 5D 6D")
    assert plain([drew.card]) == "6D"
    assert plain(needed.deal.discards) == "KC"


@pytest.mark.clause("X-11")
@of_games(RENEW_ONCE)
def test_the_second_exhaustion_voids_the_deal_when_a_card_is_needed(rules: RuleSet) -> None:
    needed = position(
        rules=rules,
        hands={0: "KC"},
        phase=Phase.DRAW,
        stock="2C",
        pile="3D 4D",
        reshuffled=True,
    )
    needed.all("0 draws", "0 discards KC")
    assert needed.deal.outcome is None
    needed.does("1 draws")
    assert needed.deal.outcome == Outcome(DealEnd.VOID)
    needed.refuses("1 takes", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("X-11")
@of_games(RENEW_ALWAYS)
def test_without_a_limit_the_pile_is_renewed_whenever_there_is_one(rules: RuleSet) -> None:
    needed = position(rules=rules, hands={0: "KC"}, phase=Phase.DRAW, stock=0, pile="3D 4D")
    needed.deal.reshuffles = 200
    recycled, _ = needed.does("0 draws")
    assert isinstance(recycled, Reshuffled)
    assert needed.deal.reshuffles == 201


@pytest.mark.clause("X-11")
@every_game
@pytest.mark.parametrize("pile", ["3D", ""])
def test_a_pile_without_cards_below_its_top_renews_nothing(rules: RuleSet, pile: str) -> None:
    needed = position(rules=rules, hands={0: "KC"}, phase=Phase.DRAW, stock=0, pile=pile)
    assert needed.does("0 draws") == []
    assert needed.deal.outcome == Outcome(DealEnd.VOID)


@pytest.mark.clause("X-11")
@of_games(WITH_CALLS)
def test_a_penalty_card_renews_the_pile_below_the_next_discard(rules: RuleSet) -> None:
    needed = position(rules=rules, seats=4, hands={0: "7H 8H"}, stock=0, pile="3D 4D 5D")
    needed.all("0 discards 7H", "2 calls", "3 passes")
    *_, recycled, granted = needed.does(f"{decision_seat(needed.deal)} allows")
    assert isinstance(recycled, Reshuffled)
    assert isinstance(granted, CallGranted)
    assert (recycled.count, plain([granted.card, granted.penalty])) == (2, "7H 4D")
    assert (plain(needed.deal.stock), plain(needed.deal.discards)) == ("3D", "5D")
    needed.does("1 draws")
