"""X-1 to X-3, X-5 to X-8: words, cards, the first dealer, the up-card and the card just taken."""

from __future__ import annotations

import pytest

from rummy_arena.game import engine, series
from rummy_arena.game.cards import JOKER_BASE, card_text, full_pack, parse_card
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.events import CallGranted, DealStarted, Drew, Source
from rummy_arena.game.kinds import decision_seat
from rummy_arena.game.melds import MeldKind
from rummy_arena.game.rules import PilePolicy, RuleSet
from rummy_arena.game.state import Phase
from tests.spec.every_game import (
    GAMES,
    WITH_CALLS,
    WITHOUT_CALLS,
    cards,
    every_game,
    every_table,
    mixed,
    of_games,
    opening,
)
from tests.spec.positions import Position, Stacked, in_game, plain, position

COPIES_IN_SETS = tuple(rules for rules in GAMES if not rules.set_suits_differ)
THROWS_BACK = tuple(rules for rules in GAMES if rules.throw_back)
KEEPS = tuple(rules for rules in GAMES if not rules.throw_back)


def first_turn(rules: RuleSet, up_card: str = "", seats: int = 3) -> Position:
    """Return a game just dealt, with this up-card."""
    chance = Stacked(rules)
    game, _ = series.new_game(rules, seats, chance)
    found = position(rules=rules, seats=seats, hands={})
    found.deal, found.game, found.chance = game.deal, game, chance
    if up_card:
        card = parse_card(up_card)
        game.deal.stock[game.deal.stock.index(card)] = game.deal.discards.pop()
        game.deal.discards.append(card)
    return found


# --- words and cards --------------------------------------------------------------------


@pytest.mark.clause("X-1")
@every_game
def test_a_set_is_equal_ranks_and_a_run_is_one_suit_in_sequence(rules: RuleSet) -> None:
    held = position(rules=rules, contract=2, hands={0: f"{cards(mixed(rules))} 2D"})
    held.does(f"0 opens {mixed(rules)}")
    *sets, run = [meld.kind for meld in held.deal.melds]
    assert set(sets) == {MeldKind.SET}
    assert run is MeldKind.RUN


@pytest.mark.clause("X-1")
@every_game
def test_four_of_a_kind_is_no_run_and_mixed_ranks_are_no_set(rules: RuleSet) -> None:
    legal = mixed(rules)
    held = position(rules=rules, contract=2, hands={0: f"{cards(legal)} 4D 4H 4S 6D 2D"})
    for wrong, code in (
        (legal.replace("4C-5C-6C-7C", "4C-4D-4H-4S"), "RUN_SUITS_DIFFER"),
        (legal.replace("4C-5C-6C-7C", "4C-5C-6D-7C"), "RUN_SUITS_DIFFER"),
        (legal.replace("KS KH KD", "KS KH 4H"), "SET_RANKS_DIFFER"),
    ):
        held.refuses(f"0 opens {wrong}", IllegalHere, code, "X-1")
    held.does(f"0 opens {legal}")


@pytest.mark.clause("X-2")
@every_game
def test_each_natural_exists_twice_and_each_card_has_one_name(rules: RuleSet) -> None:
    pack = rules.pack
    jokers = 2 if rules.id == "kaluki-european" else 4
    assert pack == full_pack(2, jokers)
    assert len(set(pack)) == len(pack) == 104 + jokers
    assert len({card_text(card) for card in pack}) == len(pack)
    assert [parse_card(card_text(card)) for card in pack] == list(pack)
    naturals = plain([card for card in pack if card < JOKER_BASE]).split()
    assert {naturals.count(name) for name in naturals} == {2}


@pytest.mark.clause("X-2")
@every_game
def test_only_the_copy_that_is_held_can_be_played(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "KS1 2C", 1: "KS2"}, table=["1: KH KD KC"], opened=[0])
    held.refuses("0 discards KS2", Malformed, "CARD_NOT_HELD", "X-2")
    held.refuses("0 lays KS2 on 0", Malformed, "CARD_NOT_HELD", "X-2")
    held.does("0 discards KS1")
    assert plain(held.deal.discards[-1:]) == "KS"


@pytest.mark.clause("X-2")
@every_game
def test_one_card_never_stands_in_two_places(rules: RuleSet) -> None:
    legal = opening(rules)
    held = position(rules=rules, hands={0: f"{cards(legal)} 2C"})
    for wrong in (
        legal.replace("KS KH KD", "KS KS KH"),
        legal.replace("QS QH QD", "KS KH KD"),
        legal.replace("QS QH QD", "QS QH KD"),
    ):
        held.refuses(f"0 opens {wrong}", Malformed, "REPEATED_CARD", "X-2")
    held.does(f"0 opens {legal}")


@pytest.mark.clause("X-2")
@of_games(COPIES_IN_SETS)
def test_two_copies_may_lie_in_a_set(rules: RuleSet) -> None:
    melds = opening(rules).replace("KS KH KD", "KS KS KH")
    held = position(rules=rules, hands={0: f"{cards(melds)} 2C"})
    held.does(f"0 opens {melds}")
    assert held.meld(0) == "KS KS KH"


@pytest.mark.clause("X-2")
@every_game
@pytest.mark.parametrize("seat", [-1, 3])
def test_nobody_plays_for_a_seat_that_does_not_exist(rules: RuleSet, seat: int) -> None:
    held = position(rules=rules, seats=3, hands={0: "KS"})
    held.refuses(f"{seat} discards KS", Malformed, "UNKNOWN_SEAT", "X-2")
    held.refuses(f"{seat} draws", Malformed, "UNKNOWN_SEAT", "X-2")


@pytest.mark.clause("X-2")
@every_game
@pytest.mark.parametrize("seat", [-1, 4])
def test_a_seat_that_does_not_exist_has_nothing_to_choose_from(rules: RuleSet, seat: int) -> None:
    held = position(rules=rules, seats=4, hands={0: "7H 8H"})
    assert engine.legal_actions(held.deal, seat) == []
    held.does("0 discards 7H")
    assert (engine.kinds(held.deal, seat), engine.legal_actions(held.deal, seat)) == ((), [])


# --- the first dealer, and the way round -----------------------------------------------------


@pytest.mark.clause("X-3")
@every_table
def test_seat_0_deals_first_and_the_seat_after_it_starts(rules: RuleSet, seats: int) -> None:
    game, events = series.new_game(rules, seats, Stacked(rules))
    right_of_dealer = seats - 1
    starter = right_of_dealer if rules.id == "carioca-argentine" else 1
    assert (game.deal.dealer, game.deal.turn) == (0, starter)
    (started,) = events
    assert isinstance(started, DealStarted)
    assert (started.number, started.dealer, started.players) == (1, 0, tuple(range(seats)))


@pytest.mark.clause("X-3")
@every_table
def test_cards_are_dealt_one_at_a_time_in_the_order_of_play(rules: RuleSet, seats: int) -> None:
    pack = rules.pack
    deal = engine.deal_cards(rules, seats, 1, 1, pack)
    way = -1 if rules.id == "carioca-argentine" else 1
    size = len(deal.hands[0])
    for place in range(seats):
        seat = (1 + way * (place + 1)) % seats
        assert deal.hands[seat] == sorted(pack[place : seats * size : seats])
    assert deal.discards == [pack[seats * size]]
    assert deal.stock == list(reversed(pack[seats * size + 1 :]))


@pytest.mark.clause("X-3")
@every_game
def test_other_numbers_of_seats_are_refused(rules: RuleSet) -> None:
    for seats in (rules.min_seats - 1, rules.max_seats + 1):
        with pytest.raises(series.SeatsError, match=f"seats {rules.min_seats} to") as refused:
            series.new_game(rules, seats, Stacked(rules))
        assert refused.value.clause == rules.clause("SEATS") != "X-18"


# --- the up-card ------------------------------------------------------------------------


@pytest.mark.clause("X-5")
@every_game
def test_a_joker_as_up_card_may_be_taken_by_the_first_player(rules: RuleSet) -> None:
    first = first_turn(rules, "*1")
    seat = first.deal.turn
    assert first.lists(f"{seat} takes")
    (drew,) = first.does(f"{seat} takes")
    assert drew == Drew(seat, Source.DISCARD, JOKER_BASE)
    assert JOKER_BASE in first.deal.hands[seat]


@pytest.mark.clause("X-5")
@every_game
def test_a_joker_as_up_card_that_nobody_took_is_buried_and_recycled(rules: RuleSet) -> None:
    first = position(rules=rules, hands={0: "2C 3C"}, phase=Phase.DRAW, pile="*", stock="7H")
    first.all("0 draws", "0 discards 7H")
    after = first.deal.turn
    assert not first.deal.stock
    first.does(f"{after} draws")
    assert first.deal.hands[after][-1] == JOKER_BASE
    assert plain(first.deal.discards) == "7H"


@pytest.mark.clause("X-6")
@every_game
def test_the_first_player_may_take_the_up_card(rules: RuleSet) -> None:
    first = first_turn(rules)
    seat, up_card = first.deal.turn, first.deal.top
    assert first.lists(f"{seat} takes")
    assert first.does(f"{seat} takes") == [Drew(seat, Source.DISCARD, up_card)]


@pytest.mark.clause("X-6")
@every_game
@pytest.mark.parametrize("turn_number", [1, 7])
def test_an_empty_pile_has_no_top_to_take(rules: RuleSet, turn_number: int) -> None:
    first = position(
        rules=rules, hands={0: "2C"}, phase=Phase.DRAW, pile="", turn_number=turn_number
    )
    first.refuses("0 takes", IllegalHere, "PILE_EMPTY", "X-6")
    first.does("0 draws")


@pytest.mark.clause("X-6")
@every_game
def test_after_a_replayed_deal_began_the_first_player_may_take_again(rules: RuleSet) -> None:
    void = position(rules=rules, hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True)
    in_game(void)
    void.does("0 draws")
    seat = void.deal.turn
    assert void.lists(f"{seat} takes")
    void.does(f"{seat} takes")


# --- the up-card is not called ---------------------------------------------------------------


@pytest.mark.clause("X-7")
@of_games(WITH_CALLS)
def test_the_up_card_cannot_be_called(rules: RuleSet) -> None:
    first = first_turn(rules, seats=4)
    assert (first.phase(), first.deal.turn) == (Phase.DRAW, 1)
    for seat in (0, 2, 3):
        first.refuses(f"{seat} calls", IllegalHere, "NO_CALL_WINDOW", "X-7")


@pytest.mark.clause("X-7")
@of_games(WITH_CALLS)
def test_the_first_discard_can_be_called(rules: RuleSet) -> None:
    first = position(
        rules=rules,
        seats=4,
        hands={1: "7H 8H"},
        turn=1,
        phase=Phase.DRAW,
        pile="9S",
        turn_number=1,
    )
    first.all("1 draws", "1 discards 7H", "3 calls", "0 passes")
    granted = first.does(f"{decision_seat(first.deal)} allows")[-1]
    assert isinstance(granted, CallGranted)
    assert plain([granted.card]) == "7H"


@pytest.mark.clause("X-7")
@of_games(WITHOUT_CALLS)
def test_a_game_without_calls_has_no_window_at_all(rules: RuleSet) -> None:
    first = first_turn(rules, seats=4)
    for seat in range(4):
        first.refuses(f"{seat} calls", IllegalHere, "NO_CALLS", rules.clause("NO_CALLS"))
    seat = first.deal.turn
    first.does(f"{seat} draws")
    first.does(f"{seat} discards {card_text(first.deal.drawn)}")
    assert first.phase() is Phase.DRAW
    for seat in range(4):
        first.refuses(f"{seat} calls", IllegalHere, "NO_CALLS", rules.clause("NO_CALLS"))


# --- the card just taken from the pile -------------------------------------------------------


def taker(rules: RuleSet, hand: str, pile: str) -> Position:
    """Return a position whose seat 0 has just taken the top of the pile."""
    opened = [0] if rules.pile is PilePolicy.TO_OPEN else []
    held = position(rules=rules, hands={0: hand}, opened=opened, phase=Phase.DRAW, pile=pile)
    held.does("0 takes")
    return held


@pytest.mark.clause("X-8")
@of_games(THROWS_BACK)
def test_a_card_just_taken_from_the_pile_may_be_discarded_again(rules: RuleSet) -> None:
    held = taker(rules, "2C 3C", "9S")
    assert held.lists("0 discards 9S")
    held.does("0 discards 9S")
    assert plain(held.deal.discards) == "9S"


@pytest.mark.clause("X-8")
@of_games(THROWS_BACK)
def test_a_joker_just_taken_is_no_discard_where_jokers_are_none(rules: RuleSet) -> None:
    held = taker(rules, "2C 3C", "*")
    held.refuses("0 discards *", IllegalHere, "JOKER_DISCARD", rules.clause("JOKER_DISCARD"))


@pytest.mark.clause("X-8")
@of_games(KEEPS)
@pytest.mark.parametrize(("taken", "twin"), [("9S1", "9S2"), ("9S2", "9S1"), ("*1", "*2")])
def test_the_card_taken_is_kept_and_its_twin_may_go(rules: RuleSet, taken: str, twin: str) -> None:
    held = taker(rules, f"{twin} 2C", taken)
    held.refuses(f"0 discards {taken}", IllegalHere, "THROWN_BACK", rules.clause("THROWN_BACK"))
    assert held.lists("0 discards 2C")
    held.does(f"0 discards {twin}")


@pytest.mark.clause("X-8")
@of_games(KEEPS)
@pytest.mark.parametrize("taken", ["9S", "*"])
def test_the_card_taken_goes_when_it_is_the_only_one_left(rules: RuleSet, taken: str) -> None:
    held = position(
        rules=rules, hands={0: "KC"}, phase=Phase.DRAW, pile=taken, table=["0: KS KH KD"]
    )
    held.does("0 takes")
    held.refuses(f"0 discards {taken}", IllegalHere, "THROWN_BACK", rules.clause("THROWN_BACK"))
    held.does("0 lays KC on 0")
    assert held.lists(f"0 discards {taken}")
    held.does(f"0 discards {taken}")
    assert held.deal.outcome is not None


@pytest.mark.clause("X-8")
@of_games(KEEPS)
def test_the_card_taken_may_go_in_a_later_turn(rules: RuleSet) -> None:
    held = taker(rules, "2C 3C", "9S")
    held.does("0 discards 2C")
    for seat in (held.deal.after[0], held.deal.after[held.deal.after[0]]):
        held.does(f"{seat} draws")
        held.does(f"{seat} discards {card_text(held.deal.drawn)}")
    held.all("0 draws", "0 discards 9S")


@pytest.mark.clause("X-8")
@every_game
def test_a_card_from_the_stock_may_be_discarded_at_once(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "2C 3C"}, phase=Phase.DRAW, pile="8S", stock="9S")
    held.all("0 draws", "0 discards 9S")
    assert plain(held.deal.discards) == "8S 9S"
