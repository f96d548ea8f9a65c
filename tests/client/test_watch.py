"""Streams are resumed without a gap, and give up with a reason."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from rummy_arena.api.v1 import tournament_service_pb2 as pb
from rummy_arena.api.v1 import watch_pb2
from rummy_arena.api.v1.tournament_event_pb2 import TournamentEvent
from rummy_arena.api.v1.tournament_pb2 import Tournament
from rummy_arena.client import Arena, ArenaError

LAST = 7


class Streams:
    """Serves seven events and breaks the stream after every second of them."""

    def __init__(self) -> None:
        self.cursors: list[int | None] = []

    async def watch(
        self, request: pb.WatchTournamentRequest, context: Any
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        given = request.HasField("after_sequence")
        self.cursors.append(request.after_sequence if given else None)
        if request.tournament_id == "trimmed":
            yield pb.WatchTournamentResponse(resync=watch_pb2.Resync(after_sequence=1))
            return
        after = request.after_sequence if given else 4
        if not given:
            yield pb.WatchTournamentResponse(snapshot=Tournament(id="t", sequence=after))
        yield pb.WatchTournamentResponse(heartbeat=watch_pb2.Heartbeat())
        for sequence in range(after + 1, LAST + 1):
            yield pb.WatchTournamentResponse(event=TournamentEvent(sequence=sequence))
            if sequence % 2 == 0:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "moving")


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Callable[[Any], Any]]:
    servers: list[grpc.aio.Server] = []

    async def start(servicer: Streams) -> str:
        server = grpc.aio.server()
        handler = grpc.unary_stream_rpc_method_handler(
            servicer.watch,
            pb.WatchTournamentRequest.FromString,
            pb.WatchTournamentResponse.SerializeToString,
        )
        service = grpc.method_handlers_generic_handler(
            "rummy_arena.api.v1.TournamentService", {"WatchTournament": handler}
        )
        server.add_generic_rpc_handlers((service,))
        address = f"unix:{tmp_path}/api.sock"
        server.add_insecure_port(address)
        await server.start()
        servers.append(server)
        return address

    yield start
    for server in servers:
        await server.stop(None)


async def test_broken_stream_goes_on_after_the_last_event(serve: Callable[[Any], Any]) -> None:
    streams = Streams()
    async with Arena.connect(await serve(streams)) as arena:
        seen = [event.sequence async for event in arena.tournaments.events("t")]
    assert seen == [1, 2, 3, 4, 5, 6, 7]
    assert streams.cursors == [0, 2, 4, 6]


async def test_snapshot_comes_first_and_moves_the_cursor(serve: Callable[[Any], Any]) -> None:
    streams = Streams()
    async with Arena.connect(await serve(streams)) as arena:
        kinds = [update.WhichOneof("update") async for update in arena.tournaments.watch("t")]
    assert kinds == ["snapshot", "event", "event", "event"]
    assert streams.cursors == [None, 6]


async def test_reader_of_the_whole_log_is_told_of_a_gap(serve: Callable[[Any], Any]) -> None:
    async with Arena.connect(await serve(Streams())) as arena:
        with pytest.raises(ArenaError) as caught:
            await anext(arena.tournaments.events("trimmed", after=1))
    assert caught.value.reason == "CURSOR_TOO_OLD"


async def test_stream_gives_up_when_no_server_answers(tmp_path: Path) -> None:
    async with Arena.connect(f"unix:{tmp_path}/nobody", patience_s=0.2) as arena:
        with pytest.raises(ArenaError) as caught:
            await asyncio.wait_for(anext(arena.tournaments.events("t")), 20)
    assert caught.value.reason == "UNREACHABLE"
    assert "is it running" in caught.value.message


async def test_call_to_nobody_says_where_nobody_is(tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/nobody"
    async with Arena.connect(address, timeout_s=5) as arena:
        with pytest.raises(ArenaError) as caught:
            await arena.rules.list()
    assert caught.value.reason == "UNREACHABLE"
    assert address in caught.value.message
