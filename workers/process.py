"""One event loop and one context per worker process, made after the fork."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from services.runtime.settings import Settings
from services.runtime.wiring import close_context, open_context
from services.state.context import Context

from .courier import Courier

T = TypeVar("T")


class WorkerProcess:
    """What the tasks of one process share."""

    def __init__(self, settings: Settings) -> None:
        self._loop = asyncio.new_event_loop()
        self.context: Context = self._loop.run_until_complete(open_context(settings))
        self.courier = Courier(settings, self.context.meters)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end on this process's loop."""
        return self._loop.run_until_complete(work)

    def close(self) -> None:
        """Close the connections and the loop."""
        self.courier.close()
        self._loop.run_until_complete(close_context(self.context))
        self._loop.close()


_current: WorkerProcess | None = None


def start_process(settings: Settings) -> None:
    """Make this process's loop and context; call it after the fork."""
    global _current
    _current = WorkerProcess(settings)


def stop_process() -> None:
    """Close what ``start_process`` made."""
    global _current
    if _current is not None:
        _current.close()
        _current = None


def current_process() -> WorkerProcess:
    """Return this process's loop and context; RuntimeError outside a worker's pool."""
    if _current is None:
        raise RuntimeError("tasks run in a worker's pool process: start one with rummy-arena up")
    return _current
