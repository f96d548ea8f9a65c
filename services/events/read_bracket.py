"""The bracket of a tournament: its rounds, as far as they are paired."""

from __future__ import annotations

from dataclasses import dataclass

from services.state.context import Context
from services.state.records import RoundRecord, TableResultRecord

from .tournament import TournamentSnapshot, read_tournament
from .tournament_parts import read_rounds, results_so_far


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
    rounds = []
    for round_ in await read_rounds(ctx, tournament_id, snapshot.record):
        results = await _results(ctx, snapshot, round_)
        rounds.append(BracketRound(round_, tuple(results), tuple(round_.advancing)))
    return snapshot, rounds


async def _results(
    ctx: Context, snapshot: TournamentSnapshot, round_: RoundRecord
) -> list[TableResultRecord]:
    """Return the results of a round so far; those of a moment are read once for all its pages."""
    if round_.results:
        return round_.results

    async def make() -> list[TableResultRecord]:
        return await results_so_far(ctx, snapshot.id, round_)

    key = ("results", snapshot.id)
    stamp = (round_.number, snapshot.sequence)
    return await ctx.store.kept.once(
        key, stamp, make, lambda results: sum(len(result.seats) for result in results)
    )
