"""Seats that nobody plays make the standard move (X-17): absent players, bots that failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set

from rummy_arena.bots.bot import Bot
from rummy_arena.bots.drive import drive
from rummy_arena.game import series
from rummy_arena.game.engine import standard_move
from rummy_arena.game.events import Event

from .table import Table


def standard(table: Table, seat: int) -> list[Event]:
    """Make the standard move for the seat; return what happened."""
    return series.apply(table.game, seat, standard_move(table.game.deal, seat), table.chance)


def play_on(
    table: Table,
    bots: Mapping[int, Bot],
    stand_ins: Callable[[], Set[int]],
    *,
    full: Callable[[list[Event]], bool],
) -> list[Event]:
    """Let ``bots`` (by seat) and stand-ins decide until neither is asked, or ``full`` says so.

    ``stand_ins`` is asked before each standard move. Raises whatever a bot raises, and then the
    table is as the last legal action left it: load it again.
    """
    events: list[Event] = []
    while not (events and full(events)):
        events += drive(table.game, table.chance, bots, table.record.seed, stop=full)
        seat = next((seat for seat in table.waiting if seat in stand_ins()), None)
        if seat is None or (events and full(events)):
            break
        events += standard(table, seat)
    return events
