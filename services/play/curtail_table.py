"""The time of a round is over: a table finishes the deal that is being played, and no other."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import ENDED, TableRecord

from .change import Alteration, Ask, change, unchanged


async def curtail_table(ctx: Context, table_id: str) -> None:
    """Let the game end with the present deal; nothing happens at a table that has ended.

    See ``commit.commit_of``. Raises NotFound, Busy.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        if record.life in ENDED or record.curtailed:
            return Alteration(None)
        record.curtailed = True
        return Alteration(unchanged(ctx, table_id, record, rules))

    await change(ctx, table_id, Ask(""), (), alter)
