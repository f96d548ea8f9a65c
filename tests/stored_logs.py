"""Logs of tables as they are stored, read whole."""

from __future__ import annotations

from rummy_arena.game.events import Event
from services.play.table import TABLES
from services.state.context import Context
from services.state.event_codec import decode_events
from services.state.table_log import TableEvent, game_events

MOST_BATCHES = 100_000


async def log_of(ctx: Context, table_id: str) -> list[TableEvent]:
    """Return everything that happened at a table."""
    batches = await ctx.store.read_log(TABLES, table_id, after=0, limit=MOST_BATCHES)
    return [event for batch in batches for event in decode_events(batch.data)]


async def game_log_of(ctx: Context, table_id: str) -> list[Event]:
    """Return what happened in its game, which can be replayed."""
    return game_events(await log_of(ctx, table_id))
