"""Melds against a plain reading of the rules: try every place, keep what fits."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.game.actions import HIGH, LOW, NONE
from rummy_arena.game.building import extended, lay_off_places, with_joker_moved, with_joker_taken
from rummy_arena.game.cards import Card, is_joker, natural
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.melds import Meld, MeldKind, TableMeld, place
from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from tests.sweeps import sweeping, times

from .paper import LOW_OR_HIGH, is_set, name, paper_of, places

GAMES = (*RULE_SETS.values(), get_rule_set("kaluki-american", {"ace": "high_or_low"}))
ANY_GAME = st.sampled_from(GAMES)
JOKERS = st.integers(208, 211)
ANY_CARD = st.one_of(st.sampled_from(RULE_SETS["kalooki-jamaican"].pack), JOKERS)


@st.composite
def near_runs(draw: st.DrawFn, least: int = 2) -> list[Card]:
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
def runs(draw: st.DrawFn, rules: RuleSet) -> TableMeld:
    """Draw a run of legal length that may lie on the table."""
    paper = paper_of(rules)
    length = draw(st.integers(paper.run_least, paper.run_most))
    first = 0 if paper.ladder[0] == "A" else 1
    low, suit = draw(st.integers(first, 14 - length)), draw(st.integers(0, 3))
    jokers = iter(range(208, 212))
    cards: list[Card] = []
    for step in range(length):
        wanted = draw(st.integers(0, 3)) == 0
        beside = bool(cards) and is_joker(cards[-1]) and not paper.adjacent
        joker = next(jokers, None) if wanted and not beside else None
        rank = (low + step) % 13
        copy = 1 if low + step == 13 else 0  # the two aces are two cards
        cards.append(natural(rank, suit, copy) if joker is None else joker)
    if all(map(is_joker, cards)):
        cards[0] = natural(low % 13, suit)
    return TableMeld(0, MeldKind.RUN, low, suit, tuple(cards))


@sweeping
@settings(max_examples=times(400, 4000), deadline=None)
@given(ANY_GAME, st.one_of(near_runs(), st.lists(ANY_CARD, max_size=6)))
def test_a_list_is_a_run_exactly_if_it_fits_one_place(rules: RuleSet, cards: list[Card]) -> None:
    fitting = places(paper_of(rules), cards)
    assert len(fitting) <= 1
    laid = _placed(rules, MeldKind.RUN, cards)
    assert [laid.low] == fitting if laid else not fitting
    if laid:
        assert laid.cards == tuple(cards)
        assert {name(card)[1] for card in cards if not is_joker(card)} == {laid.suit}


@sweeping
@settings(max_examples=times(400, 4000), deadline=None)
@given(ANY_GAME, st.one_of(near_sets(), st.lists(ANY_CARD, max_size=6)))
def test_cards_are_a_set_exactly_if_ranks_suits_and_naturals_allow(
    rules: RuleSet, cards: list[Card]
) -> None:
    laid = _placed(rules, MeldKind.SET, cards)
    assert (laid is not None) == is_set(paper_of(rules), cards)
    if laid:
        assert {name(card)[0] for card in cards if not is_joker(card)} == {LOW_OR_HIGH[laid.low]}


@sweeping
@settings(max_examples=times(600, 6000), deadline=None)
@given(ANY_GAME, st.data())
def test_a_lay_off_grows_a_run_where_the_game_lets_it(rules: RuleSet, data: st.DataObject) -> None:
    meld, card = data.draw(runs(rules)), data.draw(ANY_CARD)
    if card in meld.cards:
        return
    expected = _grown(rules, meld, card)
    for end in (LOW, HIGH):
        assert _extended(rules, meld, card, end) == expected.get(end)
    alone = next(iter(expected.values())) if len(expected) == 1 else None
    assert _extended(rules, meld, card, NONE) == alone


@sweeping
@settings(max_examples=times(400, 4000), deadline=None)
@given(ANY_GAME, near_sets(), ANY_CARD)
def test_a_lay_off_grows_a_set_while_it_stays_one(
    rules: RuleSet, cards: list[Card], card: Card
) -> None:
    meld = _placed(rules, MeldKind.SET, cards)
    if meld is None or card in cards:
        return
    legal = is_set(paper_of(rules), [*cards, card])
    assert (_extended(rules, meld, card, NONE) is not None) == legal
    assert _listed(rules, meld, card, NONE) == legal


def _grown(rules: RuleSet, meld: TableMeld, card: Card) -> dict[int, tuple[Card, ...]]:
    """Return by end what the run becomes."""
    paper = paper_of(rules)
    below_ace = meld.low + len(meld.cards) < 14
    found = {}
    for end, cards, low in (
        (LOW, (card, *meld.cards), meld.low - 1),
        (HIGH, (*meld.cards, card), meld.low),
    ):
        if paper.upwards and (end == HIGH) != below_ace:
            continue
        if low in places(paper, cards):
            found[end] = cards
    return found


def _extended(rules: RuleSet, meld: TableMeld, card: Card, end: int) -> tuple[Card, ...] | None:
    try:
        found, at = extended(rules, meld, card, 0, end)
    except RuleViolation:
        assert end == NONE or not _listed(rules, meld, card, end)
        return None
    assert end in (NONE, at)
    assert _listed(rules, meld, card, at)
    assert (found.owner, found.suit, found.kind) == (meld.owner, meld.suit, meld.kind)
    assert found.low == meld.low - (at == LOW)
    return found.cards


def _listed(rules: RuleSet, meld: TableMeld, card: Card, end: int) -> bool:
    """Return whether the list of places has room for the card at this end."""
    return any(
        joker if is_joker(card) else kinds >> (card >> 2) & 1
        for kinds, joker, at in lay_off_places(rules, meld)
        if at == end
    )


@sweeping
@settings(max_examples=times(400, 4000), deadline=None)
@given(ANY_GAME, st.data())
def test_a_joker_moves_to_an_end_that_is_open_after_the_natural_stands(
    rules: RuleSet, data: st.DataObject
) -> None:
    meld = data.draw(runs(rules))
    step = data.draw(st.integers(0, len(meld.cards) - 1))
    end = data.draw(st.sampled_from((LOW, HIGH)))
    card = natural((meld.low + step) % 13, meld.suit, data.draw(st.integers(0, 1)))
    if card in meld.cards:
        return
    at = next(
        (
            at
            for at, held in enumerate(meld.cards)
            if is_joker(held) and name(card)[0] == LOW_OR_HIGH[meld.low + at]
        ),
        None,
    )
    filled = None
    if at is not None:
        filled = meld._replace(cards=(*meld.cards[:at], card, *meld.cards[at + 1 :]))
    expected = _grown(rules, filled, meld.cards[at]).get(end) if filled and at is not None else None
    try:
        found, _ = with_joker_moved(rules, meld, card, 0, end)
    except RuleViolation:
        assert expected is None
    else:
        assert found.cards == expected
        assert sorted(found.cards) == sorted((*meld.cards, card))


@sweeping
@settings(max_examples=times(600, 6000), deadline=None)
@given(st.data())
def test_a_joker_leaves_a_set_for_the_suits_that_it_lacks(data: st.DataObject) -> None:
    rules = RULE_SETS[data.draw(st.sampled_from(("kaluki-european", "kaluki-american")))]
    cards = data.draw(near_sets())
    meld = _placed(rules, MeldKind.SET, cards)
    if meld is None:
        return
    own = st.builds(natural, st.just(meld.low), st.integers(0, 3), st.integers(0, 1))
    given = data.draw(
        st.lists(st.one_of(own, own, own, ANY_CARD), min_size=1, max_size=2, unique=True)
    )
    if set(cards) & set(given):
        return
    joker = next((card for card in cards if is_joker(card)), None)
    rest = [card for card in cards if card != joker]
    natural_only = not any(map(is_joker, given))
    needed = 2 if rules.id == "kaluki-european" else 1
    legal = (
        joker is not None
        and natural_only
        and len(given) == needed
        and is_set(paper_of(rules), [*rest, *given])
    )
    try:
        found, taken = with_joker_taken(rules, meld, tuple(given), 0)
    except RuleViolation:
        assert not legal
    else:
        assert legal
        assert (taken, sorted(found.cards)) == (joker, sorted([*rest, *given]))


def _placed(rules: RuleSet, kind: MeldKind, cards: Sequence[Card]) -> TableMeld | None:
    try:
        return place(rules, 0, Meld(kind, tuple(cards)))
    except RuleViolation:
        return None
