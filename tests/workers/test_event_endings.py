"""However an event ends nothing of it is due any more; a damaged one holds up no other."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import pytest
import structlog.testing

from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.hold_tournament import cancel_tournament, pause_tournament
from services.events.leave_tournament import withdraw
from services.events.register import register
from services.events.replace_entrant import disqualify_entrant
from services.events.replay_table import replay_table
from services.events.stage_choices import StageChoice
from services.events.start_tournament import start_tournament
from services.events.tournament import TOURNAMENTS, read_tournament
from services.state import keys
from services.state.context import Context
from services.state.messages import Message
from services.state.records import Schedule, Status

from .carrying import HOST, Clock, drain, sweep
from .event_kinds import (
    KINDS,
    SEED,
    begun,
    course_of,
    no_timer_is_left,
    run_on,
    timers,
)

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


async def test_a_round_of_people_who_do_nothing_ends_though_work_is_lost(ctx: Context) -> None:
    """Time is up for tables and for the round, while three of ten messages go astray."""
    clock, dice = Clock(), random.Random("people")
    life = Life(clock.of(ctx), clock)
    await life.create(round_ms=150_000, break_ms=10_000)
    await start_tournament(life.ctx, HOST, tournament_id=life.id)
    await run_on([life.ctx], clock, life.id, lose=lambda _: dice.random() < 0.3)
    await course_of(ctx, life.id)
    await no_timer_is_left(ctx, clock)


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
