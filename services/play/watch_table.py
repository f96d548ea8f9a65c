"""Follow a table's log: what is there, then what comes, until it is finished."""

from __future__ import annotations

from collections.abc import AsyncIterator

from services.state.context import Context

from .history import HistoryPage, history
from .table import TABLES

PAGE = 500
HEARTBEAT_S = 10.0


async def watch_table(
    ctx: Context, table_id: str, *, after: int, player_id: str = ""
) -> AsyncIterator[HistoryPage]:
    """Yield pages of events after ``after`` as they come; an empty page is a heartbeat.

    Ends after the last event of a finished table. Raises NotFound or CursorTooOld.
    """
    async with ctx.store.wakeups.listen(TABLES, table_id) as woken:
        while True:
            woken.clear()
            page = await history(ctx, table_id, after=after, limit=PAGE, player_id=player_id)
            if page.events:
                after = page.events[-1].sequence
                yield page
            if page.complete:
                return
            if after >= page.last_sequence and not await woken.wait(HEARTBEAT_S):
                yield page if not page.events else HistoryPage((), page.last_sequence, False)
