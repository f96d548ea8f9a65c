"""X-17: what the seat of an absent player does, in every phase of every game."""

from __future__ import annotations

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import ALLOW, DECLINE, DRAW_STOCK, END_TURN, FORBID, NONE, PASS
from rummy_arena.game.engine import check, deciders, standard_move
from rummy_arena.game.kinds import decision_seat
from rummy_arena.game.rules import PilePolicy, RuleSet
from rummy_arena.game.state import Phase
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.every_game import GAMES, WITH_CALLS, cards, every_game, of_games, opening
from tests.spec.positions import Position, Stacked, in_game, position

JOKER_STAYS = tuple(rules for rules in GAMES if not rules.joker_discard)
JOKER_GOES = tuple(rules for rules in GAMES if rules.joker_discard)
THROWS_BACK = tuple(rules for rules in GAMES if rules.throw_back)
KEEPS = tuple(rules for rules in GAMES if not rules.throw_back)
BY_ELIMINATION = tuple(rules for rules in GAMES if rules.by_elimination)


def does_standard(held: Position, command: str, seat: int = 0) -> None:
    """Assert that an absent seat would do this, and do it."""
    action = standard_move(held.deal, seat)
    assert (seat, action) == held.action(command)
    held.does(command)


@pytest.mark.clause("X-17")
@every_game
def test_it_draws_from_the_stock_and_discards_the_card_drawn(rules: RuleSet) -> None:
    absent = position(rules=rules, hands={0: "AS KH 3C"}, phase=Phase.DRAW, stock="2H", opened=[0])
    assert standard_move(absent.deal, 0) == DRAW_STOCK
    does_standard(absent, "0 draws")
    does_standard(absent, "0 discards 2H")
    assert absent.hand(0) == "3C KH AS"


@pytest.mark.clause("X-17")
@every_game
def test_it_draws_from_the_stock_even_when_that_makes_the_deal_void(rules: RuleSet) -> None:
    absent = position(
        rules=rules, hands={0: "AS"}, phase=Phase.DRAW, stock=0, reshuffled=True, pile="9S"
    )
    does_standard(absent, "0 draws")
    assert absent.deal.outcome is not None


@pytest.mark.clause("X-17")
@every_game
def test_it_lays_nothing_down_and_nothing_off(rules: RuleSet) -> None:
    melds = opening(rules)
    ready = position(
        rules=rules, hands={0: cards(melds)}, phase=Phase.DRAW, stock="2H", table=["1: 2S 2D 2C"]
    )
    ready.does("0 draws")
    does_standard(ready, "0 discards 2H")
    out = position(
        rules=rules, hands={0: "3C"}, phase=Phase.DRAW, stock="2H", table=["0: 2S 2D 2C"]
    )
    out.does("0 draws")
    does_standard(out, "0 discards 2H")
    assert out.deal.outcome is None


@pytest.mark.clause("X-17")
@of_games(JOKER_GOES)
def test_where_jokers_are_discarded_a_joker_drawn_goes_too(rules: RuleSet) -> None:
    absent = position(rules=rules, hands={0: "AS KH 3C"}, phase=Phase.DRAW, stock="*")
    absent.does("0 draws")
    does_standard(absent, "0 discards *")


@pytest.mark.clause("X-17")
@of_games(JOKER_STAYS)
@pytest.mark.parametrize(
    ("hand", "discard"),
    [
        ("AS KH 3C", "AS"),  # a black ace counts most
        ("AH KH 3C", "KH"),  # a red one least
        ("KH TC JS QD 9S", "TC"),  # equal penalties: the lower rank
        ("KS KH KD", "KD"),  # then the lower suit
        ("KS1 KS2 9S", "KS1"),  # then the lower card id
        ("* * 2C", "2C"),
    ],
)
def test_where_they_are_not_the_most_expensive_natural_goes(
    rules: RuleSet, hand: str, discard: str
) -> None:
    absent = position(rules=rules, hands={0: hand}, phase=Phase.DRAW, stock="*")
    absent.does("0 draws")
    does_standard(absent, f"0 discards {discard}")


@pytest.mark.clause("X-17")
@of_games(JOKER_STAYS)
def test_jokers_alone_end_the_turn(rules: RuleSet) -> None:
    assert standard_move(position(rules=rules, hands={0: "*"}, opened=[0]).deal, 0) == END_TURN
    absent = position(rules=rules, hands={0: "* 2C"}, opened=[0])
    assert standard_move(absent.deal, 0) != END_TURN


# --- A player who went while it was to play -------------------------------------------------------


def gone(rules: RuleSet, hand: str, pile: str, *table: str) -> Position:
    """Return a position whose seat 0 took the top of the pile and then went."""
    opened = [0] if rules.pile is PilePolicy.TO_OPEN or table else []
    held = position(
        rules=rules, hands={0: hand}, opened=opened, phase=Phase.DRAW, pile=pile, table=table
    )
    held.does("0 takes")
    return held


@pytest.mark.clause("X-17")
@of_games(THROWS_BACK)
@pytest.mark.parametrize(("pile", "discard"), [("2H", "2H"), ("*", "KH")])
def test_a_card_taken_from_the_pile_goes_back_if_it_may(
    rules: RuleSet, pile: str, discard: str
) -> None:
    does_standard(gone(rules, "KH 3C", pile), f"0 discards {discard}")


@pytest.mark.clause("X-17")
@of_games(KEEPS)
@pytest.mark.parametrize(
    ("hand", "pile", "discard"),
    [
        ("KH 3C", "2H", "KH"),
        ("KH 3C", "AH", "KH"),
        ("KH AC 3C", "2H", "AC"),
        ("* AC 3C", "2H", "*"),
        ("*2 AC", "*1", "*2"),
        ("KH1 3C", "KH2", "KH1"),
        ("KH2 3C", "KH1", "KH2"),
        ("QD KH JS", "2H", "JS"),  # equal penalties: the lower rank
        ("JS JD", "2H", "JD"),  # then the lower suit
    ],
)
def test_where_it_may_not_the_most_expensive_other_card_goes(
    rules: RuleSet, hand: str, pile: str, discard: str
) -> None:
    does_standard(gone(rules, hand, pile), f"0 discards {discard}")


@pytest.mark.clause("X-17")
@of_games(KEEPS)
def test_the_card_taken_goes_when_it_is_all_that_is_left(rules: RuleSet) -> None:
    held = gone(rules, "KC", "9S", "0: KS KH KD")
    held.does("0 lays KC on 0")
    does_standard(held, "0 discards 9S")


@pytest.mark.clause("X-17")
@every_game
def test_a_card_drawn_and_laid_down_is_no_longer_there_to_discard(rules: RuleSet) -> None:
    held = position(
        rules=rules,
        hands={0: "TD 2C 3C"},
        phase=Phase.DRAW,
        stock="KC",
        table=["0: KS KH KD"],
    )
    held.all("0 draws", "0 lays KC on 0")
    does_standard(held, "0 discards TD")


# --- Calls and re-buys ----------------------------------------------------------------------------


@pytest.mark.clause("X-17")
@of_games(WITH_CALLS)
def test_it_never_calls(rules: RuleSet) -> None:
    held = position(rules=rules, seats=4, hands={0: "7H 8H", 3: "7D 7S"})
    held.does("0 discards 7H")
    assert deciders(held.deal) == (2, 3)
    does_standard(held, "2 passes", 2)
    does_standard(held, "3 passes", 3)
    assert held.phase() is Phase.DRAW


@pytest.mark.clause("X-17")
@pytest.mark.parametrize(
    ("rules", "decider", "answer"),
    [
        (get_rule_set("kalooki-jamaican"), 1, ALLOW),
        (get_rule_set("kalooki-bonus"), 0, FORBID),
        (get_rule_set("kalooki-bonus", {"call_authority": "next_player"}), 1, ALLOW),
    ],
    ids=["next player", "discarder", "next player by option"],
)
def test_it_lets_a_call_pass_as_next_player_and_forbids_it_as_discarder(
    rules: RuleSet, decider: int, answer: object
) -> None:
    held = position(rules=rules, seats=4, hands={0: "7H 8H"})
    held.all("0 discards 7H", "2 passes", "3 calls")
    assert held.phase() is Phase.CALL_DECISION
    assert deciders(held.deal) == (decider,)
    assert decision_seat(held.deal) == decider
    assert standard_move(held.deal, decider) == answer
    check(held.deal, decider, standard_move(held.deal, decider))


@pytest.mark.clause("X-17")
def test_the_absent_next_player_waives_in_an_open_window() -> None:
    held = position(seats=4, hands={0: "7H 8H"})
    held.does("0 discards 7H")
    assert held.phase() is Phase.CALL_WINDOW
    assert standard_move(held.deal, 1) == ALLOW
    assert standard_move(held.deal, 2) == PASS


@pytest.mark.clause("X-17")
@of_games(BY_ELIMINATION)
def test_it_does_not_buy_back(rules: RuleSet) -> None:
    held = position(rules=rules, contract=2, hands={0: "2C", 1: "3D", 2: "KH"}, opened=[0, 1, 2])
    game = in_game(held, scores=[(10, 20, 145)])
    held.does("0 discards 2C")
    assert (held.phase(), deciders(held.deal)) == (Phase.REBUY, (2,))
    assert standard_move(held.deal, 2) == DECLINE
    held.does("2 declines")
    assert (game.rebuys, game.eliminated) == ([0, 0, 0], [2])


@pytest.mark.clause("X-17")
@every_game
def test_its_score_counts_as_any(rules: RuleSet) -> None:
    held = position(rules=rules, seats=3, hands={0: "2C", 1: "KH", 2: "9H"}, opened=[0, 1, 2])
    game = in_game(held)
    held.does("0 discards 2C")
    assert game.totals == (rules.out_points, 10, 9)


@pytest.mark.clause("X-17")
@every_game
def test_a_table_of_absent_players_comes_to_its_end(rules: RuleSet) -> None:
    chance = Stacked(rules)
    game, _ = series.new_game(rules, 3, chance)
    for _ in range(100_000):
        seat = deciders(game.deal)[0]
        series.apply(game, seat, standard_move(game.deal, seat), chance)
        if game.over:
            break
    assert game.over
    assert set(game.winners) == {NONE}
    assert series.result(game).totals == (0, 0, 0)
