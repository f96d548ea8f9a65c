"""When each call reached this server.

What a call waits for in here, for who its caller is or for a table that others hold, is not its
player's time. The stamp is given once the whole request is there, not when a caller announces one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

from services.state.context import Context

from .interceptors import Around

_arrived_ms: ContextVar[int | None] = ContextVar("arrived_ms", default=None)


def arrived_ms() -> int | None:
    """Return when the present call reached the server, in ms since the epoch; None outside one."""
    return _arrived_ms.get()


class Stamped(Around):
    """Notes when each call arrived; goes around everything else."""

    def __init__(self, ctx: Context) -> None:
        self._now_ms = ctx.now_ms

    @asynccontextmanager
    async def around(self, method: str, request: Any, context: Any) -> AsyncIterator[None]:
        """Stamp one call."""
        _arrived_ms.set(self._now_ms())
        yield
