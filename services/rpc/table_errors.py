"""What the refusals of use cases on tables are to a caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc

from rummy_arena.game.series import SeatsError
from services.play.errors import (
    AlreadySeated,
    CannotSit,
    HeldByTournament,
    HouseBotSeat,
    InTournament,
    InvalidPlaces,
    NeverPlayed,
    NoSuchSeat,
    NotDirector,
    NotInvited,
    NotSeated,
    SeatOccupied,
    SeatsFree,
    SlowConsumer,
    TableFull,
    TableSealed,
    TooLate,
    TooManyTables,
    WrongLife,
)
from services.state.errors import NotFound
from services.state.tables import NotStarted
from services.state.terms import InvalidTerms

from .refusals import TableSeats
from .told import Row, Told, fact_text, invalid
from .violations import InvalidRequest, Violation

_Code = grpc.StatusCode

# How terms of the use cases are called in requests.
_TERM_FIELDS = {
    "title": "options.title",
    "invited": "options.invited_player_ids",
    "spectator_delay": "options.spectator_delay",
    "seed": "seed",
    "draw": "options.time_control.draw_time",
    "play": "options.time_control.play_time",
    "window": "options.time_control.call_window",
    "decision": "options.time_control.decision_time",
    "rebuy": "options.time_control.rebuy_time",
    "absent": "options.time_control.absent_time",
    "bank": "options.time_control.bank",
    "increment": "options.time_control.increment",
    "grace": "options.time_control.disconnect_grace",
    "between_deals": "options.time_control.between_deals",
    "absent_after": "options.time_control.absent_after",
    "stand_in": "options.time_control.stand_in",
}


def _term(error: InvalidTerms) -> Told:
    return invalid(InvalidRequest(Violation(_TERM_FIELDS[error.term], error.reason)))


def _places(error: InvalidPlaces) -> Told:
    return invalid(InvalidRequest(Violation("places", error.reason)))


def _table_seats(error: TableSeats) -> Told:
    return seats_told(error.error, error.field)


def _hidden(error: NotInvited) -> Told:
    """Tell of a private table what is told of one that was never there."""
    return _not_found(NotFound("table", error.table_id))


def seats_told(error: SeatsError, field: str = "options.knockout.seats_per_table") -> Told:
    """Return what is told of a number of seats; ``field`` is where the request has it."""
    names = ("rule_set", "seats", "min_seats", "max_seats", "clause")
    facts = {name: fact_text(getattr(error, name)) for name in names}
    problem = "{rule_set} seats {min_seats} to {max_seats}, not {seats} ({clause})".format(**facts)
    violation = Violation(field, problem)
    return Told(_Code.INVALID_ARGUMENT, "SEATS_NOT_ALLOWED", problem, facts, (violation,))


_not_found = Row(
    _Code.NOT_FOUND, "NOT_FOUND", "there is no {what} {id}; check the id", ("what", "id")
)

TABLE_ROWS: dict[type[Exception], Callable[[Any], Told]] = {
    NotSeated: Row(
        _Code.PERMISSION_DENIED,
        "NOT_SEATED",
        "the player of this token has no seat at table {table_id}; only who sits there acts",
        ("table_id",),
    ),
    HouseBotSeat: Row(
        _Code.PERMISSION_DENIED,
        "HOUSE_BOT_SEAT",
        "the house bot {bot} plays seat {seat}; nobody else may act for it",
        ("table_id", "seat", "bot"),
    ),
    NotFound: _not_found,
    NotInvited: _hidden,
    InvalidTerms: _term,
    InvalidPlaces: _places,
    TableSeats: _table_seats,
    TooLate: Row(
        _Code.FAILED_PRECONDITION,
        "TOO_LATE",
        "the time of this decision was over {late_ms} ms before the call came; the arena plays it",
        ("table_id", "late_ms"),
    ),
    NotDirector: Row(
        _Code.PERMISSION_DENIED,
        "NOT_DIRECTOR",
        "only who created the table, or the host of its tournament, and administrators may do this",
        ("table_id",),
    ),
    WrongLife: Row(
        _Code.FAILED_PRECONDITION,
        "WRONG_STATUS",
        "table {table_id} is {status}; this can be done only while it is {wanted}",
        ("table_id", "status", "wanted"),
    ),
    NeverPlayed: Row(
        _Code.FAILED_PRECONDITION,
        "NEVER_PLAYED",
        "table {table_id} was called off before a card was dealt; its log can be had as JSON lines",
        ("table_id",),
    ),
    NotStarted: Row(
        _Code.FAILED_PRECONDITION,
        "NOT_STARTED",
        "the game of table {table_id} has not started; wait until every seat is taken and ready",
        ("table_id",),
    ),
    CannotSit: Row(
        _Code.FAILED_PRECONDITION,
        "CANNOT_SIT",
        "player {player_id} has the role {role}, and only players and bots hold seats",
        ("player_id", "role"),
    ),
    SeatOccupied: Row(
        _Code.FAILED_PRECONDITION,
        "SEAT_TAKEN",
        "somebody sits at seat {seat}; take another, or leave the choice to the server",
        ("table_id", "seat"),
    ),
    AlreadySeated: Row(
        _Code.FAILED_PRECONDITION,
        "ALREADY_SEATED",
        "the player has seat {seat} of this table; leave it before taking another",
        ("table_id", "seat"),
    ),
    TableFull: Row(
        _Code.FAILED_PRECONDITION,
        "TABLE_FULL",
        "all {seats} seats of table {table_id} are taken; find another with ListTables",
        ("table_id", "seats"),
    ),
    NoSuchSeat: Row(
        _Code.INVALID_ARGUMENT,
        "NO_SUCH_SEAT",
        "table {table_id} has the seats 0 to {last_seat}, and no seat {seat}",
        ("table_id", "seat", "last_seat"),
    ),
    SeatsFree: Row(
        _Code.FAILED_PRECONDITION,
        "SEATS_FREE",
        "{free} seats of table {table_id} are free; fill them before the game starts",
        ("table_id", "free"),
    ),
    TooManyTables: Row(
        _Code.FAILED_PRECONDITION,
        "TOO_MANY_TABLES",
        "you created {most} tables that have not ended, as many as one may have; close some first",
        ("most",),
    ),
    HeldByTournament: Row(
        _Code.FAILED_PRECONDITION,
        "TOURNAMENT_PAUSED",
        "table {table_id} is paused with tournament {tournament_id}; resume the tournament",
        ("table_id", "tournament_id"),
    ),
    InTournament: Row(
        _Code.FAILED_PRECONDITION,
        "IN_TOURNAMENT",
        "tournament or ladder {tournament_id} waits for a result of table {table_id}; adjudicate "
        "it instead",
        ("table_id", "tournament_id"),
    ),
    TableSealed: Row(
        _Code.FAILED_PRECONDITION,
        "TABLE_SEALED",
        "table {table_id} plays deals that others still play; ask again when the round is over",
        ("table_id",),
    ),
    SlowConsumer: Row(
        _Code.RESOURCE_EXHAUSTED,
        "SLOW_CONSUMER",
        "the stream was read more slowly than events came; watch again after {after_sequence}",
        ("after_sequence",),
    ),
    SeatsError: seats_told,
}
"""Every exception that a use case on a table raises on purpose."""
