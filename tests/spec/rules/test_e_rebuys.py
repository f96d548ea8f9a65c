"""E-17: buying back into the game: who is asked, in which order, at what total."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rummy_arena.game.actions import DECLINE, REBUY
from rummy_arena.game.engine import deciders, kinds, legal_actions, standard_move
from rummy_arena.game.errors import IllegalHere, NotYourTurn
from rummy_arena.game.events import (
    DealEnded,
    DealStarted,
    Declined,
    Eliminated,
    GameEnded,
    Rebought,
    RebuyOffered,
)
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase
from rummy_arena.game.view import view
from rummy_arena.rulesets.kaluki import KALUKI_AMERICAN, KALUKI_EUROPEAN
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.deal_ends import NO_REBUYS, after_a_deal, out_of
from tests.spec.positions import position

BOTH = pytest.mark.parametrize(
    "rules", [KALUKI_EUROPEAN, KALUKI_AMERICAN], ids=lambda rules: rules.id
)
OUT_OF_TURN = (NotYourTurn, "NOT_YOUR_TURN", "X-19")

# --- the offer ------------------------------------------------------------------------------------


@pytest.mark.clause("E-17")
@BOTH
def test_who_goes_above_150_is_asked_before_the_next_deal(rules: RuleSet) -> None:
    held, game, events = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=rules)
    assert [type(event) for event in events[1:]] == [DealEnded, RebuyOffered]
    assert events[-1] == RebuyOffered((1,))
    assert (held.phase(), deciders(held.deal)) == (Phase.REBUY, (1,))
    assert legal_actions(held.deal, 1) == [REBUY, DECLINE]
    assert [kinds(held.deal, seat) for seat in (0, 2)] == [(), ()]
    assert (game.totals, game.eliminated, game.over) == ((40, 155, 95), [], False)
    assert view(game, 1).kinds == kinds(held.deal, 1)


@pytest.mark.clause("E-17")
@BOTH
def test_its_total_becomes_the_highest_of_those_not_above_150(rules: RuleSet) -> None:
    held, game, _ = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=rules)
    bought, started = held.does("1 rebuys")
    assert bought == Rebought(1, 95)
    assert isinstance(started, DealStarted)
    assert (started.players, game.totals, game.rebuys) == ((0, 1, 2), (40, 95, 95), [0, 1, 0])
    assert len(game.deal.hands[1]) == 13


@pytest.mark.clause("E-17")
@pytest.mark.parametrize(("totals", "lands"), [((140, 145, 0), 140), ((0, 145, 145), 150)])
def test_be_that_the_winners_total_or_150(totals: tuple[int, ...], lands: int) -> None:
    held, game, _ = after_a_deal(totals, {1: "KC", 2: "5D"}, rules=KALUKI_EUROPEAN)
    held.does("1 rebuys")
    assert game.totals[1] == lands
    assert not game.eliminated


@pytest.mark.clause("E-17")
def test_who_declines_is_out() -> None:
    held, game, _ = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=KALUKI_EUROPEAN)
    declined, gone, started = held.does("1 declines")
    assert (declined, gone) == (Declined(1), Eliminated((1,)))
    assert isinstance(started, DealStarted)
    assert (started.players, game.totals[1], game.rebuys) == ((0, 2), 155, [0, 0, 0])


@pytest.mark.clause("E-17", "X-17")
def test_silence_declines() -> None:
    held, _, _ = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=KALUKI_EUROPEAN)
    assert standard_move(held.deal, 1) == DECLINE


@pytest.mark.clause("E-17", "E-15")
def test_with_150_there_is_nothing_to_buy() -> None:
    held, game, events = after_a_deal((40, 140, 90), {1: "KC", 2: "5D"}, rules=KALUKI_EUROPEAN)
    assert (game.totals[1], held.phase()) == (150, Phase.DRAW)
    assert not any(isinstance(event, RebuyOffered) for event in events)
    held.refuses(f"{held.deal.turn} rebuys", IllegalHere, "NO_REBUY", "E-17")
    held.refuses(f"{held.deal.turn} declines", IllegalHere, "NO_REBUY", "E-17")


@pytest.mark.clause("E-17", "X-19")
def test_only_the_seat_that_is_asked_answers_and_nothing_else() -> None:
    held, _, _ = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=KALUKI_EUROPEAN)
    held.refuses("0 rebuys", *OUT_OF_TURN)
    held.refuses("2 declines", *OUT_OF_TURN)
    held.refuses("0 draws", *OUT_OF_TURN)
    for command in ("1 draws", "1 takes", "1 discards KC", "1 opens KC KD KH KS", "1 ends"):
        held.refuses(command, IllegalHere, "WRONG_PHASE", "X-14")
    held.does("1 rebuys")


# --- two others at least --------------------------------------------------------------------------


@pytest.mark.clause("E-17")
@pytest.mark.parametrize(
    ("totals", "left", "asked"),
    [
        ((0, 145), {1: "KC"}, ()),  # one other
        ((0, 145, 145), {1: "KC", 2: "KD"}, ()),  # all but one above 150
        ((0, 145, 140), {1: "KC", 2: "KD"}, (1,)),  # the second other with 150 exactly
        ((0, 145, 141), {1: "KC", 2: "KD"}, ()),  # with 151
        ((0, 145, 145, 0), {1: "KC", 2: "KD", 3: "4C"}, (1, 2)),
        ((0, 145, 145, 145), {1: "KC", 2: "KD", 3: "KH"}, ()),
        ((0, 145, 145, 145, 140), {1: "KC", 2: "KD", 3: "KH", 4: "KS"}, (1, 2, 3)),
        ((0, 145, 145, 145, 145), {1: "KC", 2: "KD", 3: "KH", 4: "KS"}, ()),
    ],
)
def test_two_others_must_not_be_above_150(
    totals: tuple[int, ...], left: dict[int, str], asked: tuple[int, ...]
) -> None:
    held, game, events = after_a_deal(totals, left, rules=KALUKI_EUROPEAN)
    if asked:
        assert events[-1] == RebuyOffered(asked)
    else:
        assert isinstance(events[-1], GameEnded)
        assert game.over
        held.refuses("1 rebuys", IllegalHere, "DEAL_OVER", "X-19")


@pytest.mark.clause("E-17")
def test_who_left_earlier_is_no_other() -> None:
    # Seats 2 and 3 are out of the game, whatever they had; seat 0 is the only other.
    _, game, events = after_a_deal(
        (0, 145, 160, 151), {1: "KC"}, gone=(3, 2), rules=KALUKI_EUROPEAN
    )
    assert not any(isinstance(event, RebuyOffered) for event in events)
    assert (game.over, out_of(events)) == (True, (1,))


@pytest.mark.clause("E-17")
def test_the_others_are_counted_before_anybody_buys_back() -> None:
    # Were seat 1 counted once it bought back, seat 2 would have two others.
    _, game, events = after_a_deal((0, 145, 145), {1: "KC", 2: "KD"}, rules=KALUKI_EUROPEAN)
    assert (out_of(events), game.over) == ((2, 1), True)


# --- several candidates ---------------------------------------------------------------------------


@pytest.mark.clause("E-17")
@pytest.mark.parametrize(
    ("winner", "order"), [(0, (1, 3, 4)), (1, (3, 4, 0)), (2, (3, 4, 0)), (4, (0, 1, 3))]
)
def test_they_are_asked_clockwise_from_the_seat_after_the_winner(
    winner: int, order: tuple[int, ...]
) -> None:
    seats = range(5)
    totals = [145 if seat in order else 0 for seat in seats]
    left = {seat: f"K{suit}" for seat, suit in zip(seats, "CDHSC", strict=True) if seat != winner}
    held, _, events = after_a_deal(totals, left, winner=winner, rules=KALUKI_EUROPEAN)
    assert events[-1] == RebuyOffered(order)
    for seat, waits in pairwise(order):
        assert deciders(held.deal) == (seat,)
        held.refuses(f"{waits} rebuys", *OUT_OF_TURN)
        held.does(f"{seat} declines")
    assert deciders(held.deal) == order[-1:]


@pytest.mark.clause("E-17")
@pytest.mark.parametrize("answers", ["rr", "rd", "dr", "dd"])
def test_no_answer_changes_another_ones_offer_or_total(answers: str) -> None:
    held, game, _ = after_a_deal(
        (40, 149, 149, 90), {1: "KC", 2: "5D", 3: "4C"}, rules=KALUKI_EUROPEAN
    )
    verbs = {"r": "rebuys", "d": "declines"}
    first = held.does(f"1 {verbs[answers[0]]}")
    assert first == [Rebought(1, 94) if answers[0] == "r" else Declined(1)]
    assert (held.phase(), deciders(held.deal)) == (Phase.REBUY, (2,))
    held.refuses("1 rebuys", *OUT_OF_TURN)
    second, *_ = held.does(f"2 {verbs[answers[1]]}")
    assert second == (Rebought(2, 94) if answers[1] == "r" else Declined(2))
    stay = tuple(seat for seat in (0, 1, 2, 3) if seat in (0, 3) or answers[seat - 1] == "r")
    assert game.deal.players == stay
    assert [game.totals[seat] for seat in (1, 2) if seat in stay] == [94] * (len(stay) - 2)


@pytest.mark.clause("E-17", "E-23")
def test_who_declines_leaves_when_all_have_answered_and_in_the_usual_order() -> None:
    held, _, _ = after_a_deal(
        (0, 149, 149, 149, 0), {1: "KC", 2: "5D", 3: "4C", 4: "4D"}, rules=KALUKI_EUROPEAN
    )
    assert out_of(held.does("1 declines")) == ()
    assert out_of(held.does("2 rebuys")) == ()
    assert out_of(held.does("3 declines")) == (1, 3)  # 159 below 153
    assert held.deal.players == (0, 2, 4)


# --- how often ------------------------------------------------------------------------------------


@pytest.mark.clause("E-17")
@pytest.mark.parametrize(
    ("option", "used", "asked"),
    [
        ("0", 0, False),
        ("1", 0, True),
        ("1", 1, False),
        ("2", 1, True),
        ("2", 2, False),
        ("unlimited", 50, True),
    ],
)
@pytest.mark.parametrize("rule_set", ["kaluki-european", "kaluki-american"])
def test_the_option_says_how_often_a_player_may(
    rule_set: str, option: str, used: int, asked: bool
) -> None:
    rules = get_rule_set(rule_set, {"rebuys": option})
    held, game, events = after_a_deal(
        (40, 145, 90), {1: "KC", 2: "5D"}, rebuys=(0, used, 0), rules=rules
    )
    assert (held.phase() is Phase.REBUY) == asked
    if not asked:
        assert out_of(events) == (1,)
        assert game.deal.players == (0, 2)


@pytest.mark.clause("E-17")
def test_the_re_buys_of_one_player_are_no_other_players() -> None:
    _, _, events = after_a_deal(
        (40, 145, 145, 90), {1: "KC", 2: "KD", 3: "4C"}, rebuys=(0, 1, 0, 1), rules=KALUKI_EUROPEAN
    )
    assert events[-1] == RebuyOffered((2,))


@pytest.mark.clause("E-17")
def test_a_second_bust_of_the_same_player_is_its_last() -> None:
    held, game, _ = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=KALUKI_EUROPEAN)
    held.does("1 rebuys")
    deal = held.deal
    deal.hands[0], deal.hands[2] = [0], [4]
    deal.hands[1] = [card for card in KALUKI_EUROPEAN.pack if card >> 2 == 12 or card >= 208]
    deal.hands[1] += [48, 49]  # 10 + 10 + 15 + 15 + 10 + 10 = 70
    deal.phase, deal.turn, deal.opened_turn[0] = Phase.PLAY, 0, 1
    events = held.does("0 discards AC")
    assert (game.totals[1], out_of(events)) == (165, (1,))
    assert not any(isinstance(event, RebuyOffered) for event in events)


@pytest.mark.clause("E-17")
def test_points_after_buying_back_are_added_to_the_new_total() -> None:
    held, game, _ = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=KALUKI_EUROPEAN)
    held.does("1 rebuys")
    deal = held.deal
    deal.hands[0], deal.hands[1], deal.hands[2] = [0], [48], [4]
    deal.phase, deal.turn, deal.opened_turn[0] = Phase.PLAY, 0, 1
    held.does("0 discards AC")
    assert (game.totals, game.scores) == ((40, 105, 97), [(0, 10, 5), (0, 10, 2)])


@pytest.mark.clause("E-17", "E-23")
def test_after_the_sixtieth_deal_there_is_nothing_to_buy() -> None:
    left = {1: "KC", 2: "5D"}
    _, game, events = after_a_deal((40, 145, 90), left, number=60, rules=KALUKI_EUROPEAN)
    assert not any(isinstance(event, RebuyOffered) for event in events)
    assert (game.over, game.pot) == (True, 0)
    held, _, _ = after_a_deal((40, 145, 90), left, number=59, rules=KALUKI_EUROPEAN)
    assert held.phase() is Phase.REBUY


@pytest.mark.clause("E-17", "E-18")
def test_where_re_buys_are_off_nobody_is_asked() -> None:
    held, _, events = after_a_deal((40, 145, 90), {1: "KC", 2: "5D"}, rules=NO_REBUYS)
    assert (held.phase(), out_of(events)) == (Phase.DRAW, (1,))
    away = position(hands={0: "2C"}, rules=NO_REBUYS)
    away.refuses("0 rebuys", IllegalHere, "NO_REBUY", "E-17")
