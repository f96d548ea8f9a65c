"""Openings against brute force: legal, found whenever there is one, and of the least penalty."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.game import solver
from rummy_arena.game.cards import JOKER_BASE, parse_cards
from rummy_arena.game.melds import Meld, MeldKind, place
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.game.solver.laydowns import find_melds, find_opening
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from tests.sweeps import sweeping, times

from . import solver_oracle
from .alike_oracle import CARIOCA, compare, sample_hand
from .laydown_oracle import all_melds, best_contract

JAMAICAN = RULE_SETS["kalooki-jamaican"]
BONUS = RULE_SETS["kalooki-bonus"]
CROWDED = get_rule_set("kalooki-bonus", {"packs": "3"})


def check_opening(
    rules: RuleSet, hand: tuple[int, ...], contract: Contract, melds: tuple[Meld, ...]
) -> int:
    """Check that the melds are a legal opening of the hand; return the penalty that they shed."""
    cards = [card for meld in melds for card in meld.cards]
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(hand)
    assert not rules.final_discard or len(cards) < len(hand)
    placed = [place(rules, 0, meld) for meld in melds]
    sets = sum(meld.kind is MeldKind.SET for meld in melds)
    assert (sets, len(melds) - sets) == (contract.sets, contract.runs)
    for meld in melds:
        assert sum(card >= JOKER_BASE for card in meld.cards) <= rules.opening_jokers
        if rules.opening_exact:
            least = rules.set_min if meld.kind is MeldKind.SET else rules.run_min
            assert len(meld.cards) == least
    if rules.own_melds_differ:
        assert len({(m.kind, m.low if m.kind is MeldKind.SET else m.suit) for m in placed}) == len(
            melds
        )
    return rules.hand_points(cards)


@sweeping
@pytest.mark.parametrize("wanted", CARIOCA.contracts, ids=lambda c: c.text)
def test_alike_melds_agree_with_brute_force(wanted: Contract) -> None:
    dice = random.Random(wanted.text)
    for _ in range(times(40, 800)):
        compare(dice, CARIOCA, wanted, dice.randint(3, 15))


@sweeping
@pytest.mark.parametrize("wanted", CARIOCA.contracts, ids=lambda c: c.text)
def test_exact_openings_leave_the_least_penalty(wanted: Contract) -> None:
    dice = random.Random(wanted.text)
    found = 0
    length = 3 * wanted.sets + 4 * wanted.runs
    for _ in range(times(24, 200)):
        hand = tuple(sample_hand(dice, dice.randint(length, length + 3)))
        melds = find_opening(CARIOCA, hand, wanted)
        best = best_contract(CARIOCA, hand, wanted)
        assert (melds is None) == (best is None)
        if melds is not None:
            assert check_opening(CARIOCA, hand, wanted, melds) == best
            found += 1
    assert found


@pytest.mark.parametrize(
    ("hand", "sets", "runs", "distance"),
    [
        ("8S1 8S2 8H1 8H2 8D1 8D2", 2, 0, 0),  # C-1: six eights
        ("3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1", 0, 2, 0),
        ("3S1 4S1 5S1 6S1 5S2 6S2 7S1 8S1", 0, 2, 0),  # over each other, by both packs
        ("3S1 4S1 5S1 6S1 7S1 8S1", 0, 2, 2),
        ("KS1 *1 *2", 1, 0, 1),  # C-3: one joker in a meld
        ("KS1 KH1 *1 QS1 QH1 *2", 2, 0, 0),
        ("5S1 6S1 *1 *2", 0, 1, 1),
        ("AS1 2S1 3S1 4S1 JH1 QH1 KH1 AH1", 0, 2, 0),
        ("QS1 KS1 AS1 2S1", 0, 1, 1),
        ("AH1 AH2 2H1 2H2 3H1 3H2 4H1 4H2 6H1 6H2 8H1 8H2 *1 *2 *3", 0, 3, 0),
        ("5S1 6S1 7S1 8S1 8S2 8H1 8D1", 1, 1, 0),
        ("KS1 KH1 KD1 KC1 QS1 JS1 TS1", 1, 1, 0),  # the run takes a king that the set can spare
    ],
)
def test_alike_cases(hand: str, sets: int, runs: int, distance: int) -> None:
    wanted = Contract(sets=sets, runs=runs)
    assert solver.distance(CARIOCA, solver.masks(parse_cards(hand)), wanted) == distance


def test_no_opening_without_a_card_to_discard() -> None:
    hand = parse_cards("KS1 KH1 KD1 5S1 6S1 7S1 8S1")
    wanted = Contract(sets=1, runs=1)
    assert solver.contains(CARIOCA, solver.masks(hand), wanted)
    assert find_opening(CARIOCA, hand, wanted) is None  # C-10
    assert find_opening(CARIOCA, (*hand, *parse_cards("2C1")), wanted) is not None


@pytest.mark.parametrize("wanted", CROWDED.contracts, ids=lambda c: c.text)
def test_three_packs_agree_with_brute_force(wanted: Contract) -> None:
    dice = random.Random(wanted.text)
    for _ in range(40):
        solver_oracle.compare(dice, wanted, dice.randint(8, wanted.hand_size + 7), CROWDED)


def test_a_rank_may_be_held_twelve_times() -> None:
    kings = [card for card in CROWDED.pack if card < JOKER_BASE and (card >> 2) % 13 == 12]
    others = list(parse_cards("QS1 QH1 *1 TS1 JS1 2S1 2S2"))
    masks = solver.masks(kings + others)
    assert solver.distance(CROWDED, masks, Contract(sets=3)) == 1
    assert solver.distance(CROWDED, masks, Contract(sets=2, runs=1)) == 0
    assert solver.contains(CROWDED, masks, Contract(sets=1, runs=1))
    assert solver.plan(CROWDED, masks, Contract(sets=3)).distance == 1


@pytest.mark.parametrize("rules", [JAMAICAN, BONUS, CROWDED], ids=["J", "B", "three packs"])
def test_openings_of_any_length_are_legal_and_found_whenever_held(rules: RuleSet) -> None:
    dice = random.Random(rules.packs)
    found = 0
    for number in range(900):
        wanted = rules.contracts[number % 9]
        size = dice.randint(0, 9) + wanted.hand_size
        hand = tuple(solver_oracle.sample_hand(dice, wanted, size, rules.packs))
        melds = find_opening(rules, hand, wanted)
        assert (melds is not None) == solver.contains(rules, solver.masks(hand), wanted)
        if melds is not None:
            check_opening(rules, hand, wanted, melds)
            found += 1
    assert found > 200


def test_a_set_takes_no_more_jokers_than_its_naturals_and_one() -> None:
    hand = parse_cards("KS1 KH1 QS1 QH1 *1 *2 *3 *4 *5 *6")
    wanted = Contract(sets=2)
    for rules, most in ((BONUS, 3), (CROWDED, 3), (JAMAICAN, 6)):  # B-8
        melds = find_opening(rules, hand, wanted)
        assert melds is not None
        jokers = [sum(card >= JOKER_BASE for card in meld.cards) for meld in melds]
        assert max(jokers) <= most
        assert sum(jokers) == 6


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(RULE_SETS)), st.randoms(use_true_random=False))
def test_a_card_brings_a_hand_one_nearer_at_most(name: str, dice: random.Random) -> None:
    rules = RULE_SETS[name]
    contract = dice.choice(rules.contracts)
    hand = dice.sample(rules.pack, dice.randint(1, 20))
    masks = solver.masks(hand[1:])
    away = solver.distance(rules, masks, contract)
    nearer = solver.distance(rules, solver.with_card(masks, hand[0]), contract)
    assert away - 1 <= nearer <= away
    assert solver.masks(reversed(hand)) == solver.with_card(masks, hand[0])


def test_masks_without_a_card() -> None:
    hand = list(parse_cards("5S1 5S2 6H1 *1"))
    for card in hand:
        rest = [held for held in hand if held != card]
        left = sum(held >> 2 == card >> 2 for held in rest) if card < JOKER_BASE else 0
        assert solver.without_card(solver.masks(hand), card, left) == solver.masks(rest)


def test_openings_of_any_length_leave_little_more_than_they_must() -> None:
    dice = random.Random(4)
    laid = best = 0
    for number in range(250):
        wanted = JAMAICAN.contracts[number % 4]
        size = min(wanted.hand_size + dice.randint(0, 2), 11)
        hand = tuple(solver_oracle.sample_hand(dice, wanted, size))
        melds = find_opening(JAMAICAN, hand, wanted)
        if melds is not None:
            laid += check_opening(JAMAICAN, hand, wanted, melds)
            best += best_contract(JAMAICAN, hand, wanted) or 0
    assert 0.99 * best <= laid <= best


@pytest.mark.parametrize("rules", [JAMAICAN, CARIOCA], ids=["J", "C"])
def test_a_card_that_must_be_used(rules: RuleSet) -> None:
    dice = random.Random(9)
    found = 0
    for number in range(48):
        wanted = (Contract(sets=1), Contract(sets=1, runs=1), Contract(sets=2))[number % 3]
        hand = tuple(sample_hand(dice, dice.randint(7, 10)))
        must = dice.choice(hand)
        melds = find_opening(rules, hand, wanted, must)
        best = best_contract(rules, hand, wanted, must)
        assert (melds is None) == (best is None)
        if melds is not None:
            check_opening(rules, hand, wanted, melds)
            assert must in [card for meld in melds for card in meld.cards]
            found += 1
    assert found > 3


def test_further_melds_of_each_game() -> None:
    hand = parse_cards("KS1 KH1 KD1 5S1 6S1 7S1 8S1 2H1")
    for rules in RULE_SETS.values():
        melds = find_melds(rules, hand, 0, 0)
        assert len(melds) == (0 if rules is CARIOCA else 2)  # C-15
        for meld in melds:
            assert place(rules, 0, meld)
    kaluki = RULE_SETS["kaluki-european"]
    assert find_melds(kaluki, parse_cards("KS1 KS2 KH1"), 0, 0) == []  # E-11
    assert find_melds(kaluki, parse_cards("KS1 KH1 KD1"), 0, 0) == []  # E-19
    assert len(all_melds(kaluki, parse_cards("KS1 KH1 KD1"))) == 1


def test_too_many_packs_are_refused() -> None:
    with pytest.raises(ValueError, match="3 packs at most"):
        solver.contains(replace(BONUS, packs=4), solver.masks([]), BONUS.contracts[0])
