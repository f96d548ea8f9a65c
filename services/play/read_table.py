"""What a seat or a spectator may read of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rummy_arena.game.actions import NONE, Action
from rummy_arena.game.engine import legal_actions
from rummy_arena.game.score_sheet import ScoreSheet, score_sheet
from rummy_arena.game.view import View, view
from services.state.context import Context
from services.state.records import Origin, SeatRecord, TableRecord

from .table import TABLES, load_table


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A table at one moment, redacted for its viewer: neither hands nor seed come along."""

    table_id: str
    rule_set: str
    options: Mapping[str, str]  # of the rule set, chosen otherwise than by default
    seats: tuple[SeatRecord, ...]
    origin: Origin | None
    actions: int
    created_ms: int
    finished_ms: int
    deadline_ms: int  # of the decision that is awaited from a player, or 0
    view: View
    sequence: int
    waiting: tuple[int, ...]
    legal: tuple[Action, ...]  # actions without melds that the viewer may choose from now
    sheet: ScoreSheet


async def read_table(ctx: Context, table_id: str, player_id: str = "") -> TableSnapshot:
    """Return the table as its player sees it, or as a spectator does; raises NotFound."""
    snapshot = await ctx.store.read(TABLES, table_id)
    table = load_table(table_id, snapshot.data)
    record, game = table.record, table.game
    seat = viewer_seat(record, player_id)
    legal = () if seat == NONE or game.over else tuple(legal_actions(game.deal, seat))
    return TableSnapshot(
        table_id=table_id,
        rule_set=record.rule_set,
        options=record.options,
        seats=tuple(record.seats),
        origin=record.origin,
        actions=record.actions,
        created_ms=record.created_ms,
        finished_ms=record.finished_ms,
        deadline_ms=record.deadline_ms,
        view=view(game, seat),
        sequence=snapshot.seq,
        waiting=table.waiting,
        legal=legal,
        sheet=score_sheet(game),
    )


def viewer_seat(record: TableRecord, player_id: str) -> int:
    """Return the seat whose cards this player may see, or NONE for a spectator."""
    for seat, seated in enumerate(record.seats):
        if player_id and seated.player_id == player_id:
            return seat
    return NONE
