"""The outbox: messages that commits owe, read by relays as one consumer group a shard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from redis.exceptions import ResponseError

from . import keys
from .client import LONGEST_BLOCK_MS, Client
from .link import Link
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


class Outbox(Link):
    """Reading and acknowledging; writing is the commit's.

    At least once: a message that was read stays, in its reader's hands, until it is acknowledged;
    what a reader leaves behind is taken over by ``outbox_reclaim``.
    """

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._grouped: set[int] = set()

    async def outbox_read(
        self, shard: int, consumer: str, *, count: int, block_ms: int
    ) -> list[OutboxEntry]:
        """Return up to ``count`` new messages, waiting up to ``block_ms`` for the first.

        0 does not wait at all. ValueError for longer than LONGEST_BLOCK_MS, which the client
        would take for a lost reply.
        """
        if not 0 <= block_ms <= LONGEST_BLOCK_MS:
            raise ValueError(f"block_ms must lie between 0 and {LONGEST_BLOCK_MS}, not {block_ms}")
        with unavailable():
            reply = await self._in_group(
                shard,
                lambda key: self._client.xreadgroup(
                    GROUP, consumer, {key: ">"}, count=count, block=block_ms or None
                ),
            )
        return _entries(reply[0][1]) if reply else []

    async def outbox_reclaim(
        self, shard: int, consumer: str, *, idle_ms: int, count: int
    ) -> list[OutboxEntry]:
        """Take over messages that a relay read and did not acknowledge for ``idle_ms``."""
        with unavailable():
            reply = await self._in_group(
                shard,
                lambda key: self._client.xautoclaim(
                    key, GROUP, consumer, min_idle_time=idle_ms, count=count
                ),
            )
        return _entries([entry for entry in reply[1] if entry[1]])

    async def outbox_ack(self, shard: int, ids: list[bytes]) -> None:
        """Remove messages whose tasks the broker has."""
        if not ids:
            return
        key = keys.outbox(shard)
        await self._together(("XACK", key, GROUP, *ids), ("XDEL", key, *ids))

    async def outbox_depth(self, shard: int) -> int:
        """Return how many messages wait, those in a relay's hands included."""
        with unavailable():
            return int(await self._client.xlen(keys.outbox(shard)))

    async def _in_group(self, shard: int, ask: Any) -> Any:
        """Ask once the group exists; if the server has lost it with its data, make it again."""
        key = keys.outbox(shard)
        if shard not in self._grouped:
            await self._make_group(key)
            self._grouped.add(shard)
        try:
            return await ask(key)
        except ResponseError as error:
            if "NOGROUP" not in str(error):
                raise
            await self._make_group(key)
            return await ask(key)

    async def _make_group(self, key: str) -> None:
        try:
            await self._client.xgroup_create(key, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise


def _entries(raw: list[tuple[bytes, dict[bytes, Any]]]) -> list[OutboxEntry]:
    return [OutboxEntry(entry_id, fields[b"m"]) for entry_id, fields in raw]
