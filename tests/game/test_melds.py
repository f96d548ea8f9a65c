"""Melds against a plain reading of the rules: try every place, keep what fits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.game.cards import Card, is_joker, natural
from rummy_arena.game.errors import IllegalHere, RuleViolation
from rummy_arena.game.melds import Meld, MeldKind, TableMeld, extended, place, with_joker_moved
from rummy_arena.rulesets.kalooki_jamaican import KALOOKI_JAMAICAN as RULES

LADDER = "A23456789TJQKA"
"""What the positions of a run from the low ace to the high one are called."""


def name(card: Card) -> tuple[str, int]:
    """Return a natural's rank as text, and its suit."""
    suit, rank = divmod(card // 4, 13)
    return LADDER[rank], suit


def places(cards: Sequence[Card]) -> list[int]:
    """Return each position at which the cards, low to high, would be a run."""
    naturals = [card for card in cards if not is_joker(card)]
    if len(cards) < 4 or not naturals or len(set(cards)) != len(cards):
        return []
    pairs = pairwise(cards)
    if (
        any(is_joker(a) and is_joker(b) for a, b in pairs)
        or len({name(c)[1] for c in naturals}) > 1
    ):
        return []
    return [
        low
        for low in range(14 - len(cards) + 1)
        if all(
            is_joker(card) or name(card)[0] == LADDER[low + step] for step, card in enumerate(cards)
        )
    ]


def is_set(cards: Sequence[Card]) -> bool:
    """Return whether the cards are a set."""
    naturals = [card for card in cards if not is_joker(card)]
    ranks = {name(card)[0] for card in naturals}
    return len(set(cards)) == len(cards) >= 3 and len(naturals) >= 2 and len(ranks) == 1


JOKERS = st.integers(208, 211)
ANY_CARD = st.one_of(st.sampled_from(RULES.pack), JOKERS)


@st.composite
def near_runs(draw: st.DrawFn, least: int = 3) -> list[Card]:
    """Draw cards in sequence of one suit, some jokers among them, now and then a stranger."""
    low, suit = draw(st.integers(0, 12)), draw(st.integers(0, 3))
    length = draw(st.integers(least, 15))
    cards: list[Card] = []
    for step in range(length):
        card = natural((low + step) % 13, suit, draw(st.integers(0, 1)))
        choice = draw(st.integers(0, 19))
        cards.append(draw(JOKERS) if choice < 4 else draw(ANY_CARD) if choice == 19 else card)
    return cards


@st.composite
def near_sets(draw: st.DrawFn) -> list[Card]:
    """Draw cards of one rank, some jokers among them, now and then a stranger."""
    rank = draw(st.integers(0, 12))
    one = st.builds(natural, st.just(rank), st.integers(0, 3), st.integers(0, 1))
    return draw(st.lists(st.one_of(one, one, JOKERS, ANY_CARD), min_size=1, max_size=8))


@st.composite
def runs(draw: st.DrawFn) -> TableMeld:
    """Draw a run of legal length that may lie on the table."""
    length = draw(st.integers(4, 14))
    low, suit = draw(st.integers(0, 14 - length)), draw(st.integers(0, 3))
    jokers = iter(range(208, 212))
    cards: list[Card] = []
    for step in range(length):
        wanted = draw(st.integers(0, 3)) == 0 and not (cards and is_joker(cards[-1]))
        joker = next(jokers, None) if wanted else None
        rank = (low + step) % 13
        copy = 1 if low + step == 13 else 0  # the two aces are two cards
        cards.append(natural(rank, suit, copy) if joker is None else joker)
    return TableMeld(0, MeldKind.RUN, low, suit, tuple(cards))


@settings(max_examples=300, deadline=None)
@given(st.one_of(near_runs(), st.lists(ANY_CARD, max_size=6)))
def test_a_list_is_a_run_exactly_if_it_fits_one_place(cards: list[Card]) -> None:
    fitting = places(cards)
    assert len(fitting) <= 1
    laid = _placed(MeldKind.RUN, cards)
    assert [laid.low] == fitting if laid else not fitting
    if laid:
        assert laid.cards == tuple(cards)
        assert {name(card)[1] for card in cards if not is_joker(card)} == {laid.suit}


@settings(max_examples=200, deadline=None)
@given(st.one_of(near_sets(), st.lists(ANY_CARD, max_size=6)))
def test_cards_are_a_set_exactly_if_ranks_and_naturals_allow(cards: list[Card]) -> None:
    laid = _placed(MeldKind.SET, cards)
    assert (laid is not None) == is_set(cards)
    if laid:
        assert {name(card)[0] for card in cards if not is_joker(card)} == {LADDER[laid.low]}


@settings(max_examples=300, deadline=None)
@given(runs(), ANY_CARD)
def test_a_lay_off_grows_a_run_up_to_the_ace_and_then_down(meld: TableMeld, card: Card) -> None:
    if card in meld.cards:
        return
    up = meld.low + len(meld.cards) <= 13
    grown = (*meld.cards, card) if up else (card, *meld.cards)
    low = meld.low if up else meld.low - 1
    expected = grown if low >= 0 and low in places(grown) else None
    try:
        found = extended(meld, card, 0)
    except IllegalHere:
        assert expected is None
    else:
        assert (found.cards, found.low) == (expected, low)
        assert (found.owner, found.suit, found.kind) == (meld.owner, meld.suit, meld.kind)


@settings(max_examples=300, deadline=None)
@given(runs(), st.data())
def test_a_joker_moves_to_the_end_that_is_open_after_the_natural_stands(
    meld: TableMeld, data: st.DataObject
) -> None:
    step = data.draw(st.integers(0, len(meld.cards) - 1))
    card = natural((meld.low + step) % 13, meld.suit, data.draw(st.integers(0, 1)))
    if card in meld.cards:
        return
    expected = [
        result
        for at, held in enumerate(meld.cards)
        if is_joker(held) and name(card)[0] == LADDER[meld.low + at]
        for result in [_moved(meld, at, card)]
        if result
    ]
    try:
        found = with_joker_moved(meld, card, 0)
    except IllegalHere:
        assert not expected
    else:
        assert [(found.low, found.cards)] == expected
        assert sorted(found.cards) == sorted((*meld.cards, card))


def _moved(meld: TableMeld, at: int, card: Card) -> tuple[int, tuple[Card, ...]] | None:
    """Return place and cards after the joker at ``at`` moved, or None if it cannot (J-19)."""
    cards = [*meld.cards]
    joker, cards[at] = cards[at], card
    if len(cards) == 14:
        return None
    reaches_ace = meld.low + len(cards) == 14
    low, after = (meld.low - 1, (joker, *cards)) if reaches_ace else (meld.low, (*cards, joker))
    return (low, after) if low in places(after) else None


def _placed(kind: MeldKind, cards: Sequence[Card]) -> TableMeld | None:
    try:
        return place(RULES, 0, Meld(kind, tuple(cards)))
    except RuleViolation:
        return None
