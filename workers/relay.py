"""The relay: outbox messages become Celery tasks, at least once.

A message leaves the outbox only after the broker took its task. While the broker is away the
outbox keeps everything; a relay that dies leaves its unacknowledged messages to the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator, Sequence
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
    OpenTables,
    PlayTable,
    ReportResult,
    UnsealTables,
    decode_message,
)
from services.state.store import OutboxEntry, StoreUnavailable

from .app import EVENTS_QUEUE, OPENING_QUEUE, QUEUES, ROUNDS_QUEUE, TABLES_QUEUE
from .queue_order import ARCHIVE_QUEUE

ROUTES: dict[type[Message], tuple[str, str]] = {
    OpenTable: ("workers.open_table", OPENING_QUEUE),
    OpenTables: ("workers.open_tables", ROUNDS_QUEUE),
    OpenLadderTable: ("workers.open_ladder_table", OPENING_QUEUE),
    AdvanceLadder: ("workers.advance_ladder", EVENTS_QUEUE),
    PlayTable: ("workers.play_table", TABLES_QUEUE),
    ReportResult: ("workers.report_result", EVENTS_QUEUE),
    AdvanceTournament: ("workers.advance_tournament", EVENTS_QUEUE),
    ArchiveTable: ("workers.archive_table", ARCHIVE_QUEUE),
    UnsealTables: ("workers.unseal_tables", EVENTS_QUEUE),
}
"""Task and queue of each message type."""
MANY_REPORTS = "workers.report_results"
REPORTS_AT_ONCE = 50
"""Results that one task counts: by themselves they would cost less than their tasks."""
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
        self._to_give: list[tuple[list[Message], asyncio.Future[None]]] = []
        self._giving: asyncio.Task[None] | None = None

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
        known = [(entry, message) for entry in entries if (message := _message(shard, entry))]
        await self._give([message for _, message in known])
        await self._ctx.store.outbox_ack(shard, [entry.id for entry, _ in known])
        oldest_ms = max(entry.age_ms(self._ctx.now_ms()) for entry in entries)
        self._ctx.meters.relayed(len(known), oldest_ms / 1000)

    async def _give(self, messages: list[Message]) -> None:
        """Return once the broker has the messages, with what other shards gave meanwhile.

        If it takes none, each of those who gave learns it and gives its own again.
        """
        given: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._to_give.append((messages, given))
        if self._giving is None:
            self._giving = asyncio.create_task(self._give_all())
        await given

    async def _give_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._to_give:
            taken, self._to_give = self._to_give, []
            messages = [message for some, _ in taken for message in some]
            error: Exception | None = None
            try:
                await loop.run_in_executor(self._publisher, self._send, messages)
            except Exception as failed:
                error = failed
            for _, given in taken:
                if given.done():
                    continue
                if error is None:
                    given.set_result(None)
                else:
                    given.set_exception(error)
        self._giving = None

    def _send(self, messages: list[Message]) -> None:
        with self._app.producer_pool.acquire(block=True) as producer:
            for task, queue, told in tasks_of(messages):
                self._app.send_task(task, kwargs=told, queue=queue, producer=producer, retry=False)

    async def _measure(self, stop: asyncio.Event) -> None:
        """Gauge what waits in the outboxes and in the broker's queues, once a second."""
        loop = asyncio.get_running_loop()
        while not stop.is_set():
            try:
                depth = sum([await self._ctx.store.outbox_depth(s) for s in range(SHARDS)])
                self._ctx.meters.set_outbox_depth(depth)
                waiting = await loop.run_in_executor(self._publisher, self._queued)
                for queue, tasks in waiting.items():
                    self._ctx.meters.set_queue_depth(queue, tasks)
                self._ctx.meters.set_webhook_owed(await oldest_owed_ms(self._ctx) / 1000)
            except (OperationalError, StoreUnavailable, OSError) as error:
                self._health.trouble(str(error))
            await asyncio.sleep(1.0)

    def _queued(self) -> dict[str, int]:
        with self._app.connection_for_write() as connection:
            try:
                client = connection.default_channel.client
                return {queue: int(client.llen(queue)) for queue in QUEUES}
            except connection.connection_errors as error:
                raise OperationalError(str(error)) from error


def tasks_of(messages: Sequence[Message]) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield task, queue and arguments for messages; results are counted many at a time."""
    reports = [message.table_id for message in messages if isinstance(message, ReportResult)]
    for message in messages:
        if len(reports) == 1 or not isinstance(message, ReportResult):
            yield (*ROUTES[type(message)], msgspec.structs.asdict(message))
    if len(reports) > 1:
        for first in range(0, len(reports), REPORTS_AT_ONCE):
            some = reports[first : first + REPORTS_AT_ONCE]
            yield MANY_REPORTS, ROUTES[ReportResult][1], {"table_ids": some}


def _message(shard: int, entry: OutboxEntry) -> Message | None:
    """Return the entry's message; one that makes no sense stays, for a relay that knows it."""
    try:
        return decode_message(entry.data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        log.error("message not understood", shard=shard, id=entry.id, reason=str(error))
        return None
