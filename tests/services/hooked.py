"""A tournament with a webhook to a receiver on loopback, and a worker's part done by the test."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.events.deliver_webhook import deliver_webhook
from services.events.post_webhook import Poster
from services.events.set_webhook import WebhookWish, set_webhook
from services.events.webhook import read_webhook
from services.runtime.webhook_forms import FORMS
from services.state import keys
from services.state.context import Context
from services.state.webhooks import WebhookRecord

from .logged import ADMIN, with_log
from .receiver import Got, Receiver, receiving


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


@asynccontextmanager
async def hooked(ctx: Context) -> AsyncIterator[World]:
    """Give a world whose tournament has three events in its log, and no webhook yet."""
    clock = Clock(ctx)
    ctx = dataclasses.replace(ctx, now_ms=clock, private_webhooks=True)
    with receiving() as receiver:
        poster = Poster(allow_private=True)
        yield World(ctx, clock, receiver, poster, await with_log(ctx, 2, 1))
        poster.close()
