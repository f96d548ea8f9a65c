"""The solver against a brute-force oracle, and lay-downs against the rules (J-11 to J-17)."""

from __future__ import annotations

import random

import pytest

from rummy_arena.game import solver
from rummy_arena.game.cards import JOKER_BASE, parse_cards
from rummy_arena.game.melds import Meld, MeldKind, place
from rummy_arena.game.rules import Contract
from rummy_arena.game.solver.laydowns import find_melds, find_opening
from rummy_arena.game.solver.tables import fitting_jokers, run_tables

from .solver_oracle import MIXED, RULES, compare, sample_hand


def contract(sets: int, runs: int) -> Contract:
    return Contract(sets=sets, runs=runs, hand_size=3 * sets + 4 * runs)


def away(text: str, sets: int, runs: int) -> int:
    return solver.distance(RULES, solver.masks(parse_cards(text)), contract(sets, runs))


@pytest.mark.parametrize("wanted", RULES.contracts, ids=lambda c: c.text)
def test_agrees_with_brute_force(wanted: Contract) -> None:
    dice = random.Random(wanted.text)
    for _ in range(60 if wanted in MIXED else 120):
        compare(dice, wanted, dice.randint(6, wanted.hand_size + 7))


@pytest.mark.parametrize(
    ("hand", "sets", "runs", "distance"),
    [
        ("KS1 KS2 KH1", 1, 0, 0),  # duplicates are welcome
        ("KS1 KS2 *1", 1, 0, 0),
        ("KS1 *1 *2", 1, 0, 1),  # J-13: two naturals
        ("AS1 2S1 3S1 4S1", 0, 1, 0),
        ("JS1 QS1 KS1 AS1", 0, 1, 0),
        ("QS1 KS1 AS1 2S1", 0, 1, 1),  # no way round the ace
        ("5S1 *1 7S1 *2", 0, 1, 0),
        ("5S1 *1 *2 8S1", 0, 1, 1),  # J-15: jokers never adjacent
        ("JS1 *1 KS1 *2", 0, 1, 0),  # the top joker stands for the ace
        ("*1 2S1 *2 4S1", 0, 1, 0),
        ("5S1 6S1 7S1 8S1 8H1 8D1", 1, 1, 1),  # a card serves one meld only
        ("5S1 6S1 7S1 8S1 8S2 8H1 8D1", 1, 1, 0),  # the second copy serves the set
        ("KS1 KH1 KD1 KC1 KS2 KH2", 2, 0, 3),  # J-12: two sets of different ranks
        ("2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1", 0, 2, 4),  # J-12: two runs of different suits
        ("AS1 2S1 3S1 4S1 2H1 *1 *2", 1, 1, 0),  # the run leaves a two to the set
    ],
)
def test_distance_cases(hand: str, sets: int, runs: int, distance: int) -> None:
    assert away(hand, sets, runs) == distance


def test_jokers_that_fit() -> None:
    by_missing = {0: 0, 1: 1, 0b11: 1, 0b101: 2, 0b111: 2, 0b1111: 2}
    assert {mask: fitting_jokers(mask) for mask in by_missing} == by_missing


def test_run_tables_name_a_window_of_their_quality() -> None:
    tables = run_tables(4)
    for mask in range(1 << 13):
        assert tables.window[mask] & ~mask == 0
        assert tables.window[mask].bit_count() == tables.quality[mask] >> 4


def check_melds(hand: tuple[int, ...], melds: tuple[Meld, ...]) -> None:
    """Check that the melds are legal beside each other and take each card of the hand once."""
    cards = [card for meld in melds for card in meld.cards]
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(hand)
    placed = [place(RULES, 0, meld) for meld in melds]
    ranks = [meld.low for meld in placed if meld.kind is MeldKind.SET]
    suits = [meld.suit for meld in placed if meld.kind is MeldKind.RUN]
    assert len(set(ranks)) == len(ranks)
    assert len(set(suits)) == len(suits)


@pytest.mark.parametrize("wanted", RULES.contracts, ids=lambda c: c.text)
def test_openings_are_legal_and_found_whenever_held(wanted: Contract) -> None:
    dice = random.Random(wanted.text)
    found = 0
    for _ in range(400):
        hand = tuple(sample_hand(dice, wanted, dice.randint(0, 9) + wanted.hand_size))
        melds = find_opening(RULES, hand, wanted)
        assert (melds is not None) == solver.contains(RULES, solver.masks(hand), wanted)
        if melds is None:
            continue
        found += 1
        sets = sum(meld.kind is MeldKind.SET for meld in melds)
        assert (sets, len(melds) - sets) == (wanted.sets, wanted.runs)
        check_melds(hand, melds)
    assert found >= 10


def test_further_melds_are_legal_and_respect_what_lies_there() -> None:
    dice = random.Random(7)
    wanted = contract(2, 1)
    found = 0
    for _ in range(400):
        hand = tuple(sample_hand(dice, wanted, dice.randint(3, 9)))
        ranks, suits = dice.getrandbits(13), dice.getrandbits(4)
        melds = tuple(find_melds(RULES, hand, ranks, suits))
        check_melds(hand, melds)
        found += bool(melds)
        for meld in melds:
            placed = place(RULES, 0, meld)
            if meld.kind is MeldKind.SET:
                assert not ranks >> placed.low & 1
            else:
                assert not suits >> placed.suit & 1
    assert found > 100


def test_opening_takes_along_what_fits() -> None:
    hand = parse_cards("KS1 KH1 KD1 KC1 5S1 6S1 7S1 8S1 9S1 *1 2H1")
    melds = find_opening(RULES, sorted(hand), contract(1, 1))
    assert melds is not None
    laid = {card for meld in melds for card in meld.cards}
    assert set(hand) - laid == set(parse_cards("2H1"))


def test_opening_prefers_to_shed_the_costly_cards() -> None:
    hand = tuple(sorted(parse_cards("2S1 2H1 2D1 3S1 3H1 3D1 KS1 KH1 KD1")))
    melds = find_opening(RULES, hand, contract(2, 0))
    assert melds is not None
    rest = set(hand) - {card for meld in melds for card in meld.cards}
    assert RULES.hand_points(list(rest)) <= 9


def test_a_left_over_joker_finds_a_place() -> None:
    hand = tuple(sorted(parse_cards("5S1 6S1 7S1 8S1 9H1 TH1 JH1 QH1 *1")))
    melds = find_opening(RULES, hand, contract(0, 2))
    assert melds is not None
    assert sum(card >= JOKER_BASE for meld in melds for card in meld.cards) == 1
