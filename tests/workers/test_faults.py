"""What a tournament lives through: deaths, work twice, work lost. The result is always the same."""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter

import pytest

from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game.replay import actions_in
from services.events.advance_tournament import advance_tournament
from services.events.read_bracket import read_bracket
from services.events.report_result import report_result
from services.events.seat_table import seat_table
from services.events.tournament import TABLES, TOURNAMENTS, read_tournament
from services.play.play_bots import play_bots
from services.state import keys
from services.state.context import Context
from services.state.messages import (
    AdvanceTournament,
    Message,
    OpenTable,
    PlayTable,
    ReportResult,
)
from services.state.records import Status
from services.state.store import LeaseLost
from services.state.tournament_log import RoundStarted, TableFinished, decode_tournament_events
from tests.stored_logs import game_log_of, log_of
from workers.tasks.tables import create_seated

from .carrying import Clock, carry, drain, final_lines, started, status, sweep, take

ENTRANTS, SEED = 10, b"faults"


_undisturbed: list[str] = []


async def undisturbed(ctx: Context) -> list[str]:
    """Return the standings as they are when nothing goes wrong; played once."""
    if not _undisturbed:
        tournament_id = await started(ctx, ENTRANTS, seed=SEED)
        await drain(ctx)
        _undisturbed.extend(await final_lines(ctx, tournament_id))
    return _undisturbed


async def finished_tables(ctx: Context, tournament_id: str) -> Counter[str]:
    """Return how often the tournament's log counts each table's result."""
    events = []
    for batch in await ctx.store.read_log(TOURNAMENTS, tournament_id, after=0, limit=9_999):
        events += decode_tournament_events(batch.data)
    rounds = [event.round for event in events if isinstance(event, RoundStarted)]
    assert rounds == list(range(1, len(rounds) + 1))
    return Counter(event.result.table_id for event in events if isinstance(event, TableFinished))


def actions_counted(*processes: Context) -> int:
    """Return the actions that the processes' meters add up to."""
    name, labels = "rummy_arena_actions_total", {"rule_set": "kalooki-jamaican"}
    registries = [process.meters.registry for process in processes]
    return sum(int(registry.get_sample_value(name, labels) or 0) for registry in registries)


async def actions_logged(ctx: Context, table_ids: Counter[str]) -> int:
    """Return the actions that the tables' logs hold."""
    logged = 0
    for table_id in table_ids:
        logged += actions_in(await game_log_of(ctx, table_id))
    return logged


async def test_everything_delivered_twice_at_the_same_instant(
    ctx: Context, second: Context
) -> None:
    expected = await undisturbed(ctx)
    before = actions_counted(ctx)
    tournament_id = await started(ctx, ENTRANTS, seed=SEED)
    await drain(ctx, second, times=2)
    await drain(ctx)  # what one process left to the other, which had just stopped
    clock = Clock(ctx.now_ms() + 3_600_000)
    for _ in range(20):
        if await status(ctx, tournament_id) is Status.FINISHED:
            break
        await sweep(clock.of(ctx))
        await drain(ctx)
        clock.now_ms += 60_000
    assert await final_lines(ctx, tournament_id) == expected
    tables = await finished_tables(ctx, tournament_id)
    assert set(tables.values()) == {1}
    assert actions_counted(ctx, second) - before == await actions_logged(ctx, tables)


LOST: dict[str, tuple[type[Message], ...]] = {
    "open": (OpenTable,),
    "play": (PlayTable,),
    "open and play": (OpenTable, PlayTable),
    "results": (ReportResult,),
    "advance": (AdvanceTournament,),
    "everything": (OpenTable, PlayTable, ReportResult, AdvanceTournament),
}


@pytest.mark.parametrize("lost", LOST)
async def test_work_that_was_lost_once_is_sent_for_again(ctx: Context, lost: str) -> None:
    """The broker loses every message of some kinds the first time that it is sent."""
    expected = await undisturbed(ctx)
    clock = Clock()
    clocked = clock.of(ctx)
    seen: set[Message] = set()

    def lose(message: Message) -> bool:
        first = message not in seen
        seen.add(message)
        return first and isinstance(message, LOST[lost])

    tournament_id = await started(clocked, ENTRANTS, seed=SEED)
    for _ in range(60):
        await drain(clocked, lose=lose)
        if await status(ctx, tournament_id) is Status.FINISHED:
            break
        clock.now_ms += 6_000
        await sweep(clocked)
    assert await final_lines(ctx, tournament_id) == expected
    assert set((await finished_tables(ctx, tournament_id)).values()) == {1}


@pytest.mark.parametrize("kind", [OpenTable, PlayTable])
async def test_play_messages_that_never_arrive(ctx: Context, kind: type[Message]) -> None:
    """Tables that exist are brought back by their own deadlines, in bursts, to the same end."""
    clock = Clock()
    clocked = clock.of(ctx)
    tournament_id = await started(clocked, 8, seed=SEED)
    (first, *_) = [m for m in await take(clocked) if isinstance(m, OpenTable)]
    await carry(clocked, first)
    await drain(clocked, lose=lambda m: isinstance(m, kind))
    assert await status(ctx, tournament_id) is Status.RUNNING
    for _ in range(60):
        if await status(ctx, tournament_id) is Status.FINISHED:
            break
        clock.now_ms += 16_000
        await sweep(clocked)
        await drain(clocked)
    assert await status(ctx, tournament_id) is Status.FINISHED


async def test_tables_that_take_long_are_sent_for_ever_more_rarely(ctx: Context) -> None:
    clock = Clock()
    clocked = clock.of(ctx)
    tournament_id = await started(clocked, 8, seed=SEED, people=range(1, 9))
    await drain(clocked)
    sent = []
    for _ in range(240):  # an hour
        clock.now_ms += 15_000
        await advance_due(clocked, tournament_id)
        messages = await take(clocked, [keys.shard_of(tournament_id)])
        sent.append(sum(isinstance(message, OpenTable) for message in messages))
    assert sent[1] == 2  # the second look finds it unchanged
    assert 2 * 8 <= sum(sent) <= 2 * 15


async def advance_due(ctx: Context, tournament_id: str) -> None:
    """Do what the sweep does, for the tournament alone."""
    shard = keys.shard_of(tournament_id)
    for aggregate, entity in await ctx.store.claim_due(
        shard, now_ms=ctx.now_ms(), limit=99, hold_ms=5_000
    ):
        if (aggregate, entity) == (TOURNAMENTS, tournament_id):
            await advance_tournament(ctx, tournament_id, watchdog=True)


async def opened(ctx: Context) -> tuple[str, str]:
    """Return a tournament and its first table, created and not played."""
    tournament_id = await started(ctx, 4, seed=SEED)
    (message,) = [m for m in await take(ctx) if isinstance(m, OpenTable)]
    await carry(dataclasses.replace(ctx, now_ms=lambda: 1), message)
    return tournament_id, f"{tournament_id}-r1-t1"


async def test_a_worker_killed_between_read_and_commit(ctx: Context, second: Context) -> None:
    reference = await log_of(ctx, (await opened(ctx))[1])
    await take(ctx)
    tournament_id = await started(ctx, 4, seed=SEED)
    (message,) = await take(ctx)
    table_id = f"{tournament_id}-r1-t1"
    await carry(dataclasses.replace(second, now_ms=iter(range(0, 10**9, 2_500)).__next__), message)
    half = await log_of(ctx, table_id)
    assert 0 < len(half) < len(reference)
    dead = await second.store.acquire(TABLES, table_id, lease_ms=300, wait_s=1)
    assert not await play_bots(ctx, table_id, HOUSE_BOTS, slice_ms=60_000)  # busy: left to the dead
    assert await play_bots(ctx, table_id, HOUSE_BOTS, slice_ms=60_000, wait_s=5)
    assert await log_of(ctx, table_id) == reference
    with pytest.raises(LeaseLost):  # it was only paused, and wakes up
        await second.store.commit(dead, dead.data)
    assert await log_of(ctx, table_id) == reference


async def test_a_table_that_was_busy_for_a_moment_is_played_all_the_same(
    ctx: Context, second: Context
) -> None:
    """Somebody else looks at the table and changes nothing, just when its bots are sent for."""
    tournament_id = await started(ctx, 4, seed=SEED)
    (message,) = await take(ctx)
    table_id = f"{tournament_id}-r1-t1"
    await carry(dataclasses.replace(ctx, now_ms=iter(range(0, 10**9, 2_500)).__next__), message)
    before = await log_of(ctx, table_id)
    held = await second.store.acquire(TABLES, table_id, lease_ms=5_000, wait_s=1)
    playing = asyncio.create_task(carry(ctx, PlayTable(table_id)))
    await asyncio.sleep(0.05)
    await second.store.release(held)
    await playing
    assert len(await log_of(ctx, table_id)) > len(before)


async def test_two_schedulers_at_once(ctx: Context, second: Context) -> None:
    expected = await undisturbed(ctx)
    tournament_id = await started(ctx, ENTRANTS, seed=SEED)

    async def everybody() -> None:
        calls = [advance_tournament(process, tournament_id) for process in (ctx, second)] * 1
        more = [
            advance_tournament(process, tournament_id, watchdog=True)
            for process in (ctx, second, ctx, second)
        ]
        await asyncio.gather(*calls, *more)

    for _ in range(50):
        messages = await take(ctx)
        if not messages:
            break
        for message in messages:
            if isinstance(message, AdvanceTournament):
                await everybody()
            else:
                await carry(ctx, message)
    assert await final_lines(ctx, tournament_id) == expected
    assert set((await finished_tables(ctx, tournament_id)).values()) == {1}


async def test_results_reported_many_times_at_once(ctx: Context, second: Context) -> None:
    tournament_id = await started(ctx, 8, seed=SEED)
    for message in await take(ctx):
        assert isinstance(message, OpenTable)
        seating = await seat_table(ctx, tournament_id, message.round, message.number)
        assert seating is not None
        await create_seated(ctx, seating)
        await carry(ctx, PlayTable(seating.table_id))
    reports = [m.table_id for m in await take(ctx) if isinstance(m, ReportResult)]
    assert len(reports) == 2
    counted = await asyncio.gather(
        *(report_result(process, table) for table in reports * 5 for process in (ctx, second))
    )
    assert sum(counted) == 2
    messages = await take(ctx)
    assert messages == [AdvanceTournament(tournament_id)]
    assert set((await finished_tables(ctx, tournament_id)).values()) == {1}


async def test_what_is_over_expires_and_what_runs_does_not(ctx: Context) -> None:
    tournament_id = await started(ctx, 8, seed=SEED)
    client = ctx.store._client
    assert await client.pttl(keys.record(TOURNAMENTS, tournament_id)) == -1
    await drain(ctx)
    snapshot = await read_tournament(ctx, tournament_id)
    assert snapshot.record.status is Status.FINISHED
    for part in (keys.record, keys.log, keys.results):
        left = await client.pttl(part(TOURNAMENTS, tournament_id))
        assert 0 < left <= ctx.retention.tournaments_ms
    _, rounds = await read_bracket(ctx, tournament_id)
    for round_ in rounds:
        for result in round_.results:
            for part in (keys.record, keys.log):
                assert await client.pttl(part(TABLES, result.table_id)) > 0
    assert [key async for key in client.scan_iter("*:lease")] == []


async def test_deadlines_of_what_is_gone_go(ctx: Context) -> None:
    clock = Clock()
    clocked = clock.of(ctx)
    tournament_id = await started(clocked, 8, seed=SEED)
    table_id = f"{tournament_id}-r1-t1"
    await carry(
        dataclasses.replace(ctx, now_ms=iter(range(9**9)).__next__), OpenTable(tournament_id, 1, 1)
    )
    for aggregate, entity in ((TOURNAMENTS, tournament_id), (TABLES, table_id)):
        await ctx.store._client.delete(keys.record(aggregate, entity))
    clock.now_ms += 10**9
    await sweep(clocked)
    for shard in range(keys.SHARDS):
        assert await ctx.store._client.zcard(keys.deadlines(shard)) == 0


async def test_one_damaged_table_does_not_hold_up_the_sweep(ctx: Context) -> None:
    clock = Clock()
    clocked = clock.of(ctx)
    await started(clocked, 16, seed=SEED)
    messages = await take(clocked)
    for message in messages:
        await carry(dataclasses.replace(ctx, now_ms=iter(range(0, 9**9, 2_500)).__next__), message)
    tables = [f"{m.tournament_id}-r1-t{m.number}" for m in messages if isinstance(m, OpenTable)]
    assert len(tables) == 4
    for table_id in tables[:3]:
        await ctx.store._client.hset(keys.record(TABLES, table_id), "data", b"\xff broken")
    await take(clocked)
    clock.now_ms += 10**9
    await sweep(clocked)
    sent = [m.table_id for m in await take(clocked) if isinstance(m, PlayTable)]
    assert sent == tables[3:]
