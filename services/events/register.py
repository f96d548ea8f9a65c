"""A player enters a tournament."""

from __future__ import annotations

import msgspec

from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.records import EntrantRecord, PlayerRecord, Status, TournamentRecord
from services.state.store import Held
from services.state.tournament_log import Registered

from .commit_tournament import answer_of, commit_tournament, fingerprint_of
from .errors import InvalidOption, TournamentFull
from .get_player import get_player
from .principals import HOSTS, PLAYING, Principal
from .tournament import LEASE_MS, TOURNAMENTS, require_status
from .tournament_parts import Draft, entrant_number


async def register(
    ctx: Context,
    principal: Principal,
    *,
    tournament_id: str,
    player_id: str,
    request_id: str = "",
) -> int:
    """Enter a player and return the entrant's number; a player who is in already keeps its own.

    Players enter themselves, the tournament's host anybody, and nobody a spectator. A
    ``request_id``, the caller's own, leads to the same answer once more. Raises NotFound (of the
    player or the tournament), NotAllowed, InvalidOption, WrongStatus, TournamentFull, Busy,
    RequestReused.
    """
    principal.require(*(PLAYING if principal.player_id == player_id else HOSTS))
    player = await get_player(ctx, player_id)
    if player.role not in PLAYING:
        raise InvalidOption("player_id", f"enter somebody who plays; the role is {player.role}")
    fingerprint = fingerprint_of(("register", player_id))
    held = await ctx.store.acquire(
        TOURNAMENTS,
        tournament_id,
        lease_ms=LEASE_MS,
        wait_s=10.0,
        request_id=request_id,
        fingerprint=fingerprint,
    )
    if held.reply is not None:
        return msgspec.msgpack.decode(held.reply, type=int)
    try:
        draft = Draft(TOURNAMENT.decode(held.data))
        number = await _entered(ctx, principal, held, draft, player_id, player)
    except BaseException:
        await ctx.store.release(held)
        raise
    events = [Registered(number, player_id, player.name)] if draft.parts else []
    answer = answer_of(request_id, fingerprint, number)
    if not events and answer is None:
        await ctx.store.release(held)
        return number
    await commit_tournament(ctx, held, draft, events, answer=answer)
    return number


async def _entered(
    ctx: Context,
    principal: Principal,
    held: Held,
    draft: Draft,
    player_id: str,
    player: PlayerRecord,
) -> int:
    """Return the number of the player's entrant, a new one unless there is one."""
    record = draft.record
    if principal.player_id != player_id:
        principal.require_host_of("tournament", record.created_by)
    known = await entrant_number(ctx, held.id, player_id)
    if known is not None:
        return known
    _require_room(held.id, record)
    return draft.enter(EntrantRecord(player_id, player.name, player.bot))


def _require_room(tournament_id: str, record: TournamentRecord) -> None:
    """Raise TournamentFull, also of one that has just started, or WrongStatus."""
    open_ = (Status.REGISTERING, Status.RUNNING, Status.PAUSED)
    if record.status in open_ and record.entrant_count >= record.capacity:
        raise TournamentFull(tournament_id, record.capacity)
    require_status(tournament_id, record, Status.REGISTERING)
