"""A process that takes a lease, says so, and does with it what it is told.

``python -m tests.state.holder URL AGGREGATE ID LEASE_MS`` prints ``held``. For each line that it
reads, ``commit``, ``release``, or ``free`` (the script alone, whatever this process believes), it
prints what became of it: ``done`` or the name of the error.
"""

from __future__ import annotations

import asyncio
import sys

from prometheus_client import CollectorRegistry

from services.state.client import connect
from services.state.errors import StoreError
from services.state.meters import Meters
from services.state.store import Batch, Store


async def hold(url: str, aggregate: str, entity: str, lease_ms: int) -> None:
    """Take, then do as told until there is no more to do."""
    store = Store(connect(url), Meters(CollectorRegistry()))
    held = await store.acquire(aggregate, entity, lease_ms=lease_ms, wait_s=5)
    print("held", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            if line == "commit\n":
                await store.commit(held, held.data + b"+holder", events=Batch(1, b"holder"))
            elif line == "release\n":
                await store.release(held)
            else:
                await store._free(held)
        except StoreError as error:
            print(type(error).__name__, flush=True)
        else:
            print("done", flush=True)
    await store.close()


if __name__ == "__main__":
    url, aggregate, entity, lease_ms = sys.argv[1:]
    asyncio.run(hold(url, aggregate, entity, int(lease_ms)))
