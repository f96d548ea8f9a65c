"""Reading a player's record."""

from __future__ import annotations

from services.state.codec import PLAYER
from services.state.context import Context
from services.state.records import PlayerRecord

PLAYERS = "player"


async def get_player(ctx: Context, player_id: str) -> PlayerRecord:
    """Return a player's record; raises NotFound."""
    snapshot = await ctx.store.read(PLAYERS, player_id)
    return PLAYER.decode(snapshot.data)
