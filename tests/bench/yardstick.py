"""A figure that tells how fast this core runs Python just now, to read the others by.

Shared machines drift by a factor of two within minutes; two runs compare by their ratio to this.
"""

from __future__ import annotations

import statistics
import time

ROUNDS = 200_000
REPEATS = 9


def yardstick_ms() -> float:
    """Return the median processor time of 200,000 rounds of a small integer loop, in ms."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        total = 0
        for number in range(ROUNDS):
            total = total + number & 0xFFFF
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def yardstick_line() -> str:
    """Return the figure as a line of a report."""
    return f"yardstick: {yardstick_ms():.1f} ms for {ROUNDS:,} rounds of an integer loop"
