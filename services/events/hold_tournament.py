"""A director holds a tournament, lets it go on, or calls it off."""

from __future__ import annotations

from services.state.context import Context
from services.state.messages import AdvanceTournament, Message
from services.state.records import Status
from services.state.store import Held
from services.state.tournament_log import Paused, Resumed

from .change_tournament import Altered, Request, change_tournament
from .direct import GOING_ON, require_director, require_one_of, require_reason
from .endings import cancelled
from .principals import Principal
from .rounds import open_messages
from .tournament import TournamentSnapshot
from .tournament_parts import Draft, copied, read_round, results_so_far
from .tournament_views import drafted


async def pause_tournament(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    *,
    reason: str,
    request_id: str = "",
    preview: bool = False,
) -> TournamentSnapshot:
    """Hold a running tournament and its tables; one that is held stays as it is.

    Raises NotFound, NotAllowed, InvalidOption, WrongStatus, Busy, RequestReused.
    """
    reason = require_reason(reason)

    async def alter(held: Held, draft: Draft) -> Altered:
        record = draft.record
        require_director(principal, record)
        require_one_of(tournament_id, record, Status.RUNNING, Status.PAUSED)
        if record.status is Status.PAUSED:
            return Altered()
        record.status, record.stalls = Status.PAUSED, 0
        record.paused_ms, record.pause_reason = ctx.now_ms(), reason
        messages = await _unfinished(ctx, held.id, draft)
        return Altered([Paused(principal.player_id, reason)], messages)

    request = Request(request_id, ("pause", reason), preview)
    changed = await change_tournament(ctx, tournament_id, request, alter)
    return await drafted(ctx, tournament_id, changed, preview=preview)


async def resume_tournament(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    *,
    request_id: str = "",
    preview: bool = False,
) -> TournamentSnapshot:
    """Let a tournament go on that is held, and its tables; one that runs stays as it is.

    A round that had not begun begins as much later, and the time of a round ends as much later.
    Raises NotFound, NotAllowed, WrongStatus, Busy, RequestReused.
    """

    async def alter(held: Held, draft: Draft) -> Altered:
        record = draft.record
        require_director(principal, record)
        require_one_of(tournament_id, record, Status.RUNNING, Status.PAUSED)
        if record.status is Status.RUNNING:
            return Altered()
        held_ms = ctx.now_ms() - record.paused_ms
        record.status, record.stalls = Status.RUNNING, 0
        record.paused_ms, record.pause_reason = 0, ""
        round_ = await read_round(ctx, held.id, record.rounds[-1])
        later_ms = held_ms if record.begun < round_.number else 0
        draft.put_round(
            copied(
                round_,
                begins_ms=round_.begins_ms + later_ms,
                ends_ms=round_.ends_ms + held_ms if round_.ends_ms else 0,
            )
        )
        messages = [*await _unfinished(ctx, held.id, draft), AdvanceTournament(held.id)]
        return Altered([Resumed(principal.player_id)], messages)

    request = Request(request_id, ("resume",), preview)
    changed = await change_tournament(ctx, tournament_id, request, alter)
    return await drafted(ctx, tournament_id, changed, preview=preview)


async def cancel_tournament(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    *,
    reason: str,
    request_id: str = "",
    preview: bool = False,
) -> TournamentSnapshot:
    """Call a tournament off, and its tables; one that is called off stays as it is.

    Raises NotFound, NotAllowed, InvalidOption, WrongStatus, Busy, RequestReused.
    """
    reason = require_reason(reason)

    async def alter(held: Held, draft: Draft) -> Altered:
        record = draft.record
        require_director(principal, record)
        if record.status is Status.CANCELLED:
            return Altered()
        require_one_of(tournament_id, record, *GOING_ON)
        by = principal.player_id
        if not preview:
            ctx.meters.count_tournament(record.rule_set, "cancelled")
        return Altered(*await cancelled(ctx, held.id, draft, reason, by))

    request = Request(request_id, ("cancel", reason), preview)
    changed = await change_tournament(ctx, tournament_id, request, alter)
    return await drafted(ctx, tournament_id, changed, preview=preview)


async def _unfinished(ctx: Context, tournament_id: str, draft: Draft) -> list[Message]:
    """Return what sends for every table that is being played."""
    record = draft.record
    if record.begun < len(record.rounds):
        return []
    round_ = await read_round(ctx, tournament_id, record.rounds[-1])
    done = {result.number for result in await results_so_far(ctx, tournament_id, round_)}
    return open_messages(tournament_id, round_, done)
