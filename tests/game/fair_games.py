"""Games whose deals are committed to, for tests of what is told of their seeds, and when."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache, partial
from random import Random

from rummy_arena.game import engine, series
from rummy_arena.game.chance import Chance, DealtChance, deal_seed
from rummy_arena.game.events import DealCommitted, DealRevealed, Event
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.seeker import Seeker, Timid

TOLD = DealCommitted | DealRevealed


def cards_alone(log: Sequence[Event]) -> list[Event]:
    """Return the log of the same game without commitments."""
    return [event for event in log if not isinstance(event, TOLD)]


def from_the_system(number: int, attempt: int) -> bytes:
    """Return a seed that nothing else is connected with."""
    return os.urandom(32)


def played(
    rules: RuleSet,
    seats: int,
    chance: Chance,
    *,
    seed: int = 0,
    player: type[Seeker] = Seeker,
    after: Callable[[Game, list[Event]], None] = lambda game, events: None,
) -> tuple[Game, list[Event]]:
    """Return a whole game and its log; ``after`` is shown the game and each action's events."""
    dice = Random(seed)
    seeker = player(dice)
    game, log = series.new_game(rules, seats, chance)
    after(game, log)
    while not game.over:
        seat = dice.choice(engine.deciders(game.deal))
        events = series.apply(game, seat, seeker.choose(game.deal, seat), chance)
        log += events
        after(game, events)
    return game, log


TIMID_RULES = get_rule_set("kalooki-bonus", {"short_form": "on"})
TIMID_SEATS = 6


@cache
def timid() -> tuple[Game, tuple[Event, ...]]:
    """Return a game with reshuffles, void deals, sudden death and lots: nobody ever opens."""
    chance = DealtChance(TIMID_RULES, {}, partial(deal_seed, bytes(32)))
    game, log = played(TIMID_RULES, TIMID_SEATS, chance, player=Timid)
    return game, tuple(log)
