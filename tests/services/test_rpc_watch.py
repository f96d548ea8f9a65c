"""Watching tables over the wire: slow readers, cursors too old, seats that change hands, delays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceStub
from rummy_arena.client import Arena, ArenaError
from rummy_arena.client.errors import arena_error
from services.events.tournament import TOURNAMENTS
from services.play import feed as feed_module
from services.play import watcher as watcher_module
from services.play.change import Ask
from services.play.create_table import NewTable, open_table
from services.play.set_ready import set_ready
from services.play.table import TABLES
from services.play.take_seat import Sitter, take_seat
from services.state.records import Terms, Visibility

from .conftest import Api
from .played import RULE_SET, played_table
from .test_play_delayed import Somebody

NARROW = (("grpc.http2.lookahead_bytes", 4_096), ("grpc.http2.bdp_probe", 0))
"""A client whose HTTP/2 window takes about a hundred events."""


async def player(api: Api, name: str, role: str | None = None) -> tuple[str, Arena]:
    """Return a new player's id and its client."""
    made = await api.admin.players.create(name)
    token = await api.admin.players.create_token(made.id)
    return made.id, api.admin.as_bearer(token.secret)


def kind(update: pb.WatchTableResponse) -> str:
    return str(update.WhichOneof("update"))


async def test_a_slow_reader_is_told_so_and_goes_on_where_it_was(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_module, "MOST_MESSAGES", 200)
    table = await played_table(api.ctx)
    begun = table.last
    metadata = api.admin._caller._metadata
    request = pb.WatchTableRequest(table_id=table.id, after_sequence=begun)
    quick = asyncio.create_task(_sequences(api.admin, table.id, begun))
    async with grpc.aio.insecure_channel(api.address, options=NARROW) as channel:
        slow = TableServiceStub(channel).WatchTable(request, metadata=metadata)
        await table.step()
        first: Any = await slow.read()
        while not table.over:
            await table.step()
        got = [first.event.sequence]
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await _read(slow, got)
    error = arena_error(caught.value, "")
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_CONSUMER")
    assert got == list(range(begun + 1, got[-1] + 1))
    assert error.facts["after_sequence"] == str(got[-1])
    rest = await _sequences(api.admin, table.id, got[-1])
    assert got + rest == list(range(begun + 1, table.last + 1))
    assert await asyncio.wait_for(quick, 10) == list(range(begun + 1, table.last + 1))


async def _read(stream: Any, got: list[int]) -> None:
    while True:
        got.append((await stream.read()).event.sequence)


async def _sequences(arena: Arena, table_id: str, after: int) -> list[int]:
    return [event.sequence async for event in arena.tables.events(table_id, after=after)]


async def test_the_client_goes_on_by_itself_after_it_was_too_slow(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_module, "MOST_MESSAGES", 20)
    table = await played_table(api.ctx)
    reading = asyncio.create_task(_sequences(api.admin, table.id, 0))
    await asyncio.sleep(0.1)
    for _ in range(5):
        await table.deal()  # more at once than the queue holds
    await table.finish()
    assert await asyncio.wait_for(reading, 20) == list(range(1, table.last + 1))


async def test_a_stream_that_is_not_read_ends_with_its_token_too(api: Api) -> None:
    """The server is in the middle of a write when it hears that the token is revoked."""
    table = await played_table(api.ctx)
    made = await api.admin.players.create("Ann")
    token = await api.admin.players.create_token(made.id)
    request = pb.WatchTableRequest(table_id=table.id, after_sequence=table.last)
    async with grpc.aio.insecure_channel(api.address, options=NARROW) as channel:
        stream = TableServiceStub(channel).WatchTable(
            request, metadata=(("authorization", f"Bearer {token.secret}"),)
        )
        await asyncio.sleep(0.1)
        await table.finish()
        assert await api.admin.players.revoke_token(token.token_id) == 1
        await asyncio.sleep(0.3)
        got: list[int] = []
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await asyncio.wait_for(_read(stream, got), 10)
    assert arena_error(caught.value, "").reason == "NOT_AUTHENTICATED"
    assert 0 < len(got) < table.last


async def test_a_cursor_too_old_gets_a_snapshot_and_what_comes_after(api: Api) -> None:
    table = await played_table(api.ctx)
    await table.steps(20)
    kept_from = table.last
    await api.ctx.store.trim_log(TABLES, table.id, before=kept_from)
    updates = api.admin.tables.watch(table.id, after=1)
    resync, snapshot = await anext(updates), await anext(updates)
    assert (kind(resync), resync.resync.after_sequence) == ("resync", 1)
    assert (kind(snapshot), snapshot.snapshot.sequence) == ("snapshot", kept_from)
    coming = asyncio.ensure_future(anext(updates))
    await asyncio.sleep(0.1)
    await table.step()
    assert (await asyncio.wait_for(coming, 5)).event.sequence == kept_from + 1
    with pytest.raises(ArenaError) as caught:
        await anext(api.admin.tables.events(table.id, after=1))
    assert caught.value.reason == "CURSOR_TOO_OLD"


async def test_a_tournaments_cursor_too_old_gets_a_snapshot(api: Api) -> None:
    cup = await api.admin.tournaments.create(
        "Cup", rule_set=RULE_SET, seats_per_table=4, advance_per_table=2
    )
    for number in range(4):
        await api.admin.tournaments.register(cup.id, (await player(api, f"P{number}"))[0])
    await api.ctx.store.trim_log(TOURNAMENTS, cup.id, before=3)
    updates = api.admin.tournaments.watch(cup.id, after=1)
    assert (await anext(updates)).resync.after_sequence == 1
    assert (await anext(updates)).snapshot.sequence == 4
    coming = asyncio.ensure_future(anext(updates))
    await asyncio.sleep(0.1)
    await api.admin.tournaments.register(cup.id, (await player(api, "P5"))[0])
    assert (await asyncio.wait_for(coming, 5)).event.sequence == 5


async def test_a_spectator_who_takes_a_seat_sees_its_cards_in_the_same_stream(api: Api) -> None:
    ctx, table_id = api.ctx, api.ctx.new_id()
    boss = Somebody("boss", "host")
    terms = Terms(delay_deals=1)
    await open_table(ctx, boss, NewTable(RULE_SET, 3, terms=terms), table_id=table_id)
    people = [await player(api, f"P{number}") for number in range(3)]
    updates = people[0][1].tables.watch(table_id)
    assert kind(await anext(updates)) == "snapshot"
    events: asyncio.Queue[Any] = asyncio.Queue()
    public: asyncio.Queue[Any] = asyncio.Queue()
    told = asyncio.gather(
        _queue(updates, events), _queue(api.admin.tables.watch(table_id, after=0), public)
    )
    for number, (player_id, _) in enumerate(people):
        sitter = Sitter(player_id, "P", "player")
        await take_seat(ctx, Somebody(player_id, "player"), table_id, sitter, Ask(f"s{number}"))
    for number, (player_id, _) in enumerate(people):
        me = Somebody(player_id, "player")
        await set_ready(ctx, me, table_id, Ask(f"r{number}"), ready=True)
    async with asyncio.timeout(5):
        while (update := await events.get()).event.WhichOneof("event") != "deal_started":
            pass
    assert len(update.event.deal_started.hand) > 0
    await asyncio.sleep(0.2)
    told.cancel()
    seen = [public.get_nowait().event.WhichOneof("event") for _ in range(public.qsize())]
    assert seen[0] == "table_opened"
    assert "deal_started" not in seen
    assert (await api.admin.tables.get(table_id)).sequence < update.event.sequence


async def _queue(updates: AsyncIterator[Any], queue: asyncio.Queue[Any]) -> None:
    async for update in updates:
        queue.put_nowait(update)


async def test_the_running_deal_is_kept_from_spectators_but_not_from_its_seats(api: Api) -> None:
    ann, arena = await player(api, "Ann")
    table = await played_table(api.ctx, ann, "b", "c", terms=Terms(delay_deals=1))
    spectator = api.admin.tables.watch(table.id)
    seated = arena.tables.watch(table.id)
    assert not (await anext(spectator)).snapshot.HasField("view")
    assert (await anext(seated)).snapshot.view.seat == 0
    coming = asyncio.ensure_future(anext(spectator))
    await asyncio.sleep(0.1)
    await table.steps(4)
    assert (await asyncio.wait_for(anext(seated), 5)).event.sequence == 3
    assert not coming.done()
    before = await api.admin.tables.get(table.id)
    log = [event async for event in api.admin.tables.history(table.id)]
    assert not log
    assert before.sequence == 0
    assert before.actions == 0
    await table.deal()
    assert (await asyncio.wait_for(coming, 5)).event.sequence == 1
    after = await api.admin.tables.get(table.id)
    assert after.view.deal_number == 1
    assert not after.HasField("decision")
    listed = [event.sequence async for event in api.admin.tables.history(table.id)]
    assert listed == list(range(1, after.sequence + 1))
    assert after.sequence < table.last


async def test_private_tables_are_watched_by_those_invited(api: Api) -> None:
    ann, arena = await player(api, "Ann")
    _, other = await player(api, "Bob")
    terms = Terms(visibility=Visibility.PRIVATE, invited=(ann,))
    table = await played_table(api.ctx, terms=terms)
    assert kind(await anext(arena.tables.watch(table.id))) == "snapshot"
    for refused in (anext(other.tables.watch(table.id)), anext(other.tables.history(table.id))):
        with pytest.raises(ArenaError) as caught:
            await refused
        assert caught.value.reason == "NOT_FOUND"


async def test_a_stream_of_a_seat_marks_its_player_as_present(api: Api) -> None:
    ann, arena = await player(api, "Ann")
    table = await played_table(api.ctx, ann, "b", "c")

    async def live(player_id: str) -> bool:
        found = await api.ctx.store.presences([player_id], api.ctx.now_ms())
        return player_id in found and found[player_id].live

    updates = arena.tables.watch(table.id)
    outside = api.admin.tables.watch(table.id)
    await anext(updates)
    await anext(outside)
    coming = [asyncio.ensure_future(anext(stream)) for stream in (updates, outside)]
    await asyncio.sleep(0.1)
    assert await live(ann)
    assert not await live("admin")
    for one in coming:
        one.cancel()
    await asyncio.gather(*coming, return_exceptions=True)
    for _ in range(100):
        if not await live(ann):
            break
        await asyncio.sleep(0.02)
    assert not await live(ann)


async def test_quiet_streams_get_heartbeats_without_a_sequence(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "HEARTBEAT_S", 0.1)
    table = await played_table(api.ctx, terms=Terms(delay_deals=1))
    async with grpc.aio.insecure_channel(api.address) as channel:
        stream = TableServiceStub(channel).WatchTable(
            pb.WatchTableRequest(table_id=table.id, after_sequence=0),
            metadata=api.admin._caller._metadata,
        )
        update: Any = await asyncio.wait_for(stream.read(), 5)
    assert kind(update) == "heartbeat"
    assert update.server_time.seconds > 0


async def test_streams_of_tables_move_when_the_server_drains(api: Api) -> None:
    table = await played_table(api.ctx)
    async with grpc.aio.insecure_channel(api.address) as channel:
        stream = TableServiceStub(channel).WatchTable(
            pb.WatchTableRequest(table_id=table.id), metadata=api.admin._caller._metadata
        )
        assert kind(await stream.read()) == "snapshot"  # type: ignore[arg-type]
        stopping = asyncio.create_task(api.server.stop(5))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream.read()
        await stopping
    assert arena_error(caught.value, "").reason == "DRAINING"
