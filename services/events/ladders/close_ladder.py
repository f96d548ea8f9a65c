"""A ladder's host ends it: no new table opens, those that are open are played out."""

from __future__ import annotations

from services.events.principals import HOSTS, Principal
from services.state.context import Context
from services.state.ladder_log import LadderClosed
from services.state.ladder_records import LadderStatus

from .change import hold_ladder
from .ladder import LadderSnapshot, read_ladder


async def close_ladder(
    ctx: Context,
    principal: Principal,
    *,
    ladder_id: str,
    reason: str = "",
    validate_only: bool = False,
) -> LadderSnapshot:
    """Close a ladder and return it; one that is closed stays so.

    With ``validate_only`` nothing is stored. Raises NotFound, NotAllowed, Busy.
    """
    principal.require(*HOSTS)
    async with hold_ladder(ctx, ladder_id) as change:
        record = change.record
        principal.require_host_of("ladder", record.created_by)
        closed = record.status is not LadderStatus.OPEN
        if not closed:
            record.status, record.reason = LadderStatus.CLOSING, reason
            record.ends_ms, record.look_ms, record.season_ends = change.now_ms, 0, 0
            change.events.append(LadderClosed(principal.player_id, reason))
            if not record.open:
                change.finish()
        if closed or validate_only:
            return LadderSnapshot(ladder_id, record, change.held.seq)
        await change.commit()
    return await read_ladder(ctx, ladder_id)
