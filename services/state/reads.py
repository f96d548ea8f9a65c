"""Reading the state: records, logs, answers, results, indexes and tokens. Reads take no lease."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

from . import keys
from .errors import CorruptRecord, CursorTooOld, NotFound, RequestReused
from .scripts import unavailable


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A record as it was read."""

    data: bytes
    version: int
    seq: int  # the last sequence of its log


@dataclass(frozen=True, slots=True)
class LogBatch:
    """One entry of a log: events ``first`` to ``last``."""

    first: int
    last: int
    data: bytes


class Reads:
    """What the store answers without changing anything, and the small records beside."""

    _client: Any

    async def read(self, aggregate: str, entity: str) -> Snapshot:
        """Return the record; raises NotFound or CorruptRecord."""
        with unavailable():
            version, data, crc, seq = await self._client.hmget(
                keys.record(aggregate, entity), "version", "data", "crc", "seq"
            )
        if data is None:
            raise NotFound(aggregate, entity)
        check_crc(aggregate, entity, data, crc)
        return Snapshot(data, int(version), int(seq))

    async def answer(
        self, aggregate: str, entity: str, request_id: str, fingerprint: bytes
    ) -> bytes | None:
        """Return the kept reply of an earlier request with this id, or None; RequestReused."""
        with unavailable():
            stored = await self._client.hget(keys.requests(aggregate, entity), request_id)
        if stored is None:
            return None
        size = len(fingerprint)
        if stored[:size] != fingerprint:
            raise RequestReused(request_id)
        return bytes(stored[size:])

    async def read_log(
        self, aggregate: str, entity: str, *, after: int, limit: int
    ) -> list[LogBatch]:
        """Return batches that hold events after sequence ``after``, up to ``limit`` batches.

        Raises CursorTooOld when events after the cursor were dropped.
        """
        with unavailable():
            entries = await self._client.xrange(
                keys.log(aggregate, entity), min=f"{after + 1}-0", count=limit
            )
        batches = []
        for entry_id, fields in entries:
            last = int(entry_id.partition(b"-")[0])
            batches.append(LogBatch(last - int(fields[b"n"]) + 1, last, fields[b"b"]))
        if batches and batches[0].first > after + 1:
            raise CursorTooOld(after, batches[0].first)
        return batches

    async def results(self, aggregate: str, entity: str) -> dict[str, bytes]:
        """Return everything reported so far, by field."""
        with unavailable():
            stored = await self._client.hgetall(keys.results(aggregate, entity))
        return {field.decode(): value for field, value in stored.items()}

    # --- indexes and tokens ----------------------------------------------------------------

    async def index_add(self, name: str, entity: str, score: int) -> None:
        """Add an id to an index; one that is in keeps its place."""
        with unavailable():
            await self._client.zadd(keys.index(name), {entity: score}, nx=True)

    async def index_page(self, name: str, *, after: str, limit: int) -> list[str]:
        """Return up to ``limit`` ids after the id ``after`` ("" for the first), oldest first."""
        with unavailable():
            start = 0
            if after:
                rank = await self._client.zrank(keys.index(name), after)
                if rank is None:
                    raise NotFound(f"entry of {name}", after)
                start = rank + 1
            page = await self._client.zrange(keys.index(name), start, start + limit - 1)
        return [entity.decode() for entity in page]

    async def put_token(self, token_hash: str, data: bytes, *, ttl_ms: int) -> None:
        """Keep what a token stands for until its time is over."""
        with unavailable():
            await self._client.set(keys.token(token_hash), data, px=ttl_ms)

    async def get_token(self, token_hash: str) -> bytes | None:
        """Return what a token stands for, or None."""
        with unavailable():
            data: bytes | None = await self._client.get(keys.token(token_hash))
        return data


def check_crc(aggregate: str, entity: str, data: bytes, crc: bytes) -> None:
    """Raise CorruptRecord unless the bytes are those that were written."""
    if zlib.crc32(data) != int(crc):
        raise CorruptRecord(f"{aggregate} {entity}", "its checksum does not match")
