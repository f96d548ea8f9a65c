"""Tables at chosen moments of whole games, as they are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from rummy_arena.game.state import Game, Phase
from services.state import codec
from services.state.records import Life, SeatRecord, TableRecord

from .whole_games import SAMPLES, Sample, WholeGame

THREE_LEGS = Sample("kalooki-bonus", 3, 2, {"short_form": "on", "best_of": "3", "calls": "off"})
"""Everybody wins one of them."""
Wanted = Callable[[Game], bool]


def stored(game: Game) -> bytes:
    """Return a table with such a game, as it is stored."""
    seats = [SeatRecord(f"p{seat}", f"player {seat}", "") for seat in range(game.seats)]
    record = TableRecord(
        game.rules.id,
        seats,
        bytes(32),
        codec.game_record(game),
        created_ms=1,
        options=dict(game.rules.options),
        life=Life.FINISHED if game.over else Life.PLAYING,
        finished_ms=2 if game.over else 0,
    )
    return codec.TABLE.encode(record)


@cache
def met(sample: Sample, wanted: Wanted) -> bytes:
    """Return a table at the first step of a sample that is ``wanted``."""
    return next(stored(game) for game, _, _ in WholeGame(sample) if wanted(game))


def begun(game: Game) -> bool:
    """Return whether a game has begun."""
    return True


@cache
def at_many_steps() -> tuple[bytes, ...]:
    """Return tables of every sample, at every so many steps and in each phase."""
    return tuple(_at_many_steps())


def _at_many_steps() -> Iterator[bytes]:
    for sample in (*SAMPLES, THREE_LEGS):
        phases: set[Phase] = set()
        whole = WholeGame(sample)
        for step, (game, _, _) in enumerate(whole):
            if step % 97 == 0 or game.deal.phase not in phases:
                phases.add(game.deal.phase)
                yield stored(game)
        yield stored(whole.game)
