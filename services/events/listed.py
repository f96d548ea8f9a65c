"""What stands in a list of events, in order of creation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from services.state.context import Context
from services.state.errors import CorruptRecord, NotFound
from services.state.indexes import Place

CREATED_MS = 3_600_000
"""What is created is in its list just before it is there; what is not by now never will be."""
T = TypeVar("T")


async def listed(
    ctx: Context,
    index: str,
    read: Callable[[Context, str], Awaitable[T]],
    *,
    after: Place | None,
    limit: int,
) -> tuple[tuple[T, ...], Place | None]:
    """Return up to ``limit`` of what a list has after a place (None for its beginning).

    With it where the list goes on, None at its end. What is not kept any more leaves the list, and
    what is damaged does not hide the rest.
    """
    places = await ctx.store.index_page(index, after=after, limit=limit)
    found, gone = [], []
    for place in places:
        try:
            found.append(await read(ctx, place.entity))
        except NotFound:
            gone.append(place.entity)
        except CorruptRecord:
            continue
    await ctx.store.index_drop(index, gone, before=ctx.now_ms() - CREATED_MS)
    return tuple(found), places[-1] if len(places) == limit else None
