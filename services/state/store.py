"""The state of everything, in Redis: aggregates with a record, a log, a lease and answers.

A write is two round trips: ``acquire`` takes the lease and returns the record, ``commit`` compares
the lease's token and the version and writes everything at once. Reads take no lease.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
import weakref
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import redis.asyncio as aioredis

from . import keys
from .errors import (
    Busy,
    Conflict,
    CursorTooOld,
    LeaseLost,
    NotFound,
    RequestReused,
    StoreUnavailable,
)
from .meters import Meters
from .outbox import Outbox, OutboxEntry
from .reads import LogBatch, Reads, Snapshot, check_crc
from .scripts import Scripts, unavailable
from .wakeups import Wakeups

__all__ = [
    "Answer",
    "Batch",
    "Busy",
    "Conflict",
    "CursorTooOld",
    "Held",
    "LeaseLost",
    "LogBatch",
    "NotFound",
    "OutboxEntry",
    "RequestReused",
    "Snapshot",
    "Store",
    "StoreUnavailable",
]

FIRST_WAIT_S = 0.002
LONGEST_WAIT_S = 0.1
SETTLE_S = 5.0  # how long a commit that was sent may take after its caller gave up


@dataclass(frozen=True, slots=True)
class Batch:
    """Events of one commit: how many, and their encoding."""

    count: int = 0
    data: bytes = b""


NO_EVENTS = Batch()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request led to, kept under its id for a repeat."""

    request_id: str
    fingerprint: bytes  # 16 bytes that tell one content from another
    reply: bytes


@dataclass(frozen=True, slots=True)
class Held:
    """A lease, and the record as it was when the lease was taken or the last commit made."""

    aggregate: str
    id: str
    token: str
    lease_ms: int
    data: bytes
    version: int
    seq: int
    local: asyncio.Lock


class Store(Outbox, Reads):
    """The state layer; one per process and event loop."""

    def __init__(self, client: aioredis.Redis, meters: Meters) -> None:
        super().__init__(client)
        self.meters = meters
        self._scripts = Scripts(client)
        self._locks: weakref.WeakValueDictionary[tuple[str, str], asyncio.Lock] = (
            weakref.WeakValueDictionary()
        )
        self.wakeups = Wakeups(client)

    async def close(self) -> None:
        """Close every connection."""
        await self.wakeups.close()
        await self._client.aclose()

    async def ping(self) -> None:
        """Raise StoreUnavailable unless the server answers."""
        with unavailable():
            await self._client.ping()

    # --- writing ---------------------------------------------------------------------------

    async def create(
        self,
        aggregate: str,
        entity: str,
        data: bytes,
        *,
        events: Batch = NO_EVENTS,
        messages: Sequence[bytes] = (),
        deadline_ms: int | None = None,
    ) -> bool:
        """Create the aggregate; return False, and change nothing, when it exists."""
        shard = keys.shard_of(entity)
        made = await self._scripts.run(
            "create",
            [
                keys.record(aggregate, entity),
                keys.log(aggregate, entity),
                keys.outbox(shard),
                keys.deadlines(shard),
            ],
            secrets.token_hex(8),
            data,
            zlib.crc32(data),
            events.count,
            events.data,
            "" if deadline_ms is None else deadline_ms,
            f"{aggregate}:{entity}",
            *messages,
        )
        return bool(made)

    async def acquire(self, aggregate: str, entity: str, *, lease_ms: int, wait_s: float) -> Held:
        """Take the lease and return the record; release or commit it afterwards.

        Waits up to ``wait_s`` for other holders, those of this process first in line, then raises
        Busy. Raises NotFound.
        """
        started = time.monotonic()
        local = self._locks.setdefault((aggregate, entity), asyncio.Lock())
        try:
            if local.locked() and wait_s <= 0:
                raise TimeoutError
            await asyncio.wait_for(local.acquire(), wait_s if wait_s > 0 else None)
        except TimeoutError:
            raise Busy(aggregate, entity) from None
        try:
            held = await self._lease(aggregate, entity, local, lease_ms, started + wait_s)
        except BaseException:
            local.release()
            raise
        self.meters.lease_waited(aggregate, time.monotonic() - started)
        return held

    async def _lease(
        self, aggregate: str, entity: str, local: asyncio.Lock, lease_ms: int, until: float
    ) -> Held:
        token = secrets.token_hex(12)
        wait_s = FIRST_WAIT_S
        lease_keys = [keys.record(aggregate, entity), keys.lease(aggregate, entity)]
        while True:
            reply = await self._scripts.run("acquire", lease_keys, token, lease_ms)
            if reply[0] == b"held":
                _, _, version, data, crc, seq = reply
                check_crc(aggregate, entity, data, crc)
                return Held(aggregate, entity, token, lease_ms, data, int(version), int(seq), local)
            if reply[0] == b"gone":
                raise NotFound(aggregate, entity)
            if time.monotonic() + wait_s > until:
                raise Busy(aggregate, entity)
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.0))  # noqa: S311  jitter
            wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    async def commit(
        self,
        held: Held,
        data: bytes,
        *,
        events: Batch = NO_EVENTS,
        messages: Sequence[bytes] = (),
        deadline_ms: int | None = None,
        answer: Answer | None = None,
        keep: bool = False,
        expected_results: int | None = None,
    ) -> Held | None:
        """Write everything at once; return the renewed lease with ``keep``, else None.

        ``deadline_ms`` None removes the deadline. Raises LeaseLost or Conflict, and then nothing
        is written. A commit that was sent is seen to its end even if the caller is cancelled.
        """
        work = asyncio.ensure_future(
            self._scripts.run(
                "commit",
                self._commit_keys(held),
                held.token,
                held.version,
                f"{held.token}:{held.version}",
                data,
                zlib.crc32(data),
                events.count,
                events.data,
                answer.request_id if answer else "",
                answer.fingerprint + answer.reply if answer else b"",
                "" if deadline_ms is None else deadline_ms,
                f"{held.aggregate}:{held.id}",
                held.lease_ms if keep else "",
                "" if expected_results is None else expected_results,
                keys.wake_channel(held.aggregate, held.id),
                *messages,
            )
        )
        kept: Held | None = None
        try:
            reply = await _to_its_end(work)
            self._refused(held, reply)
            if keep:
                kept = replace(held, data=data, version=int(reply[1]), seq=int(reply[2]))
            return kept
        finally:
            if kept is None:
                _unlock(held)

    def _commit_keys(self, held: Held) -> list[str]:
        shard = keys.shard_of(held.id)
        return [
            keys.record(held.aggregate, held.id),
            keys.log(held.aggregate, held.id),
            keys.lease(held.aggregate, held.id),
            keys.requests(held.aggregate, held.id),
            keys.outbox(shard),
            keys.deadlines(shard),
        ]

    def _refused(self, held: Held, reply: list[Any]) -> None:
        if reply[0] == b"lost":
            self.meters.lease_lost(held.aggregate)
            raise LeaseLost(f"the lease of {held.aggregate} {held.id} ran out; nothing was written")
        if reply[0] == b"conflict":
            self.meters.lease_lost(held.aggregate)
            raise Conflict(f"{held.aggregate} {held.id} changed meanwhile; nothing was written")

    async def release(self, held: Held) -> None:
        """Free the lease without writing; nothing happens if it was freed or lost already."""
        if not held.local.locked():
            return
        try:
            await self._scripts.run("release", [keys.lease(held.aggregate, held.id)], held.token)
        finally:
            _unlock(held)

    async def report(
        self,
        aggregate: str,
        entity: str,
        field: str,
        value: bytes,
        *,
        events: Batch,
        message: bytes,
    ) -> bool:
        """Enter a result once; return whether this call did. The last awaited sends ``message``.

        Raises NotFound.
        """
        entered = await self._scripts.run(
            "report",
            [
                keys.record(aggregate, entity),
                keys.log(aggregate, entity),
                keys.results(aggregate, entity),
                keys.outbox(keys.shard_of(entity)),
            ],
            field,
            value,
            events.count,
            events.data,
            keys.wake_channel(aggregate, entity),
            message,
        )
        if entered < 0:
            raise NotFound(aggregate, entity)
        return bool(entered)

    async def claim_due(
        self, shard: int, *, now_ms: int, limit: int, hold_ms: int
    ) -> list[tuple[str, str]]:
        """Return (aggregate, id) of up to ``limit`` deadlines passed, each claimed by one caller.

        A claim that leads to no commit comes up again after ``hold_ms``.
        """
        members = await self._scripts.run(
            "claim_due", [keys.deadlines(shard)], now_ms, limit, hold_ms
        )
        due = []
        for member in members:
            aggregate, _, entity = member.decode().partition(":")
            due.append((aggregate, entity))
        return due

    async def forget_deadline(self, aggregate: str, entity: str) -> None:
        """Remove the deadline of something that no longer exists."""
        with unavailable():
            await self._client.zrem(keys.deadlines(keys.shard_of(entity)), f"{aggregate}:{entity}")


def _unlock(held: Held) -> None:
    if held.local.locked():
        held.local.release()


async def _to_its_end(work: asyncio.Future[Any]) -> Any:
    """Await ``work``; if the caller is cancelled meanwhile, let it finish first (bounded)."""
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        if not work.cancelled():
            await asyncio.wait([work], timeout=SETTLE_S)
        raise
