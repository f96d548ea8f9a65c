"""Which ladders and arenas there are."""

from __future__ import annotations

from dataclasses import dataclass

from services.state.context import Context
from services.state.errors import CorruptRecord, NotFound
from services.state.indexes import Place

from .ladder import INDEX, LadderSnapshot, read_ladder

CREATED_MS = 3_600_000
"""A ladder is in the list just before it is there; one that is not by now never will be."""


@dataclass(frozen=True, slots=True)
class LadderPage:
    """Ladders in order of creation; the list goes on after ``last``, None at its end."""

    ladders: tuple[LadderSnapshot, ...]
    last: Place | None


async def list_ladders(ctx: Context, *, after: Place | None, limit: int) -> LadderPage:
    """Return up to ``limit`` ladders created after the one at a place (None for the first).

    What is not kept any more leaves the list, and one that is damaged does not hide the others.
    """
    places = await ctx.store.index_page(INDEX, after=after, limit=limit)
    found, gone = [], []
    for place in places:
        try:
            found.append(await read_ladder(ctx, place.entity))
        except NotFound:
            gone.append(place.entity)
        except CorruptRecord:
            continue
    await ctx.store.index_drop(INDEX, gone, before=ctx.now_ms() - CREATED_MS)
    return LadderPage(tuple(found), places[-1] if len(places) == limit else None)
