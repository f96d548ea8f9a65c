"""Close registration, pair the first round, and send for its tables."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rummy_arena.tournament.errors import UnevenField
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.stages import next_round, plan
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.records import EntrantRecord, Status, TournamentRecord
from services.state.tournament_log import Started, TournamentEvent

from .advance_tournament import open_round
from .commit_tournament import answer_of, commit_tournament, fingerprint_of
from .pairing import course_of
from .principals import HOSTS, Principal
from .tournament import (
    LEASE_MS,
    TOURNAMENTS,
    TournamentSnapshot,
    read_tournament,
    require_status,
)
from .tournament_parts import Draft, read_entrants


async def start_tournament(
    ctx: Context, principal: Principal, *, tournament_id: str, request_id: str = ""
) -> TournamentSnapshot:
    """Start the tournament and return it; one that already runs is returned as it is.

    ``request_id`` is the caller's own. Raises NotFound, NotAllowed, WrongStatus when it is over,
    UnevenField when the number of entrants cannot be seated, Busy, RequestReused.
    """
    principal.require(*HOSTS)
    fingerprint = fingerprint_of(("start",))
    held = await ctx.store.acquire(
        TOURNAMENTS,
        tournament_id,
        lease_ms=LEASE_MS,
        wait_s=10.0,
        request_id=request_id,
        fingerprint=fingerprint,
    )
    if held.reply is not None:
        return await read_tournament(ctx, tournament_id)
    try:
        draft = Draft(TOURNAMENT.decode(held.data))
        record = draft.record
        principal.require_host_of("tournament", record.created_by)
        if record.status is Status.RUNNING:
            await ctx.store.release(held)
            return await read_tournament(ctx, tournament_id)
        require_status(tournament_id, record, Status.REGISTERING)
        entrants = await read_entrants(ctx, tournament_id, record)
        paired = await asyncio.to_thread(first_round, record, entrants)
    except BaseException:
        await ctx.store.release(held)
        raise
    record.status, record.started_ms = Status.RUNNING, ctx.now_ms()
    started, messages = open_round(ctx, tournament_id, draft, paired)
    events: list[TournamentEvent] = [Started(record.entrant_count), started]
    answer = answer_of(request_id, fingerprint, None)
    await commit_tournament(ctx, held, draft, events, messages, answer=answer)
    ctx.meters.count_tournament(record.rule_set, "started")
    return await read_tournament(ctx, tournament_id)


def first_round(record: TournamentRecord, entrants: Sequence[EntrantRecord]) -> Round:
    """Return the first round; of a field of thousands in a while. Raises UnevenField."""
    course = course_of(record, entrants, ())
    plan(course.stages, len(entrants))
    paired = next_round(course)
    if paired is None:
        raise UnevenField(len(entrants), ())
    return paired
