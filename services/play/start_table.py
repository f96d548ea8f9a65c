"""A director starts a table without waiting until everybody is ready."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import Life, TableRecord

from .change import Alteration, Ask, Changed, change, gathered, require_life
from .errors import SeatsFree
from .rights import Person, require_director


async def start_table(ctx: Context, person: Person, table_id: str, ask: Ask) -> Changed:
    """Begin the game of a table whose every seat is taken.

    Raises NotFound, WrongLife, NotDirector, SeatsFree, Busy or RequestReused.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        require_director(table_id, record, person)
        require_life(table_id, record, Life.OPEN)
        free = sum(not seat.player_id for seat in record.seats)
        if free:
            raise SeatsFree(table_id, free)
        return Alteration(gathered(ctx, table_id, record, rules, [], start=True))

    return await change(ctx, table_id, ask, ("start", person.player_id, table_id), alter)
