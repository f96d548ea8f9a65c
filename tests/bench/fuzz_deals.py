"""Random deals over every rule set, option and number of seats, looking for what should not be.

Run as ``make fuzz`` or ``python -m tests.bench.fuzz_deals [deals] [first]``; the numbers of the
deals follow each other from ``first``, and each number is always the same deal. Ends with status 1
at the first invariant that does not hold.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from tests.game.fuzzing import Broken, Tally, fuzz

DEALS = 100_000
BATCH = 500


def main() -> None:
    """Play the deals on every core and print what was seen."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    start, total = time.monotonic(), Tally()
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        batches = [
            pool.submit(fuzz, at, min(BATCH, first + deals - at))
            for at in range(first, first + deals, BATCH)
        ]
        try:
            for done in as_completed(batches):
                total += done.result()
                if sys.stderr.isatty() or total.deals % (20 * BATCH) == 0:
                    print(f"{total.deals:,} of {deals:,} deals", file=sys.stderr, flush=True)
        except Broken as broken:
            pool.shutdown(cancel_futures=True)
            sys.exit(f"BROKEN {broken}")
    elapsed = time.monotonic() - start
    print(
        f"{total.deals:,} deals, {total.steps:,} actions, {total.refused:,} refusals, "
        f"nothing found in {elapsed:,.0f} s"
    )
    for (rule_set, seats, end), count in sorted(total.ends.items()):
        print(f"{rule_set:20} {seats} seats  {end:5} {count:7,}")


if __name__ == "__main__":
    main()
