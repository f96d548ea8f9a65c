"""What a seat or a spectator may read of a table."""

from __future__ import annotations

from dataclasses import dataclass

from rummy_arena.game.actions import NONE, Action
from rummy_arena.game.engine import legal_actions
from rummy_arena.game.series import GameResult, result
from rummy_arena.game.view import View, view
from services.state.context import Context
from services.state.records import TableRecord

from .table import TABLES, load_table


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A table at one moment, redacted for its viewer."""

    table_id: str
    record: TableRecord  # its ``game`` and ``seed`` hold hidden cards: never sent
    view: View
    sequence: int
    waiting: tuple[int, ...]
    legal: tuple[Action, ...]  # actions without melds that the viewer may choose from now
    scores: tuple[tuple[int, ...], ...]  # points by seat, per scored deal
    result: GameResult | None


async def read_table(ctx: Context, table_id: str, player_id: str = "") -> TableSnapshot:
    """Return the table as its player sees it, or as a spectator does; raises NotFound."""
    snapshot = await ctx.store.read(TABLES, table_id)
    table = load_table(table_id, snapshot.data)
    seat = viewer_seat(table.record, player_id)
    game = table.game
    legal = () if seat == NONE or game.over else tuple(legal_actions(game.deal, seat))
    return TableSnapshot(
        table_id=table_id,
        record=table.record,
        view=view(game, seat),
        sequence=snapshot.seq,
        waiting=table.waiting,
        legal=legal,
        scores=tuple(map(tuple, game.scores)),
        result=result(game) if game.over else None,
    )


def viewer_seat(record: TableRecord, player_id: str) -> int:
    """Return the seat whose cards this player may see, or NONE for a spectator."""
    for seat, seated in enumerate(record.seats):
        if player_id and seated.player_id == player_id:
            return seat
    return NONE
