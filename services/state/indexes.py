"""Indexes for listing: ids in the order of a score that stays while they are in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import keys
from .link import Link
from .scripts import unavailable


@dataclass(frozen=True, slots=True)
class Place:
    """Where an id stands, or stood, in an index: a list goes on from there though it has left."""

    index: str
    score: int
    entity: str


class Indexes(Link):
    """One sorted set an index; it is no part of a commit, so readers pass over ids without record.

    Add to the index before creating what it lists: then a death between the two hides nothing.
    """

    async def index_add(self, name: str, entity: str, score: int) -> None:
        """Add an id to an index; one that is in keeps its place."""
        with unavailable():
            await self._client.zadd(keys.index(name), {entity: score}, nx=True)

    async def index_move(
        self, name: str, to: str, entity: str, score: int, *, drop_before: int
    ) -> None:
        """Move an id to another index, if it is in the first.

        Ids whose score there is less than ``drop_before`` leave that other index.
        """
        await self._scripts.run(
            "index_move", [keys.index(name), keys.index(to)], entity, score, drop_before
        )

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

    async def index_page(
        self, name: str, *, after: Place | None, limit: int, until: int | None = None
    ) -> list[Place]:
        """Return up to ``limit`` places after another (None: from the first), lowest score first.

        Ids of one score are in their own order. Scores beyond ``until`` are left out.
        """
        key, last = keys.index(name), "+inf" if until is None else until
        end = ("BYSCORE", "LIMIT", 0, limit, "WITHSCORES")
        if after is None:
            [found] = await self._together(("ZRANGE", key, "-inf", last, *end))
            return _places(name, found)
        score = after.score
        beside, behind = await self._together(
            ("ZRANGE", key, score, score, "BYSCORE", "WITHSCORES"),
            ("ZRANGE", key, f"({score}", last, *end),
        )
        left = after.entity.encode()  # the server orders them by their bytes
        places = [place for place in _places(name, beside) if place.entity.encode() > left]
        return (places + _places(name, behind))[:limit]


def _places(name: str, found: Sequence[bytes]) -> list[Place]:
    """Return the places of a reply, in which every id is followed by its score."""
    pairs = zip(found[::2], found[1::2], strict=True)
    return [Place(name, int(float(score)), entity.decode()) for entity, score in pairs]
