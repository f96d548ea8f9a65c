"""Wake-ups: one pub/sub connection a process tells its watchers that a log has grown.

A wake-up carries nothing that counts: the log is the record, and a watcher reads it from its own
cursor. So a lost wake-up costs time, never an event. Whenever the connection was away, everybody
is woken to look once it is back.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from . import keys
from .client import Client, subscriber

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
CONFIRM_S = 1.0  # how long a listener waits to be sure that it misses nothing
CANCEL_AGAIN_S = 0.1
QUIET_S = 15.0  # after so long without a message the server is asked whether it is there
ALWAYS = f"{keys.PREFIX}:wake".encode()  # keeps the subscription alive while nobody listens
LOST = (RedisError, OSError, RuntimeError)  # RuntimeError: its connection was just taken away


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
            async with asyncio.timeout(timeout_s):
                return await self._event.wait()
        except TimeoutError:
            return False


class Channel:
    """Those who listen to one aggregate."""

    def __init__(self) -> None:
        self.bells: set[Woken] = set()
        self.confirmed = asyncio.Event()

    def ring(self) -> None:
        """Wake them all."""
        for bell in self.bells:
            bell.ring()


class Wakeups:
    """All listeners of a process on one subscription connection.

    One task owns the connection: it alone reads, and makes a new one when it is lost. Others send
    on it while it lives; what fails then is made good by the next connection, which subscribes to
    every channel that has listeners.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._channels: dict[bytes, Channel] = {}
        self._live: PubSub | None = None
        self._owner: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def listen(self, aggregate: str, entity: str) -> AsyncIterator[Woken]:
        """Give a bell that rings when the aggregate changes, from the moment this is entered.

        While the server is away the bell stays silent, and rings when the server is back.
        """
        name = keys.wake_channel(aggregate, entity).encode()
        bell = Woken()
        channel = self._channels.get(name)
        new = channel is None
        if channel is None:
            channel = self._channels[name] = Channel()
        channel.bells.add(bell)
        if self._owner is None:
            self._owner = asyncio.create_task(self._own())
        try:
            if new:
                await self._send("subscribe", name)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CONFIRM_S):
                    await channel.confirmed.wait()
            yield bell
        finally:
            channel.bells.discard(bell)
            if not channel.bells and self._channels.get(name) is channel:
                del self._channels[name]
                await self._send("unsubscribe", name)
                if name in self._channels:  # who came meanwhile may have been unsubscribed too
                    await self._send("subscribe", name)

    async def close(self) -> None:
        """Stop listening."""
        owner, self._owner = self._owner, None
        # Once is not enough: redis-py now and then takes a cancellation for a lost connection.
        while owner is not None and not owner.done():
            owner.cancel()
            await asyncio.wait([owner], timeout=CANCEL_AGAIN_S)

    async def _send(self, verb: str, name: bytes) -> None:
        if self._live is not None:
            # AttributeError: redis-py finds no writer if the connection goes while it sends.
            with contextlib.suppress(*LOST, AttributeError):
                await getattr(self._live, verb)(name)

    async def _own(self) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            pubsub = subscriber(self._client)
            try:
                await pubsub.subscribe(ALWAYS, *self._channels)
                self._live = pubsub
                pause_s = FIRST_PAUSE_S
                await self._subscribe_latecomers(pubsub)
                await self._read(pubsub)
            except LOST:
                self._live = None
                await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))  # noqa: S311  jitter
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
            finally:
                self._live = None
                await _drop(pubsub)

    async def _subscribe_latecomers(self, pubsub: PubSub) -> None:
        """Those who came between the list of channels and the connection that took it."""
        missing = [name for name in self._channels if name not in pubsub.channels]
        if missing:
            await pubsub.subscribe(*missing)

    async def _read(self, pubsub: PubSub) -> None:
        asked = False
        while True:
            message = await pubsub.get_message(timeout=QUIET_S)
            if message is None:
                if asked:
                    raise ConnectionResetError("no answer to a ping")
                await pubsub.ping()
                asked = True
                continue
            asked = False
            channel = self._channels.get(message["channel"])
            if channel is not None and message["type"] in ("subscribe", "message"):
                # A subscription that is new, or back, may have missed a change: it rings too.
                channel.ring()
                channel.confirmed.set()


async def _drop(pubsub: PubSub) -> None:
    with contextlib.suppress(*LOST):
        await pubsub.aclose()  # type: ignore[no-untyped-call]
        await pubsub.connection_pool.disconnect()
