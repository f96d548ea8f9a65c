"""Results that many report to one aggregate without its lease, each counted once."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from . import keys
from .errors import NotFound
from .link import Link
from .logs import Batch
from .scripts import unavailable

READ_AT_ONCE = 500


class Results(Link):
    """One hash an aggregate; how many it awaits stands in the record and is set by a commit."""

    async def report(
        self,
        aggregate: str,
        entity: str,
        field: str,
        value: bytes,
        *,
        events: Batch,
        message: bytes,
        look_ms: int,
    ) -> bool:
        """Enter a result once; return whether this call did. The last awaited sends ``message``.

        It also moves the aggregate's deadline to ``look_ms``, unless that is earlier or there is
        none, so that a message that gets lost is soon missed.

        A repeat for want of a reply may return False for a result that it entered itself. Raises
        NotFound.
        """
        entered = await self._scripts.run(
            "report",
            [
                keys.record(aggregate, entity),
                keys.log(aggregate, entity),
                keys.results(aggregate, entity),
                keys.outbox(keys.shard_of(entity)),
                keys.deadlines(keys.shard_of(entity)),
            ],
            field,
            value,
            events.count,
            events.data,
            zlib.crc32(events.data),
            keys.wake_channel(aggregate, entity),
            message,
            f"{aggregate}:{entity}",
            look_ms,
            events.at_ms,
            keys.teller(aggregate, entity),
        )
        if entered < 0:
            raise NotFound(aggregate, entity)
        return bool(entered)

    async def results(
        self, aggregate: str, entity: str, fields: Sequence[str]
    ) -> list[bytes | None]:
        """Return what was reported in these fields so far, in their order."""
        key, found = keys.results(aggregate, entity), []
        for first in range(0, len(fields), READ_AT_ONCE):
            with unavailable():
                found += await self._ask("HMGET", key, *fields[first : first + READ_AT_ONCE])
        return found
