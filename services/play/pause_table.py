"""A director pauses a table: nobody acts, and no clock runs."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import Life, TableRecord
from services.state.table_log import TablePaused

from .change import Alteration, Ask, Changed, change, plain, require_life
from .clocks import freeze, pause_end_ms
from .outages import outages
from .rights import Person, require_director


async def pause_table(
    ctx: Context, person: Person, table_id: str, ask: Ask, *, reason: str = ""
) -> Changed:
    """Stop the game where it is, house bots included; a paused table stays as it is.

    One that is no tournament's is closed after ``LONGEST_PAUSE_MS``.

    Raises NotFound, WrongLife, NotDirector, Busy or RequestReused.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        require_director(table_id, record, person)
        if record.life is Life.PAUSED:
            return Alteration(None)
        require_life(table_id, record, Life.PLAYING)
        now_ms = ctx.now_ms()
        record.life = Life.PAUSED
        freeze(record, now_ms, spans)
        paused = TablePaused(person.player_id, reason)
        return Alteration(plain(record, [paused], now_ms, deadline_ms=pause_end_ms(record)))

    spans = await outages(ctx, 0)
    content = ("pause", person.player_id, table_id, reason)
    return await change(ctx, table_id, ask, content, alter)
