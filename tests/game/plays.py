"""Random plays of one deal, step by step, for properties that must hold at each step."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rummy_arena.game import engine, series
from rummy_arena.game.actions import Action
from rummy_arena.game.events import Event
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Deal, Game
from rummy_arena.rulesets.registry import OPTIONS, RULE_SETS, get_rule_set
from tests.sweeps import sweeping, times

from .plain_player import PlainPlayer
from .rigged import RiggedChance, game_at

Test = TypeVar("Test", bound=Callable[..., Any])


def _variants() -> tuple[RuleSet, ...]:
    """Return every rule set by default, with each option alone, and with all of them together."""
    found: dict[RuleSet, None] = {}
    for rule_set, rules in RULE_SETS.items():
        found[rules] = None
        together = {}
        for option in OPTIONS[rule_set]:
            values = option.choices or ("7",)
            for value in values:
                found[get_rule_set(rule_set, {option.name: value})] = None
            if option.name not in ("calls", "contract"):  # they exclude others
                together[option.name] = values[-1]
        found[get_rule_set(rule_set, together)] = None
    return tuple(found)


VARIANTS = _variants()
"""Each rule set as the options make it; every option value is among them."""


def variant_name(rules: RuleSet) -> str:
    """Return a rule set with its options as a test id."""
    return "-".join([rules.id, *(f"{name}={value}" for name, value in rules.options)])


@dataclass(frozen=True)
class Setting:
    """Where a random play starts; everything after it follows from ``seed``."""

    rules: RuleSet
    seats: int
    number: int
    seed: int

    @property
    def dice(self) -> Random:
        """Return the dice of the play, fresh."""
        return Random(self.seed)

    def chance(self) -> RiggedChance:
        """Return the play's chance: from hopeless hands to complete ones."""
        favour = self.dice.choice((0.3, 0.6, 0.8, 0.9, 1.0))
        return RiggedChance(self.rules, self.seats, self.seed, favour=favour)

    def player(self) -> PlainPlayer:
        """Return the player of all seats: from wild to sensible, from silent to calling."""
        dice = self.dice
        skill, calls = dice.choice((0.2, 0.8, 1.0)), dice.choice((0.1, 0.5, 0.9))
        return PlainPlayer(dice, skill=skill, calls=calls)


@st.composite
def play_settings(draw: st.DrawFn) -> Setting:
    """Draw a rule set, its options, seats, a contract and a seed."""
    rules = draw(st.sampled_from(VARIANTS))
    if draw(st.booleans()):
        rules = RULE_SETS[rules.id]
    return Setting(
        rules=rules,
        seats=draw(st.integers(rules.min_seats, rules.max_seats)),
        number=draw(st.integers(1, len(rules.contracts))),
        seed=draw(st.integers(0, 2**32 - 1)),
    )


def examples(few: int) -> Callable[[Test], Test]:
    """Mark a property over random plays, which are few, or ten times as many in a sweep."""

    def marked(test: Test) -> Test:
        settled = settings(
            max_examples=times(few, 10 * few),
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        )(test)
        swept: Test = sweeping(settled)
        return swept

    return marked


@dataclass
class Step:
    """A moment of a play: the game before an action, and the action that is about to be applied."""

    game: Game
    seat: int
    action: Action

    @property
    def deal(self) -> Deal:
        """The deal in play."""
        return self.game.deal


class Play:
    """One random deal; iterate over its steps, each is applied when the next one is asked for."""

    def __init__(self, chosen: Setting) -> None:
        self.chosen = chosen
        self.chance = chosen.chance()
        self.player = chosen.player()
        self.dice = Random(chosen.seed + 1)
        self.game = game_at(chosen.rules, chosen.seats, chosen.number, self.chance)
        self.deal = self.game.deal
        self.events: list[Event] = []

    def __iter__(self) -> Iterator[Step]:
        while self.deal.outcome is None:
            seat = self.dice.choice(self._asked())
            action = self.player.choose(self.deal, seat)
            yield Step(self.game, seat, action)
            self.events += self.apply(seat, action)

    def _asked(self) -> list[int]:
        """Return the seats that may act, the next player in a window among them."""
        return [seat for seat in range(self.deal.seats) if engine.kinds(self.deal, seat)]

    def apply(self, seat: int, action: Action) -> list[Event]:
        """Apply one action to the deal alone."""
        deal = self.deal
        return engine.apply(
            deal,
            seat,
            action,
            lambda cards: self.chance.reshuffle(deal.number, 0, deal.reshuffles, cards),
        )


def whole_game(chosen: Setting, player: PlainPlayer | None = None) -> tuple[Game, list[Event]]:
    """Return a whole random game and its log."""
    dice = Random(chosen.seed + 1)
    favour = dice.choice((0.7, 0.85, 1.0))
    chance = RiggedChance(chosen.rules, chosen.seats, chosen.seed, favour=favour)
    player = player or chosen.player()
    game, log = series.new_game(chosen.rules, chosen.seats, chance)
    while not game.over:
        deal = game.deal
        seat = dice.choice([s for s in range(deal.seats) if engine.kinds(deal, s)])
        log += series.apply(game, seat, player.choose(deal, seat), chance)
    return game, log


def frozen(deal: Deal) -> Deal:
    """Return a deep copy of the deal that shares its rules."""
    return copy.deepcopy(deal, {id(deal.rules): deal.rules})


def all_cards(deal: Deal) -> list[int]:
    """Return every card of the deal, wherever it lies, in id order."""
    cards = [*deal.stock, *deal.discards]
    for hand in deal.hands:
        cards += hand
    for meld in deal.melds:
        cards += meld.cards
    return sorted(cards)
