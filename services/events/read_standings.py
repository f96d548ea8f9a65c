"""Who stands where in a tournament."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rummy_arena.tournament.registry import get_format
from rummy_arena.tournament.rounds import Round, Standing
from services.state.context import Context
from services.state.records import EntrantRecord, Status, TournamentRecord

from .tournament import TournamentSnapshot, config_of, played_round, read_tournament


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
    played = [played_round(round_) for round_ in record.rounds if round_.results]
    current = [round_ for round_ in record.rounds if not round_.results]
    pending = (
        Round(
            number=current[0].number,
            tables=tuple(map(tuple, current[0].tables)),
            byes=tuple(current[0].byes),
        )
        if current
        else None
    )
    format_ = get_format(record.format)
    return format_.standings(config_of(record), played, record.seed, pending=pending)
