"""A tournament as a change leaves it, or would."""

from __future__ import annotations

from services.state.context import Context

from .tournament import TournamentSnapshot, read_tournament
from .tournament_parts import Draft


async def drafted(
    ctx: Context, tournament_id: str, changed: tuple[int, Draft | None], *, preview: bool = False
) -> TournamentSnapshot:
    """Return the tournament after a change, or, of a preview, as it would be; raises NotFound."""
    snapshot = await read_tournament(ctx, tournament_id)
    _, draft = changed
    if preview and draft is not None:
        return TournamentSnapshot(tournament_id, draft.record, snapshot.sequence)
    return snapshot
