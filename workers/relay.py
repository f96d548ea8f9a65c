"""The relay: outbox messages become Celery tasks, at least once.

A message leaves the outbox only after the broker took its task. While the broker is away the
outbox keeps everything; a relay that dies leaves its unacknowledged messages to the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec
import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from services.events.failing_webhooks import oldest_owed_ms
from services.runtime.health import Health
from services.state.context import Context
from services.state.keys import SHARDS
from services.state.messages import (
    AdvanceLadder,
    AdvanceTournament,
    ArchiveTable,
    Message,
    OpenLadderTable,
    OpenTable,
    PlayTable,
    ReportResult,
    decode_message,
)
from services.state.store import OutboxEntry, StoreUnavailable

from .app import EVENTS_QUEUE, QUEUES, TABLES_QUEUE
from .queue_order import ARCHIVE_QUEUE

ROUTES: dict[type[Message], tuple[str, str]] = {
    OpenTable: ("workers.open_table", TABLES_QUEUE),
    OpenLadderTable: ("workers.open_ladder_table", TABLES_QUEUE),
    AdvanceLadder: ("workers.advance_ladder", EVENTS_QUEUE),
    PlayTable: ("workers.play_table", TABLES_QUEUE),
    ReportResult: ("workers.report_result", EVENTS_QUEUE),
    AdvanceTournament: ("workers.advance_tournament", EVENTS_QUEUE),
    ArchiveTable: ("workers.archive_table", ARCHIVE_QUEUE),
}
"""Task and queue of each message type."""
READ_AT_ONCE = 200
BLOCK_MS = 1_000
RECLAIM_EVERY_S = 5.0
IDLE_MS = 10_000
FIRST_IDLE_MS = 1_000
"""A relay that starts takes over sooner what its predecessor died with."""
PAUSE_S = 0.5

log = structlog.get_logger(__name__)


class Relay:
    """Moves the messages of all shards; one reader a shard, one publisher."""

    def __init__(self, ctx: Context, app: Celery, health: Health, *, name: str) -> None:
        self._ctx = ctx
        self._app = app
        self._health = health
        self._name = name
        # A kombu producer serves one thread; publishing blocks, so it has its own.
        self._publisher = ThreadPoolExecutor(1, thread_name_prefix="publisher")

    async def run(self, stop: asyncio.Event) -> None:
        """Relay until ``stop`` is set; what is in hand then is finished."""
        shards = [asyncio.create_task(self._shard(shard, stop)) for shard in range(SHARDS)]
        measure = asyncio.create_task(self._measure(stop))
        await asyncio.gather(*shards, measure)
        self._publisher.shutdown()

    async def _shard(self, shard: int, stop: asyncio.Event) -> None:
        reclaim_at, idle_ms = 0.0, FIRST_IDLE_MS
        in_hand: list[OutboxEntry] = []  # kept while the broker is away
        while not stop.is_set():
            try:
                await self._publish(shard, in_hand)
                in_hand = []
                self._health.pulse()
                if time.monotonic() >= reclaim_at:
                    in_hand = await self._ctx.store.outbox_reclaim(
                        shard, self._name, idle_ms=idle_ms, count=READ_AT_ONCE
                    )
                    reclaim_at, idle_ms = time.monotonic() + RECLAIM_EVERY_S, IDLE_MS
                else:
                    in_hand = await self._ctx.store.outbox_read(
                        shard, self._name, count=READ_AT_ONCE, block_ms=BLOCK_MS
                    )
            except (OperationalError, StoreUnavailable, OSError) as error:
                self._health.trouble(str(error))
                log.warning("relay waits", shard=shard, reason=str(error))
                await asyncio.sleep(PAUSE_S)
        with contextlib.suppress(OperationalError, StoreUnavailable, OSError):
            await self._publish(shard, in_hand)  # else the next relay takes it over

    async def _publish(self, shard: int, entries: list[OutboxEntry]) -> None:
        if not entries:
            return
        loop = asyncio.get_running_loop()
        known = [(entry, message) for entry in entries if (message := _message(shard, entry))]
        await loop.run_in_executor(self._publisher, self._send, [message for _, message in known])
        await self._ctx.store.outbox_ack(shard, [entry.id for entry, _ in known])
        oldest_ms = max(entry.age_ms(self._ctx.now_ms()) for entry in entries)
        self._ctx.meters.relayed(len(known), oldest_ms / 1000)

    def _send(self, messages: list[Message]) -> None:
        with self._app.producer_pool.acquire(block=True) as producer:
            for message in messages:
                task, queue = ROUTES[type(message)]
                self._app.send_task(
                    task,
                    kwargs=msgspec.structs.asdict(message),
                    queue=queue,
                    producer=producer,
                    retry=False,
                )

    async def _measure(self, stop: asyncio.Event) -> None:
        """Gauge what waits in the outboxes and in the broker's queues, once a second."""
        loop = asyncio.get_running_loop()
        while not stop.is_set():
            try:
                depth = sum([await self._ctx.store.outbox_depth(s) for s in range(SHARDS)])
                self._ctx.meters.set_outbox_depth(depth)
                for queue in QUEUES:
                    waiting = await loop.run_in_executor(self._publisher, self._queued, queue)
                    self._ctx.meters.set_queue_depth(queue, waiting)
                self._ctx.meters.set_webhook_owed(await oldest_owed_ms(self._ctx) / 1000)
            except (OperationalError, StoreUnavailable, OSError) as error:
                self._health.trouble(str(error))
            await asyncio.sleep(1.0)

    def _queued(self, queue: str) -> int:
        with self._app.connection_for_write() as connection:
            try:
                return int(connection.default_channel.client.llen(queue))
            except connection.connection_errors as error:
                raise OperationalError(str(error)) from error


def _message(shard: int, entry: OutboxEntry) -> Message | None:
    """Return the entry's message; one that makes no sense stays, for a relay that knows it."""
    try:
        return decode_message(entry.data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        log.error("message not understood", shard=shard, id=entry.id, reason=str(error))
        return None
