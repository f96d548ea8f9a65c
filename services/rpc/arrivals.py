"""When each call reached this server.

What a call waits for in here, for who its caller is or for a table that others hold, is not its
player's time. The stamp is given when the whole request is there, and not already when a caller
announces one: nobody stops a clock by sending the rest later.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import grpc

from services.state.context import Context

from .interceptors import OURS, Continuation

_arrived_ms: ContextVar[int | None] = ContextVar("arrived_ms", default=None)


def arrived_ms() -> int | None:
    """Return when the present call reached the server, in ms since the epoch; None outside one."""
    return _arrived_ms.get()


class Stamped(grpc.aio.ServerInterceptor):
    """Notes when each call arrived, before anything else is done about it."""

    def __init__(self, ctx: Context) -> None:
        self._now_ms = ctx.now_ms

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Any:
        """Return the call's handler, which stamps the call when it takes the request's bytes."""
        handler = await continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(OURS):
            return handler
        return handler._replace(request_deserializer=self._stamping(handler.request_deserializer))

    def _stamping(self, deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
        def stamping(data: bytes) -> Any:
            _arrived_ms.set(self._now_ms())
            return deserialize(data)

        return stamping
