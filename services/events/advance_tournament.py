"""The one step of a tournament: start it, begin a round, close a complete one, pair the next, end.

Idempotent: what it does is a function of the record, the results that are in, and the time, done
under the tournament's lease, so any number of calls at any time lead to the same rounds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from rummy_arena.tournament.rounds import Advancing, Round
from rummy_arena.tournament.stages import advancing, next_round, standings
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.records import (
    EntrantRecord,
    RoundRecord,
    Status,
    TableResultRecord,
    TournamentRecord,
)
from services.state.store import Busy, Held
from services.state.tournament_log import Finished, RoundFinished, TournamentEvent

from .boards import board_seeds, unseal_messages
from .commit_tournament import commit_tournament
from .endings import EVERYBODY_LEFT, NOBODY_GOES_ON, called_off_again, cancelled
from .final_standings import final_parts
from .forfeits import with_forfeits
from .pairing import course_of
from .presence import gone
from .rounds import begin_round, open_messages, open_round, replaced_messages
from .start_tournament import Step, start_by_itself
from .tournament import LEASE_MS, TOURNAMENTS
from .tournament_parts import (
    Draft,
    copied,
    read_entrants,
    read_round,
    read_rounds,
    results_so_far,
)


async def advance_tournament(ctx: Context, tournament_id: str, *, watchdog: bool = False) -> None:
    """Take the tournament as far as its results and the time allow.

    ``watchdog`` says that the call comes from the sweep: then tables of a round that has stood
    still since the last look are sent for again. Raises NotFound.
    """
    try:
        held = await ctx.store.acquire(
            TOURNAMENTS, tournament_id, lease_ms=LEASE_MS, wait_s=0.0 if watchdog else 10.0
        )
    except Busy:
        if watchdog:
            return  # somebody is at it; the deadline comes up again
        raise
    try:
        draft = Draft(TOURNAMENT.decode(held.data))
        step = await _step(ctx, held, draft, watchdog=watchdog)
    except BaseException:
        await ctx.store.release(held)
        raise
    if step is None and not watchdog:
        await ctx.store.release(held)
        return
    events, messages = step or ([], [])
    await commit_tournament(ctx, held, draft, events, messages)
    if draft.record.status in (Status.FINISHED, Status.CANCELLED) and events:
        ctx.meters.count_tournament(draft.record.rule_set, draft.record.status.name.lower())


async def _step(ctx: Context, held: Held, draft: Draft, *, watchdog: bool) -> Step | None:
    record = draft.record
    if record.status is Status.REGISTERING:
        return await start_by_itself(ctx, held, draft)
    if record.status is Status.CANCELLED and watchdog and not record.stalls:
        return [], await called_off_again(ctx, held.id, draft)
    if record.status not in (Status.RUNNING, Status.PAUSED):
        return None
    round_ = await read_round(ctx, held.id, record.rounds[-1])
    running = record.status is Status.RUNNING
    if record.begun < round_.number:
        due = running and ctx.now_ms() >= round_.begins_ms
        return await _begun(ctx, held.id, draft, round_) if due else None
    results = await results_so_far(ctx, held.id, round_)
    if running and len(results) == len(round_.tables):
        record.stalls = 0
        return await _closed(ctx, held, draft, results)
    done = {result.number for result in results}
    late = bool(round_.ends_ms) and ctx.now_ms() >= round_.ends_ms
    if running and late and record.curtailed < round_.number:
        record.curtailed = round_.number
        return [], open_messages(held.id, round_, done)
    if not watchdog:
        return None
    record.stalls = record.stalls + 1 if record.seen_seq == held.seq else 0
    record.seen_seq = held.seq
    if not record.stalls:
        return [], []
    return [], open_messages(held.id, round_, done) + replaced_messages(held.id, round_)


async def _begun(ctx: Context, tournament_id: str, draft: Draft, round_: RoundRecord) -> Step:
    """The break is over: the round's tables open, unless nobody of the round is left."""
    record = draft.record
    entrants = await read_entrants(ctx, tournament_id, record)
    paired = [*round_.byes, *(number for table in round_.tables for number in table)]
    if all(gone(entrants[number - 1]) for number in paired):
        return await cancelled(ctx, tournament_id, draft, EVERYBODY_LEFT)
    return [], begin_round(tournament_id, record, round_)


async def _closed(ctx: Context, held: Held, draft: Draft, results: list[TableResultRecord]) -> Step:
    """The last round's results are in: say who goes on, and pair them or finish."""
    record, tournament_id = draft.record, held.id
    entrants = await read_entrants(ctx, tournament_id, record)
    out = {number for number, entrant in enumerate(entrants, start=1) if entrant.disqualified}
    results = [with_forfeits(result, out) for result in results]
    rounds = await read_rounds(ctx, tournament_id, record)
    rounds[-1] = copied(rounds[-1], results=results, finished_ms=ctx.now_ms())
    working = asyncio.to_thread(_following, record, entrants, rounds)
    following = await ctx.store.while_held(held, working)
    decided = following.decided
    draft.put_round(copied(rounds[-1], advancing=list(decided.entrants)))
    seeds, unsealed = board_seeds(record, rounds[-1]), unseal_messages(tournament_id, rounds[-1])
    events: list[TournamentEvent] = [
        RoundFinished(rounds[-1].number, list(decided.entrants), list(decided.lots), seeds)
    ]
    if following.paired is not None:
        started, messages = open_round(ctx, tournament_id, draft, following.paired)
        return [*events, started], [*messages, *unsealed]
    if all(gone(entrants[number - 1]) for number in decided.entrants):
        ended, messages = await cancelled(ctx, tournament_id, draft, NOBODY_GOES_ON)
        return [*events, *ended], [*messages, *unsealed]
    record.status, record.finished_ms = Status.FINISHED, ctx.now_ms()
    draft.put_standings(following.parts)
    events.append(Finished(following.winners))
    return events, unsealed


class _Following(NamedTuple):
    """What follows from a round that is over: the next one, or the final standings."""

    decided: Advancing
    paired: Round | None
    winners: list[int]
    parts: Sequence[bytes]  # of the final standings


def _following(
    record: TournamentRecord, entrants: Sequence[EntrantRecord], rounds: Sequence[RoundRecord]
) -> _Following:
    """Of a field of thousands this takes long: use a thread."""
    course = course_of(record, entrants, rounds)
    paired = next_round(course)
    if paired is not None:
        return _Following(advancing(course), paired, [], ())
    rows = standings(course)
    winners = [row.entrant for row in rows if row.rank == 1]
    return _Following(advancing(course), None, winners, final_parts(rows))
