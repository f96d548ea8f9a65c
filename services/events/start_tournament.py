"""Close registration, pair the first round, and send for its tables."""

from __future__ import annotations

import asyncio

from rummy_arena.tournament.errors import UnevenField
from services.state.context import Context
from services.state.messages import AdvanceTournament, Message
from services.state.records import Status
from services.state.store import Held
from services.state.tournament_log import Started, TournamentEvent, Withdrawn

from .change_tournament import Altered, Request, change_tournament
from .endings import cancelled
from .presence import gone
from .principals import HOSTS, Principal
from .rounds import first_round, open_round
from .tournament import TournamentSnapshot, read_tournament, require_status
from .tournament_parts import Draft, copied, read_entrants

NO_CHECK_IN = "did not check in"
AT_ONCE = 500
"""Entrants who did not check in that one commit takes out."""

Step = tuple[list[TournamentEvent], list[Message]]


async def start_tournament(
    ctx: Context, principal: Principal, *, tournament_id: str, request_id: str = ""
) -> TournamentSnapshot:
    """Start the tournament and return it; one that already runs is returned as it is.

    Nobody has to have checked in. ``request_id`` is the caller's own. Raises NotFound, NotAllowed,
    WrongStatus when it is over, UnevenField when the number of entrants cannot be seated, Busy,
    RequestReused.
    """
    principal.require(*HOSTS)

    async def alter(held: Held, draft: Draft) -> Altered:
        principal.require_host_of("tournament", draft.record.created_by)
        if draft.record.status in (Status.RUNNING, Status.PAUSED):
            return Altered()
        require_status(tournament_id, draft.record, Status.REGISTERING)
        return Altered(*await _started(ctx, held, draft, principal.player_id))

    await change_tournament(ctx, tournament_id, Request(request_id, ("start",)), alter)
    return await read_tournament(ctx, tournament_id)


async def start_by_itself(ctx: Context, held: Held, draft: Draft) -> Step | None:
    """Start a tournament whose time has come, or call it off; None where it is not time yet."""
    record, schedule = draft.record, draft.record.schedule
    full = schedule.when_full and record.active >= record.capacity
    in_time = bool(schedule.start_ms) and ctx.now_ms() >= schedule.start_ms
    if not (full or in_time):
        return None
    if in_time and schedule.check_in_ms and record.checked_in < record.active:
        return await _without_those_missing(ctx, held, draft)
    fewest = max(schedule.min_entrants, 1)
    if record.active < fewest:
        return await cancelled(ctx, held.id, draft, _too_few(record.active, fewest))
    try:
        return await _started(ctx, held, draft)
    except UnevenField as error:
        return await cancelled(ctx, held.id, draft, str(error))


async def _started(ctx: Context, held: Held, draft: Draft, by: str = "") -> Step:
    record = draft.record
    entrants = await read_entrants(ctx, held.id, record)
    working = asyncio.to_thread(first_round, record, entrants)
    paired = await ctx.store.while_held(held, working)
    record.status, record.started_ms = Status.RUNNING, ctx.now_ms()
    started, messages = open_round(ctx, held.id, draft, paired)
    ctx.meters.count_tournament(record.rule_set, "started")
    return [Started(record.active, by), started], messages


async def _without_those_missing(ctx: Context, held: Held, draft: Draft) -> Step:
    """Take out who did not check in, some at a time, and come back for the rest and the start."""
    entrants = await read_entrants(ctx, held.id, draft.record)
    missing = [
        number
        for number, entrant in enumerate(entrants, start=1)
        if not (entrant.checked_in_ms or gone(entrant))
    ]
    events: list[TournamentEvent] = []
    for number in missing[:AT_ONCE]:
        draft.put_entrant(number, copied(entrants[number - 1], stays=((1, 1),)))
        draft.record.active -= 1
        events.append(Withdrawn(number, 0, "", NO_CHECK_IN))
    return events, [AdvanceTournament(held.id)]


def _too_few(entrants: int, fewest: int) -> str:
    if not entrants:
        return "nobody has entered"
    return f"{entrants} entered, and {fewest} are needed"
