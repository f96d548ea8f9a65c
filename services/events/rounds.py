"""Rounds of a tournament as they are opened: paired, put into the draft, sent for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rummy_arena.tournament.errors import UnevenField
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.stages import next_round, plan
from services.state.context import Context
from services.state.messages import Message, OpenTable, OpenTables
from services.state.records import EntrantRecord, RoundRecord, TournamentRecord
from services.state.tournament_log import RoundStarted

from .pairing import course_of, round_record
from .tournament_parts import Draft

MOST_MESSAGES = 64
"""Messages that send for the tables of one round. A larger round's tables share them, and are
taken one after another: so no message is too many for a commit, and no round fills the queues."""


def first_round(record: TournamentRecord, entrants: Sequence[EntrantRecord]) -> Round:
    """Return the first round; of a field of thousands in a while. Raises UnevenField."""
    course = course_of(record, entrants, ())
    here = sum(entrant.is_present(1) for entrant in course.field)
    plan(course.stages, here)
    paired = next_round(course)
    if paired is None:
        raise UnevenField(here, ())
    return paired


def open_round(
    ctx: Context, tournament_id: str, draft: Draft, paired: Round
) -> tuple[RoundStarted, list[Message]]:
    """Put a paired round into the draft; return its event and a message for each table.

    With a break before it there are no messages yet.
    """
    record = draft.record
    break_ms = record.schedule.break_ms
    round_ = round_record(
        paired, ctx.now_ms(), break_ms=break_ms, round_ms=record.schedule.round_ms
    )
    draft.put_round(round_)
    started = RoundStarted(round_.number, round_.tables, round_.byes, round_.begins_ms)
    return started, [] if break_ms else begin_round(tournament_id, record, round_)


def begin_round(tournament_id: str, record: TournamentRecord, round_: RoundRecord) -> list[Message]:
    """Note that a round has begun, and return what sends for its tables."""
    record.begun = round_.number
    return open_messages(tournament_id, round_)


def open_messages(
    tournament_id: str, round_: RoundRecord, done: Collection[int] = ()
) -> list[Message]:
    """Return the messages that send for every table of the round whose number is not done."""
    awaited = [number for number in range(1, len(round_.tables) + 1) if number not in done]
    if len(awaited) <= MOST_MESSAGES:
        return [OpenTable(tournament_id, round_.number, number) for number in awaited]
    firsts = sorted({1 + (number - 1) % MOST_MESSAGES for number in awaited})
    return [OpenTables(tournament_id, round_.number, first, MOST_MESSAGES) for first in firsts]


def replaced_messages(tournament_id: str, round_: RoundRecord) -> list[Message]:
    """Return what sends for the tables that are played again: for the game before, which is off."""
    return [
        OpenTable(tournament_id, round_.number, number, attempt - 1)
        for number, attempt in sorted(round_.attempts.items())
    ]
