"""The courier: webhooks are sent beside the tasks, and a death costs a repeat and nothing else."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import subprocess
import sys
import time

from prometheus_client import CollectorRegistry

from services.events.deliver_webhook import deliver_webhook
from services.events.post_webhook import Poster
from services.events.set_webhook import WebhookWish, set_webhook
from services.events.webhook import read_webhook
from services.events.webhook_tries import CLAIM_MS
from services.runtime.settings import load_settings
from services.runtime.webhook_forms import FORMS
from services.state.context import Context
from services.state.meters import Meters
from tests.services.logged import ADMIN, with_log
from tests.services.receiver import Receiver, Reply, receiving
from workers.courier import AT_ONCE, Courier


async def hook(ctx: Context, receiver: Receiver, events: int = 2) -> str:
    """Return the id of a tournament whose whole log goes to a receiver."""
    ctx = dataclasses.replace(ctx, private_webhooks=True)
    tournament_id = await with_log(ctx, events)
    wish = WebhookWish(receiver.url, after=0)
    await set_webhook(ctx, ADMIN, wish, tournament_id=tournament_id, request_id="r")
    return tournament_id


def courier(url: str) -> Courier:
    settings = load_settings(redis_url=url, webhook_allow_private=True)
    return Courier(settings, Meters(CollectorRegistry()))


async def until_it_has(receiver: Receiver, number: int) -> None:
    async with asyncio.timeout(10):
        while len(receiver.got) < number:  # noqa: ASYNC110  another thread counts
            await asyncio.sleep(0.01)


async def test_a_task_does_not_wait_for_a_slow_host_and_others_do_not_either(
    ctx: Context, valkey_url: str
) -> None:
    one = courier(valkey_url)
    with receiving() as slow, receiving() as quick:
        slow.replies = [Reply(late_s=1.5)] * AT_ONCE
        tardy = [await hook(ctx, slow) for _ in range(AT_ONCE - 1)]
        others = [await hook(ctx, quick) for _ in range(4)]
        one.hand(tardy[0])  # starts it
        started = time.monotonic()
        for webhook_id in (*tardy, *others, *tardy):
            one.hand(webhook_id)
        assert time.monotonic() - started < 0.1
        await until_it_has(quick, 4)
        assert time.monotonic() - started < 1.4
        assert len(slow.got) == AT_ONCE - 1  # one that is in hand is not taken twice
        await asyncio.to_thread(one.close)


async def test_one_that_stops_leaves_what_it_had_to_others(ctx: Context, valkey_url: str) -> None:
    one = courier(valkey_url)
    with receiving() as receiver:
        webhook_id = await hook(ctx, receiver)
        one.hand(webhook_id)
        await until_it_has(receiver, 1)
        await asyncio.to_thread(one.close)
        assert (await read_webhook(ctx, ADMIN, webhook_id)).record.delivered == 2
        one.hand(webhook_id)  # and it can be started again
        await asyncio.to_thread(one.close)


async def test_a_sender_killed_between_post_and_bookkeeping_costs_a_repeat_under_the_same_id(
    ctx: Context, valkey_url: str
) -> None:
    with receiving() as receiver:
        webhook_id = await hook(ctx, receiver)
        process = subprocess.Popen(  # noqa: ASYNC220  the test needs its pid at once
            [sys.executable, "-m", "tests.services.webhook_sender", valkey_url, webhook_id]
        )
        receiver.before = lambda: os.kill(process.pid, signal.SIGKILL)
        assert await asyncio.to_thread(process.wait, 30) == -signal.SIGKILL
        receiver.before = lambda: None
        [killed] = receiver.got
        ahead = dataclasses.replace(ctx, now_ms=lambda: ctx.now_ms() + CLAIM_MS)
        poster = Poster(allow_private=True)
        assert await deliver_webhook(ctx, webhook_id, poster.to, FORMS) == 0
        assert await deliver_webhook(ahead, webhook_id, poster.to, FORMS) == 1
        poster.close()
        again = receiver.got[1]
        assert (again.id, again.body) == (killed.id, killed.body)
        assert (await read_webhook(ctx, ADMIN, webhook_id)).record.delivered == 2
