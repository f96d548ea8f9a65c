"""Who stands where in a tournament."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rummy_arena.tournament.rounds import Standing
from rummy_arena.tournament.stages import standings
from services.state.context import Context
from services.state.records import EntrantRecord, Status, TournamentRecord

from .pairing import course_of
from .tournament import TournamentSnapshot, read_tournament


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entrant's line in the standings."""

    row: Standing
    entrant: EntrantRecord


async def read_standings(
    ctx: Context, tournament_id: str
) -> tuple[TournamentSnapshot, tuple[StandingRow, ...]]:
    """Return every entrant's line, the leaders first.

    Only finished rounds count: an unfinished table never moves a standing. Raises NotFound.
    """
    snapshot = await read_tournament(ctx, tournament_id)
    record = snapshot.record
    if record.status is Status.REGISTERING or not record.rounds:
        return snapshot, ()
    rows = await asyncio.to_thread(_standings, record)
    return snapshot, tuple(StandingRow(row, record.entrants[row.entrant - 1]) for row in rows)


def _standings(record: TournamentRecord) -> tuple[Standing, ...]:
    """Return everybody's line. A field of thousands takes a quarter of a second: use a thread."""
    return standings(course_of(record, record.entrants, record.rounds))
