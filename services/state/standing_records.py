"""Final standings as they are stored: decided once, and read as they were decided ever after."""

from __future__ import annotations

from .records import Record


class StandingRecord(Record):
    """One entrant's line, as ``tournament.rounds.Standing``; fractions as text, such as "7/2"."""

    rank: int
    entrant: int
    reached_round: int
    eliminated: bool
    points: str
    tables: int
    total: int
    deals_won: int
    score: str
    tiebreaks: list[tuple[str, str]]
    group: str
