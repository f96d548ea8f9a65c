"""When each call reached this server.

What a call waits for in here, for who its caller is or for a table that others hold, is not its
player's time. The stamp is given when the whole request is there, and not already when a caller
announces one: nobody stops a clock by sending the rest later.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from services.state.context import Context

from .interceptors import Around

_arrived_ms: ContextVar[int | None] = ContextVar("arrived_ms", default=None)


def arrived_ms() -> int | None:
    """Return when the present call reached the server, in ms since the epoch; None outside one."""
    return _arrived_ms.get()


class Stamped(Around):
    """Notes when each call arrived, before anything else is done about it."""

    def __init__(self, ctx: Context) -> None:
        super().__init__()
        self._now_ms = ctx.now_ms

    def wrapped(self, method: str, handler: Any) -> Any:
        """Return a handler that stamps the call when it takes the request's bytes."""
        deserialize, now_ms = handler.request_deserializer, self._now_ms

        def stamping(data: bytes) -> Any:
            _arrived_ms.set(now_ms())
            return deserialize(data)

        return handler._replace(request_deserializer=stamping)
