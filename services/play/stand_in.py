"""Seats that nobody plays: absent players, and house bots that failed (X-17).

An absent player's seat is played by the stand-in that the table's terms name, in its own turn once
the short time that it is still waited for is over, and otherwise at once; so is the turn whose
expiry makes its player absent. A failed bot's seat, and one that expired before that, makes the
standard move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set

import structlog

from rummy_arena.bots.bot import Bot, dice_of
from rummy_arena.bots.drive import drive
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game import series
from rummy_arena.game.actions import Action
from rummy_arena.game.engine import standard_move
from rummy_arena.game.events import Event
from rummy_arena.game.view import view

from .clocks import TURN_PHASES, is_absent
from .table import Table

log = structlog.get_logger(__name__)


def decide_for(table: Table, seat: int) -> list[Event]:
    """Decide for a seat that nobody plays; return what happened."""
    action = _stand_in_choice(table, seat) if is_absent(table.record, seat) else None
    if action is not None:
        try:
            return series.apply(table.game, seat, action, table.chance)
        except Exception:  # a bot is somebody's code: the standard move is always there
            log.exception("stand-in chose what cannot be played", table=table.id, seat=seat)
    return series.apply(table.game, seat, standard_move(table.game.deal, seat), table.chance)


def _stand_in_choice(table: Table, seat: int) -> Action | None:
    bot = HOUSE_BOTS.get(table.record.terms.clock.stand_in)
    if bot is None:
        return None
    seen = view(table.game, seat)
    try:
        return bot.choose(seen, dice_of(table.record.seed, seen))
    except Exception:
        log.exception("stand-in failed", table=table.id, seat=seat)
        return None


def answer_for_absent(table: Table) -> list[Event]:
    """Decide for absent players who are asked outside their own turn: nobody waits for them."""
    events: list[Event] = []
    while (seat := _absent_asked(table)) is not None:
        events += decide_for(table, seat)
    return events


def _absent_asked(table: Table) -> int | None:
    if not table.playing or table.game.deal.phase in TURN_PHASES:
        return None
    return next((seat for seat in table.waiting if is_absent(table.record, seat)), None)


def play_on(
    table: Table,
    bots: Mapping[int, Bot],
    stand_ins: Callable[[], Set[int]],
    *,
    full: Callable[[list[Event]], bool],
) -> list[Event]:
    """Let ``bots`` (by seat) and stand-ins decide until neither is asked, or ``full`` says so.

    ``stand_ins`` is asked before each of their moves. Raises whatever a bot raises, and then the
    table is as the last legal action left it: load it again.
    """
    events: list[Event] = []
    while not (events and full(events)):
        events += drive(table.game, table.chance, bots, table.record.seed, stop=full)
        seat = next((seat for seat in table.waiting if seat in stand_ins()), None)
        if seat is None or (events and full(events)):
            break
        events += decide_for(table, seat)
    return events
