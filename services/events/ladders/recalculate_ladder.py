"""Prove that a ladder's ratings are what its results give: rate them all again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rummy_arena.tournament.ratings import Rating
from rummy_arena.tournament.ratings_history import Ledger, RatedResult, extend, recalculate
from services.events.principals import HOSTS, Principal
from services.state.codec import LADDER_RESULTS, LADDER_SEASON
from services.state.context import Context
from services.state.ladder_records import (
    RESULTS_A_PART,
    LadderRecord,
    LadderResultRecord,
    LadderStatus,
)

from .change import hold_ladder
from .ladder import (
    LADDERS,
    rating_of,
    read_entrants,
    read_ladder,
    results_part,
    rules_of,
    season_part,
    table_id,
)

PARTS_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """An entrant whose stored rating is not what its results give."""

    entrant: int
    stored: Rating
    recalculated: Rating


@dataclass(frozen=True, slots=True)
class Recalculation:
    """What came of rating everything again."""

    results: int
    seasons: int  # that have ended
    entrants: int
    differences: tuple[Difference, ...]
    repeated: tuple[int, ...] = ()  # numbers of tables that were rated more than once
    missing: int = 0  # tables that are neither rated nor open


async def recalculate_ladder(
    ctx: Context, principal: Principal, *, ladder_id: str
) -> Recalculation:
    """Rate all results of a ladder again, in their order, and compare; nothing is changed.

    Raises NotFound, NotAllowed, Busy, CorruptRecord.
    """
    principal.require(*HOSTS)
    before = (await read_ladder(ctx, ladder_id)).record
    principal.require_host_of("ladder", before.created_by)
    full = before.results // RESULTS_A_PART  # parts that do not change any more
    async with hold_ladder(ctx, ladder_id) as change:
        record = change.record
        entrants = await read_entrants(ctx, ladder_id, record)
        ends = await _season_ends(ctx, ladder_id, record)
        late = await _results(ctx, ladder_id, range(full, -(-record.results // RESULTS_A_PART)))
    anchors = {n: rating_of(entrant) for n, entrant in entrants.items() if entrant.anchor}
    ledger = recalculate((), anchors, rules=rules_of(record))
    waiting = list(ends)
    counted = bytearray(record.tables + 1)
    repeated: list[int] = []
    for first in range(0, full, PARTS_AT_ONCE):
        some = await _results(ctx, ladder_id, range(first, min(first + PARTS_AT_ONCE, full)))
        ledger = await asyncio.to_thread(_rated, ledger, ladder_id, some, waiting)
        repeated += _again(some, counted)
    repeated += _again(late, counted)
    ledger = await asyncio.to_thread(_rated, ledger, ladder_id, late, waiting)
    ledger = extend(ledger, season_ends=waiting)
    newcomer = rules_of(record).newcomer
    differences = [
        Difference(number, rating_of(entrant), again)
        for number, entrant in entrants.items()
        if rating_of(entrant) != (again := ledger.ratings.get(number) or newcomer)
    ]
    gone = 0 if record.status is LadderStatus.FINISHED else record.tables - len(record.open)
    return Recalculation(
        results=record.results,
        seasons=len(ends),
        entrants=record.entrants,
        differences=tuple(differences),
        repeated=tuple(repeated),
        missing=max(gone - sum(counted), 0),
    )


def _again(results: Iterable[LadderResultRecord], counted: bytearray) -> list[int]:
    """Mark tables as counted; return the numbers of those that were before."""
    repeated = []
    for result in results:
        if counted[result.table]:
            repeated.append(result.table)
        counted[result.table] = 1
    return repeated


def _rated(
    ledger: Ledger, ladder_id: str, results: Sequence[LadderResultRecord], waiting: list[int]
) -> Ledger:
    """Return the ledger after some results, and what ends before the last of them."""
    if not results:
        return ledger
    ends = [end for end in waiting if end < results[-1].sequence]
    del waiting[: len(ends)]
    told = [
        RatedResult(
            result.sequence,
            table_id(ladder_id, result.table),
            tuple((entrant, place) for entrant, place, _ in result.seats),
        )
        for result in results
    ]
    after = extend(ledger, told, ends)
    return replace(after, results=after.results[-1:], history=(), by_table={})  # else it all stays


async def _results(
    ctx: Context, ladder_id: str, indexes: Iterable[int]
) -> list[LadderResultRecord]:
    parts = [results_part(index) for index in indexes]
    found = await ctx.store.parts(LADDERS, ladder_id, parts)
    return [result for data in found if data for result in LADDER_RESULTS.decode(data)]


async def _season_ends(ctx: Context, ladder_id: str, record: LadderRecord) -> list[int]:
    parts = [season_part(season) for season in range(1, record.season)]
    found = await ctx.store.parts(LADDERS, ladder_id, parts)
    return [LADDER_SEASON.decode(data).sequence for data in found if data]
