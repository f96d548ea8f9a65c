"""What refusals about tournaments are to a caller: rows of the one table in ``errors``."""

from __future__ import annotations

import grpc

from services.events.errors import (
    EntryRefused,
    NotNow,
    TableNotOpen,
    TournamentFull,
    UnknownEntrant,
    WrongStatus,
)

from .told import Row

_Code = grpc.StatusCode

TOURNAMENT_ROWS = {
    WrongStatus: Row(
        _Code.FAILED_PRECONDITION,
        "WRONG_STATUS",
        "tournament {tournament_id} is {status}; this can be done only while it is {wanted}",
        ("tournament_id", "status", "wanted"),
    ),
    TableNotOpen: Row(
        _Code.UNAVAILABLE,
        "TABLE_NOT_OPEN",
        "table {table_id} is paired and opens in a moment; try again",
        ("table_id",),
    ),
    TournamentFull: Row(
        _Code.FAILED_PRECONDITION,
        "TOURNAMENT_FULL",
        "tournament {tournament_id} is full: all {capacity} places are taken",
        ("tournament_id", "capacity"),
    ),
    EntryRefused: Row(
        _Code.FAILED_PRECONDITION,
        "ENTRY_REFUSED",
        "the player may not enter: {reason}",
        ("condition", "reason"),
    ),
    UnknownEntrant: Row(
        _Code.NOT_FOUND,
        "UNKNOWN_ENTRANT",
        "{entrant} is no entrant of tournament {tournament_id}",
        ("tournament_id", "entrant"),
    ),
    NotNow: Row(
        _Code.FAILED_PRECONDITION,
        "NOT_NOW",
        "{what}: {reason}",
        ("what", "reason"),
    ),
}
