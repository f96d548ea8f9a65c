"""The loop that lets bots play: the same in one process and in a worker's burst."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rummy_arena.game import series
from rummy_arena.game.chance import Chance
from rummy_arena.game.events import Event
from rummy_arena.game.legal import first_decider
from rummy_arena.game.state import Game
from rummy_arena.game.view import view

from .bot import Bot, Dice


def drive(
    game: Game,
    chance: Chance,
    bots: Mapping[int, Bot],
    seed: bytes,
    *,
    position: int,
    stop: Callable[[list[Event]], bool] | None = None,
) -> list[Event]:
    """Let ``bots`` (by seat) decide until a seat without one must; return what happened.

    Also ends when the game is over, or when ``stop``, asked after each action with the events so
    far, says so. ``position`` is the sequence number of the next event of this game: it alone
    places the dice, so that any cut of a game into bursts plays the same game. A bot's illegal
    action raises RuleViolation and leaves the game as the last legal action made it.
    """
    events: list[Event] = []
    while not game.over:
        seat = first_decider(game.deal, bots)
        if seat < 0:
            break
        action = bots[seat].choose(view(game, seat), Dice(seed, position + len(events)))
        events += series.apply(game, seat, action, chance)
        if stop is not None and stop(events):
            break
    return events
