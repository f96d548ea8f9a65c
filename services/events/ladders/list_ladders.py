"""Which ladders and arenas there are."""

from __future__ import annotations

from dataclasses import dataclass

from services.events.listed import listed
from services.state.context import Context
from services.state.indexes import Place

from .ladder import INDEX, LadderSnapshot, read_ladder


@dataclass(frozen=True, slots=True)
class LadderPage:
    """Ladders in order of creation; the list goes on after ``last``, None at its end."""

    ladders: tuple[LadderSnapshot, ...]
    last: Place | None


async def list_ladders(ctx: Context, *, after: Place | None, limit: int) -> LadderPage:
    """Return up to ``limit`` ladders created after the one at a place (None for the first).

    What is not kept any more leaves the list, and one that is damaged does not hide the others.
    """
    return LadderPage(*await listed(ctx, INDEX, read_ladder, after=after, limit=limit))
