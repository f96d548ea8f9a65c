"""Work that goes on without its caller.

gRPC cancels a handler at its caller's deadline, at any await, and a commit that was sent must be
read to its end: its caller's lease is in it. So such work runs as a task of its own. A task of that
kind is cancelled by nobody: what it calls in turn needs no further one, what it starts may.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any, TypeVar

SETTLE_S = 5.0
"""How long work may take after its caller gave up."""
T = TypeVar("T")
_uninterrupted: ContextVar[asyncio.Task[Any] | None] = ContextVar("uninterrupted", default=None)
"""The task itself, since the tasks that it starts inherit its context, and may be cancelled."""


def is_uninterrupted() -> bool:
    """Return whether the present task is one that nobody cancels."""
    task = _uninterrupted.get()
    return task is not None and task is asyncio.current_task()


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Return what ``work`` returns, told that nobody cancels it: run this as a task of its own."""
    _uninterrupted.set(asyncio.current_task())
    return await work


class Errands:
    """The errands of one process and loop."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start work that goes on whatever becomes of its caller."""
        task = asyncio.ensure_future(uninterrupted(work))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def to_its_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Await ``work``; if the caller is cancelled meanwhile, let it finish first (bounded)."""
        if is_uninterrupted():
            return await work
        task = self.start(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.done():
                await asyncio.wait([task], timeout=SETTLE_S)
            raise

    async def settled(self) -> None:
        """Return once everything is done, with what that led to, or ``SETTLE_S`` have passed."""
        loop = asyncio.get_running_loop()
        until_s = loop.time() + SETTLE_S
        while self._tasks and (left_s := until_s - loop.time()) > 0:
            await asyncio.wait(self._tasks, timeout=left_s)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # seen: whoever waits for it is told, else a lease ends by itself
