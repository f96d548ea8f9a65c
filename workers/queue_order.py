"""Which queue a worker asks first."""

from __future__ import annotations

from kombu.utils.scheduling import round_robin_cycle

ARCHIVE_QUEUE = "ra.archive"  # what can wait: only taken up while nothing is to be played


class PlayFirst(round_robin_cycle):  # type: ignore[misc]  # kombu has no types
    """Takes queues in turn, but from the archive's only when no other holds anything."""

    def consume(self, n: int) -> list[str]:
        """Return the queues in the order in which they are asked."""
        return sorted(super().consume(n), key=lambda queue: queue == ARCHIVE_QUEUE)
