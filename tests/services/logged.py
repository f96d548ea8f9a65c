"""Tournaments whose logs grow as a test says."""

from __future__ import annotations

from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.principals import Principal
from services.events.stage_choices import knockout
from services.events.tournament import TOURNAMENTS
from services.state.context import Context
from services.state.logs import Batch
from services.state.tournament_log import Registered, encode_tournament_events

ADMIN = Principal("admin", "admin")


async def with_log(ctx: Context, *commits: int, host: Principal = ADMIN) -> str:
    """Return the id of a new tournament with so many events of each commit in its log."""
    options = TournamentOptions("Test", "kalooki-jamaican", knockout(4, 2))
    tournament = await create_tournament(ctx, host, options, tournament_id=ctx.new_id())
    for count in commits:
        await grow(ctx, tournament.id, count)
    return tournament.id


async def grow(ctx: Context, tournament_id: str, count: int = 1) -> None:
    """Append events to a tournament's log, all in one commit that leaves the rest as it is."""
    held = await ctx.store.acquire(TOURNAMENTS, tournament_id, lease_ms=5_000, wait_s=5.0)
    numbers = range(held.seq + 1, held.seq + count + 1)
    data = encode_tournament_events(Registered(n, f"p{n}", "name") for n in numbers)
    await ctx.store.commit(held, held.data, events=Batch(count, data, ctx.now_ms()))
