"""ExportTable over the wire: whole, in pieces, typed refusals, and what the client makes of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import grpc
import pytest

from rummy_arena.api.v1 import table_export_pb2 as pb
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceStub
from rummy_arena.client import Arena, ArenaError
from rummy_arena.client.errors import arena_error
from rummy_arena.client.tables import Form
from rummy_arena.game.notation import parse_game, replay_text
from rummy_arena.rulesets.registry import get_rule_set
from services.events.principals import Principal
from services.play.change import Ask
from services.play.close_table import close_table
from services.play.create_table import NewTable, open_table
from services.rpc.server import ArenaServer
from services.state.records import Terms, Visibility

from .conftest import ADMIN_TOKEN, Api
from .played import RULE_SET, played_table

METADATA = (("authorization", f"Bearer {ADMIN_TOKEN}"),)


async def whole(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


async def refused(arena: Arena, table_id: str, form: Form = "notation") -> str:
    with pytest.raises(ArenaError) as caught:
        await whole(arena.tables.export(table_id, form))
    return f"{caught.value.code.name} {caught.value.reason}"


async def test_a_spectator_gets_the_whole_game_in_both_forms(api: Api) -> None:
    table = await played_table(api.ctx)
    await table.finish()
    player = await api.admin.players.create("spectator")
    token = await api.admin.players.create_token(player.id)
    arena = api.admin.as_bearer(token.secret)
    text = (await whole(arena.tables.export(table.id))).decode()
    parsed = parse_game(text)
    assert replay_text(get_rule_set(RULE_SET), parsed).over
    lines = (await whole(arena.tables.export(table.id, "json-lines"))).splitlines()
    sequences = [event.sequence async for event in arena.tables.history(table.id)]
    assert [int(json.loads(line)["event"]["sequence"]) for line in lines[1:]] == sequences


@pytest.mark.parametrize(
    ("form", "content_type"),
    [
        (pb.EXPORT_FORMAT_UNSPECIFIED, "text/plain; charset=utf-8"),
        (pb.EXPORT_FORMAT_NOTATION, "text/plain; charset=utf-8"),
        (pb.EXPORT_FORMAT_JSON_LINES, "application/jsonl; charset=utf-8"),
    ],
)
async def test_the_first_piece_says_what_it_is(
    api: Api, form: pb.ExportFormat.ValueType, content_type: str
) -> None:
    table = await played_table(api.ctx)
    await table.finish()
    async with grpc.aio.insecure_channel(api.address) as channel:
        request = pb.ExportTableRequest(table_id=table.id, format=form)
        call = TableServiceStub(channel).ExportTable(request, metadata=METADATA)
        pieces = [piece async for piece in call]
    assert [piece.content_type for piece in pieces] == [content_type, *[""] * (len(pieces) - 1)]
    assert all(0 < len(piece.data) < 200_000 for piece in pieces)
    if form == pb.EXPORT_FORMAT_JSON_LINES:
        assert len(pieces) > 1


async def test_what_cannot_be_exported_is_refused_with_a_reason(api: Api) -> None:
    playing = await played_table(api.ctx)
    private = await played_table(api.ctx, terms=Terms(visibility=Visibility.PRIVATE))
    await private.finish()
    empty = api.ctx.new_id()
    director = Principal("admin", "admin")
    await open_table(api.ctx, director, NewTable(RULE_SET, 3), table_id=empty)
    await close_table(api.ctx, director, empty, Ask("r"), reason="rain")
    player = await api.admin.players.create("stranger")
    token = await api.admin.players.create_token(player.id)
    stranger = api.admin.as_bearer(token.secret)
    assert await refused(api.admin, playing.id) == "FAILED_PRECONDITION WRONG_STATUS"
    assert await refused(api.admin, empty) == "FAILED_PRECONDITION NEVER_PLAYED"
    assert await whole(api.admin.tables.export(empty, "json-lines"))
    assert await refused(stranger, private.id) == "NOT_FOUND NOT_FOUND"
    assert await refused(stranger, api.ctx.new_id()) == "NOT_FOUND NOT_FOUND"
    assert await refused(api.admin.as_bearer("wrong"), private.id) == (
        "UNAUTHENTICATED NOT_AUTHENTICATED"
    )
    assert await whole(api.admin.tables.export(private.id))


async def test_a_form_that_is_not_known_is_refused(api: Api) -> None:
    async with grpc.aio.insecure_channel(api.address) as channel:
        request = pb.ExportTableRequest(table_id=api.ctx.new_id(), format=9)  # type: ignore[arg-type]
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await TableServiceStub(channel).ExportTable(request, metadata=METADATA).read()
    error = arena_error(caught.value, "")
    assert (error.reason, [one.field for one in error.violations]) == (
        "INVALID_REQUEST",
        ["format"],
    )


async def test_a_download_waits_for_a_server_that_comes_back(api: Api) -> None:
    table = await played_table(api.ctx)
    await table.finish()
    expected = await whole(api.admin.tables.export(table.id))
    await api.server.stop(0.1)
    again = ArenaServer(api.ctx)
    downloading = asyncio.create_task(whole(api.admin.tables.export(table.id)))
    try:
        await asyncio.sleep(0.2)
        assert not downloading.done()
        await again.start(api.address)
        assert await downloading == expected
    finally:
        await again.stop(0.1)


async def test_where_no_server_is_a_download_ends_with_a_reason() -> None:
    async with Arena.connect("unix:/nowhere/api.sock", token="t", timeout_s=0.5) as arena:
        assert await refused(arena, "table") == "UNAVAILABLE UNREACHABLE"
