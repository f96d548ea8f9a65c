"""Receivers that fail, senders that die, hosts that change their mind in between."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from services.events.delete_webhook import delete_webhook
from services.events.deliver_webhook import deliver_webhook
from services.events.failing_webhooks import oldest_owed_ms
from services.events.post_webhook import Outcome
from services.events.webhook import DAY_MS
from services.events.webhook_tries import CLAIM_MS, GIVE_UP_MS
from services.runtime.webhook_forms import FORMS
from services.state import keys
from services.state.context import Context
from services.state.errors import NotFound

from .hooked import World, hooked
from .logged import ADMIN, grow
from .receiver import Reply, receiving


@pytest.fixture
async def world(ctx: Context) -> AsyncIterator[World]:
    async with hooked(ctx) as one:
        yield one


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
    assert await oldest_owed_ms(world.ctx) == 0
    await grow(world.ctx, world.id)
    sent = len(world.payloads())
    assert await world.deliver() == 0
    assert len(world.payloads()) == sent
    deadline_ms = await world.deadline_ms()
    assert deadline_ms is not None
    assert deadline_ms > world.clock() + DAY_MS / 2  # only to see whether its log is still kept
    world.receiver.replies.clear()
    await world.set(by="b", after=None)  # sets it again, and it goes on where it was
    await world.deliver()
    assert world.payloads()[-1].sequences == [1, 2, 3, 4]


async def test_a_receiver_that_is_gone_is_left_alone_at_once(world: World) -> None:
    await world.set()
    world.receiver.replies = [Reply(410)]
    await world.deliver()
    assert (await world.record()).disabled_ms
    await world.ctx.store._client.delete(keys.record("tournament", world.id))
    with pytest.raises(NotFound):
        await world.deliver()  # and a day later it is gone with its log
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


async def test_an_event_between_the_last_look_and_its_commit_is_sent_all_the_same(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.set()
    read_log, races = world.ctx.store.read_log, [1, 1]

    async def racing(*args: Any, **options: Any) -> Any:
        found = await read_log(*args, **options)
        if not found and races:
            races.pop()
            await grow(world.ctx, world.id)
        return found

    monkeypatch.setattr(world.ctx.store, "read_log", racing)
    await world.deliver()
    assert [got.sequences for got in world.payloads()][:2] == [[1, 2, 3], [4]]
    assert (await world.record()).quiet_looks >= 1


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_fails_and_dies_every_event_arrives_in_order(
    world: World, seed: int
) -> None:
    """Receivers that refuse, senders that die before or after they arrive, hosts that change it."""
    dice, seen, bodies = random.Random(seed), [0], dict[str, bytes]()

    class Died(Exception):
        pass

    class Chance:
        async def post(self, body: bytes, headers: Mapping[str, str]) -> Outcome:
            luck = dice.random()
            if luck < 0.15:
                raise Died
            if luck < 0.35:
                return Outcome("refused", pause_ms=dice.choice((0, 60_000)))
            assert bodies.setdefault(headers["webhook-id"], body) == body
            data = json.loads(body)["data"]
            after, through = int(data.get("after_sequence", 0)), int(data["through_sequence"])
            assert after <= seen[0], "a gap"
            numbers = [int(item["event"]["sequence"]) for item in data["events"]]
            assert numbers == list(range(after + 1, through + 1))
            seen[0] = max(seen[0], through)
            if luck < 0.5:
                raise Died
            return Outcome()

    @asynccontextmanager
    async def to(_: str) -> AsyncIterator[Chance]:
        yield Chance()

    await world.set()
    grown = 3
    for step in range(120):
        for _ in range(dice.choice((0, 0, 1, 3))):
            count = dice.choice((1, 2, 70))
            await grow(world.ctx, world.id, count)
            grown += count
        if dice.random() < 0.05:
            await world.set(by=f"again {step}", after=dice.choice((None, seen[0])))
        with contextlib.suppress(Died):
            await deliver_webhook(world.ctx, world.id, to, FORMS)
        world.clock.ahead_ms += dice.choice((0, 5_000, CLAIM_MS, 400_000))
    for _ in range(40):
        world.clock.ahead_ms += 3_600_000
        with contextlib.suppress(Died):
            await deliver_webhook(world.ctx, world.id, to, FORMS)
    assert seen[0] == grown
    assert (await world.record()).delivered == grown
