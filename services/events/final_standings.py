"""The standings of a tournament that has finished: stored as decided, some rows to a part.

Whatever becomes of the code that decided them, they stay as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from fractions import Fraction

from rummy_arena.tournament.rounds import Standing
from services.state.codec import STANDINGS
from services.state.context import Context
from services.state.errors import CorruptRecord
from services.state.standing_records import StandingRecord

from .tournament import TOURNAMENTS

ROWS = 1_000
"""Of one part: so that each is read and written in little time, however large the field."""


def final_parts(rows: Sequence[Standing]) -> list[bytes]:
    """Return the parts that hold the rows, which are in order. Of thousands: use a thread."""
    records = [_record(row) for row in rows]
    return [STANDINGS.encode(records[at : at + ROWS]) for at in range(0, len(records), ROWS)]


def standings_part(number: int) -> str:
    """Return the name of a part, from 1."""
    return f"standings:{number}"


async def read_final(ctx: Context, tournament_id: str, count: int) -> tuple[Standing, ...]:
    """Return the rows that so many parts hold; raises CorruptRecord."""
    names = [standings_part(number) for number in range(1, count + 1)]
    stored = await ctx.store.parts(TOURNAMENTS, tournament_id, names)
    lost = [name for name, data in zip(names, stored, strict=True) if data is None]
    if lost:
        what = f"part {lost[0]} of {TOURNAMENTS} {tournament_id}"
        raise CorruptRecord(what, "it is not there")
    return await asyncio.to_thread(_rows, [data for data in stored if data is not None])


def _rows(parts: Sequence[bytes]) -> tuple[Standing, ...]:
    return tuple(_standing(record) for data in parts for record in STANDINGS.decode(data))


def _record(row: Standing) -> StandingRecord:
    return StandingRecord(
        row.rank,
        row.entrant,
        row.reached_round,
        row.eliminated,
        str(row.points),
        row.tables,
        row.total,
        row.deals_won,
        str(row.score),
        list(row.tiebreaks),
        row.group,
    )


def _standing(record: StandingRecord) -> Standing:
    return Standing(
        rank=record.rank,
        entrant=record.entrant,
        reached_round=record.reached_round,
        eliminated=record.eliminated,
        points=Fraction(record.points),
        tables=record.tables,
        total=record.total,
        deals_won=record.deals_won,
        score=Fraction(record.score),
        tiebreaks=tuple(record.tiebreaks),
        group=record.group,
    )
