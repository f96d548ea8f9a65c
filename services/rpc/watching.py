"""What the streams of tables and tournaments share: cursors, and leaving when the server stops."""

from __future__ import annotations

import asyncio
from typing import Any

from rummy_arena.api.v1.table_service_pb2 import WatchTableRequest
from rummy_arena.api.v1.tournament_service_pb2 import WatchTournamentRequest
from services.play.feed import Feeds

from .refusals import CursorAhead, Draining
from .violations import Fields

# A sequence that no log reaches; beyond it the store's 64-bit cursors end.
LARGEST_SEQUENCE = 2**53


def cursor_of(fields: Fields, request: WatchTableRequest | WatchTournamentRequest) -> int | None:
    """Return the caller's cursor, or None for one who wants a snapshot."""
    if not request.HasField("after_sequence"):
        return None
    if request.after_sequence > LARGEST_SEQUENCE:
        fields.refuse("after_sequence", "give the sequence of the last event that you have")
    return request.after_sequence


def check_cursor(after: int, last_sequence: int) -> None:
    """Raise CursorAhead if a cursor lies beyond the end of the log."""
    if after > last_sequence:
        raise CursorAhead(after, last_sequence)


async def write(context: Any, data: bytes) -> None:
    """Write a message; a caller who is gone is nobody's fault, and the stream ends as cancelled."""
    try:
        await context.write(data)
    except Exception as error:  # gRPC's own, for which it has no public name
        raise asyncio.CancelledError from error


class Drain:
    """Ends the streams of some feeds, with word to call again, as soon as the server stops."""

    def __init__(self, feeds: Feeds, stopping: asyncio.Event) -> None:
        self._feeds = feeds
        self._stopping = stopping
        self._task: asyncio.Task[None] | None = None

    def watch(self) -> None:
        """Begin to wait for the stop; call it from each stream before it joins a feed."""
        if self._stopping.is_set():
            raise Draining
        if self._task is None:
            self._task = asyncio.create_task(self._wait())

    async def _wait(self) -> None:
        await self._stopping.wait()
        self._feeds.close(Draining())
