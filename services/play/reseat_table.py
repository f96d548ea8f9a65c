"""Other players take over entrants' seats at a tournament's table, also in mid-game."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import ENDED, SeatRecord, TableRecord
from services.state.table_log import SeatLeft, SeatTaken, TableEvent
from services.state.tables import table_record

from .change import Alteration, Ask, change
from .commit import commit_of
from .table import TABLES, Table, table_of


async def reseat_table(ctx: Context, table_id: str, wanted: Sequence[SeatRecord]) -> None:
    """Give each entrant's seat to the player who has its place; ``wanted`` is in seat order.

    Who takes over a seat has the clocks that are left of it. Nothing happens where everybody sits
    already, or at a table that has ended. Raises NotFound, Busy.
    """
    snapshot = await ctx.store.read(TABLES, table_id)
    if not _others(table_record(table_id, snapshot.data)[0], wanted):
        return

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        others = _others(record, wanted)
        if not others:
            return Alteration(None)
        table = table_of(table_id, record, rules, ctx.random_bytes)
        before = table.decision()
        events: list[TableEvent] = []
        for seat in others:
            events += _taken_over(table, seat, wanted[seat])
        wake = table.bots_waiting
        return Alteration(commit_of(table, events, before, now_ms=ctx.now_ms(), wake=wake))

    await change(ctx, table_id, Ask(""), (), alter)


def _others(record: TableRecord, wanted: Sequence[SeatRecord]) -> list[int]:
    """Return the seats where somebody else is to sit."""
    if record.life in ENDED:
        return []
    pairs = enumerate(zip(record.seats, wanted, strict=True))
    return [seat for seat, (held, new) in pairs if held.player_id != new.player_id]


def _taken_over(table: Table, seat: int, new: SeatRecord) -> list[TableEvent]:
    record = table.record
    old = record.seats[seat]
    record.seats[seat] = SeatRecord(
        new.player_id,
        new.name,
        new.bot,
        entrant=old.entrant,
        bank_ms=old.bank_ms,
        grace_ms=old.grace_ms,
    )
    if table.in_turn(seat):
        record.deadline_ms = 0  # the clock of the decision begins anew for the new player
    return [
        SeatLeft(seat, old.player_id),
        SeatTaken(seat, new.player_id, new.name, new.bot),
    ]
