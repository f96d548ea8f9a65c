"""The best use of a hand once opened, against brute force through the engine."""

from __future__ import annotations

import random

import pytest

from rummy_arena.game.actions import ActionKind
from rummy_arena.game.cards import Card, cards_text, parse_cards
from rummy_arena.game.melds import Meld, MeldKind, TableMeld, place
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.solver.best_building import best_building
from rummy_arena.game.state import Progress

from .building_oracle import GAMES, compare, played, sample_deal

OPENED = (
    ActionKind.MELD,
    ActionKind.LAY_OFF,
    ActionKind.MOVE_JOKER,
    ActionKind.DISCARD,
)
EXCHANGING = (ActionKind.MELD, ActionKind.LAY_OFF, ActionKind.TAKE_JOKER, ActionKind.DISCARD)


@pytest.mark.parametrize("name", GAMES)
def test_agrees_with_brute_force(name: str) -> None:
    dice = random.Random(name)
    built = sum(compare(dice, GAMES[name], dice.randint(1, 5)) for _ in range(250))
    assert built > 30


@pytest.mark.parametrize("name", GAMES)
def test_large_hands_are_played_by_the_rules(name: str) -> None:
    dice = random.Random(name)
    for _ in range(25):
        out, left = played(sample_deal(dice, GAMES[name], dice.randint(9, 16)))
        assert left <= 0
        assert not out or left == 0


def table(rules: RuleSet, *melds: str, owner: int = 1) -> tuple[TableMeld, ...]:
    found = []
    for text in melds:
        cards = parse_cards(text)
        ranks = {card >> 2 for card in cards if card < 208}
        kind = MeldKind.SET if len({kind % 13 for kind in ranks}) == 1 else MeldKind.RUN
        found.append(place(rules, owner, Meld(kind, cards)))
    return tuple(found)


def said(rules: RuleSet, hand: str, *melds: str, kinds: tuple[ActionKind, ...]) -> list[str]:
    cards: tuple[Card, ...] = tuple(sorted(parse_cards(hand)))
    on_table = table(rules, *melds)
    progress = Progress(melds_before=len(on_table))
    actions = best_building(rules, 0, cards, on_table, progress, kinds)
    return [
        f"{action.kind.name} {cards_text(action.melds[0].cards if action.melds else [action.card])}"
        for action in actions
    ]


def test_nothing_to_do() -> None:
    assert said(GAMES["jamaican"], "2C1 9H1", "KS1 KH1 KD1", kinds=OPENED) == []


def test_a_joker_carries_a_natural() -> None:
    found = said(GAMES["jamaican"], "*1 8S1 2D1", "3S1 4S1 5S1 6S1", kinds=OPENED)
    assert found == ["LAY_OFF *1", "LAY_OFF 8S1"]


def test_a_natural_frees_the_end_for_a_joker_move() -> None:
    # J-19: the six is refused until the nine is on top.
    found = said(GAMES["jamaican"], "6S1 9S1 2D1", "5S1 *1 7S1 *2", kinds=OPENED)
    assert found == ["LAY_OFF 9S1", "MOVE_JOKER 6S1"]


def test_two_missing_suits_for_the_joker_of_a_european_set() -> None:
    found = said(
        GAMES["european"], "5C1 5D1 8H1 9C1", "5S1 5H1 *1", "9H1 TH1 JH1", kinds=EXCHANGING
    )
    assert sorted(text[:11] for text in found) == ["LAY_OFF 8H1", "TAKE_JOKER "]  # E-13: and out


def test_the_last_card_is_kept_where_going_out_needs_a_discard() -> None:
    for name, laid in (("carioca", 1), ("european", 1), ("jamaican", 1)):
        hand = "9S1 TS1" if name != "jamaican" else "9S1 2D1"
        found = said(GAMES[name], hand, "5S1 6S1 7S1 8S1", kinds=(ActionKind.LAY_OFF,))
        assert len(found) == laid  # C-10, E-19; J-22 leaves it open
    assert len(said(GAMES["jamaican"], "9S1 TS1", "5S1 6S1 7S1 8S1", kinds=OPENED)) >= 1


def test_two_cards_on_an_end_and_no_more() -> None:
    hand = "9S1 TS1 JS1 QS1"
    found = said(GAMES["european"], hand, "6S1 7S1 8S1", kinds=(ActionKind.LAY_OFF,))
    assert len(found) == 2  # E-12


def test_new_melds_before_lay_offs() -> None:
    found = said(GAMES["bonus"], "9S1 2C1 2D1 2H1 KD1", "5S1 6S1 7S1 8S1", kinds=OPENED)
    assert [text.split()[0] for text in found] == ["MELD", "LAY_OFF"]  # B-12
