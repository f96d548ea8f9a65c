"""One watcher's queue of messages that are ready to be sent, bounded in number and size."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from .errors import SlowConsumer

MOST_MESSAGES = 4_096
"""So many wait for one watcher at most. The bytes are shared among watchers; the places are not."""
MOST_BYTES = 1 << 20


class AnotherViewer(Exception):
    """A watcher has taken or left a seat: from ``after_sequence`` on it sees something else."""

    def __init__(self, after_sequence: int) -> None:
        super().__init__(f"another viewer after {after_sequence}")
        self.after_sequence = after_sequence


class Ready(NamedTuple):
    """A message as it goes over the wire; its sequence is 0 if it bears none."""

    sequence: int
    data: bytes


class Watcher:
    """What one stream still has to send.

    ``put`` never waits: a watcher that does not keep up loses its queue and is told where it
    stands. So nobody holds up the others, and what waits for one has a bound.
    """

    __slots__ = ("_bytes", "_ended", "_error", "_queue", "_waiter", "last", "player_id", "sent")

    def __init__(self, player_id: str, after: int) -> None:
        self.player_id = player_id
        self.last = after  # sequence that was put last
        self.sent = after  # sequence that was taken last
        self._queue: deque[Ready] = deque()
        self._bytes = 0
        self._ended = False
        self._error: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        """Return how many messages wait."""
        return len(self._queue)

    def put(self, items: Sequence[Ready]) -> None:
        """Add messages in order; those that the watcher has already are passed over."""
        if self._ended or not items or items[-1].sequence <= self.last:
            return
        queue, last = self._queue, self.last
        room = MOST_MESSAGES - len(queue)
        for item in items:
            if item.sequence > last:
                room -= 1
                self._bytes += len(item.data)
                if room < 0 or self._bytes > MOST_BYTES:
                    self.end(SlowConsumer(self.sent))
                    return
                queue.append(item)
        self.last = items[-1].sequence
        self._wake()

    def beat(self, data: bytes) -> None:
        """Add a heartbeat unless something else waits."""
        if not self._queue and not self._ended:
            self._queue.append(Ready(0, data))
            self._bytes += len(data)
            self._wake()

    def end(self, error: Exception | None = None) -> None:
        """Let the stream end once all is sent, or with an error at once."""
        if self._ended:
            return
        self._ended = True
        if error is not None:
            self._error = error
            self._queue.clear()
            self._bytes = 0
        self._wake()

    async def take(self) -> bytes | None:
        """Return the next message, or None after the last; raises what ``end`` was given."""
        while not self._queue:
            if self._error is not None:
                raise self._error.with_traceback(None)  # others are told the same
            if self._ended:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        sequence, data = self._queue.popleft()
        self._bytes -= len(data)
        if sequence:
            self.sent = sequence
        return data

    def _wake(self) -> None:
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)
