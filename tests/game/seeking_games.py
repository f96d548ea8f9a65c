"""Games of the seeker, for tests that need events of every kind and not many of them."""

from __future__ import annotations

from functools import cache
from random import Random

from rummy_arena.game import engine, series
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import Event
from rummy_arena.rulesets.registry import RULE_SETS
from tests.spec.seeker import Seeker

SEATS = 3


@cache
def first_events(rule_set: str, seats: int = SEATS, events: int = 500) -> tuple[Event, ...]:
    """Return the first events of a game, all of them where it is shorter."""
    rules = RULE_SETS[rule_set]
    chance, seeker, dice = SeededChance(rules, bytes(32)), Seeker(Random(3)), Random(4)
    game, log = series.new_game(rules, seats, chance)
    while not game.over and len(log) < events:
        seat = dice.choice(engine.deciders(game.deal))
        log += series.apply(game, seat, seeker.choose(game.deal, seat), chance)
    return tuple(log)
