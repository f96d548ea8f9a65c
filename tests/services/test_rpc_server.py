"""The server as operators and integrators meet it: health, reflection, drain, faults, metrics."""

from __future__ import annotations

import asyncio
import secrets
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from rummy_arena.api.v1 import rule_service_pb2
from rummy_arena.api.v1.rule_service_pb2_grpc import RuleServiceStub
from rummy_arena.client import Arena, ArenaError
from services.rpc.server import LARGEST_REQUEST, SERVICES, ArenaServer, PortTaken
from services.rpc.unfinished import Unfinished
from services.state.context import Context
from services.state.errors import CorruptRecord

from .conftest import ADMIN_TOKEN, Api


async def health_of(address: str, service: str = "") -> str:
    async with grpc.aio.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=5)
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))


async def test_health_tells_of_each_service(api: Api) -> None:
    assert {await health_of(api.address, name) for name in ("", *SERVICES)} == {"SERVING"}
    await api.server.set_serving(serving=False)
    assert await health_of(api.address) == "NOT_SERVING"


async def test_reflection_lists_the_services(api: Api) -> None:
    async with grpc.aio.insecure_channel(api.address) as channel:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        call = stub.ServerReflectionInfo(
            iter([reflection_pb2.ServerReflectionRequest(list_services="")])
        )
        answer = await call.read()
        call.cancel()
    names = {service.name for service in answer.list_services_response.service}
    assert names >= set(SERVICES)


async def test_second_server_on_a_port_is_told_so(ctx: Context) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(PortTaken) as caught:
            await ArenaServer(ctx).start(address)
    assert address in str(caught.value)


async def test_two_servers_do_not_share_a_port(ctx: Context) -> None:
    first, second = ArenaServer(ctx), ArenaServer(ctx)
    address = await first.start("127.0.0.1:0")
    assert not address.endswith(":0")
    with pytest.raises(PortTaken):
        await second.start(address)
    await first.stop(0)


async def test_large_requests_are_refused(api: Api) -> None:
    async with grpc.aio.insecure_channel(api.address) as channel:
        request = rule_service_pb2.GetRuleSetRequest(rule_set_id="x" * (LARGEST_REQUEST + 1))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await RuleServiceStub(channel).GetRuleSet(request)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_fault_of_ours_shows_an_incident_and_no_text(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def damaged(*_: Any) -> None:
        raise CorruptRecord("tournament", "the secret text")

    monkeypatch.setattr(type(api.ctx.store), "read", damaged)
    with pytest.raises(ArenaError) as caught:
        await api.admin.tournaments.get("some")
    error = caught.value
    assert (error.code, error.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "secret" not in str(error)
    assert error.facts["incident"] in caplog.text
    assert "the secret text" in caplog.text


async def test_store_that_is_down_is_unavailable(tmp_path: Path, ctx: Context) -> None:
    from services.state.client import connect
    from services.state.store import Store

    store = Store(connect(f"unix://{tmp_path}/nobody"), ctx.meters)
    server = ArenaServer(replace(ctx, store=store))
    address = await server.start(f"unix:{tmp_path}/api.sock")
    async with Arena.connect(address, token=secrets.token_hex(8), timeout_s=60) as arena:
        with pytest.raises(ArenaError) as caught:
            await arena.tournaments.get("some")
    assert caught.value.reason == "STORE_UNAVAILABLE"
    await server.stop(0)
    await store.close()


async def test_watchers_move_when_the_server_drains(api: Api, tmp_path: Path) -> None:
    tournament = await api.admin.tournaments.create(
        "Cup", rule_set="kalooki-jamaican", seats_per_table=4, advance_per_table=2
    )
    player = await api.admin.players.create("Ann")
    updates = api.admin.tournaments.watch(tournament.id)
    await anext(updates)
    coming = asyncio.ensure_future(anext(updates))
    await asyncio.sleep(0.05)
    began = asyncio.get_running_loop().time()
    await api.server.stop(10)
    assert asyncio.get_running_loop().time() - began < 5
    assert not coming.done()
    next_server = ArenaServer(api.ctx)
    await next_server.start(api.address)
    await api.admin.tournaments.register(tournament.id, player.id)
    assert (await asyncio.wait_for(coming, 10)).event.sequence == 1
    await next_server.stop(0)


async def test_calls_are_counted_by_method_and_code(api: Api) -> None:
    await api.admin.rules.list()
    with pytest.raises(ArenaError):
        await api.admin.tournaments.get("nowhere")

    def handled(service: str, method: str, code: str) -> float | None:
        return api.ctx.meters.registry.get_sample_value(
            "grpc_server_handled_total",
            {
                "grpc_service": f"rummy_arena.api.v1.{service}",
                "grpc_method": method,
                "grpc_code": code,
            },
        )

    async def counted(*labels: str) -> float | None:
        """Return the count, which is written when the status has already left."""
        for _ in range(100):
            if handled(*labels) is not None:
                break
            await asyncio.sleep(0.02)
        return handled(*labels)

    assert await counted("RuleService", "ListRuleSets", "OK") == 1
    assert await counted("TournamentService", "GetTournament", "NOT_FOUND") == 1


async def test_work_that_writes_outlives_its_call() -> None:
    unfinished, done = Unfinished(), asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0.05)
        done.set()

    call = asyncio.ensure_future(unfinished.finish(work()))
    await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not done.is_set()
    await unfinished.drained()
    assert done.is_set()


async def test_the_token_is_taken_from_the_bearer_scheme_only(api: Api) -> None:
    async with grpc.aio.insecure_channel(api.address) as channel:
        call: Any = channel.unary_unary("/rummy_arena.api.v1.TournamentService/ListTournaments")
        for value in (ADMIN_TOKEN, f"Basic {ADMIN_TOKEN}", "Bearer", f"Bearer x{ADMIN_TOKEN}"):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(b"", metadata=(("authorization", value),))
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        await call(b"", metadata=(("authorization", f"bearer {ADMIN_TOKEN}"),))
