"""A ladder as tables for spreadsheets and programs: its standings, or its rated results."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_arena.api.v1.ladder_pb2 import LadderMatch, LadderStanding

from .sheets import Sheet

_STANDINGS = (
    "place",
    "entrant",
    "player_id",
    "name",
    "owner",
    "mean",
    "deviation",
    "low",
    "high",
    "conservative",
    "games",
    "wins",
    "points",
    "anchor",
    "active",
)
_RESULTS = (
    "number",
    "table_id",
    "season",
    "rated",
    "seat",
    "entrant",
    "player_id",
    "name",
    "place",
    "total",
)


def standings_sheet(rows: Iterable[LadderStanding]) -> Sheet:
    """Return a line for each entrant; place 0 for who has none."""
    return Sheet(
        _STANDINGS,
        [
            [
                row.place,
                row.entrant.number,
                row.entrant.player_id,
                row.entrant.name,
                row.entrant.owner,
                row.rating.mean,
                row.rating.deviation,
                row.rating.low,
                row.rating.high,
                row.rating.conservative,
                row.entrant.games,
                row.entrant.wins,
                row.entrant.points,
                row.entrant.anchor,
                row.entrant.active,
            ]
            for row in rows
        ],
    )


def results_sheet(matches: Iterable[LadderMatch]) -> Sheet:
    """Return a line for each seat of each result, the first result first."""
    return Sheet(
        _RESULTS,
        [
            [
                match.number,
                match.table_id,
                match.season,
                match.rate_time.ToJsonString(),
                seat,
                at.entrant,
                at.player_id,
                at.name,
                at.place,
                at.total,
            ]
            for match in sorted(matches, key=lambda match: match.number)
            for seat, at in enumerate(match.seats)
        ],
    )
