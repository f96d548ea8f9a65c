"""Entry conditions and schedules of tournaments: what hosts ask for, and what is shown."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from rummy_arena.api.v1 import tournament_pb2 as pb
from services.events.entry import (
    LONGEST_CODE,
    MOST_ALLOWED,
    SHORTEST_CODE,
    allowed_digest,
    code_digest,
)
from services.state.records import Entry, Schedule

from .convert_terms import duration, duration_ms
from .convert_times import timestamp_or_none
from .violations import Fields

HIDDEN_CODE = "********"
_LATEST_S = 253_402_300_799
"""The last second of the year 9999, after which a Timestamp has none."""


def entry_of(fields: Fields, options: pb.TournamentOptions) -> Entry:
    """Return the entry conditions that a host asks for."""
    asked = options.entry
    code = asked.invitation_code
    if code and not (SHORTEST_CODE <= len(code) <= LONGEST_CODE and code.isprintable()):
        fields.refuse(
            "options.entry.invitation_code",
            f"give {SHORTEST_CODE} to {LONGEST_CODE} printable characters",
        )
    return Entry(
        roles=tuple(sorted(set(asked.roles))),
        code=code_digest(code) if code else b"",
        allowed=allowed_digest(asked.allowed_player_ids),
        no_bots=asked.no_bots,
        ladder_id=fields.id("options.entry.ladder_id", asked.ladder_id) if asked.ladder_id else "",
        min_rating=asked.min_rating if asked.HasField("min_rating") else None,
        max_rating=asked.max_rating if asked.HasField("max_rating") else None,
        max_per_owner=asked.max_per_owner,
    )


def code_of(fields: Fields, code: str) -> str:
    """Return the code that somebody sends, blanks and all: a host may have chosen some."""
    if len(code) > LONGEST_CODE:
        fields.refuse("invitation_code", f"give at most {LONGEST_CODE} characters")
    return code


def allowed_of(fields: Fields, options: pb.TournamentOptions) -> tuple[str, ...]:
    """Return who alone may enter; none where everybody may."""
    players = options.entry.allowed_player_ids
    field = "options.entry.allowed_player_ids"
    if len(players) > MOST_ALLOWED:
        fields.refuse(field, f"give at most {MOST_ALLOWED} players")
        return ()
    for place, player_id in enumerate(players):
        fields.id(f"{field}[{place}]", player_id)
    return tuple(sorted(set(players)))


def entry_message(entry: Entry) -> pb.EntryConditions | None:
    """Return entry conditions as a message, without codes and lists; None where there are none."""
    if entry == Entry():
        return None
    return pb.EntryConditions(
        roles=entry.roles,
        invitation_code=HIDDEN_CODE if entry.code else "",
        no_bots=entry.no_bots,
        ladder_id=entry.ladder_id,
        min_rating=entry.min_rating,
        max_rating=entry.max_rating,
        max_per_owner=entry.max_per_owner,
    )


def schedule_of(fields: Fields, options: pb.TournamentOptions) -> Schedule:
    """Return when a tournament is to start and how long it waits, as a host asks for it."""
    return Schedule(
        start_ms=time_ms(fields, "options.start_time", options.start_time)
        if options.HasField("start_time")
        else 0,
        when_full=options.start_when_full,
        min_entrants=options.min_entrants,
        check_in_ms=duration_ms(fields, "options.check_in_time", options.check_in_time),
        late_rounds=options.late_entry_rounds,
        break_ms=duration_ms(fields, "options.break_between_rounds", options.break_between_rounds),
        round_ms=duration_ms(fields, "options.round_time", options.round_time),
    )


def time_ms(fields: Fields, field: str, message: Timestamp) -> int:
    """Return a time in milliseconds; refuse what is none."""
    if not (0 < message.seconds <= _LATEST_S and 0 <= message.nanos < 10**9):
        fields.refuse(field, "give a time, in seconds and nanoseconds since 1970 (UTC)")
        return 0
    return message.seconds * 1000 + message.nanos // 1_000_000


def add_schedule(message: pb.TournamentOptions, schedule: Schedule) -> None:
    """Put a schedule into a tournament's options."""
    if start := timestamp_or_none(schedule.start_ms):
        message.start_time.CopyFrom(start)
    message.start_when_full = schedule.when_full
    message.min_entrants = schedule.min_entrants
    if schedule.check_in_ms:
        message.check_in_time.CopyFrom(duration(schedule.check_in_ms))
    message.late_entry_rounds = schedule.late_rounds
    if schedule.round_ms:
        message.round_time.CopyFrom(duration(schedule.round_ms))
    if schedule.break_ms:
        message.break_between_rounds.CopyFrom(duration(schedule.break_ms))
