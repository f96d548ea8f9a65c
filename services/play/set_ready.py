"""A player is ready to start, or no longer."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import Life, TableRecord
from services.state.table_log import SeatReady

from .change import Alteration, Ask, Changed, change, gathered, require_life
from .rights import Person, seat_of


async def set_ready(
    ctx: Context, person: Person, table_id: str, ask: Ask, *, ready: bool
) -> Changed:
    """Note whether a player is ready; the game begins once every seat is taken and ready.

    Raises NotFound, WrongLife, NotSeated, HouseBotSeat, Busy or RequestReused.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        seat = seat_of(table_id, record, person.player_id)
        require_life(table_id, record, Life.OPEN)
        if record.seats[seat].ready == ready:
            return Alteration(None, seat)
        record.seats[seat].ready = ready
        events = [SeatReady(seat, ready)]
        return Alteration(gathered(ctx, table_id, record, rules, [*events]), seat)

    content = ("set ready", person.player_id, table_id, ready)
    return await change(ctx, table_id, ask, content, alter)
