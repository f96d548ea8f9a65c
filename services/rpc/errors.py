"""The one table that says what each refusal of the house is to a caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf import any_pb2
from google.rpc import (  # type: ignore[import-untyped]  # has stubs but does not publish them
    error_details_pb2,
    status_pb2,
)

from rummy_arena.game.actions import HIGH, LOW
from rummy_arena.game.cards import RANK_TEXT, SUIT_TEXT, card_text, cards_text
from rummy_arena.game.errors import IllegalHere, Malformed, NotYourTurn, RuleViolation
from rummy_arena.rulesets import errors as rulesets
from rummy_arena.tournament.errors import InvalidFormat, UnevenField, UnknownFormat
from services.events.errors import (
    InvalidOption,
    LadderFull,
    LadderOver,
    NotAllowed,
    NotAuthenticated,
    NotEntered,
    OperatorsToken,
    ScopeMissing,
    TokenReplaced,
    TooManyTokens,
)
from services.state.errors import (
    Busy,
    Conflict,
    CursorTooOld,
    LeaseLost,
    RequestReused,
    StoreUnavailable,
)

from .refusals import (
    CursorAhead,
    Draining,
    Garbled,
    RateLimited,
    RequestIdReused,
    TooManyStreams,
)
from .rule_messages import RULE_MESSAGES
from .table_errors import TABLE_ROWS
from .told import Row, Told, fact_text, invalid
from .tournament_errors import TOURNAMENT_ROWS
from .violations import InvalidRequest, Violation

DOMAIN = "rummy-arena"
_ENDS = {LOW: "low", HIGH: "high"}
_LETTERS = {"rank": RANK_TEXT, "suit": SUIT_TEXT}

_Code = grpc.StatusCode


def _rule(code: grpc.StatusCode) -> Callable[[Any], Told]:
    def told(error: RuleViolation) -> Told:
        message = RULE_MESSAGES.get(error.code, "the rules do not allow this now")
        facts = {name: _card_fact(name, value) for name, value in error.facts.items()}
        return Told(code, error.code, message, {"clause": error.clause, **facts})

    return told


def _rate_limited(error: RateLimited) -> Told:
    facts = {name: fact_text(getattr(error, name)) for name in ("calls", "seconds", "retry_ms")}
    message = "{calls} calls in {seconds} s are allowed; call again in {retry_ms} ms".format(
        **facts
    )
    return Told(_Code.RESOURCE_EXHAUSTED, "RATE_LIMITED", message, facts, retry_ms=error.retry_ms)


# How options of the use cases are called in requests.
_OPTION_FIELDS = {
    "title": "options.title",
    "capacity": "options.capacity",
    "end_time": "options.end_time",
    "overtime": "options.overtime",
    "ranked_from": "options.ranked_from_games",
    "season_length": "options.season_length",
    "bot": "house_bot",
}
_SCHEDULE = (
    "start_time",
    "start_when_full",
    "min_entrants",
    "check_in_time",
    "late_entry_rounds",
    "break_between_rounds",
    "round_time",
)


def _option(error: InvalidOption | InvalidFormat) -> Told:
    field = _OPTION_FIELDS.get(error.option, error.option)
    if field.startswith(("stages[", "entry.")) or field in _SCHEDULE:
        field = f"options.{field}"
    return invalid(InvalidRequest(Violation(field, error.reason)))


TABLE: dict[type[Exception], Callable[[Any], Told]] = {
    InvalidRequest: invalid,
    InvalidOption: _option,
    InvalidFormat: _option,
    Garbled: Row(
        _Code.INVALID_ARGUMENT,
        "GARBLED_REQUEST",
        "the request is no message of the type that this call takes; send it as the .proto says",
    ),
    rulesets.UnknownRuleSet: Row(
        _Code.NOT_FOUND,
        "UNKNOWN_RULE_SET",
        "there is no rule set {rule_set}; there are: {known}",
        ("rule_set", "known"),
    ),
    UnknownFormat: Row(
        _Code.NOT_FOUND,
        "UNKNOWN_FORMAT",
        "there is no format {format_id}; there are: {known}",
        ("format_id", "known"),
    ),
    rulesets.UnknownOption: Row(
        _Code.INVALID_ARGUMENT,
        "UNKNOWN_OPTION",
        "{rule_set} has no option {option}; its options: {known}",
        ("rule_set", "option", "known"),
    ),
    rulesets.InvalidOption: Row(
        _Code.INVALID_ARGUMENT,
        "INVALID_OPTION",
        "option {option} of {rule_set} {reason} ({clause})",
        ("rule_set", "option", "value", "reason", "allowed", "clause"),
    ),
    **TABLE_ROWS,
    Malformed: _rule(_Code.INVALID_ARGUMENT),
    NotYourTurn: _rule(_Code.FAILED_PRECONDITION),
    IllegalHere: _rule(_Code.FAILED_PRECONDITION),
    NotAuthenticated: Row(
        _Code.UNAUTHENTICATED,
        "NOT_AUTHENTICATED",
        "the token is missing, unknown or has ended; send 'authorization: Bearer <token>'",
    ),
    NotAllowed: Row(
        _Code.PERMISSION_DENIED,
        "NOT_ALLOWED",
        "the role {role} may not do this; use a token of one of: {needed}",
        ("role", "needed"),
    ),
    ScopeMissing: Row(
        _Code.PERMISSION_DENIED,
        "SCOPE_MISSING",
        "this needs a token with the scope {scope}, and this one has {held}; ask for one that has",
        ("scope", "held"),
    ),
    TooManyTokens: Row(
        _Code.FAILED_PRECONDITION,
        "TOO_MANY_TOKENS",
        "player {player_id} has {most} tokens, as many as one may have; revoke some first",
        ("player_id", "most"),
    ),
    TokenReplaced: Row(
        _Code.FAILED_PRECONDITION,
        "TOKEN_REPLACED",
        "token {token_id} was rotated into {successor} before; use or rotate that one",
        ("token_id", "successor"),
    ),
    OperatorsToken: Row(
        _Code.FAILED_PRECONDITION,
        "OPERATORS_TOKEN",
        "this token is set where the servers run; change RUMMY_ARENA_ADMIN_TOKEN there",
    ),
    **TOURNAMENT_ROWS,
    LadderFull: Row(
        _Code.FAILED_PRECONDITION,
        "LADDER_FULL",
        "ladder {ladder_id} is full: all {capacity} places are taken",
        ("ladder_id", "capacity"),
    ),
    LadderOver: Row(
        _Code.FAILED_PRECONDITION,
        "LADDER_OVER",
        "ladder {ladder_id} has ended, or is about to; look for another with ListLadders",
        ("ladder_id",),
    ),
    NotEntered: Row(
        _Code.NOT_FOUND,
        "NOT_ENTERED",
        "player {player_id} never entered ladder {ladder_id}; EnterLadder does",
        ("ladder_id", "player_id"),
    ),
    UnevenField: Row(
        _Code.FAILED_PRECONDITION,
        "FIELD_CANNOT_BE_SEATED",
        "{entrants} entrants cannot be seated at the tables of this tournament, but {works} can",
        ("entrants", "works"),
    ),
    RequestIdReused: Row(
        _Code.INVALID_ARGUMENT,
        "REQUEST_ID_REUSED",
        "this request_id came with other content before; make a new one for each new request",
    ),
    RequestReused: Row(
        _Code.INVALID_ARGUMENT,
        "REQUEST_ID_REUSED",
        "this request_id came with other content before; make a new one for each new request",
    ),
    CursorTooOld: Row(
        _Code.OUT_OF_RANGE,
        "CURSOR_TOO_OLD",
        "events after {after} are not kept any more, the oldest is {first}; begin from a snapshot",
        ("after", "first"),
    ),
    CursorAhead: Row(
        _Code.OUT_OF_RANGE,
        "CURSOR_AHEAD",
        "the log ends at {last_sequence}; give a sequence up to that one",
        ("after_sequence", "last_sequence"),
    ),
    Busy: Row(
        _Code.ABORTED,
        "BUSY",
        "others are changing this at the same moment; send the same request again",
    ),
    LeaseLost: Row(
        _Code.ABORTED,
        "LEASE_LOST",
        "the change took too long and was given up; send the same request again",
    ),
    Conflict: Row(
        _Code.ABORTED,
        "CONFLICT",
        "somebody else changed this first; send the same request again",
    ),
    StoreUnavailable: Row(
        _Code.UNAVAILABLE,
        "STORE_UNAVAILABLE",
        "the arena cannot reach its store just now; send the same request again in a while",
    ),
    RateLimited: _rate_limited,
    TooManyStreams: Row(
        _Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_STREAMS",
        "this player has {most} streams open here, as many as one may; close some first",
        ("most",),
    ),
    Draining: Row(
        _Code.UNAVAILABLE,
        "DRAINING",
        "this server is about to stop; call again to reach another",
    ),
}
"""Every exception that a use case or the edge raises on purpose."""


def told(error: Exception) -> Told | None:
    """Return what the caller is told about an exception, or None if the table has no row."""
    for kind in type(error).__mro__:
        row = TABLE.get(kind)
        if row is not None:
            return row(error)
    return None


def incident(incident_id: str) -> Told:
    """Return what a caller is told when the fault is ours: an id, and nothing of the exception."""
    message = (
        f"the arena failed; send the same request again, and if that does not help tell the host "
        f"incident {incident_id}"
    )
    return Told(_Code.INTERNAL, "INTERNAL", message, {"incident": incident_id})


def status_of(what: Told) -> status_pb2.Status:
    """Return the google.rpc.Status of a refusal."""
    info = error_details_pb2.ErrorInfo(reason=what.reason, domain=DOMAIN, metadata=dict(what.facts))
    status = status_pb2.Status(code=what.code.value[0], message=what.message)
    status.details.append(_packed(info))
    if what.violations:
        bad = error_details_pb2.BadRequest()
        for field, problem in what.violations:
            bad.field_violations.add(field=field, description=problem)
        status.details.append(_packed(bad))
    if what.retry_ms:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(what.retry_ms)
        status.details.append(_packed(retry))
    return status


def _card_fact(name: str, value: Any) -> str:
    if name == "cards" and isinstance(value, tuple):
        return cards_text(value)
    if name in ("card", "top", "joker"):
        return card_text(value) if value >= 0 else ""
    if name in _LETTERS:
        return _LETTERS[name][value]
    if name == "end":
        return _ENDS.get(value, str(value))
    return fact_text(value)


def _packed(detail: Any) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(detail)
    return packed
