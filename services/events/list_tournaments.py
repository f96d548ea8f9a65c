"""Which tournaments there are."""

from __future__ import annotations

from dataclasses import dataclass

from services.state.context import Context
from services.state.indexes import Place

from .listed import listed
from .tournament import INDEX, TournamentSnapshot, read_tournament


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """Tournaments in order of creation; the list goes on after ``last``, None at its end."""

    tournaments: tuple[TournamentSnapshot, ...]
    last: Place | None


async def list_tournaments(ctx: Context, *, after: Place | None, limit: int) -> TournamentPage:
    """Return up to ``limit`` tournaments created after the one at a place (None for the first).

    What is not kept any more leaves the list, and one that is damaged does not hide the others.
    """
    return TournamentPage(*await listed(ctx, INDEX, read_tournament, after=after, limit=limit))
