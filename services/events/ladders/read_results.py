"""What was rated: results of a ladder, steps of one entrant's rating, and what two have done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rummy_arena.tournament.ladder_standings import HeadToHead, head_to_head
from rummy_arena.tournament.ratings import expected_score
from services.events.errors import NotEntered
from services.state.codec import LADDER_HISTORY, LADDER_RESULTS
from services.state.context import Context
from services.state.ladder_records import (
    RESULTS_A_PART,
    LadderEntrantRecord,
    LadderResultRecord,
    RatingStepRecord,
)

from .ladder import (
    LADDERS,
    LadderSnapshot,
    history_part,
    number_of,
    rating_of,
    read_entrants,
    read_ladder,
    results_part,
)


@dataclass(frozen=True, slots=True)
class Entered:
    """An entrant, and the ladder on which it is."""

    ladder: LadderSnapshot
    number: int
    entrant: LadderEntrantRecord


async def read_entrant(ctx: Context, ladder_id: str, player_id: str) -> Entered:
    """Return a player on a ladder; raises NotFound, NotEntered."""
    ladder = await read_ladder(ctx, ladder_id)
    number = await number_of(ctx, ladder_id, player_id)
    if number is None:
        raise NotEntered(ladder_id, player_id)
    [entrant] = (await read_entrants(ctx, ladder_id, ladder.record, [number])).values()
    return Entered(ladder, number, entrant)


async def read_results(
    ctx: Context, ladder_id: str, numbers: Iterable[int]
) -> list[LadderResultRecord]:
    """Return results by their numbers, which count from 1, in the order asked for."""
    wanted = list(numbers)
    indexes = list(dict.fromkeys((number - 1) // RESULTS_A_PART for number in wanted))
    found = await ctx.store.parts(LADDERS, ladder_id, [results_part(index) for index in indexes])
    kept = {
        result.number: result
        for data in found
        if data is not None
        for result in LADDER_RESULTS.decode(data)
    }
    return [kept[number] for number in wanted if number in kept]


async def read_steps(
    ctx: Context, ladder_id: str, entered: Entered, *, first: int, limit: int
) -> list[RatingStepRecord]:
    """Return up to ``limit`` steps of an entrant's rating from place ``first`` on; 0 is the first.

    Steps that were made since the entrant was read are left out.
    """
    last = min(first + limit, entered.entrant.games)
    if first >= last:
        return []
    indexes = range(first // RESULTS_A_PART, (last - 1) // RESULTS_A_PART + 1)
    found = await ctx.store.parts(
        LADDERS, ladder_id, [history_part(entered.number, index) for index in indexes]
    )
    steps = [step for data in found if data is not None for step in LADDER_HISTORY.decode(data)]
    start = first - indexes[0] * RESULTS_A_PART
    return steps[start : start + last - first]


@dataclass(frozen=True, slots=True)
class Meeting:
    """A table where both sat."""

    one: RatingStepRecord
    other: RatingStepRecord


@dataclass(frozen=True, slots=True)
class Balance:
    """What two entrants have done to each other."""

    one: Entered
    other: Entered
    head_to_head: HeadToHead
    expected: float  # score of the first by the ratings of now
    meetings: tuple[Meeting, ...]  # the latest first


async def read_head_to_head(ctx: Context, ladder_id: str, player_id: str, other_id: str) -> Balance:
    """Return the balance of two players; raises NotFound, NotEntered.

    It costs what the two have played.
    """
    one = await read_entrant(ctx, ladder_id, player_id)
    other = await read_entrant(ctx, ladder_id, other_id)
    own = await read_steps(ctx, ladder_id, one, first=0, limit=one.entrant.games)
    theirs = {
        step.table: step
        for step in await read_steps(ctx, ladder_id, other, first=0, limit=other.entrant.games)
    }
    met = [Meeting(step, theirs[step.table]) for step in own if step.table in theirs]
    if one.number == other.number:
        met = []
    return Balance(
        one,
        other,
        head_to_head((meeting.one.place, meeting.other.place) for meeting in met),
        expected_score(rating_of(one.entrant), rating_of(other.entrant)),
        tuple(reversed(met)),
    )
