"""A player enters a tournament."""

from __future__ import annotations

from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.records import EntrantRecord, Status
from services.state.store import Batch
from services.state.tournament_log import Registered, encode_tournament_events

from .errors import InvalidOption, TournamentFull
from .get_player import get_player
from .principals import HOSTS, PLAYING, Principal
from .tournament import LEASE_MS, TOURNAMENTS, require_status


async def register(
    ctx: Context, principal: Principal, *, tournament_id: str, player_id: str
) -> int:
    """Enter a player and return the entrant's number; a player who is in already keeps its own.

    Players enter themselves, the tournament's host anybody, and nobody a spectator. Raises NotFound
    (of the player or the tournament), NotAllowed, InvalidOption, WrongStatus, TournamentFull, Busy.
    """
    principal.require(*(PLAYING if principal.player_id == player_id else HOSTS))
    player = await get_player(ctx, player_id)
    if player.role not in PLAYING:
        raise InvalidOption("player_id", f"enter somebody who plays; the role is {player.role}")
    held = await ctx.store.acquire(TOURNAMENTS, tournament_id, lease_ms=LEASE_MS, wait_s=10.0)
    try:
        record = TOURNAMENT.decode(held.data)
        if principal.player_id != player_id:
            principal.require_host_of("tournament", record.created_by)
        for number, entrant in enumerate(record.entrants, start=1):
            if entrant.player_id == player_id:
                await ctx.store.release(held)
                return number
        require_status(tournament_id, record, Status.REGISTERING)
        if len(record.entrants) >= record.capacity:
            raise TournamentFull(tournament_id, record.capacity)
    except BaseException:
        await ctx.store.release(held)
        raise
    record.entrants.append(EntrantRecord(player_id, player.name, player.bot))
    number = len(record.entrants)
    event = encode_tournament_events([Registered(number, player_id, player.name)])
    await ctx.store.commit(held, TOURNAMENT.encode(record), events=Batch(1, event, ctx.now_ms()))
    return number
