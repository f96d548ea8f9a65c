"""Whole games of every rule set, step by step, for what must hold at each step of any of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest

from rummy_arena.game import engine, series
from rummy_arena.game.actions import Action
from rummy_arena.game.events import Event
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game
from rummy_arena.rulesets.registry import get_rule_set
from tests.game.plain_player import PlainPlayer
from tests.game.rigged import RiggedChance


@dataclass(frozen=True)
class Sample:
    """A rule set with options, at so many seats; all play and luck follow from ``seed``."""

    rule_set: str
    seats: int
    seed: int
    options: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def rules(self) -> RuleSet:
        """The rules that it is played by."""
        return get_rule_set(self.rule_set, self.options)

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options.items()]
        return "-".join([self.rule_set, str(self.seats), *chosen])


SAMPLES = (
    Sample("kalooki-jamaican", 4, 3),
    Sample("kalooki-bonus", 3, 3, {"short_form": "on", "open_hands": "on", "stakes": "2"}),
    Sample("kalooki-bonus", 5, 2, {"short_form": "on", "packs": "3"}),
    Sample("kalooki-bonus", 3, 0, {"short_form": "on", "best_of": "3", "calls": "off"}),
    Sample("carioca-argentine", 4, 1),
    Sample("kaluki-european", 4, 0, {"rebuys": "unlimited"}),
    Sample("kaluki-american", 5, 0, {"rebuys": "2", "ace": "high_or_low"}),
)
"""Seeds of games that are not long and yet see most of what can happen."""
every_game = pytest.mark.parametrize("sample", SAMPLES, ids=str)


class WholeGame:
    """One game of a sample; iterate over its steps, each is played when the next is asked for."""

    def __init__(self, sample: Sample) -> None:
        rules = sample.rules
        self._dice = Random(sample.seed)
        self._chance = RiggedChance(rules, sample.seats, sample.seed, favour=0.9)
        self._player = PlainPlayer(self._dice, skill=0.9)
        self.game, self.log = series.new_game(rules, sample.seats, self._chance)

    def __iter__(self) -> Iterator[tuple[Game, int, Action]]:
        """Yield the game, a seat that may act, and what it is about to do."""
        game = self.game
        while not game.over:
            deal = game.deal
            seat = self._dice.choice([s for s in range(deal.seats) if engine.kinds(deal, s)])
            action = self._player.choose(deal, seat)
            yield game, seat, action
            self.log += series.apply(game, seat, action, self._chance)


def played(sample: Sample) -> tuple[Game, list[Event]]:
    """Return a whole game and its log."""
    whole = WholeGame(sample)
    for _ in whole:
        pass
    return whole.game, whole.log
