"""Thin tasks: each carries one message to its use case."""

from .archive import archive_table
from .ladders import advance_ladder, open_ladder_table
from .sealed import unseal_tables
from .sweep import sweep
from .tables import open_table, open_tables, play_table, report_result, report_results
from .tournaments import advance_tournament

__all__ = [
    "advance_ladder",
    "advance_tournament",
    "archive_table",
    "open_ladder_table",
    "open_table",
    "open_tables",
    "play_table",
    "report_result",
    "report_results",
    "sweep",
    "unseal_tables",
]
