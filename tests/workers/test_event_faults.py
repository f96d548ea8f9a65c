"""Events of every kind under faults: schedulers at once, work many times over, work lost.

The tables are played by house bots, so whatever happens on the way the same event must come out:
rounds, seats, labels, cards, results, lots and standings. Time stands still but when a test sets it
forward.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

import msgspec
import pytest
import structlog.testing
from prometheus_client import CollectorRegistry

from rummy_arena.bots.registry import HOUSE_BOTS
from services.events.check_in import check_in
from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.hold_tournament import cancel_tournament, pause_tournament
from services.events.leave_tournament import withdraw
from services.events.read_bracket import read_bracket
from services.events.read_standings import read_standings
from services.events.register import register
from services.events.replace_entrant import disqualify_entrant
from services.events.replay_table import replay_table
from services.events.stage_choices import StageChoice
from services.events.start_tournament import start_tournament
from services.events.tournament import TOURNAMENTS, read_tournament
from services.state import keys
from services.state.client import connect
from services.state.context import Context
from services.state.messages import Message
from services.state.meters import Meters
from services.state.records import Schedule, Status, TableResultRecord
from services.state.store import Store
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
        (StageChoice("groups", 3, {"group_size": "5", "wildcards": "1"}, take=5), KNOCKOUT), 15
    ),
    "swiss with late entry": Kind(
        (StageChoice("swiss", 2, {"rounds": "4", "last_entry": "3"}),),
        7,
        rule_set="carioca-argentine",
        schedule=Schedule(late_rounds=3),
        late=LATE,
        leaving=1,
    ),
    "double elimination": Kind(
        (StageChoice("double-elimination", 2),), 6, rule_set="carioca-argentine"
    ),
    "shrinking": Kind((StageChoice("shrinking", 4, {"cut": "30"}),), 9, rules={}),
    "duplicate": Kind((StageChoice("duplicate", 3, {"rounds": "3"}),), 9),
}
"""What is tried, by name."""


@dataclass(frozen=True)
class Course:
    """All that an event led to, but for ids and times."""

    rounds: Sequence[object]
    standings: Sequence[str]
    lots: Sequence[Sequence[str]]


@pytest.fixture
async def second(ctx: Context, valkey_url: str) -> AsyncIterator[Context]:
    """Another process: its own connections, its own line at each tournament."""
    meters = Meters(CollectorRegistry())
    store = Store(connect(valkey_url), meters)
    yield replace(ctx, store=store, meters=meters)
    await store.close()


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


_undisturbed: dict[str, Course] = {}


async def undisturbed(ctx: Context, kind: str) -> Course:
    """Return the event as it is when nothing goes wrong; played once."""
    if kind not in _undisturbed:
        clock = Clock()
        tournament_id = await begun(clock.of(ctx), KINDS[kind])
        await run_on([clock.of(ctx)], clock, tournament_id)
        _undisturbed[kind] = await course_of(ctx, tournament_id)
    return _undisturbed[kind]


@pytest.mark.parametrize("kind", KINDS)
async def test_two_schedulers_and_everything_five_times(
    ctx: Context, second: Context, kind: str
) -> None:
    """Each message goes to both processes at the same instant, five times; both sweep at once."""
    expected = await undisturbed(ctx, kind)
    clock = Clock()
    tournament_id = await begun(clock.of(ctx), KINDS[kind])
    await run_on([clock.of(ctx), clock.of(second)], clock, tournament_id, times=5)
    assert await course_of(ctx, tournament_id) == expected
    await no_timer_is_left(ctx, clock)


@pytest.mark.parametrize("kind", KINDS)
async def test_three_of_ten_messages_are_lost(ctx: Context, kind: str) -> None:
    """Of every sort, again and again: the sweep brings the event to the same end."""
    expected = await undisturbed(ctx, kind)
    clock, dice = Clock(), random.Random(kind)
    tournament_id = await begun(clock.of(ctx), replace(KINDS[kind], schedule=_endless(kind)))
    await run_on([clock.of(ctx)], clock, tournament_id, lose=lambda _: dice.random() < 0.3)
    assert await course_of(ctx, tournament_id) == expected
    await no_timer_is_left(ctx, clock)


def _endless(kind: str) -> Schedule:
    """Return the schedule without an end of rounds: what is late by loss may not be cut short."""
    return msgspec.structs.replace(KINDS[kind].schedule, round_ms=0)


async def no_timer_is_left(ctx: Context, clock: Clock) -> None:
    """Assert that nothing is due ever again, once what is under way has been carried."""
    await drain(clock.of(ctx))
    assert await timers(ctx) == {}


async def timers(ctx: Context) -> dict[str, float]:
    """Return every timer of the store with its time."""
    found: dict[str, float] = {}
    for shard in range(keys.SHARDS):
        stored = await ctx.store._client.zrange(keys.deadlines(shard), 0, -1, withscores=True)
        found.update({member.decode(): score for member, score in stored})
    return found


DAY_MS = 86_400_000
START_MS, CHECK_IN_MS = 120_000, 60_000


@dataclass
class Life:
    """An event that is about to end, with people at its tables, who do nothing."""

    ctx: Context
    clock: Clock
    id: str = ""
    players: list[str] = field(default_factory=list)

    async def create(self, entrants: int = 6, **schedule: int | bool) -> None:
        """Create it and enter people."""
        options = TournamentOptions(
            "Life",
            "kalooki-jamaican",
            (StageChoice("knockout", 3, {"advance": "1"}),),
            capacity=8,
            seed=SEED,
            rule_set_options={"contract": "1"},
            schedule=Schedule(**schedule),  # type: ignore[arg-type]
        )
        tournament = await create_tournament(
            self.ctx, HOST, options, tournament_id=self.ctx.new_id()
        )
        self.id = tournament.id
        for number in range(1, entrants + 1):
            player_id, _ = await create_player(
                self.ctx,
                HOST,
                name=f"p{number}",
                role="player",
                bot="",
                player_id=self.ctx.new_id(),
            )
            await register(self.ctx, HOST, tournament_id=self.id, player_id=player_id)
            self.players.append(player_id)

    async def start(self) -> None:
        """Start it, and open its tables unless there is a break."""
        await start_tournament(self.ctx, HOST, tournament_id=self.id)
        await drain(self.ctx)

    async def works(self, ms: int) -> None:
        """Let time pass at once, and do what is due."""
        self.clock.now_ms += ms
        await sweep(self.ctx)
        await drain(self.ctx)

    async def cancel(self) -> None:
        """Its host calls it off."""
        await cancel_tournament(self.ctx, HOST, self.id, reason="rain")

    async def everybody_leaves(self) -> None:
        """All withdraw, the last one too."""
        for player_id in self.players:
            await withdraw(self.ctx, HOST, self.id, player_id)


async def _nobody_registered(life: Life) -> None:
    await life.create(0, start_ms=life.clock.now_ms + START_MS)


async def _one_registered(life: Life) -> None:
    await life.create(1, start_ms=life.clock.now_ms + START_MS)


async def _too_few(life: Life) -> None:
    await life.create(4, start_ms=life.clock.now_ms + START_MS, min_entrants=5)


async def _nobody_checked_in(life: Life) -> None:
    await life.create(start_ms=life.clock.now_ms + START_MS, check_in_ms=CHECK_IN_MS)


async def _left_before_the_start(life: Life) -> None:
    await life.create(start_ms=life.clock.now_ms + START_MS)
    await life.everybody_leaves()


async def _left_in_the_break(life: Life) -> None:
    await life.create(break_ms=30_000)
    await life.start()
    await life.everybody_leaves()


async def _left_the_tables(life: Life) -> None:
    await life.create(round_ms=600_000)
    await life.start()
    await life.everybody_leaves()


async def _all_disqualified(life: Life) -> None:
    await life.create()
    await life.start()
    for number in range(1, 7):
        await disqualify_entrant(life.ctx, HOST, life.id, number, reason="a fight")


async def _cancelled_while_registering(life: Life) -> None:
    await life.create(start_ms=life.clock.now_ms + START_MS)
    await life.cancel()


async def _cancelled_in_the_break(life: Life) -> None:
    await life.create(break_ms=30_000)
    await life.start()
    await life.cancel()


async def _cancelled_at_the_tables(life: Life) -> None:
    await life.create(round_ms=600_000)
    await life.start()
    await life.cancel()


async def _cancelled_while_held(life: Life) -> None:
    await life.create()
    await life.start()
    await pause_tournament(life.ctx, HOST, life.id, reason="lunch")
    await drain(life.ctx)
    await life.cancel()


async def _cancelled_after_a_replay(life: Life) -> None:
    await life.create()
    await life.start()
    await replay_table(life.ctx, HOST, life.id, 1, reason="a card fell")
    await life.cancel()


ENDINGS: dict[str, Callable[[Life], Awaitable[None]]] = {
    ending.__name__.strip("_").replace("_", " "): ending
    for ending in (
        _nobody_registered,
        _one_registered,
        _too_few,
        _nobody_checked_in,
        _left_before_the_start,
        _left_in_the_break,
        _left_the_tables,
        _all_disqualified,
        _cancelled_while_registering,
        _cancelled_in_the_break,
        _cancelled_at_the_tables,
        _cancelled_while_held,
        _cancelled_after_a_replay,
    )
}


@pytest.mark.parametrize("lost", [False, True], ids=["told", "told in vain"])
async def test_no_timer_is_left_however_it_ends(ctx: Context, lost: bool) -> None:
    """Neither of the event nor of its tables, also where whatever was sent at the end is lost."""
    clock = Clock()
    lives = {name: Life(clock.of(ctx), clock) for name in ENDINGS}
    for name, life in lives.items():
        await ENDINGS[name](life)
    if lost:
        assert await drain(clock.of(ctx), lose=lambda _: True) == 0
    for ms in (0, START_MS, 1_000, 60_000, 60_000):
        await lives["too few"].works(ms)
    for name, life in lives.items():
        record = (await read_tournament(ctx, life.id)).record
        assert (name, record.status) == (name, Status.CANCELLED)
        assert record.reason
    assert await timers(ctx) == {}
    await lives["too few"].works(DAY_MS)
    assert await timers(ctx) == {}


RUINED: dict[str, Callable[[str], tuple[str, str]]] = {
    "record": lambda entity: (keys.record(TOURNAMENTS, entity), "data"),
    "round": lambda entity: (keys.parts(TOURNAMENTS, entity), "round:1"),
    "entrant": lambda entity: (keys.parts(TOURNAMENTS, entity), "entrant:2"),
    "result": lambda entity: (keys.results(TOURNAMENTS, entity), "1:1"),
}
"""What of an event is damaged: key and field."""


async def test_damaged_events_do_not_hold_up_others(
    ctx: Context, second: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All fall due in one sweep of one shard; the whole one goes on, with another process too."""
    monkeypatch.setattr(keys, "shard_of", lambda _: 3)
    clock = Clock()
    kind = replace(KINDS["swiss with late entry"], schedule=Schedule(break_ms=30_000), late=0)
    ruined = {name: await begun(clock.of(ctx), kind) for name in RUINED}
    whole = await begun(clock.of(ctx), kind)
    for name, tournament_id in ruined.items():
        key, field_ = RUINED[name](tournament_id)
        await ctx.store._client.hset(key, field_, b"\xff broken")
    fresh = clock.of(second)  # it has kept nothing of what it wrote itself

    def of_ruined(message: Message) -> bool:  # their tasks fail, each by itself
        return getattr(message, "tournament_id", "") in ruined.values()

    with structlog.testing.capture_logs() as told:
        await run_on([fresh], clock, whole, lose=of_ruined)
    assert {"deadline not handled"} == {line["event"] for line in told}
    await course_of(second, whole)
    standing = {member.partition(":")[2] for member in await timers(ctx)}
    assert ruined["record"] in standing  # for whoever mends it
