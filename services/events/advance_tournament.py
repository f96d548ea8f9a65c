"""The one step of a running tournament: close a complete round, pair the next, or finish.

Idempotent: what it does is a function of the record and the results that are in, done under the
tournament's lease, so any number of calls at any time lead to the same rounds.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from rummy_arena.tournament.rounds import Advancing, Round, Standing
from rummy_arena.tournament.stages import Course, advancing, next_round, standings
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.messages import Message, OpenTable
from services.state.records import RoundRecord, Status, TableResultRecord
from services.state.store import Busy, Held
from services.state.tournament_log import Finished, RoundFinished, RoundStarted, TournamentEvent

from .commit_tournament import commit_tournament
from .pairing import course_of, round_record
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
    """Take the tournament as far as its results allow.

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
    if step is None:
        await ctx.store.release(held)
        return
    events, messages = step
    await commit_tournament(ctx, held, draft, events, messages)
    if draft.record.status is Status.FINISHED:
        ctx.meters.count_tournament(draft.record.rule_set, "finished")


async def _step(
    ctx: Context, held: Held, draft: Draft, *, watchdog: bool
) -> tuple[list[TournamentEvent], list[Message]] | None:
    record = draft.record
    if record.status is not Status.RUNNING:
        return ([], []) if watchdog else None
    round_ = await read_round(ctx, held.id, record.rounds[-1])
    results = await results_so_far(ctx, held.id, round_)
    if len(results) < len(round_.tables):
        if not watchdog:
            return None
        record.stalls = record.stalls + 1 if record.seen_seq == held.seq else 0
        record.seen_seq = held.seq
        done = {result.number for result in results}
        return [], open_messages(held.id, round_, done) if record.stalls else []
    record.stalls = 0
    return await _closed(ctx, held.id, draft, results)


async def _closed(
    ctx: Context, tournament_id: str, draft: Draft, results: list[TableResultRecord]
) -> tuple[list[TournamentEvent], list[Message]]:
    """The last round's results are in: say who goes on, and pair them or finish."""
    record = draft.record
    entrants = await read_entrants(ctx, tournament_id, record)
    rounds = await read_rounds(ctx, tournament_id, record)
    rounds[-1] = copied(rounds[-1], results=results, finished_ms=ctx.now_ms())
    following = await asyncio.to_thread(_following, course_of(record, entrants, rounds))
    decided = following.decided
    draft.put_round(copied(rounds[-1], advancing=list(decided.entrants)))
    events: list[TournamentEvent] = [
        RoundFinished(rounds[-1].number, list(decided.entrants), list(decided.lots))
    ]
    if following.paired is not None:
        started, messages = open_round(ctx, tournament_id, draft, following.paired)
        return [*events, started], messages
    record.status, record.finished_ms = Status.FINISHED, ctx.now_ms()
    events.append(Finished([row.entrant for row in following.standings if row.rank == 1]))
    return events, []


class _Following(NamedTuple):
    """What follows from a round that is over: the next one, or the final standings."""

    decided: Advancing
    paired: Round | None
    standings: tuple[Standing, ...]


def _following(course: Course) -> _Following:
    """Of a field of thousands this takes long: use a thread."""
    paired = next_round(course)
    return _Following(advancing(course), paired, standings(course) if paired is None else ())


def open_round(
    ctx: Context, tournament_id: str, draft: Draft, paired: Round
) -> tuple[RoundStarted, list[Message]]:
    """Put a paired round into the draft; return its event and a message for each table."""
    round_ = round_record(paired, ctx.now_ms())
    draft.put_round(round_)
    started = RoundStarted(round_.number, round_.tables, round_.byes)
    return started, open_messages(tournament_id, round_, done=set())


def open_messages(tournament_id: str, round_: RoundRecord, done: set[int]) -> list[Message]:
    """Return the messages that send for every table of the round whose number is not done."""
    return [
        OpenTable(tournament_id, round_.number, number)
        for number in range(1, len(round_.tables) + 1)
        if number not in done
    ]
