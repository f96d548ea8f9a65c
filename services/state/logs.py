"""Logs: what happened to an aggregate, a batch a commit, with dense sequence numbers from 1."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from itertools import pairwise

from . import keys
from .errors import CorruptRecord, CursorTooOld, NotFound
from .link import Link
from .scripts import unavailable


@dataclass(frozen=True, slots=True)
class Batch:
    """Events of one commit: how many, their encoding, and when they happened."""

    count: int = 0
    data: bytes = b""
    at_ms: int = 0


NO_EVENTS = Batch()


@dataclass(frozen=True, slots=True)
class LogBatch:
    """One entry of a log: events ``first`` to ``last``, and when they happened (0: not known)."""

    first: int
    last: int
    data: bytes
    at_ms: int = 0


class Logs(Link):
    """Reading and trimming; writing is the commit's."""

    async def read_log(
        self, aggregate: str, entity: str, *, after: int, limit: int
    ) -> list[LogBatch]:
        """Return batches that hold events after sequence ``after``, up to ``limit`` batches.

        The first may begin at or before the cursor: cut it there. Empty when the cursor is at the
        end, or beyond it. Raises NotFound, CursorTooOld when events after the cursor were
        dropped, CorruptRecord when stored bytes or their order are damaged.
        """
        # The end before the entries: what is appended between the two is then no gap.
        end, entries = await self._together(
            ("HGET", keys.record(aggregate, entity), "seq"),
            ("XRANGE", keys.log(aggregate, entity), f"{after + 1}-0", "+", "COUNT", limit),
        )
        if end is None:
            raise NotFound(aggregate, entity)
        batches = [_batch(aggregate, entity, entry_id, fields) for entry_id, fields in entries]
        first = batches[0].first if batches else int(end) + 1
        if first > after + 1:
            raise CursorTooOld(after, first)
        for one, following in pairwise(batches):
            if following.first != one.last + 1:
                raise CorruptRecord(
                    f"the log of {aggregate} {entity}", f"a gap after event {one.last}"
                )
        return batches

    async def trim_log(self, aggregate: str, entity: str, *, before: int) -> int:
        """Drop whole batches that end before sequence ``before``; return how many went."""
        with unavailable():
            return int(
                await self._client.xtrim(
                    keys.log(aggregate, entity), minid=f"{before}-0", approximate=False
                )
            )


def _batch(aggregate: str, entity: str, entry_id: bytes, fields: dict[bytes, bytes]) -> LogBatch:
    last = int(entry_id.partition(b"-")[0])
    data = fields[b"b"]
    if zlib.crc32(data) != int(fields[b"c"]):
        raise CorruptRecord(
            f"the log of {aggregate} {entity}", f"the checksum of the batch to {last} is wrong"
        )
    return LogBatch(last - int(fields[b"n"]) + 1, last, data, int(fields.get(b"t", 0)))
