"""How a server leaves its clients: none of their calls may fall between two servers.

gRPC's own stop cancels every call that reaches the server after it began, and a client goes on
sending until it has read that the server leaves (GOAWAY). So new calls are held back first, for
long enough that whoever sends has sent and waits; then the server says that it leaves; and only
when that has been read are the held calls made and the streams told to move. A client's next call
then finds another server by itself. What is sent in the moment between, by a client that does not
wait for its answers, is cancelled before any of it was done.
"""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from .interceptors import Before

SHARE = 1 / 50
"""Of the grace, each: until no client is in the middle of sending, and until all were told."""


class Gate(Before):
    """Holds back new calls while it is shut."""

    def __init__(self) -> None:
        super().__init__()
        self._open = asyncio.Event()
        self._open.set()

    def shut(self) -> None:
        """Hold back every call from now on."""
        self._open.clear()

    def open(self) -> None:
        """Let all calls pass."""
        self._open.set()

    async def before(self, method: str, context: Any) -> None:
        """Wait before one call."""
        await self._open.wait()


async def leave(
    server: grpc.aio.Server, gate: Gate, stopping: asyncio.Event, *, grace_s: float
) -> None:
    """Stop a server: its calls end well within ``grace_s``, its streams with a reason.

    Sets ``stopping`` when it is time for the streams to move.
    """
    gate.shut()
    await asyncio.sleep(grace_s * SHARE)
    stopped = asyncio.ensure_future(server.stop(grace_s))
    await asyncio.sleep(grace_s * SHARE)
    stopping.set()
    gate.open()
    await stopped
