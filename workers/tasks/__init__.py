"""Thin tasks: each carries one message to its use case."""

from .archive import archive_table
from .ladders import advance_ladder, open_ladder_table
from .sweep import sweep
from .tables import open_table, play_table, report_result
from .tournaments import advance_tournament
from .webhooks import deliver_webhook

__all__ = [
    "advance_ladder",
    "advance_tournament",
    "archive_table",
    "deliver_webhook",
    "open_ladder_table",
    "open_table",
    "play_table",
    "report_result",
    "sweep",
]
