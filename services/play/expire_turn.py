"""A table's deadline has passed: move for its players, send for a house bot again, or close it.

One that has ended has a deadline until it is unsealed and archived.
"""

from __future__ import annotations

from services.state.context import Context
from services.state.records import ENDED, Life
from services.state.store import Busy, Held
from services.state.table_log import SeatAbsent, TableEvent, TimeExpired
from services.state.tables import is_sealed, table_record

from . import clocks
from .archive_table import retry_archive
from .close_table import close_forgotten, close_unstarted
from .commit import commit_of
from .outages import outages
from .save import save
from .stand_in import answer_for_absent, decide_for
from .table import LEASE_MS, TABLES, Table, table_of
from .unseal_table import ask_to_unseal

WAIT_S = 0.25
"""Whoever acts again and again, be it against the rules, does not keep its own deadline away."""


async def expire_turn(ctx: Context, table_id: str) -> None:
    """Handle the deadline of a table once; nothing happens when it was answered in time.

    A table that another process holds for longer than an action takes is being played: its deadline
    comes up again. Raises NotFound.
    """
    try:
        held = await ctx.store.acquire(TABLES, table_id, lease_ms=LEASE_MS, wait_s=WAIT_S)
    except Busy:
        return
    lease: Held | None = held
    try:
        record, rules = table_record(table_id, held.data)
        if record.life is Life.OPEN:
            lease = await close_unstarted(ctx, held, record)
            return
        if record.life is Life.PAUSED:
            lease = await close_forgotten(ctx, held, record)
            return
        if record.life in ENDED:
            again = ask_to_unseal if is_sealed(record) else retry_archive
            lease = await again(ctx, held, record)
            return
        table = table_of(table_id, record, rules, ctx.random_bytes)
        if table.playing:  # else its deadline went with the commit that ended or paused it
            lease = await _looked_at(ctx, held, table)
    finally:
        if lease is not None:
            await ctx.store.release(lease)


async def _looked_at(ctx: Context, held: Held, table: Table) -> Held | None:
    before, now_ms = table.decision(), ctx.now_ms()
    events: list[TableEvent] = []
    if _is_due(table, now_ms) and not await _has_more_time(ctx, table, now_ms):
        events += _moved(table)
    wake = table.bots_waiting or table.abandoned
    commit = commit_of(table, events, before, now_ms=now_ms, wake=wake)
    return await save(ctx, held, table.record, commit)


def _is_due(table: Table, now_ms: int) -> bool:
    due_ms = clocks.due_ms(table.record, table.game)
    return due_ms is not None and now_ms >= due_ms


async def _has_more_time(ctx: Context, table: Table, now_ms: int) -> bool:
    """Give back the time that the arena was away; then let an unconnected player's grace run."""
    record = table.record
    players = clocks.players_waiting(record, table.game)
    if all(clocks.is_absent(record, seat) for seat in players):
        return False
    clocks.credit(record, await outages(ctx, record.decided_ms))
    if not _is_due(table, now_ms):
        return True
    if table.game.deal.phase not in clocks.TURN_PHASES:
        return False
    (seat,) = players
    player_id = record.seats[seat].player_id
    presence = (await ctx.store.presences([player_id], now_ms)).get(player_id)
    if presence is None or presence.live or not clocks.grant_grace(record, seat):
        return False
    return not _is_due(table, now_ms)


def _moved(table: Table) -> list[TableEvent]:
    """Decide for every player whose time is up."""
    events: list[TableEvent] = []
    in_turn = table.game.deal.phase in clocks.TURN_PHASES
    for seat in clocks.players_waiting(table.record, table.game):
        if in_turn:
            events += _missed(table, seat)
            events += _finished_turn(table, seat)
        else:
            events += decide_for(table, seat)
    return events + answer_for_absent(table)


def _missed(table: Table, seat: int) -> list[TableEvent]:
    """Count a turn that its player let expire; return what is to be told of it."""
    record = table.record
    was_absent = clocks.is_absent(record, seat)
    clocks.charge(record, seat, table.game.deal.phase, record.deadline_ms)
    record.seats[seat].missed += 1
    if was_absent:
        return []
    if clocks.is_absent(record, seat):
        return [TimeExpired(seat), SeatAbsent(seat, record.terms.clock.stand_in)]
    return [TimeExpired(seat)]


def _finished_turn(table: Table, seat: int) -> list[TableEvent]:
    """Play the seat's turn to its end: an expired turn ends as a whole."""
    events: list[TableEvent] = []
    deal, turn = table.game.deal, table.game.deal.turn_number
    while (
        table.game.deal is deal
        and deal.phase in clocks.TURN_PHASES
        and (deal.turn_number, deal.turn) == (turn, seat)
    ):
        events += decide_for(table, seat)
    return events
