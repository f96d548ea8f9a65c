"""The one step of a running tournament: close a complete round, pair the next, or finish.

Idempotent: what it does is a function of the record and the results that are in, done under the
tournament's lease, so any number of calls at any time lead to the same rounds.
"""

from __future__ import annotations

from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.stages import advancing, next_round, standings
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.messages import Message, OpenTable, encode_message
from services.state.records import RoundRecord, Status, TournamentRecord
from services.state.store import Batch, Busy, Held
from services.state.tournament_log import (
    Finished,
    RoundFinished,
    RoundStarted,
    TournamentEvent,
    encode_tournament_events,
)

from .pairing import course_of, round_record
from .tournament import (
    LEASE_MS,
    MOST_DOUBLINGS,
    TOURNAMENTS,
    WATCHDOG_MS,
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
        record = TOURNAMENT.decode(held.data)
        step = await _step(ctx, tournament_id, held, record, watchdog=watchdog)
    except BaseException:
        await ctx.store.release(held)
        raise
    if step is None:
        await ctx.store.release(held)
        return
    events, messages = step
    await commit_tournament(ctx, held, record, events, messages)
    if record.status is Status.FINISHED:
        ctx.meters.count_tournament(record.rule_set, "finished")


async def _step(
    ctx: Context, tournament_id: str, held: Held, record: TournamentRecord, *, watchdog: bool
) -> tuple[list[TournamentEvent], list[Message]] | None:
    if record.status is not Status.RUNNING:
        return ([], []) if watchdog else None
    round_ = record.rounds[-1]
    results = await results_so_far(ctx, tournament_id, round_)
    if len(results) < len(round_.tables):
        if not watchdog:
            return None
        record.stalls = record.stalls + 1 if record.seen_seq == held.seq else 0
        record.seen_seq = held.seq
        done = {result.number for result in results}
        return [], open_messages(tournament_id, round_, done) if record.stalls else []
    record.stalls = 0
    round_.results, round_.finished_ms = results, ctx.now_ms()
    return _closed(ctx, tournament_id, record)


def _closed(
    ctx: Context, tournament_id: str, record: TournamentRecord
) -> tuple[list[TournamentEvent], list[Message]]:
    """The last round's results are in: say who goes on, and pair them or finish."""
    course = course_of(record, record.entrants, record.rounds)
    number = record.rounds[-1].number
    decided = advancing(course)
    events: list[TournamentEvent] = [
        RoundFinished(number, list(decided.entrants), list(decided.lots))
    ]
    paired = next_round(course)
    if paired is not None:
        started, messages = open_round(ctx, tournament_id, record, paired)
        return [*events, started], messages
    record.status, record.finished_ms = Status.FINISHED, ctx.now_ms()
    rows = standings(course)
    events.append(Finished([row.entrant for row in rows if row.rank == 1]))
    return events, []


def open_round(
    ctx: Context, tournament_id: str, record: TournamentRecord, paired: Round
) -> tuple[RoundStarted, list[Message]]:
    """Append a paired round to the record; return its event and a message for each table."""
    round_ = round_record(paired, ctx.now_ms())
    record.rounds.append(round_)
    started = RoundStarted(round_.number, round_.tables, round_.byes)
    return started, open_messages(tournament_id, round_, done=set())


def open_messages(tournament_id: str, round_: RoundRecord, done: set[int]) -> list[Message]:
    """Return the messages that send for every table of the round whose number is not done."""
    return [
        OpenTable(tournament_id, round_.number, number)
        for number in range(1, len(round_.tables) + 1)
        if number not in done
    ]


async def commit_tournament(
    ctx: Context,
    held: Held,
    record: TournamentRecord,
    events: list[TournamentEvent],
    messages: list[Message],
) -> None:
    """Store the tournament with what happened, what it owes, and when to look at it again.

    One that is over expires, unless it is read out of the arena before.
    """
    running = record.status is Status.RUNNING
    look_ms = WATCHDOG_MS << min(record.stalls, MOST_DOUBLINGS)
    over = record.status in (Status.FINISHED, Status.CANCELLED)
    now_ms = ctx.now_ms()
    await ctx.store.commit(
        held,
        TOURNAMENT.encode(record),
        events=Batch(len(events), encode_tournament_events(events), now_ms),
        messages=tuple(map(encode_message, messages)),
        deadline_ms=now_ms + look_ms if running else None,
        expected_results=sum(len(round_.tables) for round_ in record.rounds),
        ttl_ms=ctx.retention.tournaments_ms if over else None,
    )
