"""Async client of an arena: create players, run and follow tournaments, play and watch tables."""

from .arena import Arena
from .errors import ArenaError, FieldViolation

__all__ = ["Arena", "ArenaError", "FieldViolation"]
