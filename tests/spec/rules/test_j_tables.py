"""The tables of Jamaican Kalooki: cards dealt, contracts, stock left, and the short vectors.

Written out as numbers, so that the rule set's own data is not what proves it.
"""

from __future__ import annotations

import pytest

from rummy_arena.game import engine
from rummy_arena.game.cards import card_text
from rummy_arena.game.errors import IllegalHere
from rummy_arena.rulesets.kalooki_jamaican import KALOOKI_JAMAICAN
from tests.spec.positions import plain, position

HANDS = (9, 10, 11, 12, 12, 13, 14, 15, 16)
CONTRACTS = ((3, 0), (2, 1), (1, 2), (0, 3), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4))
STOCK_LEFT = {  # by deal: 3, 4, 5, 6 seats
    1: (80, 71, 62, 53),
    2: (77, 67, 57, 47),
    3: (74, 63, 52, 41),
    4: (71, 59, 47, 35),
    5: (71, 59, 47, 35),
    6: (68, 55, 42, 29),
    7: (65, 51, 37, 23),
    8: (62, 47, 32, 17),
    9: (59, 43, 27, 11),
}


@pytest.mark.clause("J-30")
def test_the_nine_contracts_and_their_hands() -> None:
    contracts = KALOOKI_JAMAICAN.contracts
    assert tuple((c.sets, c.runs) for c in contracts) == CONTRACTS
    assert tuple(c.hand_size for c in contracts) == HANDS


@pytest.mark.clause("J-30")
@pytest.mark.parametrize("number", range(1, 10))
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_stock_that_is_left_after_the_deal(number: int, seats: int) -> None:
    deal = engine.deal_cards(KALOOKI_JAMAICAN, seats, number, 0, KALOOKI_JAMAICAN.pack)
    assert len(deal.stock) == STOCK_LEFT[number][seats - 3]
    assert [len(hand) for hand in deal.hands] == [HANDS[number - 1]] * seats
    assert len(deal.discards) == 1


@pytest.mark.clause("X-2", "X-3")
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left_then_the_up_card() -> None:
    pack = KALOOKI_JAMAICAN.pack
    deal = engine.deal_cards(KALOOKI_JAMAICAN, 4, 1, 2, pack)
    assert deal.turn == 3
    assert [hand[:2] for hand in deal.hands] == [
        [pack[1], pack[5]],
        [pack[2], pack[6]],
        [pack[3], pack[7]],
        [pack[0], pack[4]],
    ]
    assert deal.discards == [pack[36]]
    assert deal.stock[-1] == pack[37]
    dealt = [*deal.discards, *deal.stock, *(card for hand in deal.hands for card in hand)]
    assert len({card_text(card) for card in dealt}) == 108


@pytest.mark.clause("J-16", "J-19")
def test_the_example_of_the_source_for_runs() -> None:
    held = position(hands={0: "9H 7H 2C"}, table=["1: 8H-*-TH-JH"], opened=[0])
    held.does("0 moves 9H in 0")
    assert held.meld(0) == "8H-9H-TH-JH-*"
    assert held.deal.melds[0].low + len(held.deal.melds[0].cards) - 1 == 11  # the joker is a queen
    held.refuses("0 lays 7H on 0", IllegalHere, "CARD_DOES_NOT_FIT", "J-16")


@pytest.mark.clause("J-15")
def test_nine_joker_jack_joker_is_a_run_and_nine_joker_joker_queen_is_none() -> None:
    held = position(hands={0: "9H JH QH * * 2C"}, opened=[0])
    held.refuses("0 melds 9H-*-*-QH", IllegalHere, "JOKERS_ADJACENT", "J-15")
    held.does("0 melds 9H-*-JH-*")
    assert plain(held.deal.melds[0].cards) == "9H * JH *"
