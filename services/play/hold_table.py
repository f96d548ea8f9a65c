"""A table stands still, and goes on, with its tournament."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import Life, TableRecord
from services.state.table_log import TablePaused

from .change import Alteration, Ask, change, plain
from .clocks import freeze
from .outages import outages
from .resume_table import resumed

UNASKED = Ask("")
"""What the arena does by itself: repeated, it looks again whether anything is left to do."""


async def hold_table(ctx: Context, table_id: str, *, by: str, reason: str) -> None:
    """Pause a table because its tournament is held; one that a director has paused stays so.

    Nothing happens to a table that is not being played. Raises NotFound, Busy.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        if record.life is not Life.PLAYING:
            return Alteration(None)
        now_ms = ctx.now_ms()
        record.life, record.held = Life.PAUSED, True
        freeze(record, now_ms, spans)
        return Alteration(plain(record, [TablePaused(by, reason)], now_ms))

    spans = await outages(ctx, 0)
    await change(ctx, table_id, UNASKED, (), alter)


async def release_table(ctx: Context, table_id: str, *, by: str) -> None:
    """Let a table go on that was paused with its tournament; nothing happens to any other.

    Raises NotFound, Busy.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        if record.life is not Life.PAUSED or not record.held:
            return Alteration(None)
        return resumed(ctx, table_id, record, rules, by)

    await change(ctx, table_id, UNASKED, (), alter)
