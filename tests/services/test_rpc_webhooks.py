"""WebhookService, from the request to the receiver: the sweep, the message, the courier."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from standardwebhooks import Webhook as Signer

from rummy_arena.api.v1 import webhook_pb2
from rummy_arena.api.v1 import webhook_service_pb2 as pb
from rummy_arena.api.v1.webhook_service_pb2_grpc import WebhookServiceStub
from rummy_arena.client import ArenaError
from rummy_arena.client.errors import arena_error
from services.events.deliver_webhook import deliver_webhook
from services.events.failing_webhooks import oldest_owed_ms
from services.events.post_webhook import Outcome, Poster
from services.events.put_token import put_token
from services.events.webhook import FAILING
from services.rpc.server import ArenaServer
from services.runtime.webhook_forms import FORMS
from services.runtime.wiring import now_ms
from services.state.context import Context
from workers.tasks.sweep import HOLD_MS, _sweep

from .conftest import ADMIN_TOKEN, Api
from .logged import grow, with_log
from .receiver import Receiver, Reply, receiving


@dataclasses.dataclass
class Edge:
    """A server, and what the workers do for it."""

    ctx: Context
    stub: Any
    receiver: Receiver
    poster: Poster
    id: str

    async def call(self, name: str, token: str = ADMIN_TOKEN, **fields: Any) -> Any:
        request = getattr(pb, f"{name}Request")(tournament_id=self.id, **fields)
        if hasattr(request, "request_id") and not request.request_id:
            request.request_id = secrets.token_hex(8)
        metadata = (("authorization", f"Bearer {token}"),)
        return await getattr(self.stub, name)(request, metadata=metadata, timeout=20)

    async def refused(self, name: str, **fields: Any) -> grpc.StatusCode:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await self.call(name, **fields)
        return error.value.code()

    async def work(self) -> int:
        """Do once what sweep and courier do; return how many webhooks were due."""
        due: list[str] = []
        await _sweep(self.ctx, due.append)
        for webhook_id in due:
            await deliver_webhook(self.ctx, webhook_id, self.poster.to, FORMS)
        return len(due)


@pytest.fixture
async def edge(ctx: Context, tmp_path: Any) -> AsyncIterator[Edge]:
    ctx = dataclasses.replace(ctx, private_webhooks=True)
    await put_token(ctx, ADMIN_TOKEN, player_id="admin", role="admin", ttl_s=3600)
    server = ArenaServer(ctx)
    address = await server.start(f"unix:{tmp_path}/api.sock")
    poster = Poster(allow_private=True)
    with receiving() as receiver:
        async with grpc.aio.insecure_channel(address) as channel:
            stub = WebhookServiceStub(channel)
            yield Edge(ctx, stub, receiver, poster, await with_log(ctx, 2))
    poster.close()
    await server.stop(0.2)


async def test_what_happens_is_told_within_one_sweep(edge: Edge) -> None:
    made = await edge.call("SetWebhook", url=edge.receiver.url, after_sequence=0)
    assert made.secret.startswith("whsec_")
    assert made.webhook.state == webhook_pb2.Webhook.STATE_ACTIVE
    assert await edge.work() == 1
    assert await edge.work() == 0  # nothing to do, nobody is sent for
    await grow(edge.ctx, edge.id, 3)
    assert await edge.work() == 1
    assert [got.sequences for got in edge.receiver.got] == [[1, 2], [3, 4, 5]]
    for got in edge.receiver.got:
        Signer(made.secret).verify(got.body, got.headers)
    webhook = (await edge.call("GetWebhook")).webhook
    assert (webhook.delivered_sequence, webhook.last_sequence) == (5, 5)
    assert webhook.last_success_time.seconds
    assert not webhook.HasField("failing_since_time")


async def test_one_that_is_lost_on_its_way_to_a_courier_comes_again(edge: Edge) -> None:
    await edge.call("SetWebhook", url=edge.receiver.url, after_sequence=0)
    await _sweep(edge.ctx, lambda _: None)
    assert await edge.work() == 0
    edge.ctx = dataclasses.replace(edge.ctx, now_ms=lambda: now_ms() + HOLD_MS)
    assert await edge.work() == 1
    assert len(edge.receiver.got) == 1


async def test_tries_are_counted_and_what_is_owed_is_measured(edge: Edge) -> None:
    await edge.call("SetWebhook", url=edge.receiver.url, after_sequence=0)
    edge.receiver.replies = [Reply(500)]
    await edge.work()
    value = edge.ctx.meters.registry.get_sample_value
    assert value("rummy_arena_webhook_tries_total", {"outcome": "failed"}) == 1
    assert value("rummy_arena_webhook_lag_seconds_count") == 1
    edge.ctx = dataclasses.replace(edge.ctx, now_ms=lambda: now_ms() + 7_000)
    assert 7_000 <= await oldest_owed_ms(edge.ctx) < 20_000
    await edge.work()
    assert value("rummy_arena_webhook_tries_total", {"outcome": "delivered"}) == 1
    assert value("rummy_arena_webhook_lag_seconds_count") == 1  # of first tries alone
    assert await oldest_owed_ms(edge.ctx) == 0


async def test_an_entry_that_a_death_left_among_those_that_fail_goes(edge: Edge) -> None:
    await edge.ctx.store.index_add(FAILING, edge.id, 1)
    await edge.ctx.store.index_add(FAILING, "never-was", 1)
    await edge.call("SetWebhook", url=edge.receiver.url)
    await edge.ctx.store.index_add(FAILING, edge.id, 1)
    assert await oldest_owed_ms(edge.ctx) == 0
    assert await edge.ctx.store.index_page(FAILING, after=None, limit=9) == []


async def test_a_host_is_told_how_deliveries_fail(edge: Edge) -> None:
    await edge.call("SetWebhook", url=edge.receiver.url, after_sequence=0)
    edge.receiver.replies = [Reply(500)]
    await edge.work()
    webhook = (await edge.call("GetWebhook")).webhook
    assert webhook.state == webhook_pb2.Webhook.STATE_FAILING
    assert (webhook.last_error, webhook.failed_tries) == ("answers with status 500", 1)
    assert webhook.next_try_time.seconds > webhook.failing_since_time.seconds
    await grow(edge.ctx, edge.id)
    await edge.work()
    assert len(edge.receiver.got) == 1  # an event does not shorten the pause
    assert await edge.work() == 0


async def test_a_ping_says_how_it_went_and_ends_a_pause(edge: Edge) -> None:
    made = await edge.call("SetWebhook", url=edge.receiver.url, after_sequence=0)
    edge.receiver.replies = [Reply(500), Reply(404)]
    await edge.work()

    async def ping() -> pb.TestWebhookResponse:
        asked = asyncio.create_task(edge.call("TestWebhook"))
        while not asked.done():
            await edge.work()
            await asyncio.sleep(0.01)
        answer = await asked
        assert isinstance(answer, pb.TestWebhookResponse)
        return answer

    bad = await ping()
    assert bad.ended
    assert bad.webhook.last_ping.error == "answers with status 404"
    good = await ping()
    assert (good.ended, good.webhook.last_ping.error) == (True, "")
    got = edge.receiver.got[2]
    Signer(made.secret).verify(got.body, got.headers)
    assert got.payload["type"] == "ping"
    await edge.work()
    assert edge.receiver.got[-1].sequences == [1, 2]
    assert edge.receiver.got[-1].id == edge.receiver.got[0].id


async def test_a_ping_that_nobody_sends_is_not_waited_for_too_long(edge: Edge) -> None:
    await edge.call("SetWebhook", url=edge.receiver.url)
    request = pb.TestWebhookRequest(tournament_id=edge.id, request_id="r")
    metadata = (("authorization", f"Bearer {ADMIN_TOKEN}"),)
    first = await edge.stub.TestWebhook(request, metadata=metadata, timeout=0.5)
    assert not first.ended
    await edge.work()
    again = await edge.stub.TestWebhook(request, metadata=metadata, timeout=5)
    assert again.ended
    assert len(edge.receiver.got) == 1  # a repeat is the same ping


async def test_secrets_are_made_anew_and_shown_to_nobody_else(edge: Edge) -> None:
    made = await edge.call("SetWebhook", url=edge.receiver.url)
    turned = await edge.call("RotateWebhookSecret", grace=Duration(seconds=60))
    assert turned.secret not in ("", made.secret)
    assert turned.webhook.HasField("old_secret_end_time")
    at_once = await edge.call("RotateWebhookSecret", grace=Duration())
    assert not at_once.webhook.HasField("old_secret_end_time")
    for answer in (
        await edge.call("GetWebhook"),
        await edge.call("SetWebhook", url="http://[::1]"),
    ):
        assert "whsec_" not in str(answer)


async def test_the_client_sets_tries_turns_and_removes_a_webhook(api: Api) -> None:
    class Nobody:
        async def post(self, body: bytes, headers: Mapping[str, str]) -> Outcome:
            return Outcome("nobody is there")

    @contextlib.asynccontextmanager
    async def to(url: str) -> AsyncIterator[Nobody]:
        yield Nobody()

    hooks, event = api.admin.webhooks, await with_log(api.ctx, 2)
    made = await hooks.set(event, "https://example.com/hook", event_kinds=["round_started"])
    assert await hooks.rotate_secret(event, grace_s=60) not in ("", made.secret)
    asked = asyncio.create_task(hooks.test(event))
    while not asked.done():
        await deliver_webhook(api.ctx, event, to, FORMS)
        await asyncio.sleep(0.01)
    assert await asked == "nobody is there"
    now = await hooks.get(event)
    assert (now.url, list(now.event_kinds)) == ("https://example.com/hook", ["round_started"])
    assert now.HasField("old_secret_end_time")
    await hooks.delete(event)
    with pytest.raises(ArenaError) as gone:
        await hooks.get(event)
    assert gone.value.code is grpc.StatusCode.NOT_FOUND


async def test_what_cannot_be_used_is_refused(edge: Edge) -> None:
    bad, url = grpc.StatusCode.INVALID_ARGUMENT, edge.receiver.url
    assert await edge.refused("SetWebhook", url="ftp://x/") is bad
    assert await edge.refused("SetWebhook", url=url, event_kinds=["tables_finished"]) is bad
    assert await edge.refused("SetWebhook", url=url, after_sequence=3) is bad
    assert await edge.refused("RotateWebhookSecret", grace=Duration(seconds=10**6)) is bad
    missing = grpc.StatusCode.NOT_FOUND
    for name in ("GetWebhook", "RotateWebhookSecret", "TestWebhook"):
        assert await edge.refused(name) is missing
    await edge.call("DeleteWebhook")  # is no error


async def test_private_networks_are_refused_unless_the_operator_permits_them(
    ctx: Context, tmp_path: Any
) -> None:
    await put_token(ctx, ADMIN_TOKEN, player_id="admin", role="admin", ttl_s=3600)
    server = ArenaServer(ctx)
    address = await server.start(f"unix:{tmp_path}/api.sock")
    request = pb.SetWebhookRequest(request_id="r", tournament_id=await with_log(ctx))
    async with grpc.aio.insecure_channel(address) as channel:
        for url in ("http://example.com/", "https://10.0.0.1/"):
            request.url = url
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await WebhookServiceStub(channel).SetWebhook(
                    request, metadata=(("authorization", f"Bearer {ADMIN_TOKEN}"),)
                )
            assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            error = arena_error(refused.value, address)
            assert "RUMMY_ARENA_WEBHOOK_ALLOW_PRIVATE" in error.violations[0].problem
    await server.stop(0.2)
