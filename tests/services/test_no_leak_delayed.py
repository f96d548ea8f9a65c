"""Nothing that goes to a spectator who is behind depends on what came after its visible end."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.message import Message

from rummy_arena.api.v1 import table_export_pb2, table_pb2
from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.client.wire import action_message
from rummy_arena.game import engine, series
from rummy_arena.game.actions import DRAW_STOCK, NONE
from rummy_arena.game.events import DealCommitted, DealEnded, DealStarted
from services.play import feed
from services.play.delayed import Delay, PastLog
from services.play.feed import Feeds
from services.play.table import TABLES
from services.state.context import Context
from services.state.records import Life, SeatRecord, SeedPolicy, Terms
from tests.game.plain_player import PlainPlayer
from tests.state.whole_games import SAMPLES, Sample

from .played import played_table
from .sides import NOW_MS, Side, Stored, Stream, both, history, two_sides
from .test_play_feed import follow
from .twins import Moment, SealedChance, chosen, moments, twin_of

DELAY_MS = 100_000
BEHIND = ("watcher", "stranger", "host", "admin")
ENDLESS = 10_000


@pytest.fixture
async def sides(valkey_url: str, tmp_path: Path) -> AsyncIterator[tuple[Side, Side]]:
    async with two_sides(valkey_url, tmp_path) as both_sides:
        yield both_sides


def played_on(moment: Moment, steps: int, seed: int, *, same_deal: bool = False) -> Moment:
    """Return a moment some actions later, on a way of its own."""
    dice = Random(seed)
    game, log = copy.deepcopy(moment.game, {id(moment.rules): moment.rules}), [*moment.log]
    chance = SealedChance(moment.rules, game.seats, seed, favour=0.9)
    player = PlainPlayer(dice, skill=0.9, calls=0.5)
    for _ in range(steps):
        if game.over:
            break
        before, length = copy.deepcopy(game, {id(moment.rules): moment.rules}), len(log)
        deal = game.deal
        seat = dice.choice([s for s in range(deal.seats) if engine.kinds(deal, s)])
        log += series.apply(game, seat, player.choose(deal, seat), chance)
        if same_deal and any(isinstance(event, DealEnded) for event in log[length:]):
            game, log = before, log[:length]
            break
    bound = () if game.over else {*game.withheld, (game.deal.number, game.attempt)}
    seeds = tuple([(*deal, dice.randbytes(32)) for deal in sorted(bound)])
    return replace(moment, game=game, log=tuple(log), seeds=seeds)


def asked_in_vain(table_id: str) -> dict[str, Message]:
    """Return what somebody may ask of a table without a seat, and is refused."""
    common: dict[str, Any] = {"request_id": "r", "table_id": table_id}
    return {
        "TakeSeat": pb.TakeSeatRequest(**common),
        "LeaveSeat": pb.LeaveSeatRequest(**common),
        "SetReady": pb.SetReadyRequest(**common, ready=True),
        "StartTable": pb.StartTableRequest(**common),
        "PauseTable": pb.PauseTableRequest(**common),
        "ResumeTable": pb.ResumeTableRequest(**common),
        "AdjudicateTable": pb.AdjudicateTableRequest(**common, reason="why"),
        "CloseTable": pb.CloseTableRequest(**common, reason="why"),
    }


async def ask_behind(sides: Sequence[Side], table_id: str, end: int, dice: Random) -> None:
    """Ask everything on behalf of people who are behind."""
    for who in BEHIND:
        got = await both(sides, who, "GetTable", pb.GetTableRequest(table_id=table_id))
        assert pb.GetTableResponse.FromString(got[1]).table.sequence == end
        pages = await history(sides, who, table_id, 700)
        assert sum(len(pb.GetHistoryResponse.FromString(page).events) for page in pages) == end
        listed = await both(sides, who, "ListTables", pb.ListTablesRequest())
        tables = pb.ListTablesResponse.FromString(listed[1]).tables
        assert [table.id for table in tables][-1] == table_id
        for status in table_pb2.TableStatus.values()[1:]:
            await both(sides, who, "ListTables", pb.ListTablesRequest(statuses=[status]))
        act = pb.ActRequest(request_id="r", table_id=table_id, action=action_message(DRAW_STOCK))
        assert (await both(sides, who, "Act", act))[0] == "refused"
        for method, ask in asked_in_vain(table_id).items():
            if who == "stranger" or method == "TakeSeat":
                assert (await both(sides, who, method, ask))[0] == "refused"
        export = table_export_pb2.ExportTableRequest(table_id=table_id)
        ours, theirs = [await at.open(who, "ExportTable", export).read(1) for at in sides]
        assert ours == theirs
    followed: list[Stream] = []
    for cursor in (None, 0, dice.randrange(end + 1), end, end + 1, end + 7, 2**40):
        request = pb.WatchTableRequest(table_id=table_id, after_sequence=cursor)
        streams = [at.open("watcher", "WatchTable", request) for at in sides]
        count = 1 if cursor is None else max(0, end - cursor)
        ours, theirs = [await stream.read(count) for stream in streams]
        assert ours == theirs
        followed += streams
    quiet = await asyncio.gather(*[stream.silent() for stream in followed])
    assert set(quiet) == {("silence",)}


def otherwise(seats: list[SeatRecord]) -> None:
    """Make of seats what they may have become in the meantime."""
    for seat, seated in enumerate(seats):
        seated.bank_ms, seated.grace_ms, seated.missed = 1_000 + seat, 0, 3 * (seat % 2)


@pytest.mark.parametrize("sample", SAMPLES[::2], ids=str)
async def test_behind_in_time_nothing_shows_of_what_came_since(
    sides: tuple[Side, Side], sample: Sample
) -> None:
    dice = Random(sample.seed)
    terms = Terms(seeds=SeedPolicy.SYSTEM, delay_ms=DELAY_MS)
    for number, then in enumerate(chosen(moments(sample)[:-1], 3, dice)[:4]):
        twin = twin_of(then, NONE, dice, keep=set())
        # One side has just gone on, the other has come to its end.
        now = (played_on(then, 2, 1), played_on(twin, (30, ENDLESS)[number % 2], 2))
        end = len(then.log)
        if min(len(at.log) for at in now) == end:
            continue
        stored = Stored(bytes(32), terms, cuts=(end,), first_ms=NOW_MS - DELAY_MS)
        later = replace(stored, seed=b"x" * 32, seated=otherwise)
        if not now[1].game.over:
            later = replace(later, life=Life.PAUSED)
        await sides[0].store(f"t{number}", now[0], stored)
        await sides[1].store(f"t{number}", now[1], later)
        await ask_behind(sides, f"t{number}", end, dice)


@pytest.mark.parametrize("sample", SAMPLES[1::2], ids=str)
async def test_behind_by_a_deal_nothing_shows_of_the_running_one(
    sides: tuple[Side, Side], sample: Sample
) -> None:
    dice = Random(sample.seed)
    terms = Terms(seeds=SeedPolicy.SYSTEM, delay_deals=1)
    begun = [at for at in moments(sample) if isinstance(at.log[-1], DealStarted)]
    for number, then in enumerate(begun[:4]):
        twin = twin_of(then, NONE, dice, keep=set())
        now = (
            played_on(then, 1, 1, same_deal=True),
            played_on(twin, 40, 2, same_deal=True),
        )
        assert len(now[0].log) < len(now[1].log)
        end = len(then.log) - 1
        end -= isinstance(then.log[end - 1], DealCommitted)
        log = PastLog("t")
        for event in now[0].log:
            log._add(event)
        assert log.visible_end(Delay(1, 0), 0) == end
        await sides[0].store(f"t{number}", now[0], Stored(bytes(32), terms))
        later = Stored(b"x" * 32, terms, life=Life.PAUSED, seated=otherwise)
        await sides[1].store(f"t{number}", now[1], later)
        await ask_behind(sides, f"t{number}", end, dice)


async def test_heartbeats_come_alike_whether_anything_goes_on_unseen(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_S", 0.3)
    table, feeds = await played_table(ctx), Feeds()

    async def unseen() -> None:
        while True:  # an answer in an open window is such a commit
            held = await ctx.store.acquire(TABLES, table.id, lease_ms=5_000, wait_s=5)
            await ctx.store.commit(held, held.data)
            await asyncio.sleep(0.1)

    updates = follow(feeds, table, table.last)
    busy = asyncio.create_task(unseen())
    try:
        async with asyncio.timeout(10):
            assert [await anext(updates) for _ in range(3)] == [b"beat"] * 3
    finally:
        busy.cancel()
        await updates.aclose()  # type: ignore[attr-defined]
