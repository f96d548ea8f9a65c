"""Create a table and deal its first cards."""

from __future__ import annotations

from collections.abc import Mapping

from services.state.context import Context
from services.state.records import Origin, SeatRecord

from .table import TABLES, commit_of, new_table


async def create_table(
    ctx: Context,
    table_id: str,
    rule_set: str,
    seats: list[SeatRecord],
    seed: bytes,
    *,
    options: Mapping[str, str] | None = None,
    origin: Origin | None = None,
) -> bool:
    """Create the table unless it exists; return whether this call did.

    ``seed`` is 32 bytes and decides every card; ``options`` are the rule set's. Raises
    UnknownRuleSet, OptionError, or SeatsError for a wrong number of seats.
    """
    now_ms = ctx.now_ms()
    table, events = new_table(
        table_id, rule_set, seats, seed, now_ms=now_ms, options=options, origin=origin
    )
    commit = commit_of(table, events, (), now_ms=now_ms, wake=False)
    created = await ctx.store.create(
        TABLES, table_id, commit.data, events=commit.events, deadline_ms=commit.deadline_ms
    )
    if created:
        ctx.meters.count_table(rule_set, "started")
    return created
