"""Who sits where at a table of a ladder."""

from __future__ import annotations

from services.events.seat_table import Seating
from services.state.context import Context
from services.state.errors import NotFound
from services.state.records import Origin, SeatRecord

from .ladder import ladder_table_of, read_entrants, read_ladder, table_id, table_seed


async def seat_ladder_table(ctx: Context, ladder_id: str, number: int) -> Seating | None:
    """Return the seating of a table that is open; None once its result is in. Raises NotFound."""
    record = (await read_ladder(ctx, ladder_id)).record
    table = next((open_ for open_ in record.open if open_.number == number), None)
    if table is None:
        return None
    entrants = await read_entrants(ctx, ladder_id, record, table.entrants)
    return Seating(
        table_id=table_id(ladder_id, number),
        rule_set=record.rule_set,
        options=record.options,
        seats=[
            SeatRecord(entrants[n].player_id, entrants[n].name, entrants[n].bot, n)
            for n in table.entrants
        ],
        seed=table_seed(record.seed, number),
        origin=Origin("", 0, number, ladder_id=ladder_id),
        terms=record.terms,
    )


async def ladder_will_open(ctx: Context, table_id: str) -> bool:
    """Return whether a table that is not there is one of a ladder's open tables."""
    found = ladder_table_of(table_id)
    if found is None:
        return False
    try:
        record = (await read_ladder(ctx, found[0])).record
    except NotFound:
        return False
    return any(table.number == found[1] for table in record.open)
