"""How long a call may wait for a table that others hold."""

from __future__ import annotations

from typing import Any

LONGEST_WAIT_S = 2.0
"""For a table's lease; a caller with less time left gives up earlier."""

SHARE = 0.8
"""Of the time that a caller has left: the rest is for telling it why it waited in vain."""


def wait_s(context: Any) -> float:
    """Return how long this call may wait for a lease, in seconds."""
    left_s = context.time_remaining()
    return LONGEST_WAIT_S if left_s is None else max(0.0, min(LONGEST_WAIT_S, left_s * SHARE))
