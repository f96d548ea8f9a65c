"""Indexes for listing: ids in the order of a score that never changes."""

from __future__ import annotations

from collections.abc import Sequence

from . import keys
from .errors import NotFound
from .link import Link
from .scripts import unavailable


class Indexes(Link):
    """One sorted set an index; it is no part of a commit, so readers pass over ids without record.

    Add to the index before creating what it lists: then a death between the two hides nothing.
    """

    async def index_add(self, name: str, entity: str, score: int) -> None:
        """Add an id to an index; one that is in keeps its place."""
        with unavailable():
            await self._client.zadd(keys.index(name), {entity: score}, nx=True)

    async def index_drop(self, name: str, entities: Sequence[str], *, before: int) -> None:
        """Remove those ids whose score is less than ``before``; others are left."""
        if not entities:
            return
        with unavailable():
            scores = await self._client.zmscore(keys.index(name), list(entities))
            old = [
                entity
                for entity, score in zip(entities, scores, strict=True)
                if score is not None and score < before
            ]
            if old:
                await self._client.zrem(keys.index(name), *old)

    async def index_page(self, name: str, *, after: str, limit: int) -> list[str]:
        """Return up to ``limit`` ids after the id ``after`` ("" for the first), lowest score first.

        Raises NotFound when ``after`` is not, or no longer, in the index.
        """
        with unavailable():
            start = 0
            if after:
                rank = await self._client.zrank(keys.index(name), after)
                if rank is None:
                    raise NotFound(f"entry of {name}", after)
                start = rank + 1
            page = await self._client.zrange(keys.index(name), start, start + limit - 1)
        return [entity.decode() for entity in page]
