"""An entrant says that it is there, before the start."""

from __future__ import annotations

from services.state.context import Context
from services.state.records import Status
from services.state.store import Held
from services.state.tournament_log import CheckedIn

from .change_tournament import Altered, Request, change_tournament
from .entrants import entrant_of, require_power_over_entrant
from .errors import NotNow
from .presence import gone
from .principals import Principal
from .schedule import check_in_opens_ms
from .tournament import require_status
from .tournament_parts import Draft, copied


async def check_in(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    player_id: str,
    *,
    request_id: str = "",
) -> int:
    """Check an entrant in and return its number; one who has checked in stays so.

    Raises NotFound, UnknownEntrant, NotAllowed, WrongStatus, NotNow, Busy, RequestReused.
    """

    async def alter(held: Held, draft: Draft) -> Altered:
        record, now_ms = draft.record, ctx.now_ms()
        require_power_over_entrant(principal, record, player_id)
        require_status(tournament_id, record, Status.REGISTERING)
        opens_ms = check_in_opens_ms(record.schedule)
        if not opens_ms:
            raise NotNow("check-in", "nobody has to check in")
        if now_ms < opens_ms:
            raise NotNow("check-in", f"it opens in {(opens_ms - now_ms + 999) // 1000} s")
        if now_ms >= record.schedule.start_ms:
            raise NotNow("check-in", "it is over")
        number, entrant = await entrant_of(ctx, held.id, player_id)
        if gone(entrant):
            raise NotNow("check-in", "the entrant has withdrawn; return first")
        if entrant.checked_in_ms:
            return Altered(number=number)
        draft.put_entrant(number, copied(entrant, checked_in_ms=now_ms))
        record.checked_in += 1
        return Altered([CheckedIn(number, principal.player_id)], number=number)

    request = Request(request_id, ("check in", player_id))
    number, _ = await change_tournament(ctx, tournament_id, request, alter)
    return number
