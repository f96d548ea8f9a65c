"""Write a table's commit and count what it did, in one place for every use case."""

from __future__ import annotations

import contextlib

from rummy_arena.game.events import DealEnd
from services.state.context import Context
from services.state.errors import StoreUnavailable
from services.state.messages import ArchiveTable, Message, encode_message
from services.state.records import ENDED, TableRecord
from services.state.store import Answer, Held
from services.state.tables import is_sealed

from .archive_table import owes_archive, retry_at_ms
from .commit import Commit
from .listing import move_ended
from .unseal_table import look_at_ms


async def save(
    ctx: Context,
    held: Held,
    record: TableRecord,
    commit: Commit,
    *,
    keep: bool = False,
    answer: Answer | None = None,
) -> Held | None:
    """Commit, then count actions, deals and ended tables; return the lease when kept.

    Raises LeaseLost or Conflict when the lease was lost meanwhile: then nothing is written. What a
    commit wrote is counted even when its caller has gone away.
    """
    return await ctx.store.to_its_end(_save(ctx, held, record, commit, keep=keep, answer=answer))


async def _save(
    ctx: Context,
    held: Held,
    record: TableRecord,
    commit: Commit,
    *,
    keep: bool,
    answer: Answer | None,
) -> Held | None:
    ended = record.life in ENDED
    messages: tuple[Message, ...] = commit.messages
    deadline_ms, ttl_ms = commit.deadline_ms, ctx.retention.tables_ms if ended else None
    if ended and is_sealed(record):
        deadline_ms, ttl_ms = look_at_ms(record, ctx.now_ms()), None
    elif ctx.archive is not None and owes_archive(record):
        messages += (ArchiveTable(held.id),)
        deadline_ms, ttl_ms = retry_at_ms(record, ctx.now_ms()), None
    kept = await ctx.store.commit(
        held,
        commit.data,
        events=commit.events,
        messages=tuple(map(encode_message, messages)),
        deadline_ms=deadline_ms,
        answer=answer,
        keep=keep,
        ttl_ms=ttl_ms,
    )
    ctx.meters.count_actions(record.rule_set, commit.actions)
    for deal in commit.deals:
        ctx.meters.count_deal(record.rule_set, DealEnd(deal.end).name.lower())
    if ended:
        ctx.meters.count_table(record.rule_set, record.life.name.lower())
        with contextlib.suppress(StoreUnavailable):  # it has ended all the same
            await move_ended(ctx, held.id, record)
    return kept
