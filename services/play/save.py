"""Write a table's commit and count what it did, in one place for every use case."""

from __future__ import annotations

from rummy_arena.game.events import DealEnd
from services.state.context import Context
from services.state.messages import encode_message
from services.state.store import Answer, Held

from .table import Commit, Table


async def save(
    ctx: Context,
    held: Held,
    table: Table,
    commit: Commit,
    *,
    keep: bool = False,
    answer: Answer | None = None,
) -> Held | None:
    """Commit, then count actions, deals and finished tables; return the lease when kept.

    Raises LeaseLost or Conflict when the lease was lost meanwhile: then nothing is written. What a
    commit wrote is counted even when its caller has gone away.
    """
    return await ctx.store.to_its_end(_save(ctx, held, table, commit, keep=keep, answer=answer))


async def _save(
    ctx: Context, held: Held, table: Table, commit: Commit, *, keep: bool, answer: Answer | None
) -> Held | None:
    kept = await ctx.store.commit(
        held,
        commit.data,
        events=commit.events,
        messages=tuple(map(encode_message, commit.messages)),
        deadline_ms=commit.deadline_ms,
        answer=answer,
        keep=keep,
        ttl_ms=ctx.retention.tables_ms if table.game.over else None,
    )
    rule_set = table.record.rule_set
    ctx.meters.count_actions(rule_set, commit.actions)
    for deal in commit.deals:
        ctx.meters.count_deal(rule_set, DealEnd(deal.end).name.lower())
    if table.game.over:
        ctx.meters.count_table(rule_set, "finished")
    return kept
