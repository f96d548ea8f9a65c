"""The bracket of a tournament: its rounds, as far as they are paired."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rummy_arena.tournament.stages import advancing
from services.state.context import Context
from services.state.records import RoundRecord, TableResultRecord, TournamentRecord

from .pairing import course_of
from .tournament import (
    TournamentSnapshot,
    read_tournament,
    results_so_far,
)


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round and the results counted so far."""

    round: RoundRecord
    results: tuple[TableResultRecord, ...]
    advancing: tuple[int, ...]  # of a finished round


async def read_bracket(
    ctx: Context, tournament_id: str
) -> tuple[TournamentSnapshot, list[BracketRound]]:
    """Return every round that has been paired; raises NotFound."""
    snapshot = await read_tournament(ctx, tournament_id)
    through = await asyncio.to_thread(_advancing, snapshot.record)
    rounds = []
    for index, round_ in enumerate(snapshot.record.rounds):
        results = await results_so_far(ctx, tournament_id, round_)
        going_on = through[index] if index < len(through) else ()
        rounds.append(BracketRound(round_, tuple(results), going_on))
    return snapshot, rounds


def _advancing(record: TournamentRecord) -> list[tuple[int, ...]]:
    """Return who went on from each finished round. Of thousands it takes long: use a thread."""
    played = [round_ for round_ in record.rounds if round_.results]
    return [
        advancing(course_of(record, record.entrants, played[: index + 1])).entrants
        for index in range(len(played))
    ]
