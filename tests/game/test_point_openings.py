"""Openings by points against brute force (E-3 to E-5, E-7, E-9 to E-11, E-19, E-26)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rummy_arena.game import solver
from rummy_arena.game.cards import JOKER_BASE, Card, cards_text, parse_card, parse_cards
from rummy_arena.game.melds import Meld, meld_points, place
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.game.solver.laydowns import find_opening
from rummy_arena.game.solver.points import most_points
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from tests.sweeps import sweeping, times

from .alike_oracle import sample_hand
from .laydown_oracle import best_points

EUROPEAN = RULE_SETS["kaluki-european"]
AMERICAN = RULE_SETS["kaluki-american"]
LOW_ACE = get_rule_set("kaluki-american", {"ace": "high_or_low"})
NO_DISCARD = replace(AMERICAN, final_discard=False)


def check_opening(
    rules: RuleSet, hand: list[Card], points: int, must: Card | None, melds: tuple[Meld, ...]
) -> int:
    """Check that the melds are a legal opening of the hand; return the penalty that they shed."""
    cards = [card for meld in melds for card in meld.cards]
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(hand)
    assert must is None or must in cards
    assert not rules.final_discard or len(cards) < len(hand)
    assert sum(meld_points(rules, place(rules, 0, meld)) for meld in melds) >= points
    return rules.hand_points(cards)


@sweeping
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "rules",
    [EUROPEAN, AMERICAN, LOW_ACE, NO_DISCARD],
    ids=["european", "american", "low ace", "no discard"],
)
def test_agrees_with_brute_force(rules: RuleSet, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(times(16, 80)):
        hand = [card for card in sample_hand(dice, dice.randint(5, 9)) if card not in TOO_MANY]
        most, _ = best_points(rules, hand, 1)
        for points in sorted({most, most + 1, most - dice.randint(1, 20)}):
            if points > 0:
                compare(rules, hand, points, dice.choice([None, None, *hand[:1], *hand[-1:]]), most)


TOO_MANY = range(JOKER_BASE + 4, 256)


def compare(rules: RuleSet, hand: list[Card], points: int, must: Card | None, most: int) -> None:
    wanted = Contract(points=points)
    text = cards_text(hand)
    assert solver.contains(rules, solver.masks(hand), wanted) == (points <= most), text
    _, best = best_points(rules, hand, points, must)
    melds = find_opening(rules, hand, wanted, must)
    assert (melds is None) == (best is None), text
    if melds is not None:
        assert check_opening(rules, hand, points, must, melds) == best, text


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("KS1 KH1 KD1", 30),
        ("KS1 KH1 KD1 KC1", 40),
        ("KS1 KH1 KS2", 0),  # E-11: suits differ
        ("KS1 KH1 KD1 KS2 KH2 KD2", 60),  # E-26: the same set twice
        ("9S1 TS1 JS1 9S2 TS2 JS2", 58),  # and the same run
        ("QS1 KS1 AS1", 31),
        ("AS1 2S1 3S1", 0),  # E-9: the ace is high only
        ("KS1 *1 *2", 31),  # E-10: one natural; queen, king, ace
        ("2S1 *1 3S1", 9),  # the joker is a four
        ("KS1 *1 QS1", 31),  # it is the ace
        ("KS1 KH1 *1 QS1", 31),  # the ace of a run rather than a third king
        ("TS1 JS1 *1 KS1 AS1 QH1 QD1", 51),  # the queen of the run; two queens are left
        ("8S1 9S1 *1 *2", 37),
        ("TS1 JS1 QS1 KS1 AS1 *1", 61),  # 10-J-Q and joker-K-A: two queens
    ],
)
def test_points(hand: str, points: int) -> None:
    assert most_points(EUROPEAN, solver.masks(parse_cards(hand))) == points


def test_the_threshold_is_reached_at_least() -> None:
    hand = parse_cards("KS1 KH1 KD1 KC1 2C1")
    forty, more = Contract(points=40), Contract(points=41)
    assert find_opening(EUROPEAN, hand, forty) is not None  # E-4
    assert find_opening(EUROPEAN, hand, more) is None
    assert not solver.contains(EUROPEAN, solver.masks(hand[:4]), forty)  # E-19


def test_penalty_left_before_points() -> None:
    hand = parse_cards("KS1 KH1 KD1 QS1 JS1 4C1 4D1 4H1 9D1")
    melds = find_opening(EUROPEAN, hand, Contract(points=40))
    assert melds is not None
    laid = {card for meld in melds for card in meld.cards}
    assert set(hand) - laid == set(parse_cards("QS1 JS1 9D1"))


def test_a_card_that_must_be_used() -> None:
    hand = parse_cards("KS1 KH1 KD1 KC1 5C1 6C1 7C1 2D1")
    wanted = Contract(points=40)
    for text in ("KS1", "5C1"):
        melds = find_opening(EUROPEAN, hand, wanted, parse_card(text))
        assert melds is not None
        assert parse_card(text) in [card for meld in melds for card in meld.cards]
    assert find_opening(EUROPEAN, hand, wanted, parse_card("2D1")) is None  # E-7


@pytest.mark.parametrize("rules", [EUROPEAN, AMERICAN], ids=["european", "american"])
def test_distance_counts_well_chosen_cards(rules: RuleSet) -> None:
    dice = random.Random(5)
    wanted = rules.contracts[0]
    seen = set()
    for _ in range(60):
        hand = dice.sample(rules.pack, 13)
        masks = solver.masks(hand)
        away = solver.distance(rules, masks, wanted)
        assert solver.within(rules, masks, wanted, away)
        assert away == 0 or not solver.within(rules, masks, wanted, away - 1)
        assert solver.contains(rules, masks, wanted) == (away == 0)
        for card in dice.sample(sorted(set(rules.pack) - set(hand)), 5):
            nearer = solver.distance(rules, solver.with_card(masks, card), wanted)
            assert away - 1 <= nearer <= away
            if away:
                helps = solver.helps(rules, masks, wanted, card, away, tight=False)
                assert helps == (nearer < away)
        check_plan(rules, hand, wanted, away)
        seen.add(away)
    assert seen >= {0, 1, 2}


def check_plan(rules: RuleSet, hand: list[Card], wanted: Contract, away: int) -> None:
    """Check that the cards of the plan, and one to discard, are as near as the hand."""
    plan = solver.plan(rules, solver.masks(hand), wanted)
    assert plan.distance == away
    once, twice = plan.run_cards & solver.EVERY_NATURAL, plan.run_cards >> 52
    kept: list[Card] = []
    rest: list[Card] = []
    for card in hand:
        bit = 0 if card >= JOKER_BASE else 1 << (card >> 2)
        needed = card >= JOKER_BASE or once & bit or plan.set_ranks >> (card >> 2) % 13 & 1
        (kept if needed else rest).append(card)
        once, twice = once & ~bit | twice & bit, twice & ~bit
    assert solver.distance(rules, solver.masks(kept + rest[:1]), wanted) == away


def test_a_hand_of_no_use_is_four_cards_away() -> None:
    hand = parse_cards("2C1 4D1")
    assert solver.distance(EUROPEAN, solver.masks(hand), Contract(points=40)) == 4
