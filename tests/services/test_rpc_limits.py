"""Callers that are too fast are told when to come back, and the SDK does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from rummy_arena.api.v1 import table_service_pb2
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceStub
from rummy_arena.client import Arena, ArenaError
from services.events.principals import Principal
from services.events.put_token import put_token
from services.rpc import limits
from services.rpc.limits import Limits, Rate, Rates
from services.rpc.refusals import RateLimited, TooManyStreams
from services.rpc.server import OPTIONS, ArenaServer
from services.state.context import Context

BOT = Principal("bot", "bot")
Serve = Callable[..., Any]
DETAILS = "grpc-status-details-bin"


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def serve(ctx: Context, tmp_path: Path) -> Serve:
    """Start a server with rates and give a connection of a player to it."""

    @asynccontextmanager
    async def serving(rates: Rates, address: str = "", **how: Any) -> AsyncIterator[Arena]:
        await put_token(ctx, "a-bot", player_id="bot", role="bot", ttl_s=60)
        server = ArenaServer(ctx, rates=rates)
        where = await server.start(address or f"unix:{tmp_path}/api.sock")
        async with Arena.connect(where, token="a-bot", **how) as arena:
            yield arena
        await server.stop(0.2)

    return serving


async def look(arena: Arena) -> None:
    async for _ in arena.tournaments.list():
        break


def counted(limits: Limits, calls: int, principal: Principal = BOT) -> int:
    """Return how many of so many calls pass."""
    passed = 0
    for _ in range(calls):
        try:
            limits.count(principal)
        except RateLimited:
            continue
        passed += 1
    return passed


def test_a_burst_passes_and_then_so_many_a_second() -> None:
    clock = Clock()
    limited = Limits(Rates(players=Rate(200, 400)), clock)
    assert counted(limited, 1000) == 400
    clock.now += 1.5
    with pytest.raises(RateLimited) as caught:
        limited.count(BOT)
    assert (caught.value.calls, caught.value.seconds, caught.value.retry_ms) == (400, 2, 500)
    clock.now += 0.5
    assert counted(limited, 1000) == 400


def test_callers_do_not_share_a_limit_and_hosts_have_their_own() -> None:
    limited = Limits(Rates(players=Rate(5, 5), hosts=Rate(50, 50)), Clock())
    assert counted(limited, 9) == 5
    assert counted(limited, 9, Principal("other", "player")) == 5
    assert counted(limited, 99, Principal("host", "host")) == 50
    assert counted(limited, 99, Principal("admin", "admin")) == 50
    assert counted(Limits(Rates()), 5000) == 5000


def test_a_call_may_count_as_many_but_never_as_more_than_there_are() -> None:
    limited = Limits(Rates(players=Rate(5, 10)), Clock())
    for _ in range(2):
        limited.count(BOT, 5)
    with pytest.raises(RateLimited):
        limited.count(BOT)
    limited.count(Principal("other", "bot"), 50)


def test_strangers_are_counted_by_address_whatever_their_port() -> None:
    limited = Limits(Rates(strangers=Rate(2, 2)), Clock())
    for peer in ("ipv4:10.0.0.1:1", "ipv4:10.0.0.1:2", "ipv6:[::1]:1", "unix:", "unix:", "unix:"):
        limited.count_stranger(peer)
    with pytest.raises(RateLimited):
        limited.count_stranger("ipv4:10.0.0.1:3")


def test_counters_are_bounded_and_those_that_are_over_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST", 10)
    clock = Clock()
    limited = Limits(Rates(players=Rate(1, 1)), clock)
    for number in range(8):
        limited.count(Principal(f"early{number}", "bot"))
    clock.now += 0.9
    limited.count(BOT)
    clock.now += 0.2
    for number in range(9):
        limited.count(Principal(f"late{number}", "bot"))
    with pytest.raises(RateLimited):
        limited.count(BOT)
    assert len(limited._storage._counted) <= 10


def test_streams_are_counted_while_they_are_open() -> None:
    limited = Limits(Rates(player_streams=2))
    with limited.stream(BOT), limited.stream(BOT):
        with pytest.raises(TooManyStreams), limited.stream(BOT):
            pass
        with limited.stream(Principal("other", "bot")):
            pass
    with limited.stream(BOT):
        pass
    assert not limited._streams


def test_a_call_costs_the_same_however_many_callers_there_are() -> None:
    def cost_s(callers: Sequence[Principal]) -> float:
        limited = Limits(Rates(players=Rate(10**6, 10**6)))
        for principal in callers:
            limited.count(principal)
        rounds = []
        for _ in range(5):
            began = time.perf_counter()
            for number in range(5000):
                limited.count(callers[number % len(callers)])
            rounds.append((time.perf_counter() - began) / 5000)
        return min(rounds)

    few = cost_s([BOT])
    many = cost_s([Principal(f"player{number}", "bot") for number in range(5000)])
    assert few < 50e-6
    assert many < 5 * few


async def test_the_refusal_says_when_to_call_again(serve: Serve) -> None:
    async with serve(Rates(players=Rate(1, 3))) as arena:
        caller = arena._caller
        stub, request = TableServiceStub(caller.channel), table_service_pb2.GetTableRequest()
        calls = [stub.GetTable(request, metadata=caller._metadata) for _ in range(8)]
        errors = await asyncio.gather(*calls, return_exceptions=True)
    codes = [error.code() for error in errors if isinstance(error, grpc.aio.AioRpcError)]
    assert codes.count(grpc.StatusCode.INVALID_ARGUMENT) == 3
    assert codes.count(grpc.StatusCode.RESOURCE_EXHAUSTED) == 5
    last: Any = errors[codes.index(grpc.StatusCode.RESOURCE_EXHAUSTED)]
    status = status_pb2.Status.FromString(dict(list(last.trailing_metadata()))[DETAILS])
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    assert status.details[0].Unpack(info)
    assert status.details[1].Unpack(retry)
    assert info.reason == "RATE_LIMITED"
    assert 0 < retry.retry_delay.ToMilliseconds() <= 3000


async def test_the_sdk_waits_and_comes_through(serve: Serve) -> None:
    async with serve(Rates(players=Rate(10, 10))) as arena:
        began = time.monotonic()
        await asyncio.gather(*(look(arena) for _ in range(12)))
        assert time.monotonic() - began > 0.8


async def test_the_sdk_gives_up_at_its_deadline(serve: Serve) -> None:
    async with serve(Rates(players=Rate(1, 5)), timeout_s=1) as arena:
        for _ in range(5):
            await look(arena)
        began = time.monotonic()
        with pytest.raises(ArenaError) as caught:
            await look(arena)
        assert time.monotonic() - began < 1
    assert caught.value.reason == "RATE_LIMITED"
    assert 1 < (caught.value.retry_after_s or 0) <= 5


async def test_wrong_tokens_of_one_address_are_bounded(serve: Serve) -> None:
    rates = Rates(strangers=Rate(1, 4))
    async with serve(rates, "127.0.0.1:0", timeout_s=0.5) as arena:
        reasons = []
        for _ in range(6):
            with pytest.raises(ArenaError) as caught:
                await look(arena.as_bearer("guess"))
            reasons.append(caught.value.reason)
        assert reasons == ["NOT_AUTHENTICATED"] * 4 + ["RATE_LIMITED"] * 2
        with pytest.raises(ArenaError):
            await arena.as_bearer("guess").rules.list()
        await look(arena)  # a good token is none of theirs,
        await arena.rules.list()  # nor for a call that needs no token


async def test_streams_of_a_player_are_bounded(serve: Serve, ctx: Context) -> None:
    async with serve(Rates(player_streams=1)) as arena:
        await put_token(ctx, "a-host", player_id="host", role="host", ttl_s=60)
        tournament = await arena.as_bearer("a-host").tournaments.create(
            "Cup", rule_set="kalooki-jamaican", seats_per_table=4, advance_per_table=2
        )
        first = arena.tournaments.watch(tournament.id)
        await anext(first)
        with pytest.raises(ArenaError) as caught:
            await anext(arena.tournaments.watch(tournament.id))
        assert (caught.value.code, caught.value.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "TOO_MANY_STREAMS",
        )


async def test_metadata_that_is_too_large_is_refused(serve: Serve) -> None:
    largest = dict(OPTIONS)["grpc.max_metadata_size"]
    async with serve(Rates()) as arena:
        with pytest.raises(ArenaError) as caught:
            await look(arena.as_bearer("x" * largest * 2))
    assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
