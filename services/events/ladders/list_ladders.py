"""Which ladders and arenas there are."""

from __future__ import annotations

from dataclasses import dataclass

from services.state.context import Context
from services.state.indexes import Place
from services.state.store import NotFound

from .ladder import INDEX, LadderSnapshot, read_ladder


@dataclass(frozen=True, slots=True)
class LadderPage:
    """Ladders in order of creation; the list goes on after ``last``, None at its end."""

    ladders: tuple[LadderSnapshot, ...]
    last: Place | None


async def list_ladders(ctx: Context, *, after: Place | None, limit: int) -> LadderPage:
    """Return up to ``limit`` ladders created after the one at a place (None for the first)."""
    places = await ctx.store.index_page(INDEX, after=after, limit=limit)
    found = []
    for place in places:
        try:
            found.append(await read_ladder(ctx, place.entity))
        except NotFound:
            continue  # its creation never finished, or it is not kept any more
    return LadderPage(tuple(found), places[-1] if len(places) == limit else None)
