"""Finding an entrant of a tournament, and who may act for it."""

from __future__ import annotations

from services.state.context import Context
from services.state.records import EntrantRecord, TournamentRecord

from .errors import UnknownEntrant
from .principals import PLAYING, Principal
from .tournament_parts import entrant_number, read_some_entrants


async def entrant_of(ctx: Context, tournament_id: str, player_id: str) -> tuple[int, EntrantRecord]:
    """Return a player's number and entrant; raises UnknownEntrant, also of who was replaced."""
    number = await entrant_number(ctx, tournament_id, player_id)
    if number is not None:
        (entrant,) = await read_some_entrants(ctx, tournament_id, [number])
        if entrant.player_id == player_id:
            return number, entrant
    raise UnknownEntrant(tournament_id, f"player {player_id}")


async def numbered_entrant(
    ctx: Context, tournament_id: str, record: TournamentRecord, number: int
) -> EntrantRecord:
    """Return the entrant with this number; raises UnknownEntrant."""
    if not 1 <= number <= record.entrant_count:
        raise UnknownEntrant(tournament_id, f"number {number}")
    (entrant,) = await read_some_entrants(ctx, tournament_id, [number])
    return entrant


def require_power_over_entrant(
    principal: Principal, record: TournamentRecord, player_id: str
) -> None:
    """Raise NotAllowed unless it is the player itself, the tournament's host, or an admin."""
    if principal.player_id == player_id:
        principal.require(*PLAYING)
    else:
        principal.require_host_of("tournament", record.created_by)
