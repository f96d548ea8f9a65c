"""Events to be tried under faults: started, run on, and all that they led to."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from rummy_arena.bots.registry import HOUSE_BOTS
from services.events.check_in import check_in
from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.leave_tournament import withdraw
from services.events.read_bracket import read_bracket
from services.events.read_standings import read_standings
from services.events.register import register
from services.events.stage_choices import StageChoice
from services.events.start_tournament import start_tournament
from services.events.tournament import TOURNAMENTS, read_tournament
from services.state import keys
from services.state.context import Context
from services.state.messages import Message
from services.state.records import Schedule, Status, TableResultRecord
from services.state.tournament_log import (
    Finished,
    RoundFinished,
    RoundStarted,
    Started,
    TableFinished,
    TournamentEvent,
    decode_tournament_events,
)

from .carrying import HOST, Clock, drain, sweep

SEED = b"event faults"
STEP_MS = 20_000
LATE = 2  # entrants who come while the first round is played, where they may


@dataclass(frozen=True)
class Kind:
    """An event to be tried; of one deal a table, unless its rule set is another."""

    stages: tuple[StageChoice, ...]
    entrants: int
    rule_set: str = "kalooki-jamaican"
    rules: dict[str, str] = field(default_factory=lambda: {"contract": "1"})
    schedule: Schedule = field(default_factory=Schedule)
    late: int = 0
    leaving: int = 0  # who withdraws at the same time
    timed: bool = False  # whether it starts by itself, without who has not checked in


KNOCKOUT = StageChoice("knockout", 4, {"advance": "2"})
KINDS = {
    "knockout with breaks and round time": Kind(
        (KNOCKOUT,), 14, schedule=Schedule(break_ms=30_000, round_ms=600_000)
    ),
    "knockout that starts by itself": Kind((KNOCKOUT,), 9, timed=True),
    "groups, then knockout": Kind(
        (StageChoice("groups", 3, {"group_size": "5", "wildcards": "1"}, take=5), KNOCKOUT), 10
    ),
    "swiss with late entry": Kind(
        (StageChoice("swiss", 2, {"rounds": "3", "last_entry": "2"}),),
        5,
        rule_set="carioca-argentine",
        schedule=Schedule(late_rounds=2),
        late=LATE,
        leaving=1,
    ),
    "double elimination": Kind(
        (StageChoice("double-elimination", 2),), 5, rule_set="carioca-argentine"
    ),
    "shrinking": Kind((StageChoice("shrinking", 4, {"cut": "40"}),), 9, rules={}),
    "duplicate": Kind((StageChoice("duplicate", 3, {"rounds": "3"}),), 9),
}
"""What is tried, by name."""


@dataclass(frozen=True)
class Course:
    """All that an event led to, but for ids and times."""

    rounds: Sequence[object]
    standings: Sequence[str]
    lots: Sequence[Sequence[str]]


async def begun(ctx: Context, kind: Kind) -> str:
    """Start an event, or have it start, with whoever comes late and leaves; return its id."""
    schedule = kind.schedule
    if kind.timed:
        times = {"start_ms": ctx.now_ms() + STEP_MS, "check_in_ms": STEP_MS}
        schedule = msgspec.structs.replace(schedule, **times)
    options = TournamentOptions(
        "Faults",
        kind.rule_set,
        kind.stages,
        seed=SEED,
        rule_set_options=kind.rules,
        schedule=schedule,
    )
    tournament = await create_tournament(ctx, HOST, options, tournament_id=ctx.new_id())
    bots = sorted(HOUSE_BOTS)

    async def enter(number: int) -> str:
        bot = bots[number % len(bots)]
        player_id, _ = await create_player(
            ctx, HOST, name=f"bot-{number}", role="bot", bot=bot, player_id=ctx.new_id()
        )
        await register(ctx, HOST, tournament_id=tournament.id, player_id=player_id)
        return player_id

    players = [await enter(number) for number in range(1, kind.entrants + 1)]
    if kind.timed:
        for player_id in players[1:]:
            await check_in(ctx, HOST, tournament.id, player_id)
        return tournament.id
    await start_tournament(ctx, HOST, tournament_id=tournament.id)
    for number in range(kind.entrants + 1, kind.entrants + kind.late + 1):
        await enter(number)
    for player_id in players[: kind.leaving]:
        await withdraw(ctx, HOST, tournament.id, player_id)
    return tournament.id


async def run_on(
    processes: Sequence[Context],
    clock: Clock,
    tournament_id: str,
    *,
    times: int = 1,
    lose: Callable[[Message], bool] = lambda _: False,
) -> None:
    """Let time pass and everything happen until the event is over."""
    for _ in range(400):
        await drain(*processes, times=times, lose=lose)
        record = (await read_tournament(processes[0], tournament_id)).record
        if record.status not in (Status.REGISTERING, Status.RUNNING):
            return
        clock.now_ms += STEP_MS
        await asyncio.gather(*(sweep(process) for process in processes))
    raise AssertionError("the event stands still")


async def events_of(ctx: Context, tournament_id: str) -> list[TournamentEvent]:
    """Return the whole log of a tournament, which must be without gaps."""
    events: list[TournamentEvent] = []
    for batch in await ctx.store.read_log(TOURNAMENTS, tournament_id, after=0, limit=9_999):
        assert batch.first == len(events) + 1
        events += decode_tournament_events(batch.data)
    return events


async def course_of(ctx: Context, tournament_id: str) -> Course:
    """Return what a finished event led to; each thing must stand in its log once."""
    events = await events_of(ctx, tournament_id)
    snapshot, bracket = await read_bracket(ctx, tournament_id)
    assert snapshot.record.status is Status.FINISHED
    numbers = list(range(1, len(bracket) + 1))
    for kind in (RoundStarted, RoundFinished):
        assert [event.round for event in events if isinstance(event, kind)] == numbers
    assert [isinstance(event, Started) for event in events].count(True) == 1
    assert isinstance(events[-1], Finished)
    counted = Counter(event.result.table_id for event in events if isinstance(event, TableFinished))
    assert set(counted.values()) == {1}
    assert len(counted) == sum(len(item.round.tables) for item in bracket)
    _, rows = await read_standings(ctx, tournament_id)
    return Course(
        [
            (
                item.round.tables,
                item.round.byes,
                item.round.stage,
                item.round.labels,
                item.round.boards,
                item.round.options,
                item.advancing,
                [_played(result) for result in item.results],
            )
            for item in bracket
        ],
        [f"{row.entrant.name} {row.row}" for row in rows],
        [event.lots for event in events if isinstance(event, RoundFinished)],
    )


def _played(result: TableResultRecord) -> TableResultRecord:
    return msgspec.structs.replace(result, table_id="", finished_ms=0)


async def no_timer_is_left(ctx: Context, clock: Clock) -> None:
    """Assert that nothing is due ever again, some minutes after the end.

    Tables that shared their deals may have to look by themselves whether all of them have ended.
    """
    for _ in range(5):
        await drain(clock.of(ctx))
        if not await timers(ctx):
            return
        clock.now_ms += 60_000
        await sweep(clock.of(ctx))
    raise AssertionError(f"still due: {await timers(ctx)}")


async def timers(ctx: Context) -> dict[str, float]:
    """Return every timer of the store with its time."""
    found: dict[str, float] = {}
    for shard in range(keys.SHARDS):
        stored = await ctx.store._client.zrange(keys.deadlines(shard), 0, -1, withscores=True)
        found.update({member.decode(): score for member, score in stored})
    return found
