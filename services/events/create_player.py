"""Creating a player: a person, a program, or a house bot's."""

from __future__ import annotations

from rummy_arena.bots.registry import HOUSE_BOTS
from services.state.codec import PLAYER
from services.state.context import Context
from services.state.records import PlayerRecord

from .errors import InvalidOption, NotAllowed
from .get_player import PLAYERS, get_player
from .principals import HOSTS, ROLES, Principal

NAME_LENGTH = 80


async def create_player(
    ctx: Context, principal: Principal, *, name: str, role: str, bot: str, player_id: str
) -> tuple[str, PlayerRecord]:
    """Create a player, or a house bot's player when ``bot`` names one; return its id and record.

    ``player_id`` is derived from the request, so that a repeat creates nothing and returns the
    first player. Raises InvalidOption or NotAllowed.
    """
    principal.require(*HOSTS)
    if not 1 <= len(name.strip()) <= NAME_LENGTH:
        raise InvalidOption("name", f"give 1 to {NAME_LENGTH} characters")
    if role not in ROLES:
        raise InvalidOption("role", f"unknown role {role!r}; known: {', '.join(ROLES)}")
    if role in HOSTS and principal.role != "admin":
        raise NotAllowed(principal.role, ("admin",))
    if bot and bot not in HOUSE_BOTS:
        raise InvalidOption("bot", f"unknown house bot {bot!r}; known: {', '.join(HOUSE_BOTS)}")
    record = PlayerRecord(name.strip(), bot, role, principal.player_id, ctx.now_ms())
    if not await ctx.store.create(PLAYERS, player_id, PLAYER.encode(record)):
        record = await get_player(ctx, player_id)
    return player_id, record
