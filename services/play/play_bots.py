"""Play the house bots of a table in bursts of some milliseconds, each committed as a whole.

What a burst that was not committed had played is played again, the same, since bots are pure.
"""

from __future__ import annotations

from collections.abc import Mapping

from rummy_arena.bots.bot import Bot
from rummy_arena.bots.drive import drive
from rummy_arena.game.events import DealStarted, Event
from rummy_arena.game.replay import actions_in
from services.state.context import Context
from services.state.store import Busy, Held

from .save import save
from .table import TABLES, Table, commit_of, load_table

LEASE_MS = 15_000
BURST_MS = 25
"""A burst ends with the first deal that is over after so long."""
BURST_EVENTS = 2_000
"""And with so many events, so that no log entry grows huge."""


async def play_bots(
    ctx: Context, table_id: str, bots: Mapping[str, Bot], *, slice_ms: int, wait_s: float = 0.0
) -> bool:
    """Let the house bots decide until a player must, the game is over, or the slice ends.

    Returns whether this call played; False when another process held the table for ``wait_s``: it
    then plays the table itself. Raises NotFound. Safe to call any number of times.
    """
    try:
        held = await ctx.store.acquire(TABLES, table_id, lease_ms=LEASE_MS, wait_s=wait_s)
    except Busy:
        return False
    lease: Held | None = held
    try:
        table = load_table(table_id, held.data)
        until_ms = ctx.now_ms() + slice_ms
        while lease is not None and table.bots_waiting:
            lease = await _burst(ctx, lease, table, bots, until_ms)
    finally:
        if lease is not None:
            await ctx.store.release(lease)
    return True


async def _burst(
    ctx: Context, held: Held, table: Table, bots: Mapping[str, Bot], until_ms: int
) -> Held | None:
    before = table.decision()
    full_ms = ctx.now_ms() + BURST_MS

    def full(events: list[Event]) -> bool:
        between_deals = type(events[-1]) is DealStarted
        return (between_deals and ctx.now_ms() >= full_ms) or len(events) >= BURST_EVENTS

    seats = {seat: bots[s.bot] for seat, s in enumerate(table.record.seats) if s.bot}
    with ctx.meters.bot_burst(table.record.rule_set) as decisions:
        events = drive(
            table.game,
            table.chance,
            seats,
            table.record.seed,
            position=held.seq + 1,
            stop=full,
        )
        decisions.append(actions_in(events))
    now_ms = ctx.now_ms()
    more = table.bots_waiting and now_ms < until_ms
    commit = commit_of(table, events, before, now_ms=now_ms, wake=not more)
    return await save(ctx, held, table, commit, keep=more)
