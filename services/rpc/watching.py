"""What the streams of tables and tournaments share: cursors, and leaving when the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, TypeVar, cast

from services.play.feed import Feeds

from .refusals import CursorAhead, Draining
from .violations import Fields

T = TypeVar("T")

# A sequence that no log reaches; beyond it the store's 64-bit cursors end.
LARGEST_SEQUENCE = 2**53


def cursor_of(fields: Fields, *, present: bool, after_sequence: int) -> int | None:
    """Return the caller's cursor, or None for one who wants a snapshot."""
    if not present:
        return None
    if after_sequence > LARGEST_SEQUENCE:
        fields.refuse("after_sequence", "give the sequence of the last event that you have")
    return after_sequence


def check_cursor(after: int, last_sequence: int) -> None:
    """Raise CursorAhead if a cursor lies beyond the end of the log."""
    if after > last_sequence:
        raise CursorAhead(after, last_sequence)


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


async def until(stopping: asyncio.Event, items: AsyncIterator[T]) -> AsyncIterator[T]:
    """Yield the items as they come; raise Draining as soon as the server begins to stop."""
    stopped = asyncio.ensure_future(stopping.wait())
    source = cast("AsyncGenerator[T, None]", items)  # as all streams of use cases are
    try:
        async with aclosing(source):
            while True:
                try:
                    item = await _next(source, stopped)
                except StopAsyncIteration:
                    return
                yield item
    finally:
        stopped.cancel()


async def _next(items: AsyncGenerator[T, None], stopped: asyncio.Future[Any]) -> T:
    coming = asyncio.ensure_future(anext(items))
    try:
        await asyncio.wait((coming, stopped), return_when=asyncio.FIRST_COMPLETED)
        if coming.done():
            return coming.result()
        raise Draining
    finally:
        if not coming.done():
            coming.cancel()
            await asyncio.wait((coming,))
