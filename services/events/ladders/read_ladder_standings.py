"""Who stands where on a ladder, now or when a season ended."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rummy_arena.tournament.ladder_standings import LadderStanding
from rummy_arena.tournament.ratings import Rating
from services.events.errors import InvalidOption
from services.state.codec import LADDER_SEASON
from services.state.context import Context
from services.state.ladder_records import MILLION, LadderEntrantRecord, SeasonRecord

from .ladder import (
    LADDERS,
    LadderSnapshot,
    read_entrants,
    read_ladder,
    season_part,
    standings_of,
)


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One entrant's line."""

    standing: LadderStanding
    entrant: LadderEntrantRecord


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One entrant's line when a season ended."""

    rank: int  # 0 for who was not ranked
    number: int
    rating: Rating
    entrant: LadderEntrantRecord


async def read_ladder_standings(
    ctx: Context, ladder_id: str
) -> tuple[LadderSnapshot, list[LadderRow]]:
    """Return everybody's line, the best first; raises NotFound."""
    snapshot = await read_ladder(ctx, ladder_id)
    entrants = await read_entrants(ctx, ladder_id, snapshot.record)
    lines = await asyncio.to_thread(standings_of, snapshot.record, entrants)
    return snapshot, [LadderRow(line, entrants[line.tally.entrant]) for line in lines]


async def read_season(
    ctx: Context, ladder_id: str, season: int
) -> tuple[SeasonRecord, list[SeasonRow]]:
    """Return how a season ended; raises NotFound, InvalidOption for one that has not."""
    snapshot = await read_ladder(ctx, ladder_id)
    [data] = await ctx.store.parts(LADDERS, ladder_id, [season_part(season)])
    if data is None:
        ended = snapshot.record.season - 1
        hint = f"give 1 to {ended}" if ended else "leave it out for the standings of now"
        raise InvalidOption("season", f"season {season} has not ended; {hint}")
    kept = LADDER_SEASON.decode(data)
    numbers = [number for _, number, _, _ in kept.standings]
    entrants = await read_entrants(ctx, ladder_id, snapshot.record, numbers)
    rows = [
        SeasonRow(rank, number, Rating(mean / MILLION, deviation / MILLION), entrants[number])
        for rank, number, mean, deviation in kept.standings
    ]
    return kept, rows
