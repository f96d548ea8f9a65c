"""Storing a tournament with what happened, what it owes, and when to look at it again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.messages import Message, encode_message
from services.state.records import Status, TournamentRecord
from services.state.store import Answer, Batch, Held
from services.state.tournament_log import TournamentEvent, encode_tournament_events

from .tournament import MOST_DOUBLINGS, WATCHDOG_MS
from .tournament_parts import Draft

START_AGAIN_MS = 1_000
"""A full tournament whose start went missing on the way is started after so long."""


async def commit_tournament(
    ctx: Context,
    held: Held,
    draft: Draft,
    events: Sequence[TournamentEvent],
    messages: Sequence[Message] = (),
    *,
    answer: Answer | None = None,
) -> None:
    """Commit the tournament with its parts. One that is over expires.

    Raises what ``Store.commit`` raises.
    """
    record = draft.record
    over = record.status in (Status.FINISHED, Status.CANCELLED)
    now_ms = ctx.now_ms()
    await ctx.store.commit(
        held,
        TOURNAMENT.encode(record),
        events=Batch(len(events), encode_tournament_events(events), now_ms),
        messages=tuple(map(encode_message, messages)),
        deadline_ms=next_look_ms(record, now_ms),
        answer=answer,
        expected_results=sum(head.tables for head in record.rounds) or None,
        ttl_ms=ctx.retention.tournaments_ms if over else None,
        parts=draft.parts,
    )


def next_look_ms(record: TournamentRecord, now_ms: int) -> int | None:
    """Return when the sweep is to look at a tournament; None where nothing is due by itself."""
    schedule = record.schedule
    if record.status is Status.REGISTERING:
        if schedule.when_full and record.active >= record.capacity:
            return now_ms + START_AGAIN_MS
        return max(schedule.start_ms, now_ms) if schedule.start_ms else None
    watchdog_ms = now_ms + (WATCHDOG_MS << min(record.stalls, MOST_DOUBLINGS))
    if record.status is Status.CANCELLED and not record.stalls:
        return watchdog_ms  # for tables whose message has gone missing
    if record.status not in (Status.RUNNING, Status.PAUSED):
        return None
    if record.status is Status.PAUSED:
        return watchdog_ms
    if record.begun < len(record.rounds):
        return min(watchdog_ms, max(record.rounds[-1].begins_ms, now_ms))
    end_ms = record.rounds[-1].ends_ms
    if end_ms and record.curtailed < len(record.rounds):
        return min(watchdog_ms, max(end_ms, now_ms))
    return watchdog_ms


def answer_of(request_id: str, fingerprint: bytes, reply: object) -> Answer | None:
    """Return the answer to keep for a request, None for one without an id."""
    if not request_id:
        return None
    return Answer(request_id, fingerprint, msgspec.msgpack.encode(reply))
