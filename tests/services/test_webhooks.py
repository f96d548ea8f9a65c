"""What a webhook sends: in order, at least once, signed, and how it fares when that fails."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from google.protobuf import json_format
from standardwebhooks import Webhook, WebhookVerificationError

from rummy_arena.api.v1 import webhook_pb2
from services.events.delete_webhook import delete_webhook
from services.events.deliver_webhook import MOST_EVENTS, deliver_webhook
from services.events.errors import NotAllowed
from services.events.failing_webhooks import oldest_owed_ms
from services.events.post_webhook import Poster
from services.events.principals import Principal
from services.events.rotate_webhook_secret import rotate_webhook_secret
from services.events.set_webhook import WebhookWish, set_webhook
from services.events.webhook import DAY_MS, read_webhook
from services.events.webhook_tries import CLAIM_MS, GIVE_UP_MS
from services.runtime.webhook_forms import FORMS
from services.state import keys
from services.state.context import Context
from services.state.errors import NotFound, RequestReused
from services.state.webhooks import WebhookRecord

from .logged import ADMIN, grow, with_log
from .receiver import Got, Receiver, Reply, receiving


class Clock:
    """The clock of the wall, set forward by a test."""

    def __init__(self, ctx: Context) -> None:
        self._now_ms = ctx.now_ms
        self.ahead_ms = 0

    def __call__(self) -> int:
        return self._now_ms() + self.ahead_ms


@dataclasses.dataclass
class World:
    """A tournament with a webhook to a receiver, and a worker's part done by the test."""

    ctx: Context
    clock: Clock
    receiver: Receiver
    poster: Poster
    id: str = ""
    secret: str = ""

    async def set(
        self, *, kinds: tuple[str, ...] = (), after: int | None = 0, by: str = "a"
    ) -> str:
        wish = WebhookWish(self.receiver.url, kinds, after)
        _, secret = await set_webhook(self.ctx, ADMIN, wish, tournament_id=self.id, request_id=by)
        self.secret = secret or self.secret
        return secret

    async def deliver(self) -> int:
        return await deliver_webhook(self.ctx, self.id, self.poster.to, FORMS)

    async def record(self) -> WebhookRecord:
        return (await read_webhook(self.ctx, ADMIN, self.id)).record

    async def deadline_ms(self) -> int | None:
        score = await self.ctx.store._client.zscore(
            keys.deadlines(keys.shard_of(self.id)), keys.member("webhook", self.id)
        )
        return None if score is None else int(score)

    def payloads(self) -> list[Got]:
        return self.receiver.got


@pytest.fixture
async def world(ctx: Context) -> AsyncIterator[World]:
    clock = Clock(ctx)
    ctx = dataclasses.replace(ctx, now_ms=clock, private_webhooks=True)
    with receiving() as receiver:
        poster = Poster(allow_private=True)
        world = World(ctx, clock, receiver, poster, await with_log(ctx, 2, 1))
        yield world
        poster.close()


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


async def test_pauses_double_up_to_an_hour_and_after_three_days_it_is_disabled(
    world: World,
) -> None:
    await world.set()
    world.receiver.replies = [Reply(500)] * 200
    pauses = []
    while not (record := await world.record()).disabled_ms:
        await world.deliver()
        record = await world.record()
        pauses.append((record.next_try_ms - world.clock()) / 1000)
        world.clock.ahead_ms += max(0, record.next_try_ms - world.clock())
        assert await oldest_owed_ms(world.ctx) > 0 or record.disabled_ms
    assert pauses[5] > 4 * pauses[2]
    assert 2_600 < max(pauses) <= 4_500
    assert record.disabled_ms - record.failing_since_ms >= GIVE_UP_MS
    assert 60 < len(pauses) < 130
    assert await world.deadline_ms() is None
    assert await oldest_owed_ms(world.ctx) == 0
    await grow(world.ctx, world.id)
    assert await world.deadline_ms() is None
    world.receiver.replies.clear()
    await world.set(by="b", after=None)  # sets it again, and it goes on where it was
    await world.deliver()
    assert world.payloads()[-1].sequences == [1, 2, 3, 4]


async def test_a_receiver_that_is_gone_is_left_alone_at_once(world: World) -> None:
    await world.set()
    world.receiver.replies = [Reply(410)]
    await world.deliver()
    assert (await world.record()).disabled_ms
    assert await world.deadline_ms() is None


@pytest.mark.parametrize("status", [429, 503])
async def test_a_receiver_may_ask_to_be_left_alone_for_a_while(world: World, status: int) -> None:
    await world.set()
    world.receiver.replies = [Reply(status, (("retry-after", "900"),))]
    await world.deliver()
    assert (await world.record()).next_try_ms - world.clock() > 890_000


async def test_a_receiver_that_was_down_gets_everything_when_it_is_back(world: World) -> None:
    await world.set()
    port = world.receiver.port
    world.receiver.close()
    assert await world.deliver() == 0
    assert "cannot be reached" in (await world.record()).last_error
    await grow(world.ctx, world.id, 3)
    world.clock.ahead_ms += 10_000
    with receiving(port) as world.receiver:
        assert await world.deliver() == 2
        assert [got.sequences for got in world.payloads()] == [[1, 2, 3], [4, 5, 6]]


async def test_a_sender_that_dies_before_it_settles_has_its_payload_sent_again(
    world: World,
) -> None:
    await world.set()

    class Died(BaseException):
        pass

    class Dying:
        async def post(self, body: bytes, headers: dict[str, str]) -> object:
            async with world.poster.to(world.receiver.url) as line:
                await line.post(body, headers)
            raise Died

    class To:
        async def __aenter__(self) -> Dying:
            return Dying()

        async def __aexit__(self, *_: object) -> None:
            return

    with pytest.raises(Died):
        await deliver_webhook(world.ctx, world.id, lambda url: To(), FORMS)  # type: ignore[arg-type,return-value]
    assert await world.deliver() == 0  # its claim counts until it runs out
    deadline_ms = await world.deadline_ms()
    assert deadline_ms is not None
    assert deadline_ms <= world.clock() + CLAIM_MS
    world.clock.ahead_ms += CLAIM_MS
    assert await world.deliver() == 1
    first, again = world.payloads()
    assert (first.id, first.body) == (again.id, again.body)


async def test_one_that_was_taken_over_settles_nothing(world: World) -> None:
    await world.set()

    def be_late() -> None:
        world.clock.ahead_ms += CLAIM_MS

    world.receiver.before = be_late
    world.receiver.replies = [Reply(late_s=0.3), Reply(500)]

    slow = asyncio.create_task(world.deliver())
    await asyncio.sleep(0.1)
    assert await world.deliver() == 0  # takes over, fails, and that stands
    await slow
    record = await world.record()
    assert (record.delivered, record.failed_tries) == (0, 1)


async def test_two_workers_at_once_send_one_payload(world: World) -> None:

    await world.set()
    await asyncio.gather(*(world.deliver() for _ in range(5)), return_exceptions=True)
    assert len(world.payloads()) == 1


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


async def test_what_is_removed_or_changed_during_a_try_stays_so(world: World) -> None:

    await world.set()
    world.receiver.replies = [Reply(late_s=0.2), Reply(late_s=0.2)]
    trying = asyncio.create_task(world.deliver())
    await asyncio.sleep(0.1)
    await world.set(by="b", after=1)
    await trying
    assert (await world.record()).delivered == 1
    trying = asyncio.create_task(world.deliver())
    await asyncio.sleep(0.1)
    assert await delete_webhook(world.ctx, ADMIN, tournament_id=world.id)
    with pytest.raises(NotFound):
        await trying
    await asyncio.sleep(0.01)
    with pytest.raises(NotFound):
        await world.record()
    assert not await delete_webhook(world.ctx, ADMIN, tournament_id=world.id)
    assert await world.deadline_ms() is None
    first, second = world.payloads()
    assert first.id != second.id


async def test_a_webhook_of_a_tournament_that_is_forgotten_goes_with_it(world: World) -> None:
    await world.set()
    await world.ctx.store._client.delete(keys.record("tournament", world.id))
    with pytest.raises(NotFound):
        await world.deliver()
    with pytest.raises(NotFound):
        await world.deliver()


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
