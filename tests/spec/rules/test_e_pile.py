"""E-7, E-8, E-14, E-16: who draws from the pile, what is thrown on it, and its recycling."""

from __future__ import annotations

from functools import partial

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.engine import kinds
from rummy_arena.game.errors import IllegalHere, Malformed, NotYourTurn
from rummy_arena.game.events import DealEnd, DealEnded, DealStarted, TookAndOpened
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Outcome, Phase
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from tests.spec.positions import Position, Stacked, in_game, plain, position

european = partial(position, rules=KALUKI_EUROPEAN)
BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)
OPENING = "KC KD KH / QC QD QH"


def to_draw(hand: str, **more: object) -> Position:
    """Return a position in which seat 0 has yet to draw."""
    return position(**{"rules": KALUKI_EUROPEAN, "hands": {0: hand}, "phase": Phase.DRAW, **more})  # type: ignore[arg-type]


# --- E-7: the pile before the opening -------------------------------------------------------------


@pytest.mark.clause("E-7")
@BOTH
def test_the_first_turn_of_the_deal_takes_the_up_card_freely_and_may_keep_it(
    rules: RuleSet,
) -> None:
    held = to_draw("2C 5D", pile="9S", turn_number=1, rules=rules)
    held.all("0 takes", "0 discards 2C")
    assert (held.hand(0), held.deal.opened_turn[0]) == ("5D 9S", 0)


@pytest.mark.clause("E-7")
@BOTH
def test_after_the_first_turn_an_unopened_player_does_not(rules: RuleSet) -> None:
    held = to_draw("2C 5D", pile="9S", turn_number=2, rules=rules)
    held.refuses("0 takes", IllegalHere, "PILE_NEEDS_OPENING", "E-7")
    held.does("0 draws")


@pytest.mark.clause("E-7")
def test_only_the_starter_has_the_free_draw_whatever_it_does_with_it() -> None:
    game, _ = series.new_game(KALUKI_EUROPEAN, 3, Stacked(KALUKI_EUROPEAN))
    held = Position(game.deal, game)
    held.refuses("2 takes", NotYourTurn, "NOT_YOUR_TURN", "X-19")
    held.does("1 draws")
    held.does(f"1 discards {held.hand(1).split()[0]}")
    held.refuses("2 takes", IllegalHere, "PILE_NEEDS_OPENING", "E-7")
    held.does("2 draws")
    held.does(f"2 discards {held.hand(2).split()[0]}")
    held.refuses("0 takes", IllegalHere, "PILE_NEEDS_OPENING", "E-7")


@pytest.mark.clause("E-7")
def test_the_card_is_taken_to_open_with_it_in_one_action() -> None:
    held = to_draw("KC KD QC QD QH 2C", pile="9S KH")
    (event,) = held.does(f"0 takes KH and opens {OPENING}")
    assert isinstance(event, TookAndOpened)
    assert (event.seat, plain([event.card]), len(event.melds)) == (0, "KH", 2)
    assert (held.hand(0), held.phase(), plain(held.deal.discards)) == ("2C", Phase.PLAY, "9S")
    held.refuses("0 draws", IllegalHere, "WRONG_PHASE", "X-14")
    held.refuses("0 takes", IllegalHere, "WRONG_PHASE", "X-14")
    held.does("0 discards 2C")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0, True)


@pytest.mark.clause("E-7")
@pytest.mark.parametrize(
    ("melds", "cause", "code", "clause"),
    [
        ("KC KD KH", IllegalHere, "POINTS_NOT_REACHED", "E-4"),  # holds the card, too few points
        ("QC QD QH QS", IllegalHere, "TOP_NOT_USED", "E-7"),  # enough without the card
        ("KC KD KH / QC QD 2C", IllegalHere, "SET_RANKS_DIFFER", "X-1"),
        ("KC KD KH / QC QD JH", Malformed, "CARD_NOT_HELD", "X-2"),
        ("KC KD KH / KH QC QD", Malformed, "REPEATED_CARD", "X-2"),
        ("KC KD KH / QC QD QH QS 2C", IllegalHere, "SET_TOO_LONG", "E-22"),
    ],
)
def test_a_refusal_leaves_the_card_where_it_was(
    melds: str, cause: type[IllegalHere] | type[Malformed], code: str, clause: str
) -> None:
    held = to_draw("KC KD QC QD QH QS 2C", pile="9S KH")
    held.refuses(f"0 takes KH and opens {melds}", cause, code, clause)
    assert (plain(held.deal.discards), held.phase()) == ("9S KH", Phase.DRAW)
    assert held.deal.opened_turn[0] == 0
    held.does("0 draws")


@pytest.mark.clause("E-7")
@pytest.mark.parametrize(
    ("rules", "code"), [(KALUKI_EUROPEAN, ""), (KALUKI_AMERICAN, "POINTS_NOT_REACHED")]
)
def test_the_points_count_the_card_that_is_taken(rules: RuleSet, code: str) -> None:
    held = to_draw("TH JH QH 2C", pile="KH", rules=rules)
    command = "0 takes KH and opens TH-JH-QH-KH"
    if code:
        held.refuses(command, IllegalHere, code, "E-4")
    else:
        held.does(command)


@pytest.mark.clause("E-7")
def test_a_place_on_the_table_does_not_qualify() -> None:
    held = to_draw("KC KD KH QC QD QH 2C", pile="9H", table=["1: 6H-7H-8H"])
    held.refuses("0 takes", IllegalHere, "PILE_NEEDS_OPENING", "E-7")
    held.refuses(f"0 takes 9H and opens {OPENING}", IllegalHere, "TOP_NOT_USED", "E-7")
    held.refuses("0 lays 9H on 0", IllegalHere, "WRONG_PHASE", "X-14")


@pytest.mark.clause("E-7")
def test_neither_a_buried_card_nor_its_twin_is_the_top() -> None:
    held = to_draw("KC KD QC QD QH 2C KH2", pile="KS KH1")
    held.refuses("0 takes KS and opens KC KD KS / QC QD QH", Malformed, "NOT_THE_TOP", "E-7")
    held.refuses("0 takes KH2 and opens KC KD KH2 / QC QD QH", Malformed, "NOT_THE_TOP", "E-7")
    held.refuses("0 takes KH1 and opens KC KD KH2 / QC QD QH", IllegalHere, "TOP_NOT_USED", "E-7")
    held.does("0 takes KH1 and opens KC KD KH1 / QC QD QH")
    assert held.hand(0) == "2C KH"


@pytest.mark.clause("E-7", "E-14")
def test_a_joker_on_the_pile_may_be_taken_to_open() -> None:
    held = to_draw("JH QH KH 2C", pile="9S *")
    held.refuses("0 takes", IllegalHere, "PILE_NEEDS_OPENING", "E-7")
    held.does("0 takes * and opens *-JH-QH-KH")
    assert held.meld(0) == "*-JH-QH-KH"


@pytest.mark.clause("E-7", "E-19")
def test_a_card_is_left_for_the_discard() -> None:
    held = to_draw("KC KD QC QD QH", pile="KH")
    held.refuses(f"0 takes KH and opens {OPENING}", IllegalHere, "DISCARD_NEEDED", "E-19")


@pytest.mark.clause("E-7")
def test_the_turn_goes_on_as_after_any_opening() -> None:
    held = to_draw(
        "KC KD QC QD QH 5C 5D 5H 9H 2C 3C", pile="9S KH", table=["1: 6H-7H-8H", "1: JD JS *"]
    )
    held.does(f"0 takes KH and opens {OPENING}")
    held.all("0 melds 5C 5D 5H", "0 lays 9H on 0", "0 discards 3C")
    assert held.hand(0) == "2C"


@pytest.mark.clause("E-7")
def test_no_discard_is_called_out_of_turn() -> None:
    held = european(hands={0: "2C 5D"})
    held.does("0 discards 2C")
    held.refuses("2 calls", IllegalHere, "NO_CALLS", "E-7")
    assert held.phase() is Phase.DRAW


# --- E-8: the pile after the opening --------------------------------------------------------------


@pytest.mark.clause("E-8")
@BOTH
def test_an_opened_player_takes_the_top_and_may_keep_it(rules: RuleSet) -> None:
    held = to_draw("2C 5D", pile="9S", opened=[0], rules=rules)
    held.all("0 takes", "0 discards 2C")
    assert held.hand(0) == "5D 9S"


@pytest.mark.clause("E-8")
def test_another_players_opening_opens_the_pile_to_nobody_else() -> None:
    held = to_draw("2C 5D", pile="9S", opened=[1, 2])
    held.refuses("0 takes", IllegalHere, "PILE_NEEDS_OPENING", "E-7")


@pytest.mark.clause("E-8")
def test_the_pile_opens_with_the_opening_from_the_next_turn_on() -> None:
    held = european(hands={0: "KC KD KH QC QD QH 2C 3C 4D"}, stock="5S 6S 7S")
    held.all(f"0 opens {OPENING}", "0 discards 2C")
    for seat in (1, 2):
        held.does(f"{seat} draws")
        held.does(f"{seat} discards {held.hand(seat).split()[0]}")
    held.does("0 takes")
    assert held.deal.progress.taken != NONE


@pytest.mark.clause("E-8")
def test_an_opened_player_has_no_second_opening_to_take_it_with() -> None:
    held = to_draw("KC KD QC QD QH 2C", pile="KH", opened=[0])
    held.refuses(f"0 takes KH and opens {OPENING}", IllegalHere, "ALREADY_OPENED", "E-5")


@pytest.mark.clause("E-8", "X-8")
@BOTH
def test_the_card_taken_is_not_thrown_back_but_its_twin_may_be(rules: RuleSet) -> None:
    held = to_draw("9S2 5D", pile="9S1", opened=[0], rules=rules)
    held.does("0 takes")
    held.refuses("0 discards 9S1", IllegalHere, "THROWN_BACK", "X-8")
    held.does("0 discards 9S2")


@pytest.mark.clause("E-7", "X-8")
def test_the_up_card_of_the_free_draw_is_not_thrown_back_either() -> None:
    held = to_draw("2C 5D", pile="9S", turn_number=1)
    held.does("0 takes")
    held.refuses("0 discards 9S", IllegalHere, "THROWN_BACK", "X-8")
    held.does("0 discards 5D")


@pytest.mark.clause("E-8", "X-8")
def test_it_goes_back_when_it_is_the_only_card_left() -> None:
    held = to_draw("9C 5D", pile="9S", table=["0: 9D 9H *", "1: 5C 5H 5S"])
    held.does("0 takes")
    held.does("0 lays 9C on 0")
    held.refuses("0 discards 9S", IllegalHere, "THROWN_BACK", "X-8")
    held.does("0 lays 5D on 1")
    held.does("0 discards 9S")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


@pytest.mark.clause("E-8", "X-8")
def test_in_the_next_turn_it_is_a_card_as_any_other() -> None:
    held = to_draw("2C 5D", pile="9S", opened=[0], stock="5S 6S 7S")
    held.all("0 takes", "0 discards 2C")
    for seat in (1, 2):
        held.does(f"{seat} draws")
        held.does(f"{seat} discards {held.hand(seat).split()[0]}")
    held.all("0 draws", "0 discards 9S")


@pytest.mark.clause("X-8")
def test_a_card_from_the_stock_may_be_discarded_at_once() -> None:
    held = to_draw("2C 5D", pile="9S", opened=[0], stock="7S")
    held.all("0 draws", "0 discards 7S")


# --- E-14: jokers may be discarded ----------------------------------------------------------------


@pytest.mark.clause("E-14")
@BOTH
def test_a_joker_is_discarded_and_taken_like_any_card(rules: RuleSet) -> None:
    held = position(hands={0: "* 2C"}, opened=[1], rules=rules)
    assert held.lists("0 discards *")
    held.all("0 discards *", "1 takes")
    assert "*" in held.hand(1)
    held.refuses("1 discards *", IllegalHere, "THROWN_BACK", "X-8")


@pytest.mark.clause("E-14")
def test_a_last_joker_goes_out_and_a_hand_of_jokers_does_not_skip_its_discard() -> None:
    held = european(hands={0: "*"}, opened=[0])
    held.refuses("0 ends", IllegalHere, "DISCARD_REQUIRED", "E-19")
    held.does("0 discards *")
    assert held.deal.outcome == Outcome(DealEnd.OUT, 0)


# --- E-16: one recycling --------------------------------------------------------------------------


@pytest.mark.clause("E-16")
@BOTH
def test_the_pile_is_recycled_once_then_the_deal_is_void_and_its_dealer_deals_again(
    rules: RuleSet,
) -> None:
    held = to_draw("2C 5D", pile="7S 8S 9S", stock=0, rules=rules)
    game = in_game(held)
    held.does("0 draws")
    assert (held.deal.reshuffles, plain(held.deal.discards)) == (1, "9S")
    held.deal.stock.clear()
    held.does("0 discards 2C")
    ended, started = held.does("1 draws")
    assert isinstance(ended, DealEnded)
    assert isinstance(started, DealStarted)
    assert (ended.end, ended.winner, ended.points) == (DealEnd.VOID, NONE, ())
    assert (started.number, started.attempt, started.dealer) == (1, 1, 2)
    assert (game.totals, game.ledger) == ((0, 0, 0), [-1, -1, -1])


@pytest.mark.clause("E-16")
def test_with_the_stock_gone_an_opened_player_may_still_take_the_top() -> None:
    held = to_draw("2C 5D", pile="8S 9S", stock=0, reshuffled=True, opened=[0])
    held.does("0 takes")
    assert held.deal.outcome is None


@pytest.mark.clause("E-16")
def test_and_an_unopened_one_only_by_opening_or_else_the_deal_is_void() -> None:
    hand = "KC KD QC QD QH 2C"
    held = to_draw(hand, pile="8S KH", stock=0, reshuffled=True)
    held.refuses("0 takes", IllegalHere, "PILE_NEEDS_OPENING", "E-7")
    held.does(f"0 takes KH and opens {OPENING}")
    other = to_draw(hand, pile="8S KH", stock=0, reshuffled=True)
    other.does("0 draws")
    assert other.deal.outcome == Outcome(DealEnd.VOID)


@pytest.mark.clause("E-16", "X-9")
@pytest.mark.parametrize("players", [(0, 1, 2, 3), (0, 1, 3), (0, 3)])
def test_sixty_turns_for_each_player_still_in_the_game_close_the_deal(
    players: tuple[int, ...],
) -> None:
    last = european(seats=4, players=players, hands={0: "2C 3C"}, turn_number=60 * len(players))
    last.does("0 discards 2C")
    assert last.deal.outcome == Outcome(DealEnd.CAP)
    before = european(
        seats=4, players=players, hands={0: "2C 3C"}, turn_number=60 * len(players) - 1
    )
    before.does("0 discards 2C")
    assert (before.deal.outcome, kinds(before.deal, 0)) == (None, ())


@pytest.mark.clause("E-16", "X-10")
def test_a_third_void_scores_nothing_moves_no_stake_and_passes_the_deal() -> None:
    held = to_draw("2C 5D", pile="9S", stock=0, reshuffled=True)
    game = in_game(held, attempt=2)
    game.adjustments[:] = [150, 140, 0]
    ended, started = held.does("0 draws")
    assert isinstance(ended, DealEnded)
    assert isinstance(started, DealStarted)
    assert (ended.winner, ended.points) == (NONE, (0, 0, 0))
    assert (started.number, started.attempt, started.dealer) == (2, 0, 0)
    assert (game.totals, game.ledger, game.eliminated) == ((150, 140, 0), [-1, -1, -1], [])
