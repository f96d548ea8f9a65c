"""When each call reached this server.

What a call waits for in here, for who its caller is or for a table that others hold, is not its
player's time. The stamp is given once the whole request is there, not when a caller announces one.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from services.state.context import Context

from .interceptors import Before

_arrived_ms: ContextVar[int | None] = ContextVar("arrived_ms", default=None)


def arrived_ms() -> int | None:
    """Return when the present call reached the server, in ms since the epoch; None outside one."""
    return _arrived_ms.get()


class Stamped(Before):
    """Notes when each call arrived; goes around everything else."""

    def __init__(self, ctx: Context) -> None:
        super().__init__()
        self._now_ms = ctx.now_ms

    async def before(self, method: str, context: Any) -> None:
        """Stamp one call."""
        _arrived_ms.set(self._now_ms())
