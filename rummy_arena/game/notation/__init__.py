"""Actions, logs and whole games as text that reads well and parses back (NOTATION.md)."""

from .actions import NotationError, action_text, meld_text, parse_action, parse_meld, table_meld
from .games import ParsedGame, parse_game, write_game
from .replaying import CorruptGame, TextReplay, replay_text

__all__ = [
    "CorruptGame",
    "NotationError",
    "ParsedGame",
    "TextReplay",
    "action_text",
    "meld_text",
    "parse_action",
    "parse_game",
    "parse_meld",
    "replay_text",
    "table_meld",
    "write_game",
]
