"""How many entrants of a tournament an owner has; who withdraws before the start counts no more."""

from __future__ import annotations

from services.state.context import Context

from .entry import owner_part
from .tournament import TOURNAMENTS
from .tournament_parts import Draft


async def owned(ctx: Context, tournament_id: str, owner: str) -> int:
    """Return how many entrants an owner has; none where there is no owner."""
    if not owner:
        return 0
    (count,) = await ctx.store.parts(TOURNAMENTS, tournament_id, [owner_part(owner)])
    return int(count or 0)


def put_owned(draft: Draft, owner: str, count: int) -> None:
    """Write how many entrants an owner has."""
    if owner:
        draft.parts[owner_part(owner)] = str(max(count, 0)).encode()
