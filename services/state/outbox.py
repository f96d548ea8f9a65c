"""The outbox: messages that commits owe, read by relays as one consumer group a shard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import redis.asyncio as aioredis
from redis.exceptions import ResponseError

from . import keys
from .scripts import unavailable

GROUP = "relay"


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A message and its place in the outbox."""

    id: bytes
    data: bytes

    def age_ms(self, now_ms: int) -> int:
        """Return how long ago the message was committed; never negative."""
        return max(0, now_ms - int(self.id.partition(b"-")[0]))


class Outbox:
    """Reading and acknowledging; writing is the commit's."""

    def __init__(self, client: aioredis.Redis) -> None:
        self._client: Any = client  # its stubs allow for str replies; here all are bytes
        self._grouped: set[int] = set()

    async def outbox_read(
        self, shard: int, consumer: str, *, count: int, block_ms: int
    ) -> list[OutboxEntry]:
        """Return new messages, waiting up to ``block_ms``, which stays below the socket's timeout.

        0 does not wait at all.
        """
        key = await self._group(shard)
        with unavailable():
            try:
                reply = await self._client.xreadgroup(
                    GROUP, consumer, {key: ">"}, count=count, block=block_ms or None
                )
            except ResponseError:
                self._grouped.discard(shard)  # the server lost its data: make the group again
                raise
        return _entries(reply[0][1]) if reply else []

    async def outbox_reclaim(
        self, shard: int, consumer: str, *, idle_ms: int, count: int
    ) -> list[OutboxEntry]:
        """Take over messages that a relay read and did not acknowledge for ``idle_ms``."""
        key = await self._group(shard)
        with unavailable():
            reply = await self._client.xautoclaim(
                key, GROUP, consumer, min_idle_time=idle_ms, count=count
            )
        return _entries([entry for entry in reply[1] if entry[1]])

    async def outbox_ack(self, shard: int, ids: list[bytes]) -> None:
        """Remove messages whose tasks the broker has."""
        if not ids:
            return
        key = keys.outbox(shard)
        with unavailable():
            async with self._client.pipeline(transaction=False) as pipe:
                pipe.xack(key, GROUP, *ids)
                pipe.xdel(key, *ids)
                await pipe.execute()

    async def outbox_depth(self, shard: int) -> int:
        """Return how many messages wait, those in a relay's hands included."""
        with unavailable():
            return int(await self._client.xlen(keys.outbox(shard)))

    async def _group(self, shard: int) -> str:
        key = keys.outbox(shard)
        if shard not in self._grouped:
            with unavailable():
                try:
                    await self._client.xgroup_create(key, GROUP, id="0", mkstream=True)
                except ResponseError as error:
                    if "BUSYGROUP" not in str(error):
                        raise
            self._grouped.add(shard)
        return key


def _entries(raw: list[tuple[bytes, dict[bytes, Any]]]) -> list[OutboxEntry]:
    return [OutboxEntry(entry_id, fields[b"m"]) for entry_id, fields in raw]
