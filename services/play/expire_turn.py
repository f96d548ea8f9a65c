"""A table's deadline has passed: move for absent players, or send for a house bot again (X-17)."""

from __future__ import annotations

from rummy_arena.game.events import Event
from rummy_arena.game.state import Phase
from services.state.context import Context
from services.state.store import Busy, Held

from .save import save
from .stand_in import standard
from .table import TABLES, Table, commit_of, load_table

LEASE_MS = 5_000
_TURN = (Phase.DRAW, Phase.PLAY)
"""A player who is silent in any other phase does not want the card, or to buy back, and has missed
no turn."""


async def expire_turn(ctx: Context, table_id: str) -> None:
    """Handle the deadline of a table once; nothing happens when it was answered in time.

    A table that another process holds is alive: its deadline comes up again. Raises NotFound.
    """
    try:
        held = await ctx.store.acquire(TABLES, table_id, lease_ms=LEASE_MS, wait_s=0.0)
    except Busy:
        return
    lease: Held | None = held
    try:
        table = load_table(table_id, held.data)
        before = table.decision()
        events = _moved(table, ctx.now_ms())
        wake = table.bots_waiting or table.abandoned
        commit = commit_of(table, events, before, now_ms=ctx.now_ms(), wake=wake)
        lease = await save(ctx, held, table, commit) if not _settled(table, events) else held
    finally:
        if lease is not None:
            await ctx.store.release(lease)


def _moved(table: Table, now_ms: int) -> list[Event]:
    """Make the defined move of every player whose time is up."""
    events: list[Event] = []
    deadline_ms = table.record.deadline_ms
    if not deadline_ms or now_ms < deadline_ms:
        return events
    for seat in table.waiting:
        if table.record.seats[seat].bot:
            continue
        if table.game.deal.phase in _TURN:
            table.record.seats[seat].missed += 1
            events += _finished_turn(table, seat)
        else:
            events += standard(table, seat)
    return events


def _finished_turn(table: Table, seat: int) -> list[Event]:
    """Draw and discard for the seat: an expired turn ends as a whole."""
    events: list[Event] = []
    deal, turn = table.game.deal, table.game.deal.turn_number
    while table.game.deal is deal and deal.phase in _TURN and deal.turn_number == turn:
        events += standard(table, seat)
    return events


def _settled(table: Table, events: list[Event]) -> bool:
    """Whether there is nothing to write: the game was over before, and its result reported."""
    return table.game.over and not events
