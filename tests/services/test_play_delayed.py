"""Spectators who are behind: where the log ends for them, and the table as it was then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from rummy_arena.game import replay as replay_module
from rummy_arena.game.actions import NONE
from rummy_arena.game.events import DealCommitted, DealEnded, DealStarted, GameEnded
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from services.play import delayed as delayed_module
from services.play.delayed import Delay, PastLog, PastLogs
from services.play.feed import Feeds
from services.play.history import NumberedEvent, history, stored_events
from services.play.see_table import see_table
from services.play.table import TABLES
from services.play.watch_table import DelayedSource
from services.state.context import Context
from services.state.errors import CursorTooOld
from services.state.records import Life, Terms

from .played import played_table
from .test_play_feed import Plain, all_of


@dataclass(frozen=True)
class Somebody:
    player_id: str
    role: str = "spectator"


ANN, OUTSIDE, ADMIN = Somebody("a", "player"), Somebody("x"), Somebody("admin", "admin")


@dataclass
class Clock:
    now_ms: int = 1_000_000_000

    def __call__(self) -> int:
        return self.now_ms


async def all_events(ctx: Context, table_id: str) -> list[NumberedEvent]:
    found: list[NumberedEvent] = []
    more = True
    while more:
        page, more = await stored_events(ctx, table_id, after=len(found), limit=500)
        found += page
    return found


async def test_the_running_deal_is_invisible_and_shown_once_it_is_over(ctx: Context) -> None:
    table, logs = await played_table(ctx, terms=Terms(delay_deals=1)), PastLogs()
    seen = await see_table(ctx, logs, table.id, OUTSIDE)
    assert seen.snapshot.play is None
    await table.steps(20)
    page = await history(ctx, logs, table.id, OUTSIDE, after=0, limit=1000)
    assert not any(isinstance(item.event, DealStarted) for item in page.events)
    while not any(isinstance(i.event, DealEnded) for i in await all_events(ctx, table.id)):
        await table.step()
    await table.steps(10)
    log = await all_events(ctx, table.id)
    page = await history(ctx, logs, table.id, OUTSIDE, after=0, limit=1000)
    starts = [i.sequence for i in log if isinstance(i.event, DealCommitted | DealStarted)]
    second = next(s for s in starts if isinstance(log[s - 1].event, DealStarted) and s > starts[1])
    end = page.last_sequence
    assert page.events[-1].sequence == end < second
    assert not page.complete
    seen = await see_table(ctx, logs, table.id, OUTSIDE)
    assert (seen.snapshot.sequence, seen.delayed, seen.seat) == (end, True, NONE)
    assert seen.snapshot.play is not None
    assert seen.snapshot.play.view.number == 1
    assert len(seen.snapshot.play.sheet.deals) == 1
    assert seen.snapshot.play.clock is None
    assert seen.snapshot.life is Life.PLAYING


async def test_nothing_that_happens_in_the_running_deal_changes_what_spectators_see(
    ctx: Context,
) -> None:
    table, logs = await played_table(ctx, terms=Terms(delay_deals=1)), PastLogs()
    await table.deal()
    told = []
    for _ in range(12):
        sight = await see_table(ctx, logs, table.id, OUTSIDE)
        told.append((sight, await history(ctx, logs, table.id, OUTSIDE, after=0, limit=1000)))
        # Nor does it depend on what this process has read before.
        assert await see_table(ctx, PastLogs(), table.id, OUTSIDE) == sight
        await table.step()
    log = await all_events(ctx, table.id)
    assert sum(isinstance(item.event, DealEnded) for item in log) == 1
    assert all(seen == told[0] for seen in told)


async def test_seats_see_live_what_others_do_not(ctx: Context) -> None:
    table, logs = await played_table(ctx, terms=Terms(delay_deals=2, created_by="boss")), PastLogs()
    await table.steps(5)
    for person in (OUTSIDE, ADMIN, Somebody("boss", "host")):
        sight = await see_table(ctx, logs, table.id, person)
        assert sight.snapshot.sequence < table.last
    sight = await see_table(ctx, logs, table.id, ANN)
    assert (sight.snapshot.sequence, sight.delayed, sight.seat) == (table.last, False, 0)
    page = await history(ctx, logs, table.id, ANN, after=0, limit=1000)
    assert page.last_sequence == table.last


async def test_everything_is_shown_once_the_game_is_over(ctx: Context) -> None:
    table, logs = await played_table(ctx, terms=Terms(delay_deals=3)), PastLogs()
    await table.finish()
    sight = await see_table(ctx, logs, table.id, OUTSIDE)
    assert (sight.snapshot.life, sight.snapshot.sequence) == (Life.FINISHED, table.last)
    assert sight.snapshot.play is not None
    assert sight.snapshot.play.sheet.places
    page = await history(ctx, logs, table.id, OUTSIDE, after=table.last - 1, limit=10)
    assert page.complete


async def test_seconds_hide_what_is_younger(ctx: Context) -> None:
    clock = Clock()
    ctx = replace(ctx, now_ms=clock)
    table, logs = await played_table(ctx, terms=Terms(delay_ms=60_000)), PastLogs()
    ends = [(clock.now_ms, table.last)]
    for _ in range(40):
        clock.now_ms += 7_000
        await table.step()
        ends.append((clock.now_ms, table.last))
        expected = max((end for at_ms, end in ends if at_ms <= clock.now_ms - 60_000), default=0)
        page = await history(ctx, logs, table.id, OUTSIDE, after=0, limit=1000)
        assert page.last_sequence == len(page.events) == expected
        sight = await see_table(ctx, logs, table.id, OUTSIDE)
        assert sight.snapshot.sequence == expected
    await table.finish()
    sight = await see_table(ctx, logs, table.id, OUTSIDE)
    assert sight.snapshot.life is Life.PLAYING
    assert sight.snapshot.finished_ms == 0
    clock.now_ms += 60_000
    sight = await see_table(ctx, logs, table.id, OUTSIDE)
    assert sight.snapshot.life is Life.FINISHED


async def test_a_commit_without_a_time_is_as_young_as_can_be(ctx: Context) -> None:
    clock = Clock()
    ctx = replace(ctx, now_ms=clock)
    table = await played_table(ctx)
    log = PastLog(table.id)
    clock.now_ms = 0
    await table.step()
    clock.now_ms = 2_000_000_000
    await log.extend(ctx)
    assert log.visible_end(Delay(0, 1_000), clock.now_ms) < table.last
    assert log.visible_end(Delay(0, 1_000), clock.now_ms + 1_000) == table.last


@pytest.mark.parametrize("rule_set", RULE_SETS)
async def test_the_end_of_each_deal_can_be_played_to(ctx: Context, rule_set: str) -> None:
    """Wherever a delay by deals cuts a log, the table as it was then can be made."""
    seats = "abcdefgh"[: max(3, get_rule_set(rule_set).min_seats)]
    table = await played_table(ctx, *seats, rule_set=rule_set, terms=Terms(delay_deals=1))
    logs, seen = PastLogs(), set()
    for _ in range(400):
        if table.over:
            break
        await table.deal()
        sight = await see_table(ctx, logs, table.id, OUTSIDE)
        seen.add(sight.snapshot.sequence)
    log = await all_events(ctx, table.id)
    assert len(seen) >= min(3, sum(isinstance(item.event, DealEnded) for item in log))


async def test_a_thousand_who_are_behind_play_the_log_again_once(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, logs = await played_table(ctx, terms=Terms(delay_deals=1)), PastLogs()
    await table.deal()
    await table.steps(3)
    replays = 0
    replay: Callable[..., object] = replay_module.replay

    def counted(*args: object) -> object:
        nonlocal replays
        replays += 1
        return replay(*args)

    monkeypatch.setattr(delayed_module, "replay", counted)
    sights = await asyncio.gather(*(see_table(ctx, logs, table.id, OUTSIDE) for _ in range(1_000)))
    assert len({sight.snapshot.sequence for sight in sights}) == 1
    assert replays == 1


@pytest.mark.parametrize("terms", [Terms(delay_deals=1), Terms(delay_ms=700)])
async def test_a_stream_lags_and_ends_after_the_game(ctx: Context, terms: Terms) -> None:
    table, logs, feeds = await played_table(ctx, terms=terms), PastLogs(), Feeds()
    loop = asyncio.get_running_loop()

    def make() -> DelayedSource:
        return DelayedSource(ctx, table.id, Plain(), logs.of(table.id))

    updates = feeds.follow(table.id, make, "", NONE, 0)
    task = asyncio.create_task(all_of(updates))
    for _ in range(3):
        await table.deal()
        await asyncio.sleep(0.05)
    await table.finish()
    ended_s = loop.time()
    told = await asyncio.wait_for(task, 10)
    log = await all_events(ctx, table.id)
    assert [int(data.split()[0]) for data in told] == [item.sequence for item in log]
    assert any(isinstance(item.event, GameEnded) for item in log)
    lag_s = loop.time() - ended_s
    assert lag_s >= (0.6 if terms.delay_ms else 0)


async def test_a_log_that_was_cut_shows_no_earlier_table(ctx: Context) -> None:
    table, logs = await played_table(ctx, terms=Terms(delay_deals=1)), PastLogs()
    await table.deal()
    await table.steps(3)
    await ctx.store.trim_log(TABLES, table.id, before=table.last)
    with pytest.raises(CursorTooOld):
        await see_table(ctx, logs, table.id, OUTSIDE)
