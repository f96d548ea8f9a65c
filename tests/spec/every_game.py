"""What the cases that hold in every game share: the games, and an opening for each of them."""

from __future__ import annotations

import pytest

from rummy_arena.game.rules import NewMelds, RuleSet
from rummy_arena.rulesets.registry import RULE_SETS
from tests.spec.positions import Position, position

GAMES = tuple(RULE_SETS.values())
WITH_CALLS = tuple(rules for rules in GAMES if rules.max_calls)
WITHOUT_CALLS = tuple(rules for rules in GAMES if not rules.max_calls)
WITH_CONTRACTS = tuple(rules for rules in GAMES if not rules.by_elimination)


def of_games(games: tuple[RuleSet, ...]) -> pytest.MarkDecorator:
    """Return the mark that gives a case each of these games as ``rules``."""
    return pytest.mark.parametrize("rules", games, ids=[rules.id for rules in games])


every_game = of_games(GAMES)
every_table = pytest.mark.parametrize(
    ("rules", "seats"),
    [
        pytest.param(rules, seats, id=f"{rules.id}-{seats}")
        for rules in GAMES
        for seats in range(rules.min_seats, rules.max_seats + 1)
    ],
)


def opening(rules: RuleSet) -> str:
    """Return melds that open the first deal: as many sets as the contract has, else two."""
    sets = ("KS KH KD", "QS QH QD", "6S 6H 6D")
    return " / ".join(sets[: rules.contracts[0].sets or 2])


def mixed(rules: RuleSet) -> str:
    """Return melds that open the second deal, sets and a run."""
    sets = ("KS KH KD", "QS QH QD") if rules.contracts[0].sets == 3 else ("KS KH KD",)
    return " / ".join([*sets, "4C-5C-6C-7C"])


def cards(melds: str) -> str:
    """Return the cards of melds as a hand is written."""
    return melds.replace("/", " ").replace("-", " ")


def laying(rules: RuleSet, run: str, more: str = "2D 3D") -> tuple[Position, str]:
    """Return a position whose seat 0 may lay down a run, and the command to do it.

    Where no melds are laid down after the opening, the run is one of an opening of two.
    """
    if rules.new_melds is not NewMelds.NEVER:
        held = position(rules=rules, hands={0: f"{cards(run)} {more}"}, opened=[0])
        return held, f"0 melds {run}"
    melds = f"{run} / 4H-5H-6H-7H"
    number = 1 + [(c.sets, c.runs) for c in rules.contracts].index((0, 2))
    held = position(rules=rules, contract=number, hands={0: f"{cards(melds)} {more}"})
    return held, f"0 opens {melds}"
