"""Plays every format with every number of entrants: ``python -m tests.tournament.sweep_formats``.

All numbers from 2 to 70 with all limits of ``conformance``, in several processes. Arguments choose
formats by id. What a format breaks is printed; the exit status says whether anything was.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from .conformance import Broken, Case, cases, check

MOST_ENTRANTS = 70
SHOWN = 20


def tried(case: Case) -> tuple[str, float, str]:
    """Return the format, the seconds of CPU that it took, and what it broke."""
    start = time.process_time()
    try:
        check(case)
    except Broken as broken:
        return case.format_id, time.process_time() - start, str(broken)
    return case.format_id, time.process_time() - start, ""


def main(formats: Sequence[str]) -> int:
    """Play all cases of these formats, or of all; return the exit status."""
    # The largest first, so that no process is left with one of them at the end.
    chosen = [
        case
        for case in cases(range(MOST_ENTRANTS, 1, -1))
        if not formats or case.format_id in formats
    ]
    seconds: Counter[str] = Counter()
    played: Counter[str] = Counter()
    broken: list[str] = []
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        for format_id, took, fault in processes.map(tried, chosen, chunksize=16):
            seconds[format_id] += took  # type: ignore[assignment]
            played[format_id] += 1
            if fault:
                broken.append(fault)
    for format_id, count in played.items():
        print(f"{format_id}: {count} events, {seconds[format_id]:.0f} s of CPU")
    for fault in broken[:SHOWN]:
        print(fault)
    if broken:
        print(f"{len(broken)} of {len(chosen)} events broke something")
    return int(bool(broken) or not chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
