"""Streams whose messages are bytes already: made once for many callers, they are sent as they are.

It stands innermost, so that everything around a call is the same for every call.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import grpc


class ReadyBytes(grpc.aio.ServerInterceptor):
    """Lets a handler that streams send bytes in place of messages."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """Return the call's handler; one that streams passes bytes through."""
        handler = await continuation(handler_call_details)
        if handler is None or not handler.response_streaming or not handler.response_serializer:
            return handler
        return handler._replace(response_serializer=_passing(handler.response_serializer))


def _passing(serialize: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    def passing(message: Any) -> bytes:
        return message if type(message) is bytes else serialize(message)

    return passing
