"""How many tables one player may keep: whoever is no host cannot fill the arena with them."""

from __future__ import annotations

import asyncio

from services.state.context import Context
from services.state.errors import CorruptRecord, NotFound
from services.state.records import ENDED
from services.state.tables import table_record

from .errors import TooManyTables
from .rights import SEEDERS, Person
from .table import TABLES

MOST_TABLES = 20
"""Tables that have not ended, of one player. Of calls that come at once a few more may pass."""


async def note_creation(ctx: Context, person: Person, table_id: str) -> None:
    """Count a table that the person is about to create; one that is counted already is no more.

    Raises TooManyTables.
    """
    if person.role in SEEDERS:
        return
    index = f"tables of {person.player_id}"
    ids = [
        place.entity for place in await ctx.store.index_page(index, after=None, limit=MOST_TABLES)
    ]
    if table_id in ids:
        return
    if len(ids) >= MOST_TABLES:
        ended = await asyncio.gather(*(_has_ended(ctx, one) for one in ids))
        gone = [one for one, over in zip(ids, ended, strict=True) if over]
        if not gone:
            raise TooManyTables(person.player_id, MOST_TABLES)
        await ctx.store.index_drop(index, gone, before=ctx.now_ms() + 1)
    await ctx.store.index_add(index, table_id, ctx.now_ms())


async def _has_ended(ctx: Context, table_id: str) -> bool:
    """Return whether a table is over, or not there; one that is damaged is not over."""
    try:
        stored = await ctx.store.read(TABLES, table_id)
        record, _ = table_record(table_id, stored.data)
    except NotFound:
        return True
    except CorruptRecord:
        return False
    return record.life in ENDED
