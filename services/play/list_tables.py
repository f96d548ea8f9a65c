"""Which public tables there are."""

from __future__ import annotations

from dataclasses import dataclass

from services.state.context import Context
from services.state.records import Life
from services.state.store import NotFound

from .create_table import INDEX
from .read_table import TableSnapshot, read_table
from .rights import Person

LIVE = (Life.OPEN, Life.PLAYING, Life.PAUSED)


@dataclass(frozen=True, slots=True)
class TablePage:
    """Some tables; ``last`` is the id after which the list goes on, "" at its end."""

    tables: tuple[TableSnapshot, ...]
    last: str


async def list_tables(
    ctx: Context,
    person: Person,
    *,
    after: str,
    limit: int,
    lives: tuple[Life, ...] = LIVE,
    rule_set: str = "",
) -> TablePage:
    """Return public tables in order of creation, as the person may see them.

    Those of tournaments are listed by their brackets. Raises NotFound for an id ``after`` that is
    not in the list any more.
    """
    found: list[TableSnapshot] = []
    while True:
        ids = await ctx.store.index_page(INDEX, after=after, limit=limit)
        for table_id in ids:
            after = table_id
            try:
                snapshot = await read_table(ctx, table_id, person)
            except NotFound:
                continue
            if snapshot.life in lives and rule_set in ("", snapshot.rule_set):
                found.append(snapshot)
                if len(found) == limit:
                    return TablePage(tuple(found), after)
        if len(ids) < limit:
            return TablePage(tuple(found), "")
