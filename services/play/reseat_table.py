"""Another player takes over an entrant's seat at a tournament's table, also in mid-game."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import ENDED, SeatRecord, TableRecord
from services.state.table_log import SeatLeft, SeatTaken, TableEvent

from .change import Alteration, Ask, change
from .commit import commit_of
from .table import table_of


async def reseat_table(ctx: Context, table_id: str, entrant: int, sitter: SeatRecord) -> None:
    """Give an entrant's seat to this player, who has the clocks that are left of it.

    Nothing happens at a table that has ended, or where the player sits already. Raises NotFound,
    Busy.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        seat = next((n for n, held in enumerate(record.seats) if held.entrant == entrant), None)
        if seat is None or record.life in ENDED:
            return Alteration(None)
        old = record.seats[seat]
        if old.player_id == sitter.player_id:
            return Alteration(None)
        record.seats[seat] = SeatRecord(
            sitter.player_id,
            sitter.name,
            sitter.bot,
            entrant=entrant,
            bank_ms=old.bank_ms,
            grace_ms=old.grace_ms,
        )
        table = table_of(table_id, record, rules, ctx.random_bytes)
        if table.in_turn(seat):
            record.deadline_ms = 0  # the clock of the decision begins anew for the new player
        events: list[TableEvent] = [
            SeatLeft(seat, old.player_id),
            SeatTaken(seat, sitter.player_id, sitter.name, sitter.bot),
        ]
        wake = table.bots_waiting
        commit = commit_of(table, events, table.decision(), now_ms=ctx.now_ms(), wake=wake)
        return Alteration(commit, seat)

    await change(ctx, table_id, Ask(""), (), alter)
