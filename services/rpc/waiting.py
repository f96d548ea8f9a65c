"""How long a call may wait for a table that others hold."""

from __future__ import annotations

from typing import Any

from services.play.table import WAIT_S

SHARE = 0.8
"""Of the time that a caller has left: the rest is for telling it why it waited in vain."""


def wait_s(context: Any) -> float:
    """Return how long this call may wait for a lease, in seconds."""
    left_s = context.time_remaining()
    return WAIT_S if left_s is None else max(0.0, min(WAIT_S, left_s * SHARE))
