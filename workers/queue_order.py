"""Which queue a worker asks first."""

from __future__ import annotations

from kombu.utils.scheduling import round_robin_cycle

ARCHIVE_QUEUE = "ra.archive"  # what can wait: only taken up while nothing is to be played


class PlayFirst(round_robin_cycle):
    """Takes queues in turn, but from the archive's only when no other holds anything."""

    def consume(self, n: int) -> list[str]:
        """Return the queues in the order in which they are asked."""
        queues: list[str] = super().consume(n)  # type: ignore[no-untyped-call]
        return sorted(queues, key=lambda queue: queue == ARCHIVE_QUEUE)
