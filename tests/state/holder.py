"""A process that takes a lease, says so, and commits when it is told to.

``python -m tests.state.holder URL AGGREGATE ID LEASE_MS`` prints ``held``, waits for a line, then
prints what became of its commit: ``done`` or the name of the error.
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
    """Take, wait, commit."""
    store = Store(connect(url), Meters(CollectorRegistry()))
    held = await store.acquire(aggregate, entity, lease_ms=lease_ms, wait_s=5)
    print("held", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    try:
        await store.commit(held, held.data + b"+holder", events=Batch(1, b"holder"))
    except StoreError as error:
        print(type(error).__name__, flush=True)
    else:
        print("done", flush=True)
    await store.close()


if __name__ == "__main__":
    url, aggregate, entity, lease_ms = sys.argv[1:]
    asyncio.run(hold(url, aggregate, entity, int(lease_ms)))
