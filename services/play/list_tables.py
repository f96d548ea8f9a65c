"""Which public tables there are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from rummy_arena.game.actions import NONE
from services.state.context import Context
from services.state.errors import CorruptRecord, NotFound
from services.state.indexes import Place
from services.state.records import ENDED, Life
from services.state.tables import table_record

from .change import OPEN_MS
from .listing import ENDED_INDEX, LIVE_INDEX, is_listed, move_ended
from .read_table import TableSnapshot, snapshot_of
from .table import TABLES
from .table_then import record_listed

LIVE = (Life.OPEN, Life.PLAYING, Life.PAUSED)
MOST_LOOKED_AT = 500
"""So many tables are read for one page at most, however few of them are asked for."""


@dataclass(frozen=True, slots=True)
class TablePage:
    """Some tables; the list goes on after ``last``, which is None at its end."""

    tables: tuple[TableSnapshot, ...]
    last: Place | None


async def list_tables(
    ctx: Context,
    *,
    after: Place | None,
    limit: int,
    lives: tuple[Life, ...] = LIVE,
    rule_set: str = "",
) -> TablePage:
    """Return public tables without their games, in order of creation; behind them those that ended.

    Those of tournaments are listed by their brackets. A page may have fewer than ``limit``, and
    more may follow. Ids of tables that are not kept any more are dropped from the list.
    """
    found: list[TableSnapshot] = []
    looked_at = 0
    async for place in _places(ctx, indexes_of(lives), after, limit):
        looked_at += 1
        snapshot = await _listed(ctx, place)
        fits = snapshot and snapshot.life in lives and rule_set in ("", snapshot.rule_set)
        if snapshot and fits:
            found.append(snapshot)
        if len(found) == limit or looked_at == MOST_LOOKED_AT:
            return TablePage(tuple(found), place)
    return TablePage(tuple(found), None)


def indexes_of(lives: Sequence[Life]) -> list[str]:
    """Return the indexes in which tables at these stages of their life are found, in order."""
    ended = [life in ENDED for life in lives]
    return [LIVE_INDEX] * (not all(ended)) + [ENDED_INDEX] * any(ended)


async def _places(
    ctx: Context, indexes: Sequence[str], after: Place | None, size: int
) -> AsyncIterator[Place]:
    """Yield what is in the indexes, one after the other, behind a place in one of them."""
    for index in indexes[indexes.index(after.index) if after else 0 :]:
        while True:
            until = ctx.now_ms() if index == ENDED_INDEX else None
            places = await ctx.store.index_page(index, after=after, limit=size, until=until)
            for place in places:
                yield place
            if len(places) < size:
                break
            after = places[-1]
        after = None


async def _listed(ctx: Context, place: Place) -> TableSnapshot | None:
    """Return a table without its game; None if it is not here, and then it leaves this index.

    One that is damaged does not hide the others.
    """
    now_ms = ctx.now_ms()
    live = place.index == LIVE_INDEX
    try:
        stored = await ctx.store.read(TABLES, place.entity)
        record, _ = table_record(place.entity, stored.data)
    except NotFound:
        # One that is just being created is in its index before it is there.
        before = now_ms - OPEN_MS if live else now_ms
        await ctx.store.index_drop(place.index, [place.entity], before=before)
        return None
    except CorruptRecord:
        return None
    if not is_listed(record):
        return None
    listed = record_listed(record, now_ms)
    if live and listed.life in ENDED:
        await move_ended(ctx, place.entity, record)
        return None
    sequence = stored.seq if listed is record else 0
    return snapshot_of(place.entity, listed, None, NONE, sequence)
