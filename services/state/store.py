"""The state of everything, in Redis: aggregates with a record, a log, a lease and answers.

A write is two round trips: ``acquire`` takes the lease and returns the record, ``commit`` compares
the lease's token and the version and writes everything at once. Reads take no lease.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from . import keys
from .client import Client
from .commits import (
    Answer,
    Held,
    Snapshot,
    commit_arguments,
    commit_keys,
    create_arguments,
    create_keys,
    same,
    verify,
)
from .deadlines import Deadlines
from .errands import Errands, is_uninterrupted
from .errors import (
    Busy,
    Conflict,
    CorruptRecord,
    CursorTooOld,
    LeaseLost,
    NotFound,
    RequestReused,
    StoreUnavailable,
)
from .indexes import Indexes
from .kept import Kept
from .logs import NO_EVENTS, Batch, LogBatch, Logs
from .meters import Meters
from .outbox import Outbox, OutboxEntry
from .parts import Parts
from .presence import Presence, Presences
from .results import Results
from .scripts import unavailable
from .tokens import Tokens
from .turns import Turns
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
    "Presence",
    "RequestReused",
    "Snapshot",
    "Store",
    "StoreUnavailable",
]

FIRST_WAIT_S = 0.002
LONGEST_WAIT_S = 0.1
LONGEST_WORK_S = 300.0
"""How long a lease may be renewed for."""
T = TypeVar("T")
_NO_PARTS: Mapping[str, bytes] = MappingProxyType({})


class Store(Outbox, Deadlines, Logs, Parts, Results, Indexes, Tokens, Presences):
    """The state layer; one per process and event loop."""

    def __init__(self, client: Client, meters: Meters) -> None:
        super().__init__(client)
        self.meters = meters
        self.wakeups = Wakeups(client)
        self.kept = Kept()
        self._turns = Turns()
        self._errands = Errands()

    async def close(self) -> None:
        """Finish what is under way and close every connection."""
        await self._errands.settled()
        await self.wakeups.close()
        if self._lines is not None:
            await self._lines.close()
        await self._client.aclose()

    async def ping(self) -> None:
        """Raise StoreUnavailable unless the server answers."""
        with unavailable():
            await self._client.ping()

    async def create(
        self,
        aggregate: str,
        entity: str,
        data: bytes,
        *,
        events: Batch = NO_EVENTS,
        messages: Sequence[bytes] = (),
        deadline_ms: int | None = None,
        parts: Mapping[str, bytes] = _NO_PARTS,
    ) -> bool:
        """Create the aggregate; return False, and change nothing, when it exists."""
        made = await self._scripts.run(
            "create",
            create_keys(aggregate, entity),
            *create_arguments(
                aggregate,
                entity,
                secrets.token_hex(8),
                data,
                events,
                messages,
                deadline_ms,
                parts,
            ),
        )
        return bool(made)

    async def read(self, aggregate: str, entity: str) -> Snapshot:
        """Return the record; raises NotFound or CorruptRecord."""
        with unavailable():
            version, data, crc, seq = await self._ask(
                "HMGET", keys.record(aggregate, entity), "version", "data", "crc", "seq"
            )
        if data is None:
            raise NotFound(aggregate, entity)
        verify(aggregate, entity, data, version, crc)
        return Snapshot(data, int(version), int(seq))

    async def acquire(
        self,
        aggregate: str,
        entity: str,
        *,
        lease_ms: int,
        wait_s: float,
        request_id: str = "",
        fingerprint: bytes = b"",
    ) -> Held:
        """Take the lease and return the record; release or commit it afterwards.

        Waits up to ``wait_s`` for other holders, those of this process first in line, then raises
        Busy. With a ``request_id`` that was answered before, returns that ``reply`` and takes no
        lease; raises RequestReused when the fingerprint differs. Raises NotFound, CorruptRecord.
        """
        started = time.monotonic()
        try:
            turn = await self._turns.take((aggregate, entity), wait_s)
        except TimeoutError:
            raise Busy(aggregate, entity) from None
        held = Held(aggregate, entity, secrets.token_hex(8), lease_ms, 0, b"", 0, 0, turn)
        try:
            held = await self._lease(held, started + wait_s, request_id, fingerprint)
        except BaseException:
            turn.end()
            raise
        self.meters.lease_waited(aggregate, time.monotonic() - started)
        return held

    async def _lease(self, held: Held, until: float, request_id: str, fingerprint: bytes) -> Held:
        wait_s = FIRST_WAIT_S
        wanted = [
            keys.record(held.aggregate, held.id),
            keys.lease(held.aggregate, held.id),
            keys.requests(held.aggregate, held.id),
            keys.older_requests(held.aggregate, held.id),
        ]
        while True:
            reply = await self._asked_for(held, wanted, request_id)
            if reply[0] == b"held":
                return await self._with_record(held, reply)
            if reply[0] == b"answered":
                held.turn.end()
                return replace(held, token="", reply=same(request_id, fingerprint, reply[1]))
            if reply[0] == b"gone":
                raise NotFound(held.aggregate, held.id)
            pause_s = wait_s * random.uniform(0.5, 1.0)  # noqa: S311  jitter
            if time.monotonic() + pause_s > until:
                raise Busy(held.aggregate, held.id)
            await asyncio.sleep(pause_s)
            wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    async def _asked_for(self, held: Held, wanted: list[str], request_id: str) -> Any:
        """Ask for the lease; a caller that is cancelled gives back what it is given."""
        asking = self._scripts.run("acquire", wanted, held.token, held.lease_ms, request_id)
        asked: asyncio.Task[Any] | None = None
        try:
            if is_uninterrupted():
                return await asking
            asked = self._errands.start(asking)
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            self._errands.start(self._give_back(held, asked))
            raise

    async def _with_record(self, held: Held, reply: list[Any]) -> Held:
        _, fence, version, data, crc, seq = reply
        try:
            verify(held.aggregate, held.id, data, version, crc)
        except CorruptRecord:
            await self._free(held)
            raise
        held.turn.end_within(held.lease_ms / 1000)
        return Held(  # by place, for this is made for every write
            held.aggregate,
            held.id,
            held.token,
            held.lease_ms,
            int(fence),
            data,
            int(version),
            int(seq),
            held.turn,
        )

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
        ttl_ms: int | None = None,
        parts: Mapping[str, bytes] = _NO_PARTS,
    ) -> Held | None:
        """Write everything at once; return the renewed lease with ``keep``, else None.

        ``deadline_ms`` None removes the deadline; ``ttl_ms`` lets the aggregate expire with all
        its keys; ``parts`` are written by field, and the others stay. Raises LeaseLost, Conflict,
        or RequestReused, and then nothing is written; ValueError for too many parts. Safe to call
        again with the same ``held`` and data when its outcome is unknown (StoreUnavailable). A
        commit that was sent is seen to its end even if the caller is cancelled.
        """
        arguments = commit_arguments(
            held,
            data,
            events,
            messages,
            deadline_ms,
            answer,
            keep,
            expected_results,
            ttl_ms,
            parts,
        )
        kept: Held | None = None
        try:
            reply = await self.to_its_end(
                self._scripts.run("commit", commit_keys(held), *arguments)
            )
            self._done_or_refused(held, reply, answer)
            if keep:
                held.turn.end_within(held.lease_ms / 1000)
                kept = replace(held, data=data, version=held.version + 1, seq=int(reply[1]))
            return kept
        except asyncio.CancelledError:
            if keep:
                self._errands.start(self._free(held))  # it was renewed for nobody
            raise
        finally:
            if kept is None:
                held.turn.end()

    def _done_or_refused(self, held: Held, reply: list[Any], answer: Answer | None) -> None:
        what = f"{held.aggregate} {held.id}"
        if reply[0] == b"lost":
            self._lost(held)
        if reply[0] == b"conflict":
            self.meters.lease_lost(held.aggregate)
            raise Conflict(f"{what} changed meanwhile; nothing was written")
        if reply[0] == b"answered" and answer is not None:
            same(answer.request_id, answer.fingerprint, reply[1])
            raise Conflict(f"{what} has answered this request already; ask for that answer")

    async def renew(self, held: Held) -> None:
        """Let the lease last its whole time again; raises LeaseLost when it ran out before."""
        renewed = await self._scripts.run(
            "renew", [keys.lease(held.aggregate, held.id)], held.token, held.lease_ms
        )
        if not renewed:
            self._lost(held)
        held.turn.end_within(held.lease_ms / 1000)

    async def while_held(self, held: Held, work: Coroutine[Any, Any, T]) -> T:
        """Return what ``work`` leads to, renewing the lease meanwhile, as work in a thread needs.

        Raises LeaseLost when it ran out all the same: then this process stood still for too long,
        or the work takes more than LONGEST_WORK_S. The work's outcome is dropped.
        """
        until = time.monotonic() + LONGEST_WORK_S
        working = asyncio.ensure_future(work)
        try:
            while True:
                await asyncio.wait([working], timeout=held.lease_ms / 3000)
                if working.done():
                    return working.result()
                if time.monotonic() > until:
                    self._lost(held)
                await self.renew(held)
        finally:
            working.cancel()

    def _lost(self, held: Held) -> NoReturn:
        self.meters.lease_lost(held.aggregate)
        raise LeaseLost(f"the lease of {held.aggregate} {held.id} ran out; nothing was written")

    async def release(self, held: Held) -> None:
        """Free the lease without writing; nothing happens if it was freed or lost already."""
        if held.turn.over:
            return
        try:
            await self._free(held)
        finally:
            held.turn.end()

    async def answer(
        self, aggregate: str, entity: str, request_id: str, fingerprint: bytes
    ) -> bytes | None:
        """Return the kept reply of an earlier request with this id, or None; RequestReused."""
        newer, older = await self._together(
            ("HGET", keys.requests(aggregate, entity), request_id),
            ("HGET", keys.older_requests(aggregate, entity), request_id),
        )
        stored = older if newer is None else newer
        return None if stored is None else same(request_id, fingerprint, stored)

    async def _give_back(self, held: Held, asked: asyncio.Task[Any] | None) -> None:
        """Free a lease that was asked for, once the server has given it and not before."""
        if asked is not None:  # else a task nobody should cancel: a line keeps the order at least
            await asyncio.wait([asked])
        await self._free(held)

    async def _free(self, held: Held) -> None:
        await self._scripts.run("release", [keys.lease(held.aggregate, held.id)], held.token)

    async def to_its_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Await ``work``; if the caller is cancelled meanwhile, let it finish first (bounded)."""
        return await self._errands.to_its_end(work)
