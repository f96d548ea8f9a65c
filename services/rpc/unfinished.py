"""Work that a caller's deadline must not cut in two."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from services.state.errands import uninterrupted

T = TypeVar("T")


class Unfinished:
    """Runs use cases that write to their end, whatever becomes of the call.

    gRPC cancels a handler at its caller's deadline, at any await. A commit that was sent must be
    read to its end, or a lease would stay taken and an answer be unknown.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what ``work`` returns; if the caller is cancelled, ``work`` goes on."""
        task = asyncio.create_task(uninterrupted(work))
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    async def drained(self, within_s: float = 60.0) -> None:
        """Return when nothing is unfinished, or ``within_s`` seconds have passed."""
        loop = asyncio.get_running_loop()
        until_s = loop.time() + within_s
        while self._tasks and (left_s := until_s - loop.time()) > 0:
            await asyncio.wait(set(self._tasks), timeout=left_s)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the caller has it, or is gone
