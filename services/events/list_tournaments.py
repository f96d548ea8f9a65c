"""Which tournaments there are."""

from __future__ import annotations

from dataclasses import dataclass

from services.state.context import Context
from services.state.errors import CorruptRecord, NotFound
from services.state.indexes import Place

from .tournament import INDEX, TournamentSnapshot, read_tournament

CREATED_MS = 3_600_000
"""A tournament is in the list just before it is there; one that is not by now never will be."""


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """Tournaments in order of creation; the list goes on after ``last``, None at its end."""

    tournaments: tuple[TournamentSnapshot, ...]
    last: Place | None


async def list_tournaments(ctx: Context, *, after: Place | None, limit: int) -> TournamentPage:
    """Return up to ``limit`` tournaments created after the one at a place (None for the first).

    What is not kept any more leaves the list, and one that is damaged does not hide the others.
    """
    places = await ctx.store.index_page(INDEX, after=after, limit=limit)
    found, gone = [], []
    for place in places:
        try:
            found.append(await read_tournament(ctx, place.entity))
        except NotFound:
            gone.append(place.entity)
        except CorruptRecord:
            continue
    await ctx.store.index_drop(INDEX, gone, before=ctx.now_ms() - CREATED_MS)
    return TournamentPage(tuple(found), places[-1] if len(places) == limit else None)
