"""Who stands where in a tournament."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from rummy_arena.tournament.rounds import Standing
from rummy_arena.tournament.stages import standings
from services.state.context import Context
from services.state.records import EntrantRecord, RoundRecord, TournamentRecord

from .final_standings import read_final
from .pairing import course_of
from .tournament import TournamentSnapshot
from .tournament_parts import content_of, read_whole


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entrant's line in the standings."""

    row: Standing
    entrant: EntrantRecord


async def read_standings(
    ctx: Context, tournament_id: str
) -> tuple[TournamentSnapshot, tuple[StandingRow, ...]]:
    """Return every entrant's line, the leaders first.

    Only finished rounds count: an unfinished table never moves a standing. Those of a tournament
    that has finished are as they were decided then. Raises NotFound.
    """
    snapshot, entrants, rounds = await read_whole(ctx, tournament_id)
    record = snapshot.record
    if not rounds:
        return snapshot, ()

    async def make() -> tuple[StandingRow, ...]:
        if record.standing_parts:
            rows = await read_final(ctx, tournament_id, record.standing_parts)
        else:  # it goes on, was called off, or finished before they were kept
            rows = await asyncio.to_thread(_standings, record, entrants, rounds)
        return tuple(StandingRow(row, entrants[row.entrant - 1]) for row in rows)

    key = ("standings", tournament_id)
    rows = await ctx.store.kept.once(key, content_of(record), make, len)
    return snapshot, rows


def _standings(
    record: TournamentRecord, entrants: Sequence[EntrantRecord], rounds: Sequence[RoundRecord]
) -> tuple[Standing, ...]:
    """Return everybody's line. Of a field of thousands it takes long: use a thread."""
    return standings(course_of(record, entrants, rounds))
