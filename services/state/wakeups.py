"""Wake-ups: one pub/sub connection a process tells its watchers that a log has grown.

A wake-up carries nothing: the log is the record, and a watcher reads it from its own cursor. So a
lost wake-up costs time, never an event; after a dropped connection everybody is woken once.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import redis.asyncio as aioredis
from redis.exceptions import RedisError

from . import keys

RECONNECT_S = 0.5
POLL_S = 1.0


class Woken:
    """One watcher's bell."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        """Wake the watcher, now or at its next wait."""
        self._event.set()

    def clear(self) -> None:
        """Forget earlier rings; call it before reading the log."""
        self._event.clear()

    async def wait(self, timeout_s: float) -> bool:
        """Return True as soon as it rang since the last clear, False after ``timeout_s``."""
        try:
            await asyncio.wait_for(self._event.wait(), timeout_s)
        except TimeoutError:
            return False
        return True


class Wakeups:
    """All listeners of a process on one subscription connection."""

    def __init__(self, client: aioredis.Redis) -> None:
        self._pubsub = client.pubsub(ignore_subscribe_messages=False)
        self._listeners: dict[bytes, set[Woken]] = {}
        self._task: asyncio.Task[None] | None = None
        self._confirmed: dict[bytes, asyncio.Event] = {}

    @contextlib.asynccontextmanager
    async def listen(self, aggregate: str, entity: str) -> AsyncIterator[Woken]:
        """Give a bell that rings when the aggregate changes, from the moment this is entered."""
        channel = keys.wake_channel(aggregate, entity).encode()
        woken = Woken()
        first = channel not in self._listeners
        self._listeners.setdefault(channel, set()).add(woken)
        if first:
            self._confirmed[channel] = asyncio.Event()
            with contextlib.suppress(RedisError, OSError):  # the reader subscribes again later
                await self._pubsub.subscribe(channel)
            if self._task is None:
                self._task = asyncio.create_task(self._read())
        confirmed = self._confirmed[channel]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(confirmed.wait(), POLL_S)
        try:
            yield woken
        finally:
            await self._leave(channel, woken)

    async def _leave(self, channel: bytes, woken: Woken) -> None:
        left = self._listeners[channel]
        left.discard(woken)
        if not left:
            del self._listeners[channel]
            self._confirmed.pop(channel, None)
            with contextlib.suppress(RedisError, OSError):
                await self._pubsub.unsubscribe(channel)

    async def _read(self) -> None:
        while True:
            try:
                message = await self._pubsub.get_message(timeout=POLL_S)
            except (RedisError, OSError, RuntimeError):
                await asyncio.sleep(RECONNECT_S)
                await self._subscribe_again()
                continue
            if message is None:
                continue
            channel = message["channel"]
            if message["type"] == "subscribe":
                if channel in self._confirmed:
                    self._confirmed[channel].set()
                    self._ring(channel)  # a reconnect subscribes again: something may be missed
            elif message["type"] == "message":
                self._ring(channel)

    def _ring(self, channel: bytes) -> None:
        for woken in self._listeners.get(channel, ()):
            woken.ring()

    async def _subscribe_again(self) -> None:
        with contextlib.suppress(RedisError, OSError):
            if self._listeners:
                await self._pubsub.subscribe(*self._listeners)
            for channel in self._listeners:
                self._ring(channel)

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self._pubsub.aclose()  # type: ignore[no-untyped-call]
