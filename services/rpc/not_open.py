"""A table that the bracket names but nobody has opened yet is no wrong id."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.events.errors import TableNotOpen
from services.events.ladders.seat_ladder_table import ladder_will_open
from services.events.seat_table import will_open
from services.state.context import Context
from services.state.errors import NotFound


@asynccontextmanager
async def told_if_not_open(ctx: Context, table_id: str) -> AsyncIterator[None]:
    """Turn NotFound into TableNotOpen where the table is about to be opened."""
    try:
        yield
    except NotFound as missing:
        await raise_if_opening(ctx, table_id, missing)
        raise


async def raise_if_opening(ctx: Context, table_id: str, missing: NotFound) -> None:
    """Raise TableNotOpen if what is missing is a table that is about to be opened."""
    if missing.id != table_id:
        return
    if await ladder_will_open(ctx, table_id) or await will_open(ctx, table_id):
        raise TableNotOpen(table_id) from missing
