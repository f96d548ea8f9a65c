"""X-1 to X-8: words, cards, the first dealer, and the up-card."""

from __future__ import annotations

import pytest

from rummy_arena.game import series
from rummy_arena.game.cards import card_text, full_pack, parse_card
from rummy_arena.game.errors import IllegalHere, Malformed
from rummy_arena.game.events import CallGranted, DealStarted, Drew, Source
from rummy_arena.game.melds import MeldKind
from rummy_arena.game.state import Phase
from rummy_arena.rulesets.kalooki_jamaican import KALOOKI_JAMAICAN
from tests.spec.positions import Stacked, in_game, plain, position


@pytest.mark.clause("X-1")
def test_a_set_is_equal_ranks_and_a_run_is_one_suit_in_sequence() -> None:
    held = position(contract=2, hands={0: "KS KH KD QS QH QC 4C 5C 6C 7C 2D"})
    held.does("0 opens KS KH KD / QS QH QC / 4C-5C-6C-7C")
    assert [meld.kind for meld in held.deal.melds] == [MeldKind.SET, MeldKind.SET, MeldKind.RUN]


@pytest.mark.clause("X-1")
def test_four_of_a_kind_is_no_run_and_mixed_ranks_are_no_set() -> None:
    held = position(contract=2, hands={0: "KS KH KD QS QH QC 4C 4D 4H 4S 5C 6D 6C 7C"})
    held.refuses(
        "0 opens KS KH KD / QS QH QC / 4C-4D-4H-4S", IllegalHere, "RUN_SUITS_DIFFER", "X-1"
    )
    held.refuses("0 opens KS KH QD / QS QH QC / 4C-5C-6C-7C", Malformed, "CARD_NOT_HELD", "X-2")
    held.refuses(
        "0 opens KS KH 4H / QS QH QC / 4C-5C-6C-7C", IllegalHere, "SET_RANKS_DIFFER", "X-1"
    )
    held.refuses(
        "0 opens KS KH KD / QS QH QC / 4C-5C-6D-7C", IllegalHere, "RUN_SUITS_DIFFER", "X-1"
    )


@pytest.mark.clause("X-2")
def test_each_natural_exists_twice_and_each_card_has_one_name() -> None:
    pack = full_pack(2, 4)
    assert len(set(pack)) == len(pack) == 108
    assert len({card_text(card) for card in pack}) == 108
    assert [parse_card(card_text(card)) for card in pack] == list(pack)
    assert KALOOKI_JAMAICAN.pack == pack
    naturals = plain([card for card in pack if card < 208]).split()
    assert {naturals.count(name) for name in naturals} == {2}


@pytest.mark.clause("X-2")
def test_only_the_copy_that_is_held_can_be_played() -> None:
    held = position(hands={0: "KS1 2C", 1: "KS2"})
    held.refuses("0 discards KS2", Malformed, "CARD_NOT_HELD", "X-2")
    held.does("0 discards KS1")
    assert plain(held.deal.discards[-1:]) == "KS"


@pytest.mark.clause("X-2")
def test_two_copies_may_lie_in_a_set_but_one_card_not_twice() -> None:
    held = position(hands={0: "KS1 KS2 KH QS QH QD 6S 6H 6D 2C"})
    held.refuses("0 opens KS1 KS1 KH / QS QH QD / 6S 6H 6D", Malformed, "REPEATED_CARD", "X-2")
    held.refuses("0 opens KS1 KS2 KH / QS QH QD / 6S 6H KH", Malformed, "REPEATED_CARD", "X-2")
    held.does("0 opens KS1 KS2 KH / QS QH QD / 6S 6H 6D")
    assert held.meld(0) == "KS KS KH"


@pytest.mark.clause("X-2")
def test_nobody_plays_for_a_seat_that_does_not_exist() -> None:
    held = position(seats=3, hands={0: "KS"})
    held.refuses("3 discards KS", Malformed, "UNKNOWN_SEAT", "X-2")
    held.refuses("-1 discards KS", Malformed, "UNKNOWN_SEAT", "X-2")


@pytest.mark.clause("X-3")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_seat_0_deals_first_and_seat_1_starts(seats: int) -> None:
    game, events = series.new_game(KALOOKI_JAMAICAN, seats, Stacked(KALOOKI_JAMAICAN))
    assert (game.deal.dealer, game.deal.turn) == (0, 1)
    assert isinstance(events[0], DealStarted)
    assert events[0].dealer == 0


@pytest.mark.clause("X-3")
@pytest.mark.parametrize("seats", [2, 7])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="seats 3 to 6"):
        series.new_game(KALOOKI_JAMAICAN, seats, Stacked(KALOOKI_JAMAICAN))


@pytest.mark.clause("X-4")
def test_after_a_void_deal_the_same_seat_deals_the_same_contract_from_a_fresh_deck() -> None:
    held = position(contract=2, hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True)
    game = in_game(held)
    dealer = held.deal.dealer
    events = held.does("0 draws")
    started = events[-1]
    assert isinstance(started, DealStarted)
    assert (started.number, started.attempt, started.dealer) == (2, 1, dealer)
    assert game.deal.turn == (dealer + 1) % 3
    assert held.chance.asked == [(2, 1)]
    assert len(game.deal.stock) == 108 - 3 * 10 - 1


@pytest.mark.clause("X-4")
def test_after_a_scored_deal_the_next_seat_deals_the_next_contract() -> None:
    held = position(contract=2, hands={0: "2C"}, opened=[0])
    game = in_game(held)
    dealer = held.deal.dealer
    started = held.does("0 discards 2C")[-1]
    assert isinstance(started, DealStarted)
    assert (started.number, started.attempt, started.dealer) == (3, 0, (dealer + 1) % 3)
    assert game.deal.turn == (dealer + 2) % 3


@pytest.mark.clause("X-5")
def test_a_joker_as_up_card_may_be_taken_by_the_first_player() -> None:
    first = position(hands={0: "2C"}, phase=Phase.DRAW, pile="*", turn_number=1)
    assert first.lists("0 takes")
    first.does("0 takes")
    assert first.hand(0) == "2C *"


@pytest.mark.clause("X-5")
def test_a_joker_as_up_card_that_nobody_took_is_buried_and_recycled() -> None:
    first = position(
        hands={0: "2C 3C", 1: "4C 5C", 2: "7D 8D"}, phase=Phase.DRAW, pile="*", stock="7H"
    )
    first.all("0 draws", "0 discards 7H")
    first.refuses("1 discards *", IllegalHere, "WRONG_PHASE", "X-14")
    first.does("1 draws")
    assert first.hand(1) == "4C 5C *"
    assert plain(first.deal.discards) == "7H"


@pytest.mark.clause("X-6")
def test_the_first_player_may_take_the_up_card() -> None:
    game, _ = series.new_game(KALOOKI_JAMAICAN, 3, Stacked(KALOOKI_JAMAICAN))
    up_card = game.deal.top
    events = series.apply(
        game, 1, position(hands={0: "2C"}).action("1 takes")[1], Stacked(KALOOKI_JAMAICAN)
    )
    assert events == [Drew(1, Source.DISCARD, up_card)]


@pytest.mark.clause("X-6")
def test_an_empty_pile_has_no_top_to_take() -> None:
    first = position(hands={0: "2C"}, phase=Phase.DRAW, pile="")
    first.refuses("0 takes", IllegalHere, "PILE_EMPTY", "X-6")
    assert not first.lists("0 takes")
    first.does("0 draws")


@pytest.mark.clause("X-7")
def test_the_up_card_cannot_be_called() -> None:
    game, _ = series.new_game(KALOOKI_JAMAICAN, 4, Stacked(KALOOKI_JAMAICAN))
    first = position(seats=4, hands={})
    first.deal, first.game = game.deal, game
    assert game.deal.phase is Phase.DRAW
    for seat in (0, 2, 3):
        first.refuses(f"{seat} calls", IllegalHere, "NO_CALL_WINDOW", "X-7")


@pytest.mark.clause("X-7")
def test_the_first_discard_can_be_called() -> None:
    first = position(
        seats=4, hands={1: "7H 8H"}, turn=1, phase=Phase.DRAW, pile="9S", turn_number=1
    )
    first.all("1 draws", "1 discards 7H", "3 calls", "0 passes")
    assert isinstance(first.does("2 allows")[-1], CallGranted)


@pytest.mark.clause("X-8")
def test_a_card_just_taken_from_the_pile_may_be_discarded_again() -> None:
    first = position(hands={0: "2C 3C"}, phase=Phase.DRAW, pile="9S")
    first.all("0 takes", "0 discards 9S")
    assert plain(first.deal.discards) == "9S"


@pytest.mark.clause("X-8")
def test_a_joker_just_taken_from_the_pile_may_not_be_discarded_again() -> None:
    first = position(hands={0: "2C 3C"}, phase=Phase.DRAW, pile="*")
    first.does("0 takes")
    first.refuses("0 discards *", IllegalHere, "JOKER_DISCARD", "J-21")
