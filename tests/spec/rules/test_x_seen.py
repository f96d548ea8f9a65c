"""X-15, X-16: what each seat and a spectator may see, and equal totals."""

from __future__ import annotations

import copy

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.events import (
    CallGranted,
    DealEnd,
    DealEnded,
    DealStarted,
    Drew,
    GameEnded,
    Reshuffled,
    Source,
)
from rummy_arena.game.kinds import decision_seat
from rummy_arena.game.rules import RuleSet, TieForFirst
from rummy_arena.game.state import Phase
from rummy_arena.game.view import redact, view
from tests.spec.every_game import (
    GAMES,
    WITH_CALLS,
    WITH_CONTRACTS,
    every_game,
    every_table,
    of_games,
)
from tests.spec.positions import Stacked, in_game, plain, position

SHARED = tuple(rules for rules in WITH_CONTRACTS if rules.tie_for_first is TieForFirst.SHARED)
PLAYED_OFF = tuple(rules for rules in GAMES if rules.tie_for_first is TieForFirst.SUDDEN_DEATH)

# --- what may be seen -----------------------------------------------------------------------


@pytest.mark.clause("X-15")
@every_game
def test_a_seat_sees_the_table_the_top_the_counts_and_its_own_hand(rules: RuleSet) -> None:
    held = position(
        rules=rules,
        hands={0: "2C 3C", 1: "4D"},
        opened=[2],
        calls={1: 2},
        pile="9S 8S",
        table=["2: KS KH KD"],
    )
    game = in_game(held)
    seen = view(game, 0)
    assert plain(seen.hand) == "2C 3C"
    assert plain([seen.top]) == "8S"
    assert plain(seen.melds[0].cards) == "KS KH KD"
    left = len(rules.pack) - 3 - 2 - 2 - 1 - 3
    assert (seen.stock_count, seen.hand_counts) == (left, (2, 1, 3))
    assert (seen.calls, [bool(turn) for turn in seen.opened_turn]) == ((0, 2, 0), [0, 0, 1])


@pytest.mark.clause("X-15")
@every_game
def test_nobody_sees_other_hands_the_stock_or_buried_discards(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "2C 3C", 1: "4D"}, pile="9S 8S")
    game = in_game(held)
    before = [view(game, seat) for seat in (1, NONE)]
    assert (before[1].hand, before[1].hands, before[1].kinds) == ((), (), ())
    deal = held.deal
    hidden = [*deal.hands[0], *deal.hands[2], deal.discards[0], *deal.stock]
    turned = hidden[::-1]
    deal.hands[0], deal.hands[2] = sorted(turned[:2]), sorted(turned[2:5])
    deal.discards[0], deal.stock = turned[5], turned[6:]
    assert [view(game, seat) for seat in (1, NONE)] == before
    assert view(game, 0) != before[0]


@pytest.mark.clause("X-15")
@every_table
def test_a_deal_begins_with_the_own_hand_and_the_up_card_for_each(
    rules: RuleSet, seats: int
) -> None:
    game, (started,) = series.new_game(rules, seats, Stacked(rules))
    assert isinstance(started, DealStarted)
    for seat in (*range(seats), NONE):
        shown = redact(started, seat, rules, seats)
        assert isinstance(shown, DealStarted)
        own = bytes(game.deal.hands[seat]) if seat >= 0 else b""
        assert (shown.deck, shown.hand, shown.hands) == (b"", own, ())
        assert shown.up_card == game.deal.top


@pytest.mark.clause("X-15")
@every_game
def test_a_stock_card_is_shown_to_its_drawer_only_and_a_pile_card_to_all(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "2C"}, opened=[0], phase=Phase.DRAW, stock="7H")
    other = copy.deepcopy(held)
    (drew,) = held.does("0 draws")
    assert redact(drew, 0, rules, 3) == drew
    for seat in (1, 2, NONE):
        assert redact(drew, seat, rules, 3) == Drew(0, Source.STOCK, NONE)
    other.deal.opened_turn, other.deal.turn_number = [0, 0, 0], 1
    (took,) = other.does("0 takes")
    for seat in (0, 1, 2, NONE):
        assert redact(took, seat, rules, 3) == took


@pytest.mark.clause("X-15")
@every_game
def test_a_renewed_stock_shows_its_count_but_not_its_order(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "2C"}, phase=Phase.DRAW, stock=0, pile="3D 4D 5D")
    recycled, _ = held.does("0 draws")
    assert isinstance(recycled, Reshuffled)
    for seat in (0, 1, NONE):
        assert redact(recycled, seat, rules, 3) == Reshuffled(b"", 2)


@pytest.mark.clause("X-15")
@of_games(WITH_CALLS)
def test_a_penalty_card_is_shown_to_the_caller_only(rules: RuleSet) -> None:
    held = position(rules=rules, seats=4, hands={0: "7H 8H"})
    held.all("0 discards 7H", "2 calls", "3 passes")
    granted = held.does(f"{decision_seat(held.deal)} allows")[-1]
    assert isinstance(granted, CallGranted)
    assert redact(granted, 2, rules, 4) == granted
    for seat in (0, 1, 3, NONE):
        assert redact(granted, seat, rules, 4) == CallGranted(2, granted.card, NONE)


@pytest.mark.clause("X-15")
@every_game
def test_hands_are_shown_when_the_deal_is_over(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "7H"}, opened=[0])
    game = in_game(held)
    hands = [bytes(hand) for hand in held.deal.hands]
    ended = held.does("0 discards 7H")[1]
    assert isinstance(ended, DealEnded)
    assert ended.hands == (b"", hands[1], hands[2])
    for seat in (0, 1, NONE):
        assert redact(ended, seat, game.rules, 3) == ended


# --- equal totals ---------------------------------------------------------------------------


@pytest.mark.clause("X-16")
def test_equal_keys_share_a_place_and_the_next_place_is_left_out() -> None:
    assert series.ranked([(points, 0) for points in (30, 12, 12, 50)]) == (3, 1, 1, 4)
    assert series.ranked([(points, 0) for points in (7, 7, 7)]) == (1, 1, 1)
    assert series.ranked([(points, 0) for points in (30, 12, 13, 50)]) == (3, 1, 2, 4)


def last_deal_of(rules: RuleSet, totals: tuple[int, ...]) -> list[object]:
    """Play the last deal with these totals at its end; return its events."""
    last = len(rules.contracts)
    rest = (0,) * len(totals)
    held = position(
        rules=rules,
        seats=len(totals),
        contract=last,
        hands={0: "2C", **dict.fromkeys(range(1, len(totals)), "")},
        opened=range(len(totals)),
    )
    before = (totals[0] - rules.out_points, *totals[1:])
    in_game(held, scores=[before, *[rest] * (last - 2)])
    return list(held.does("0 discards 2C"))


@pytest.mark.clause("X-16")
@of_games(SHARED)
def test_equal_lowest_totals_share_the_first_place(rules: RuleSet) -> None:
    assert last_deal_of(rules, (7, 30, 7))[-1] == GameEnded((7, 30, 7), (1, 3, 1))
    assert last_deal_of(rules, (8, 30, 7))[-1] == GameEnded((8, 30, 7), (2, 3, 1))
    assert last_deal_of(rules, (7, 7, 7))[-1] == GameEnded((7, 7, 7), (1, 1, 1))


@pytest.mark.clause("X-16")
@of_games(PLAYED_OFF)
def test_equal_lowest_totals_play_on_and_other_places_are_shared(rules: RuleSet) -> None:
    started = last_deal_of(rules, (7, 30, 7))[-1]
    assert isinstance(started, DealStarted)
    assert started.players == (0, 2)
    assert last_deal_of(rules, (7, 30, 30))[-1] == GameEnded((7, 30, 30), (1, 2, 2))


@pytest.mark.clause("X-16")
@of_games(tuple(rules for rules in GAMES if rules.by_elimination))
@pytest.mark.parametrize(("points", "last"), [("KH KD", 150), ("KH KD 2D", 152)])
def test_the_last_player_at_or_below_the_limit_is_first_alone(
    rules: RuleSet, points: str, last: int
) -> None:
    held = position(rules=rules, seats=2, contract=2, hands={0: "2C", 1: points}, opened=[0, 1])
    game = in_game(held, scores=[(150, 130)])
    ended = held.does("0 discards 2C")[-1]
    assert game.totals == (150, last)
    if last > 150:
        assert isinstance(ended, GameEnded)
        assert ended.places == (1, 2)
    else:
        assert isinstance(ended, DealStarted)


@pytest.mark.clause("X-15", "X-4")
@every_game
def test_the_hands_of_a_void_deal_that_is_dealt_again_stay_hidden(rules: RuleSet) -> None:
    held = position(
        hands={0: "2C 3C"}, stock=0, pile="9S", reshuffled=True, rules=rules, phase=Phase.DRAW
    )
    in_game(held)
    ended = next(event for event in held.does("0 draws") if isinstance(event, DealEnded))
    assert (ended.end, ended.points) == (DealEnd.VOID, ())
    seen = redact(ended, 0, rules, 3)
    assert isinstance(seen, DealEnded)
    assert seen.hands == (ended.hands[0], b"", b"")
    spectators = redact(ended, NONE, rules, 3)
    assert isinstance(spectators, DealEnded)
    assert spectators.hands == (b"", b"", b"")
