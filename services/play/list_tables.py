"""Which public tables there are."""

from __future__ import annotations

from dataclasses import dataclass

from rummy_arena.game.actions import NONE
from services.state.context import Context
from services.state.errors import CorruptRecord, NotFound
from services.state.records import Life, Visibility
from services.state.tables import table_record

from .change import OPEN_MS
from .create_table import INDEX
from .read_table import TableSnapshot, snapshot_of
from .table import TABLES
from .table_then import record_listed

LIVE = (Life.OPEN, Life.PLAYING, Life.PAUSED)
MOST_LOOKED_AT = 500
"""So many tables are read for one page at most, however few of them are asked for."""


@dataclass(frozen=True, slots=True)
class TablePage:
    """Some tables; ``last`` is the id after which the list goes on, "" at its end."""

    tables: tuple[TableSnapshot, ...]
    last: str


async def list_tables(
    ctx: Context,
    *,
    after: str,
    limit: int,
    lives: tuple[Life, ...] = LIVE,
    rule_set: str = "",
) -> TablePage:
    """Return public tables in order of creation, without their games.

    Those of tournaments are listed by their brackets. A page may have fewer than ``limit``, and
    more may follow. Ids of tables that are not kept any more are dropped from the list. Raises
    NotFound for an id ``after`` that is not in it any more.
    """
    gone: list[str] = []
    page = await _page(ctx, after, limit, lives, rule_set, gone)
    # Not one that is just being created, nor the one from which the next page goes on.
    dropped = [table_id for table_id in gone if table_id != page.last]
    await ctx.store.index_drop(INDEX, dropped, before=ctx.now_ms() - OPEN_MS)
    return page


async def _page(
    ctx: Context, after: str, limit: int, lives: tuple[Life, ...], rule_set: str, gone: list[str]
) -> TablePage:
    found: list[TableSnapshot] = []
    looked_at = 0
    while looked_at < MOST_LOOKED_AT:
        size = min(limit, MOST_LOOKED_AT - looked_at)
        ids = await ctx.store.index_page(INDEX, after=after, limit=size)
        looked_at += size
        for table_id in ids:
            after = table_id
            snapshot = await _listed(ctx, table_id, gone)
            if snapshot is None:
                continue
            if snapshot.life in lives and rule_set in ("", snapshot.rule_set):
                found.append(snapshot)
                if len(found) == limit:
                    return TablePage(tuple(found), after)
        if len(ids) < size:
            return TablePage(tuple(found), "")
    return TablePage(tuple(found), after)


async def _listed(ctx: Context, table_id: str, gone: list[str]) -> TableSnapshot | None:
    """Return a table without its game; None if it is not public, or not there and so ``gone``.

    One that is damaged does not hide the others.
    """
    try:
        stored = await ctx.store.read(TABLES, table_id)
        record, _ = table_record(table_id, stored.data)
    except NotFound:
        gone.append(table_id)
        return None
    except CorruptRecord:
        return None
    if record.terms.visibility is not Visibility.PUBLIC:
        return None
    listed = record_listed(record, ctx.now_ms())
    sequence = stored.seq if listed is record else 0
    return snapshot_of(table_id, listed, None, NONE, sequence)
