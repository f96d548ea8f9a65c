"""Which tournaments there are."""

from __future__ import annotations

from dataclasses import dataclass

from services.state.context import Context
from services.state.indexes import Place
from services.state.store import NotFound

from .tournament import INDEX, TournamentSnapshot, read_tournament


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """Tournaments in order of creation; the list goes on after ``last``, None at its end."""

    tournaments: tuple[TournamentSnapshot, ...]
    last: Place | None


async def list_tournaments(ctx: Context, *, after: Place | None, limit: int) -> TournamentPage:
    """Return up to ``limit`` tournaments created after the one at a place (None for the first)."""
    places = await ctx.store.index_page(INDEX, after=after, limit=limit)
    found = []
    for place in places:
        try:
            found.append(await read_tournament(ctx, place.entity))
        except NotFound:
            continue  # its creation never finished, or it is not kept any more
    return TournamentPage(tuple(found), places[-1] if len(places) == limit else None)
