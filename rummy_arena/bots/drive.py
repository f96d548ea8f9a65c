"""The loop that lets bots play: the same in one process and in a worker's burst."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rummy_arena.game import series
from rummy_arena.game.chance import Chance, SeededChance
from rummy_arena.game.events import Event
from rummy_arena.game.legal import first_decider
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game
from rummy_arena.game.view import view

from .bot import Bot, dice_of


def play_game(rules: RuleSet, bots: Sequence[Bot], seed: bytes) -> tuple[Game, list[Event]]:
    """Return a whole game of these bots, one at each seat, and its log.

    ``seed`` (32 bytes) decides every card and all dice. Raises SeatsError for a wrong number of
    bots, and RuleViolation where one chooses what is not allowed.
    """
    chance = SeededChance(rules, seed)
    game, events = series.new_game(rules, len(bots), chance)
    events += drive(game, chance, dict(enumerate(bots)), seed)
    return game, events


def drive(
    game: Game,
    chance: Chance,
    bots: Mapping[int, Bot],
    seed: bytes,
    *,
    stop: Callable[[list[Event]], bool] | None = None,
) -> list[Event]:
    """Let ``bots`` (by seat) decide until a seat without one must; return what happened.

    Also ends when the game is over, or when ``stop``, asked after each action with the events so
    far if there are any, says so. A decision has the dice of its place in the game, so that any cut
    of a game into bursts plays the same game. A bot's illegal action raises RuleViolation and
    leaves the game as the last legal action made it.
    """
    events: list[Event] = []
    while not game.over:
        seat = first_decider(game.deal, bots)
        if seat < 0:
            break
        seen = view(game, seat)
        action = bots[seat].choose(seen, dice_of(seed, seen))
        events += series.apply(game, seat, action, chance)
        if stop is not None and events and stop(events):
            break
    return events
