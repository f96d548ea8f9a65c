"""An entrant leaves a ladder."""

from __future__ import annotations

from services.events.errors import LadderOver, NotEntered
from services.events.principals import HOSTS, PLAYING, Principal
from services.state.context import Context
from services.state.ladder_records import LadderEntrantRecord, LadderStatus

from .change import hold_ladder
from .ladder import number_of, read_entrants


async def leave_ladder(
    ctx: Context,
    principal: Principal,
    *,
    ladder_id: str,
    player_id: str,
    reason: str = "",
    request_id: str = "",
) -> tuple[int, LadderEntrantRecord]:
    """Take a player off the ladder, and return it; one who has left stays so.

    Its tables are played on and count. Players leave themselves, the ladder's host takes off
    anybody; a repeat of a request changes nothing. Raises NotFound, NotAllowed, NotEntered,
    LadderOver, RequestReused, Busy.
    """
    principal.require(*(PLAYING if principal.player_id == player_id else HOSTS))
    async with hold_ladder(ctx, ladder_id) as change:
        record = change.record
        if principal.player_id != player_id:
            principal.require_host_of("ladder", record.created_by)
        number = await number_of(ctx, ladder_id, player_id)
        if number is None:
            raise NotEntered(ladder_id, player_id)
        entrant = (await read_entrants(ctx, ladder_id, record, [number]))[number]
        if await change.is_repeat(request_id, ("leave_ladder", player_id, reason)):
            return number, entrant
        if entrant.gone:
            if change.answer and record.status is not LadderStatus.FINISHED:
                await change.commit()
            return number, entrant
        if record.status is LadderStatus.FINISHED:
            raise LadderOver(ladder_id)
        await change.take_off(number, entrant, by=principal.player_id, reason=reason)
        change.call()
        await change.commit()
    return number, entrant
