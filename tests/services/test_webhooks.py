"""What a webhook sends: signed, in order, of the chosen kinds, and to whom it is shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from google.protobuf import json_format
from standardwebhooks import Webhook, WebhookVerificationError

from rummy_arena.api.v1 import webhook_pb2
from services.events.delete_webhook import delete_webhook
from services.events.deliver_webhook import MOST_EVENTS
from services.events.errors import NotAllowed
from services.events.principals import Principal
from services.events.rotate_webhook_secret import rotate_webhook_secret
from services.events.set_webhook import WebhookWish, set_webhook
from services.events.webhook import DAY_MS, read_webhook
from services.state.context import Context
from services.state.errors import RequestReused

from .hooked import World, hooked
from .logged import ADMIN, grow
from .receiver import Reply


@pytest.fixture
async def world(ctx: Context) -> AsyncIterator[World]:
    async with hooked(ctx) as one:
        yield one


async def test_the_log_comes_in_order_signed_and_in_the_form_that_the_contract_says(
    world: World,
) -> None:
    await world.set()
    assert await world.deliver() == 1
    await grow(world.ctx, world.id, 2)
    assert await world.deliver() == 1
    first, second = world.payloads()
    assert (first.sequences, second.sequences) == ([1, 2, 3], [4, 5])
    for got in (first, second):
        Webhook(world.secret).verify(got.body, got.headers)  # by the specification's own library
        assert got.headers["content-type"] == "application/json"
        payload = json_format.Parse(got.body, webhook_pb2.WebhookPayload())
        assert payload.type == "tournament.events"
        assert payload.data.tournament_id == world.id
        assert payload.data.events[0].event.entrant_registered.entrant.name == "name"
    assert second.payload["data"]["after_sequence"] == first.payload["data"]["through_sequence"]
    assert first.id != second.id
    with pytest.raises(WebhookVerificationError):
        Webhook(world.secret).verify(first.body + b" ", first.headers)
    assert (await world.record()).delivered == 5


async def test_a_payload_that_failed_comes_again_unchanged_and_nothing_before_it(
    world: World,
) -> None:
    await world.set()
    world.receiver.replies = [Reply(500), Reply(503), Reply(200)]
    assert await world.deliver() == 0
    record = await world.record()
    assert record.last_error == "answers with status 500"
    assert 3_500 < record.next_try_ms - world.clock() <= 6_250
    assert await world.deadline_ms() == record.next_try_ms
    await grow(world.ctx, world.id)  # what comes meanwhile waits, and is no part of the repeat
    assert await world.deliver() == 0
    assert len(world.payloads()) == 1  # it was not time yet
    for _ in range(2):
        world.clock.ahead_ms += 20_000
        await world.deliver()
    *tries, last = world.payloads()
    assert [got.status for got in tries] == [500, 503, 200]
    assert len({got.id for got in tries}) == 1
    assert len({got.body for got in tries}) == 1
    assert (tries[0].sequences, last.sequences) == ([1, 2, 3], [4])
    stamps = [int(got.headers["webhook-timestamp"]) for got in tries]
    assert stamps[0] < stamps[1] < stamps[2]  # each is signed anew
    record = await world.record()
    assert (record.failed_tries, record.last_error, record.next_try_ms) == (0, "", 0)


async def test_a_long_log_comes_in_payloads_of_a_bounded_size(world: World) -> None:
    await world.set()
    await grow(world.ctx, world.id, 120)
    assert await world.deliver() == 3
    sizes = [len(got.sequences) for got in world.payloads()]
    assert sizes == [MOST_EVENTS, MOST_EVENTS, 23]
    sent = [sequence for got in world.payloads() for sequence in got.sequences]
    assert sent == list(range(1, 124))


async def test_only_events_of_the_chosen_kinds_are_sent_and_the_gap_is_no_loss(
    world: World,
) -> None:
    await world.set(kinds=("table_finished",))
    assert await world.deliver() == 0
    assert (await world.record()).delivered == 3
    assert not world.payloads()
    await world.set(kinds=("entrant_registered", "table_finished"), after=1, by="b")
    await world.deliver()
    assert world.payloads()[0].sequences == [2, 3]


async def test_a_new_webhook_begins_at_the_end_of_the_log(world: World) -> None:
    await world.set(after=None)
    await grow(world.ctx, world.id)
    await world.deliver()
    assert [got.sequences for got in world.payloads()] == [[4]]


async def test_the_secret_is_shown_once_and_a_repeat_of_its_request_shows_it_again(
    world: World,
) -> None:
    secret = await world.set(by="a")
    assert secret.startswith("whsec_")
    assert await world.set(by="a") == secret
    assert await world.set(by="b") == ""
    assert await world.set(by="b") == ""
    with pytest.raises(RequestReused):
        await world.set(by="a", after=1)
    with pytest.raises(RequestReused):
        await world.set(by="b", after=1)


async def test_during_the_grace_payloads_bear_signatures_by_both_secrets(world: World) -> None:
    await world.set()
    old = world.secret
    _, new = await rotate_webhook_secret(
        world.ctx, ADMIN, tournament_id=world.id, grace_ms=DAY_MS, request_id="r"
    )
    again = await rotate_webhook_secret(
        world.ctx, ADMIN, tournament_id=world.id, grace_ms=DAY_MS, request_id="r"
    )
    assert again[1] == new != old
    await world.deliver()
    [got] = world.payloads()
    for secret in (old, new):
        Webhook(secret).verify(got.body, got.headers)
    world.clock.ahead_ms += DAY_MS
    await grow(world.ctx, world.id)
    await world.deliver()
    got = world.payloads()[1]
    at = datetime.fromtimestamp(int(got.headers["webhook-timestamp"]), UTC)
    assert got.headers["webhook-signature"] == Webhook(new).sign(got.id, at, got.body.decode())


async def test_only_its_host_and_admins_may_see_or_change_a_webhook(world: World) -> None:
    await world.set()
    for other in (Principal("h2", "host"), Principal("p", "player")):
        with pytest.raises(NotAllowed):
            await read_webhook(world.ctx, other, world.id)
        with pytest.raises(NotAllowed):
            await delete_webhook(world.ctx, other, tournament_id=world.id)
        with pytest.raises(NotAllowed):
            await set_webhook(
                world.ctx,
                other,
                WebhookWish(world.receiver.url),
                tournament_id=world.id,
                request_id="x",
            )
