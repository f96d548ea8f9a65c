"""Deadlines: what is due, claimed by one caller at a time. Commits set and remove them."""

from __future__ import annotations

from . import keys
from .link import Link


class Deadlines(Link):
    """One sorted set a shard."""

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
        """Remove the deadline of something that no longer exists; one that does keeps it."""
        await self._scripts.run(
            "forget",
            [keys.record(aggregate, entity), keys.deadlines(keys.shard_of(entity))],
            keys.member(aggregate, entity),
        )
