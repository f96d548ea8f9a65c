"""Whatever arrives, the answer is typed: never INTERNAL, never UNKNOWN."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1 import tournament_service_pb2 as tpb
from services.rpc.access import NEEDS, Need
from services.rpc.server import LARGEST_REQUEST, SERVICES
from services.state.client import connect
from services.state.context import Context
from services.state.errors import NotFound

from .conftest import ADMIN_TOKEN, Api
from .fuzz_messages import methods, path_of
from .fuzz_rpc import Complaints, Tally, Where, Wrong, checked, fuzz
from .fuzz_world import world_of

METADATA = (("authorization", f"Bearer {ADMIN_TOKEN}"),)
WORLDS, CALLS = 2, 750


@pytest.fixture
async def where(api: Api, valkey_url: str) -> AsyncIterator[Where]:
    store = connect(valkey_url)
    yield Where(api.address, api.ctx, store, api.admin, ADMIN_TOKEN)
    await store.aclose()


def test_every_rpc_that_is_described_is_served_and_called() -> None:
    assert {method.containing_service.full_name for method in methods()} == set(SERVICES)
    assert {path_of(method) for method in methods()} == set(NEEDS)
    assert len(methods()) >= 30


async def test_every_answer_is_typed_and_a_refusal_changes_nothing(where: Where) -> None:
    tally = Tally()
    for seed in range(WORLDS):
        await fuzz(where, CALLS, seed=seed, tally=tally)
    for method in methods():
        answered, refused = tally.of(method)
        assert answered, f"{method.name} was never answered: tell fuzz_world.py what it takes"
        assert refused > answered / 10, method.name
    assert len({end for _, end in tally.outcomes}) > 15, "callers are refused for many reasons"


@pytest.mark.parametrize("method", ["GetTable", "WatchTable", "CloseTable"])
async def test_two_messages_where_one_is_due(where: Where, method: str) -> None:
    """A caller that takes a call for a stream of requests, as no generated stub does."""
    assert await refusal(where, "TableService", method, b"", b"") == "INVALID_REQUEST"


async def test_a_refusal_of_hundreds_of_fields_arrives(where: Where) -> None:
    """Answers with more than 8 KiB of metadata are dropped on their way."""
    act = pb.ActRequest(request_id="r", table_id="t")
    for _ in range(16):
        act.action.open.melds.add().cards.extend(["x"] * 16)
    create = pb.CreateTableRequest(request_id="r")
    create.options.invited_player_ids.extend([f"nobody {number}" for number in range(200)])
    for name, request in (("Act", act), ("CreateTable", create)):
        data = request.SerializeToString()
        assert await refusal(where, "TableService", name, data) == "INVALID_REQUEST"


async def test_a_request_that_is_too_large_is_refused_and_the_next_one_served(
    where: Where,
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(where, "TableService", "GetTable", b"x" * (LARGEST_REQUEST + 1))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await refusal(where, "TableService", "GetTable", b"") == "INVALID_REQUEST"


async def test_a_caller_with_a_book_of_metadata_is_refused_and_the_next_one_served(
    where: Where,
) -> None:
    book = (("x-book", "x" * 60 * 1024),)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(where, "TableService", "GetTable", b"", metadata=book)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await refusal(where, "TableService", "GetTable", b"") == "INVALID_REQUEST"


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
async def test_without_a_token_only_open_calls_are_answered(
    where: Where, method: MethodDescriptor
) -> None:
    service = method.containing_service.name
    with contextlib.suppress(grpc.aio.AioRpcError):
        await call(where, service, method.name, b"", metadata=())
        assert NEEDS[path_of(method)] is Need.NOTHING
        return
    reason = await refusal(where, service, method.name, b"", metadata=())
    open_to_all = NEEDS[path_of(method)] is Need.NOTHING
    assert reason == ("INVALID_REQUEST" if open_to_all else "NOT_AUTHENTICATED")


def test_mutating_requests_carry_a_request_id() -> None:
    reads = ("Get", "List", "Watch", "Export", "Explain", "CheckLadderRatings")
    for method in methods():
        has_id = "request_id" in method.input_type.fields_by_name
        assert has_id is not method.name.startswith(reads), method.full_name


@pytest.mark.parametrize("begins", ["with the past", "with a snapshot", "of a tournament", "unary"])
async def test_callers_who_leave_in_mid_call_are_no_fault_of_ours(
    where: Where, begins: str
) -> None:
    world = await world_of(where.ctx, where.admin, ADMIN_TOKEN)
    table, cup = world.tables["finished"], world.tournaments["running"]
    path, request = {
        "with the past": ("Table", pb.WatchTableRequest(table_id=table, after_sequence=0)),
        "with a snapshot": ("Table", pb.WatchTableRequest(table_id=table)),
        "of a tournament": (
            "Tournament",
            tpb.WatchTournamentRequest(tournament_id=cup, after_sequence=0),
        ),
        "unary": ("Table", pb.GetTableRequest(table_id=table)),
    }[begins]
    method = "GetTable" if begins == "unary" else f"Watch{path}"
    dice = random.Random(1)

    async def leaves(channel: grpc.aio.Channel) -> None:
        make: Any = channel.unary_unary if begins == "unary" else channel.unary_stream
        call = make(f"/rummy_arena.api.v1.{path}Service/{method}")(
            request.SerializeToString(), metadata=METADATA
        )
        await asyncio.sleep(dice.random() / 20)
        call.cancel()

    async with grpc.aio.insecure_channel(where.address) as channel:
        with Complaints() as complaints:
            for _ in range(15):
                await asyncio.gather(*[leaves(channel) for _ in range(20)])
            await where.admin.tables.get(table)
    assert not complaints.said


# --- the fuzzer finds what it looks for -----------------------------------------------------------


async def test_the_fuzzer_sees_a_fault_of_ours(
    where: Where, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("services.rpc.table_watch.history", fails)
    with pytest.raises(Wrong, match="INTERNAL"):
        await fuzz(where, 900, seed=0, tally=Tally())


async def test_the_fuzzer_sees_a_refusal_that_changes_something(
    where: Where, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def writes(ctx: Context, *_: object, **__: object) -> None:
        await ctx.store.put_token(ctx.new_id(), b"", ttl_ms=60_000)
        raise NotFound("table", "x")

    monkeypatch.setattr("services.rpc.table_watch.history", writes)
    monkeypatch.setattr("tests.services.fuzz_rpc.LOOKS", 1.0)
    with pytest.raises(Wrong, match="changed"):
        await fuzz(where, 900, seed=0, tally=Tally())


async def call(
    where: Where,
    service: str,
    method: str,
    *requests: bytes,
    metadata: Sequence[tuple[str, str]] = METADATA,
) -> None:
    """Make a call with some requests, and read its answers to their end."""
    async with grpc.aio.insecure_channel(where.address) as channel:
        make: Any = channel.stream_stream
        path = f"/rummy_arena.api.v1.{service}/{method}"
        async for _ in make(path)(iter(requests), metadata=metadata, timeout=10):
            pass


async def refusal(where: Where, service: str, method: str, *requests: bytes, **how: Any) -> str:
    """Return the reason for which a call is refused, as it has to be."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(where, service, method, *requests, **how)
    return checked(method, caught.value)
