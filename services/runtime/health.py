"""Whether a process can do its work: one answer, given over HTTP and in the gRPC health service.

A process is healthy while its own loop has come round lately *and has done what it is for* in that
round: the relay read its outboxes, the worker's consumer loop ran with its broker connected, the
clock published its tick, the API server reached the store.
"""

from __future__ import annotations

import time
from collections.abc import Callable

STALE_AFTER_S = 5.0


class Health:
    """The time of the last round that went well, and the reason why one did not."""

    def __init__(
        self,
        *,
        stale_after_s: float = STALE_AFTER_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stale_after_s = stale_after_s
        self._clock = clock
        self._last: float | None = None
        self._draining = False
        self._reason = "has not finished starting"

    def pulse(self) -> None:
        """Say that a round of work went well just now."""
        self._last = self._clock()

    def trouble(self, reason: str) -> None:
        """Say why a round failed; it shows once the last good round is stale."""
        self._reason = reason

    def drain(self) -> None:
        """Say that the process is about to end: no more work is welcome."""
        self._draining = True

    def problem(self) -> str | None:
        """Return None when healthy, else what is wrong, in one line."""
        if self._draining:
            return "is draining"
        if self._last is None:
            return self._reason
        age_s = self._clock() - self._last
        if age_s <= self._stale_after_s:
            return None
        return f"no round of work went well for {age_s:.0f} s; last trouble: {self._reason}"
