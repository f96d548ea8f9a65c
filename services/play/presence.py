"""Players whose streams this process carries are told to the store as present."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from services.state.context import Context
from services.state.errors import StoreUnavailable

log = structlog.get_logger(__name__)
AGAIN_S = 4.0
HOLD_MS = 12_000
"""A stream counts so long after it was last told of: a process may die without a word."""


class Present:
    """The personal streams of this process; one task tells the store of all of them."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._streams: dict[str, str] = {}
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def while_streaming(self, player_id: str, *, seated: bool) -> AsyncIterator[None]:
        """Count the player as present within, if it is seated: nobody waits for the others."""
        if not seated:
            yield
            return
        stream_id = self._ctx.new_id()
        self._streams[stream_id] = player_id
        if self._task is None:
            self._task = asyncio.create_task(self._keep())
        try:
            await self._seen(stream_id, player_id)
            yield
        finally:
            del self._streams[stream_id]
            if not self._streams:
                self._task.cancel()
                self._task = None
            await self._ctx.store.to_its_end(self._left(stream_id, player_id))

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(AGAIN_S)
            try:
                for stream_id, player_id in list(self._streams.items()):
                    if stream_id in self._streams:
                        await self._seen(stream_id, player_id)
            except Exception:  # else every player here would pass for absent from now on
                log.exception("presence not told")

    async def _seen(self, stream_id: str, player_id: str) -> None:
        with contextlib.suppress(StoreUnavailable):
            await self._ctx.store.seen(player_id, stream_id, self._ctx.now_ms(), HOLD_MS)

    async def _left(self, stream_id: str, player_id: str) -> None:
        with contextlib.suppress(StoreUnavailable):
            await self._ctx.store.left(player_id, stream_id, self._ctx.now_ms())
