"""A process of watchers for bench_watch: ``python -m tests.bench.watch_load ADDRESS TOKEN``.

Reads one line of table ids, one for each stream, and says ``ready`` when all have their snapshot.
At the next line it writes what came, pickled: for each table of events its sequences and times.
"""

from __future__ import annotations

import array
import asyncio
import pickle
import sys
import time
from typing import Any

import grpc
import uvloop

from rummy_arena.api.v1.table_service_pb2 import WatchTableRequest
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceStub

STREAMS_EACH = 50  # on one connection
CHANNEL = (("grpc.use_local_subchannel_pool", 1),)

Came = dict[str, tuple["array.array[int]", "array.array[int]"]]
"""By table: sequences, and when each arrived, in nanoseconds."""


async def watch(stub: Any, table_id: str, token: str, came: Came, begun: asyncio.Semaphore) -> None:
    """Note what one stream brings."""
    metadata = (("authorization", f"Bearer {token}"),)
    sequences, times = came.setdefault(table_id, (array.array("q"), array.array("q")))
    async for update in stub.WatchTable(WatchTableRequest(table_id=table_id), metadata=metadata):
        kind = update.WhichOneof("update")
        if kind == "snapshot":
            begun.release()
        elif kind == "event":
            sequences.append(update.event.sequence)
            times.append(time.time_ns())


async def main(address: str, token: str) -> None:
    """Watch until told to stop."""
    tables = (await asyncio.to_thread(sys.stdin.readline)).split()
    channels = [
        grpc.aio.insecure_channel(address, options=CHANNEL)
        for _ in range(0, len(tables), STREAMS_EACH)
    ]
    came: Came = {}
    begun = asyncio.Semaphore(0)
    streams = [
        asyncio.create_task(
            watch(TableServiceStub(channels[at // STREAMS_EACH]), table_id, token, came, begun)
        )
        for at, table_id in enumerate(tables)
    ]
    for _ in tables:
        await begun.acquire()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    sys.stdout.buffer.write(pickle.dumps(came))
    sys.stdout.buffer.flush()
    for stream in streams:
        stream.cancel()
    for channel in channels:
        await channel.close()


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
