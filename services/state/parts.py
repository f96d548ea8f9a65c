"""Parts: values beside an aggregate's record that its commits write and that are read one by one.

So what grows with an aggregate, such as the entrants of a tournament, need not be read and written
whole each time. A part is read without a lease: whoever has read a record finds every part that its
commit wrote, or a newer one.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

from . import keys
from .errors import CorruptRecord
from .link import Link
from .scripts import Argument, unavailable

MOST_WRITTEN = 2_000
"""Parts of one commit; so many keep the server busy for some 3 ms."""
READ_AT_ONCE = 500
_CRC_BYTES = 4


class Parts(Link):
    """Reading; writing is the commit's and the creation's."""

    async def parts(self, aggregate: str, entity: str, fields: Sequence[str]) -> list[bytes | None]:
        """Return the values of these fields in their order, None for one that was never written.

        Raises CorruptRecord.
        """
        key, found = keys.parts(aggregate, entity), []
        for first in range(0, len(fields), READ_AT_ONCE):
            some = fields[first : first + READ_AT_ONCE]
            with unavailable():
                stored = await self._ask("HMGET", key, *some)
            found += [
                None if value is None else _value(aggregate, entity, field, value)
                for field, value in zip(some, stored, strict=True)
            ]
        return found


def part_words(aggregate: str, entity: str, parts: Mapping[str, bytes]) -> list[Argument]:
    """Return fields and values in turn, as a script stores them; ValueError for too many."""
    if len(parts) > MOST_WRITTEN:
        raise ValueError(f"{len(parts)} parts in one commit; write at most {MOST_WRITTEN}")
    words: list[Argument] = []
    for field, data in parts.items():
        words += (field, _checksum(aggregate, entity, field, data) + data)
    return words


def _value(aggregate: str, entity: str, field: str, stored: bytes) -> bytes:
    data = stored[_CRC_BYTES:]
    if stored[:_CRC_BYTES] != _checksum(aggregate, entity, field, data):
        raise CorruptRecord(f"part {field} of {aggregate} {entity}", "its checksum does not match")
    return data


def _checksum(aggregate: str, entity: str, field: str, data: bytes) -> bytes:
    """Aggregate and field are in, so that no value passes for that of another."""
    bound = zlib.crc32(f"{aggregate}:{entity}:{field}".encode())
    return zlib.crc32(data, bound).to_bytes(_CRC_BYTES, "big")
