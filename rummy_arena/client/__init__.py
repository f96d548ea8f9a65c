"""Async client of an arena: create players, run and follow tournaments, play and watch tables."""

from .arena import Arena
from .entrant import play_tournament
from .errors import ArenaError, FieldViolation
from .seat import BotError, BotFailed, IllegalChoice, NotSeated, Result, play_seat
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
    "Tls",
    "play_seat",
    "play_tournament",
    "rules_of",
    "view_of",
]
