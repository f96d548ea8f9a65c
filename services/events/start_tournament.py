"""Close registration, pair the first round, and send for its tables."""

from __future__ import annotations

from rummy_arena.tournament.errors import UnevenField
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.stages import next_round, plan
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.records import Status, TournamentRecord
from services.state.tournament_log import Started

from .advance_tournament import commit_tournament, open_round
from .pairing import course_of
from .principals import HOSTS, Principal
from .tournament import (
    LEASE_MS,
    TOURNAMENTS,
    TournamentSnapshot,
    read_tournament,
    require_status,
)


async def start_tournament(
    ctx: Context, principal: Principal, *, tournament_id: str
) -> TournamentSnapshot:
    """Start the tournament and return it; one that already runs is returned as it is.

    Raises NotFound, NotAllowed, WrongStatus when it is over, UnevenField when the number of
    entrants cannot be seated, Busy.
    """
    principal.require(*HOSTS)
    held = await ctx.store.acquire(TOURNAMENTS, tournament_id, lease_ms=LEASE_MS, wait_s=10.0)
    try:
        record = TOURNAMENT.decode(held.data)
        principal.require_host_of("tournament", record.created_by)
        if record.status is Status.RUNNING:
            await ctx.store.release(held)
            return await read_tournament(ctx, tournament_id)
        require_status(tournament_id, record, Status.REGISTERING)
        paired = first_round(record)
    except BaseException:
        await ctx.store.release(held)
        raise
    record.status, record.started_ms = Status.RUNNING, ctx.now_ms()
    started, messages = open_round(ctx, tournament_id, record, paired)
    await commit_tournament(ctx, held, record, [Started(len(record.entrants)), started], messages)
    ctx.meters.count_tournament(record.rule_set, "started")
    return await read_tournament(ctx, tournament_id)


def first_round(record: TournamentRecord) -> Round:
    """Return the first round; raises UnevenField."""
    course = course_of(record, record.entrants, ())
    plan(course.stages, len(record.entrants))
    paired = next_round(course)
    if paired is None:
        raise UnevenField(len(record.entrants), ())
    return paired
