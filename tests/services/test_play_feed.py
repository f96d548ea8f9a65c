"""One reader for all who watch: nothing missed, nothing twice, nobody held up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from rummy_arena.game.actions import NONE
from services.play import feed as feeds_module
from services.play import watcher as watcher_module
from services.play.errors import SlowConsumer
from services.play.feed import Feeds
from services.play.history import NumberedEvent, seen_by, stored_events
from services.play.table import TABLES
from services.play.watch_table import TableSource
from services.play.watcher import MOST_BYTES, MOST_MESSAGES, Ready, Watcher
from services.state.context import Context
from services.state.errors import CursorTooOld, NotFound
from services.state.table_log import TableEvent
from services.state.tables import table_record

from .played import Played, played_table


class Plain:
    """Messages that tests can read."""

    def event(self, sequence: int, event: TableEvent, now_ms: int) -> bytes:
        return f"{sequence} {event}".encode()

    def heartbeat(self, now_ms: int) -> bytes:
        return b"beat"


def follow(
    feeds: Feeds, table: Played, after: int, player_id: str = "", seat: int = NONE
) -> AsyncIterator[bytes]:
    def make() -> TableSource:
        return TableSource(table.ctx, table.id, Plain())

    return feeds.follow(table.id, make, player_id, seat, after)


async def log_of(table: Played, seat: int) -> list[bytes]:
    """The whole log as one viewer should be told it, read by itself."""
    stored: list[NumberedEvent] = []
    more = True
    while more:
        page, more = await stored_events(table.ctx, table.id, after=len(stored), limit=500)
        stored += page
    data = (await table.ctx.store.read(TABLES, table.id)).data
    record, rules = table_record(table.id, data)
    seats = len(record.seats)
    return [
        Plain().event(item.sequence, seen_by(item.event, seat, rules, seats), 0) for item in stored
    ]


async def all_of(updates: AsyncIterator[bytes]) -> list[bytes]:
    return [data async for data in updates if data != b"beat"]


async def test_joins_at_any_moment_and_place_miss_nothing(ctx: Context) -> None:
    """Sixty watchers, of each seat and none, join while the game is committed at full speed."""
    table, feeds, dice = await played_table(ctx), Feeds(), random.Random(3)
    watching = []

    async def join() -> None:
        for number in range(60):
            await asyncio.sleep(dice.random() / 50)
            seat = number % 4 - 1
            player = "" if seat == NONE else "abc"[seat]
            after = dice.choice((0, table.last, dice.randint(0, table.last)))
            updates = follow(feeds, table, after, player, seat)
            watching.append((seat, after, asyncio.create_task(all_of(updates))))

    joining = asyncio.create_task(join())
    while not (joining.done() or table.over):
        await table.step()
    await joining
    await table.finish()
    told = {seat: await log_of(table, seat) for seat in range(-1, 3)}
    for seat, after, task in watching:
        assert await asyncio.wait_for(task, 20) == told[seat][after:]
    assert told[0] != told[1] != told[NONE]


def attached(feeds: Feeds) -> int:
    """Return how many watchers are fed."""
    groups = [group for feed in feeds._feeds.values() for group in feed._groups.values()]
    return sum(len(group.watchers) for group in groups)


async def test_a_thousand_watchers_read_the_log_once(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, feeds = await played_table(ctx), Feeds()
    reads = 0
    read_log = type(ctx.store).read_log

    async def counted(*args: object, **kwargs: object) -> object:
        nonlocal reads
        reads += 1
        return await read_log(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(type(ctx.store), "read_log", counted)
    after = table.last
    watching = [asyncio.create_task(all_of(follow(feeds, table, after))) for _ in range(1_000)]
    async with asyncio.timeout(20):
        while attached(feeds) < 1_000:  # noqa: ASYNC110  nothing tells when all are there
            await asyncio.sleep(0.01)
    reads = 0
    await table.steps(20)
    await table.finish()
    logs = await asyncio.gather(*watching)
    assert all(log == logs[0] for log in logs)
    assert reads <= 40  # not more than two for each of 21 commits
    assert len(await ctx.store._client.client_list()) < 70  # a pool of 64, and one that listens
    assert len(feeds) == 0


async def test_a_burst_longer_than_a_page_reaches_everybody(ctx: Context) -> None:
    table, feeds = await played_table(ctx), Feeds()
    watching = [asyncio.create_task(all_of(follow(feeds, table, 0))) for _ in range(3)]
    await asyncio.sleep(0.1)
    await table.finish()
    told = await log_of(table, NONE)
    assert len(told) > feeds_module.AT_ONCE
    for task in watching:
        assert await asyncio.wait_for(task, 10) == told


async def test_one_that_does_not_read_is_dropped_and_the_others_are_not(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_module, "MOST_MESSAGES", 100)
    table, feeds = await played_table(ctx), Feeds()
    begun = table.last
    slow = follow(feeds, table, begun)
    fast = asyncio.create_task(all_of(follow(feeds, table, begun)))
    coming = asyncio.ensure_future(anext(slow))
    await asyncio.sleep(0.1)
    await table.steps(150)
    assert (await coming).startswith(b"%d " % (begun + 1))
    with pytest.raises(SlowConsumer) as caught:
        await anext(slow)
    assert caught.value.after_sequence == begun + 1
    await table.steps(50)
    stop = table.last
    again = follow(feeds, table, caught.value.after_sequence)
    told = await log_of(table, NONE)
    assert [await anext(again) for _ in range(stop - begun - 1)] == told[begun + 1 :]
    monkeypatch.undo()
    await table.finish()
    assert await asyncio.wait_for(fast, 10) == (await log_of(table, NONE))[begun:]


@pytest.mark.parametrize(
    ("count", "size"), [(MOST_MESSAGES + 1, 1), (MOST_BYTES // 1000 + 1, 1000)]
)
async def test_what_waits_for_one_watcher_has_a_bound(count: int, size: int) -> None:
    watcher = Watcher("", 0)
    most = 0
    for sequence in range(1, count + 1):
        watcher.put([Ready(sequence, b"x" * size)])
        most = max(most, len(watcher))
    assert most == count - 1
    with pytest.raises(SlowConsumer):
        await watcher.take()


async def test_a_feed_ends_with_its_last_watcher(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds_module, "LINGER_S", 0.1)
    monkeypatch.setattr(feeds_module, "HEARTBEAT_S", 0.1)
    table, feeds = await played_table(ctx), Feeds()
    updates = follow(feeds, table, table.last)
    assert await anext(updates) == b"beat"
    assert len(feeds) == 1
    await updates.aclose()  # type: ignore[attr-defined]
    await asyncio.sleep(0.5)
    assert len(feeds) == 0
    assert not ctx.store.wakeups._channels


async def test_who_joins_while_a_feed_ends_is_not_told_that_the_table_is_over(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A feed without watchers takes its leave of the store, which takes a while."""
    monkeypatch.setattr(feeds_module, "LINGER_S", 0.05)
    monkeypatch.setattr(feeds_module, "HEARTBEAT_S", 0.05)
    table, feeds = await played_table(ctx), Feeds()
    leaving, send = asyncio.Event(), ctx.store.wakeups._send

    async def slowly(verb: str, name: bytes) -> None:
        if verb == "unsubscribe":
            leaving.set()
            await asyncio.sleep(0.2)
        await send(verb, name)

    monkeypatch.setattr(ctx.store.wakeups, "_send", slowly)
    updates = follow(feeds, table, table.last)
    assert await anext(updates) == b"beat"
    await updates.aclose()  # type: ignore[attr-defined]
    await asyncio.wait_for(leaving.wait(), 5)
    late = follow(feeds, table, table.last)
    begun = table.last
    coming = asyncio.create_task(all_of(late))
    await asyncio.sleep(0.4)
    assert not coming.done()
    await table.finish()
    assert len(await asyncio.wait_for(coming, 5)) == table.last - begun


async def test_a_cursor_that_is_not_kept_is_refused_and_others_go_on(ctx: Context) -> None:
    table, feeds = await played_table(ctx), Feeds()
    await table.steps(10)
    live = asyncio.create_task(all_of(follow(feeds, table, table.last)))
    await asyncio.sleep(0.1)
    begun = table.last
    await ctx.store.trim_log(TABLES, table.id, before=table.last)
    with pytest.raises(CursorTooOld):
        await all_of(follow(feeds, table, 1))
    await table.finish()
    assert len(await asyncio.wait_for(live, 10)) == table.last - begun


async def test_nobody_watches_a_table_that_is_not(ctx: Context) -> None:
    table, feeds = Played(ctx, "nowhere"), Feeds()
    with pytest.raises(NotFound):
        await all_of(follow(feeds, table, 0))
    assert len(feeds) == 0


async def test_closing_ends_every_stream_with_the_reason(ctx: Context) -> None:
    table, feeds = await played_table(ctx), Feeds()
    watching = [asyncio.create_task(all_of(follow(feeds, table, 0))) for _ in range(5)]
    await asyncio.sleep(0.1)
    feeds.close(RuntimeError("moving"))
    assert {str(e) for e in await asyncio.gather(*watching, return_exceptions=True)} == {"moving"}
    with pytest.raises(RuntimeError):
        await all_of(follow(feeds, table, 0))
