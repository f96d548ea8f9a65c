"""The score sheet says which deal of which game each row was."""

from __future__ import annotations

from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.score_sheet import ScoreSheet, left_out, score_sheet, sudden_wins
from rummy_arena.game.state import Game, Leg
from rummy_arena.rulesets.registry import get_rule_set
from tests.state.whole_games import Sample, every_game, played


def new_game(rule_set: str, seats: int, **options: str) -> Game:
    rules = get_rule_set(rule_set, options)
    return series.new_game(rules, seats, SeededChance(rules, bytes(32)))[0]


def rows(sheet: ScoreSheet) -> list[tuple[int, int, bool]]:
    return [(deal.leg, deal.contract_number, deal.sudden_death) for deal in sheet.deals]


def test_a_new_game_has_an_empty_sheet() -> None:
    sheet = score_sheet(new_game("kalooki-jamaican", 3))
    assert (sheet.deals, sheet.totals, sheet.places) == ((), (0, 0, 0), ())
    assert (sheet.rebuys, sheet.adjustments, sheet.ledger, sheet.legs) == ((), (), (), ())


def test_sudden_death_is_one_more_deal_of_the_last_contract() -> None:
    game = new_game("kalooki-bonus", 3, short_form="on")
    game.scores = [*[(10, 10, 20)] * 7, (0, 5, 0)]
    game.winners = [*[NONE] * 7, 0]
    sheet = score_sheet(game)
    assert rows(sheet)[-2:] == [(1, 7, False), (1, 7, True)]
    assert [deal.number for deal in sheet.deals] == list(range(1, 9))
    assert sheet.deals[-1].winner == 0
    assert sheet.totals == (70, 70, 140)


def test_rows_belong_to_their_legs() -> None:
    game = new_game("kalooki-bonus", 3, short_form="on", best_of="3")
    tied, clear = Leg((70, 70, 140), (1, 2, 3)), Leg((70, 140, 105), (1, 3, 2))
    first, second, third = (10, 10, 20), (10, 20, 15), (1, 2, 3)
    game.scores = [*[first] * 7, (0, 5, 0), *[second] * 7, third, third]
    game.winners = [0] * 17
    game.legs, game.leg_start = [tied, clear], 15
    game.sum_again()
    sheet = score_sheet(game)
    assert [leg for leg, _, _ in rows(sheet)] == [1] * 8 + [2] * 7 + [3] * 2
    assert rows(sheet)[7:9] == [(1, 7, True), (2, 1, False)]
    assert rows(sheet)[-1] == (3, 2, False)
    assert sheet.totals == (2, 4, 6)


def test_sudden_death_for_the_whole_game_is_a_row_of_the_last_leg() -> None:
    game = new_game("kalooki-bonus", 3, short_form="on", best_of="3")
    legs = ((10, 20, 30), (20, 10, 30), (20, 30, 10))
    game.scores = [*(points for points in legs for _ in range(7)), (0, 5, 9)]
    game.winners = [0] * 22
    game.legs = [
        Leg((70, 140, 210), (1, 2, 3)),
        Leg((140, 70, 210), (2, 1, 3)),
        Leg((140, 210, 70), (2, 3, 1)),
    ]
    game.leg_start, game.playoff = 14, (0, 1, 2)
    game.sum_again()
    sheet = score_sheet(game)
    assert rows(sheet)[-2:] == [(3, 7, False), (3, 7, True)]
    assert sheet.totals == (140, 210, 70)


def test_sudden_death_and_deals_that_were_not_dealt_to_a_seat_are_left_out_of_ties() -> None:
    game = new_game("kalooki-bonus", 3, short_form="on", best_of="3")
    game.legs, game.leg_start = [Leg((70, 70, 140), (1, 2, 3))], 8
    game.scores = [*[(10, 10, 20)] * 7, (0, 5, 0), (1, 2, 3)]
    game.winners = [*[1] * 7, 0, 0]
    assert left_out(game) == ((7,), (7,), (7,))
    assert sudden_wins(game) == (1, 0, 0)


def test_an_eliminated_seat_leaves_out_what_came_after_a_survivor_nothing() -> None:
    game = new_game("kaluki-european", 3)
    game.scores = [(0, 80, 40), (90, 90, 0), (0, 0, 70), (0, 0, 0), (0, 0, 80)]
    game.winners, game.eliminated = [0, 2, 0, NONE, 0], [1, 2]
    assert left_out(game) == ((), (2, 3, 4), ())


@every_game
def test_the_sheet_of_a_finished_game_is_its_result(sample: Sample) -> None:
    game, _ = played(sample)
    sheet, result = score_sheet(game), series.result(game)
    assert (sheet.totals, sheet.places) == (result.totals, result.places)
    assert tuple(zip(*(deal.points for deal in sheet.deals), strict=True)) == result.deal_points
    staked = sample.rules.buy_in or sample.rules.deal_stake
    assert sheet.ledger == (result.ledger if staked else ())
    assert (sheet.pot, sum(sheet.ledger)) == (0, 0)
    contracts = [deal.contract_number for deal in sheet.deals]
    if sample.rules.by_elimination:
        assert set(contracts) == {1}
        assert len(sheet.rebuys) == sample.seats
    else:
        assert contracts == [*range(1, len(sample.rules.contracts) + 1)] * len(sheet.legs or [0])
