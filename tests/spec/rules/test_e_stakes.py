"""E-18, E-20, E-23: the ledger of play money: pot, re-buys, the stakes of each deal."""

from __future__ import annotations

from random import Random

import pytest

from rummy_arena.game import series
from rummy_arena.game.events import GameEnded
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game, Phase
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.deal_ends import NO_REBUYS, after_a_deal
from tests.spec.positions import Position, Stacked, in_game, position

BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)
KALUKI_HAND = "KC KD KH QC QD QH 2C"


def balanced(game: Game) -> bool:
    """Return whether no unit was made or lost."""
    return sum(game.ledger) + game.pot == 0


# --- the pot --------------------------------------------------------------------------------------


@pytest.mark.clause("E-23")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_pays_a_unit_into_the_pot_at_the_start(seats: int) -> None:
    game, _ = series.new_game(KALUKI_EUROPEAN, seats, Stacked(KALUKI_EUROPEAN))
    assert (game.pot, game.ledger) == (seats, [-1] * seats)


@pytest.mark.clause("E-23")
@BOTH
def test_who_is_left_wins_the_pot(rules: RuleSet) -> None:
    _, game, events = after_a_deal((40, 145, 149), {1: "KC", 2: "2D"}, rules=rules)
    # The pot of three and a unit of each loser, less the own unit.
    assert (game.ledger, game.pot) == ([4, -2, -2], 0)
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    assert ended.ledger == series.result(game).ledger == (4, -2, -2)


@pytest.mark.clause("E-23")
def test_equal_firsts_after_sixty_deals_share_it_odd_units_to_the_lower_seats() -> None:
    left = {1: "KC", 2: "KD", 3: "KH", 4: "KS"}
    _, game, _ = after_a_deal((50, 40, 40, 90, 90), left, number=60)
    # Three share five units, the deal moved one from each loser to seat 0.
    assert series.result(game).places == (1, 1, 1, 4, 4)
    assert game.ledger == [-1 + 4 + 2, -1 - 1 + 2, -1 - 1 + 1, -2, -2]
    assert balanced(game)


# --- E-18: what buying back costs -----------------------------------------------------------------


@pytest.mark.clause("E-18")
@BOTH
def test_buying_back_costs_a_unit_into_the_pot_and_nothing_else(rules: RuleSet) -> None:
    held, game, _ = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=rules)
    before = list(game.ledger)
    held.does("1 rebuys")
    assert game.ledger == [before[0], before[1] - 1, before[2]]
    assert (game.pot, balanced(game)) == (4, True)
    assert (game.totals[0], game.totals[2]) == (40, 95)


@pytest.mark.clause("E-18")
def test_declining_costs_nothing() -> None:
    held, game, _ = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=KALUKI_EUROPEAN)
    before = list(game.ledger)
    held.does("1 declines")
    assert (game.ledger, game.pot) == (before, 3)


@pytest.mark.clause("E-18")
def test_a_host_of_point_scored_events_switches_it_off() -> None:
    assert (NO_REBUYS.rebuys, KALUKI_EUROPEAN.rebuys, KALUKI_AMERICAN.rebuys) == (0, 1, 1)
    held, game, _ = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=NO_REBUYS)
    assert (held.phase(), game.pot) == (Phase.DRAW, 3)


# --- E-20: the stakes of a deal -------------------------------------------------------------------


@pytest.mark.clause("E-20")
@BOTH
def test_each_loser_of_a_deal_pays_its_winner_a_unit(rules: RuleSet) -> None:
    _, game, _ = after_a_deal((0, 0, 0, 0), {1: "KC", 2: "KD", 3: "5C"}, winner=0, rules=rules)
    assert (game.ledger, game.pot) == ([2, -2, -2, -2], 4)


@pytest.mark.clause("E-20", "E-27")
@pytest.mark.parametrize(
    ("rules", "ledger"), [(KALUKI_EUROPEAN, [3, -3, -3]), (KALUKI_AMERICAN, [1, -2, -2])]
)
def test_a_kaluki_pays_two_in_the_european_game_and_one_in_the_american(
    rules: RuleSet, ledger: list[int]
) -> None:
    held = position(hands={0: KALUKI_HAND, 1: "KS", 2: "5C"}, rules=rules)
    game = in_game(held)
    held.all("0 opens KC KD KH / QC QD QH", "0 discards 2C")
    assert game.ledger == ledger
    assert balanced(game)


@pytest.mark.clause("E-20")
@pytest.mark.parametrize("option", ["double", "plus25"])
def test_the_option_for_penalties_leaves_the_stakes_as_they_are(option: str) -> None:
    rules = get_rule_set("kaluki-european", {"kaluki_penalty": option})
    held = position(hands={0: KALUKI_HAND, 1: "KS", 2: "5C"}, rules=rules)
    game = in_game(held)
    held.all("0 opens KC KD KH / QC QD QH", "0 discards 2C")
    assert game.ledger == [3, -3, -3]


@pytest.mark.clause("E-20", "E-24")
def test_who_is_out_of_the_game_neither_pays_nor_is_paid() -> None:
    _, game, _ = after_a_deal((0, 160, 0, 0), {2: "KD", 3: "5C"}, gone=(1,))
    assert game.ledger == [1, -1, -2, -2]


@pytest.mark.clause("E-20", "E-16")
@pytest.mark.parametrize("attempt", [0, 2])
def test_a_void_deal_moves_nothing(attempt: int) -> None:
    held = position(
        hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True, rules=KALUKI_EUROPEAN
    )
    game = in_game(held, attempt=attempt)
    held.does("0 draws")
    assert (game.ledger, game.pot) == ([-1, -1, -1], 3)


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.clause("E-18", "E-20", "E-23")
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rule_set", ["kaluki-european", "kaluki-american"])
def test_a_whole_game_balances_and_its_score_sheet_adds_up(rule_set: str, seed: int) -> None:
    dice = Random(seed)
    rules = get_rule_set(rule_set, {"rebuys": ("0", "1", "2", "unlimited")[seed % 4]})
    seats = dice.randint(rules.min_seats, rules.max_seats)
    chance = Stacked(rules)
    game, _ = series.new_game(rules, seats, chance)
    held = Position(game.deal, game)
    while not game.over:
        held.deal = game.deal
        if game.deal.phase is Phase.REBUY:
            seat = game.deal.offers[0]
            held.does(f"{seat} {dice.choice(('rebuys', 'declines'))}")
        else:
            _go_out(held, dice)
        assert balanced(game)
        alive = [seat for seat in range(seats) if seat not in game.eliminated]
        if held.deal.phase is not Phase.REBUY:
            assert all(game.totals[seat] <= 150 for seat in alive)
            assert all(game.totals[seat] > 150 for seat in game.eliminated)
    assert (game.pot, sum(game.ledger)) == (0, 0)
    rows = [sum(column) for column in zip(*game.scores, strict=True)]
    assert game.totals == tuple(a + b for a, b in zip(rows, game.adjustments, strict=True))
    assert sorted(series.result(game).places)[0] == 1
    assert max(game.rebuys) <= rules.rebuys


def _go_out(held: Position, dice: Random) -> None:
    """Let a player go out now; the others keep what they were dealt, or a part of it."""
    deal = held.deal
    winner = dice.choice(deal.players)
    for seat in deal.players:
        del deal.hands[seat][dice.randint(1, 8) :]
    deal.phase, deal.turn, deal.hands[winner] = Phase.PLAY, winner, [0]
    deal.opened_turn[winner] = dice.choice((1, deal.turn_number))
    held.does(f"{winner} discards AC")
