"""Async client of an arena: create players, tables and tournaments, play and watch."""

from .arena import Arena
from .entrant import play_tournament
from .errors import ArenaError, FieldViolation
from .ladder_entrant import play_ladder
from .seat import (
    BotError,
    BotFailed,
    IllegalChoice,
    NotSeated,
    Result,
    TableClosed,
    play_seat,
)
from .terms import spectator_delay, time_control
from .tls import Tls
from .views import rules_of, view_of

__all__ = [
    "Arena",
    "ArenaError",
    "BotError",
    "BotFailed",
    "FieldViolation",
    "IllegalChoice",
    "NotSeated",
    "Result",
    "TableClosed",
    "Tls",
    "play_ladder",
    "play_seat",
    "play_tournament",
    "rules_of",
    "spectator_delay",
    "time_control",
    "view_of",
]
