"""The line of one process before a lease: callers of one aggregate wait here first, in order.

Fifty callers that race for a lease in Redis spend their time on refusals; fifty that stand in line
take it one after the other. A turn ends with its lease at the latest, so that a holder that hangs
holds up its own process no longer than it holds up the others.
"""

from __future__ import annotations

import asyncio
import weakref

Place = tuple[str, str]  # aggregate and id


class Turn:
    """One caller's turn; it ends once, however often it is ended."""

    __slots__ = ("_lock", "_timer")

    def __init__(self, lock: asyncio.Lock | None = None) -> None:
        """Hold ``lock``, which the caller has taken; without one the turn is over already."""
        self._lock = lock
        self._timer: asyncio.TimerHandle | None = None

    @property
    def over(self) -> bool:
        """Whether the next in line may go."""
        return self._lock is None

    def end_within(self, seconds: float) -> None:
        """End the turn after so long unless it ends before; a later call moves that moment."""
        self._stop_timer()
        if self._lock is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self.end)

    def end(self) -> None:
        """Let the next in line go."""
        self._stop_timer()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Turns:
    """The lines of all aggregates; a line exists while somebody stands in it."""

    def __init__(self) -> None:
        self._locks: weakref.WeakValueDictionary[Place, asyncio.Lock] = (
            weakref.WeakValueDictionary()
        )

    async def take(self, place: Place, wait_s: float) -> Turn:
        """Return this caller's turn; raises TimeoutError after ``wait_s`` seconds in line."""
        lock = self._locks.get(place)
        if lock is None:  # nobody stands here: there is nothing to wait for
            lock = self._locks[place] = asyncio.Lock()
            await lock.acquire()
            return Turn(lock)
        async with asyncio.timeout(max(wait_s, 0.0)):
            await lock.acquire()
        return Turn(lock)
