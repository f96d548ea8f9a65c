"""What TableService tells of a table's log: the stream of its events, and its pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1 import watch_pb2
from rummy_arena.game.actions import NONE
from services.play.delayed import PastLogs
from services.play.errors import TableSealed
from services.play.feed import Feeds, Source
from services.play.history import history
from services.play.outages import KnownOutages
from services.play.presence import Present
from services.play.read_table import TableSnapshot
from services.play.see_table import Sight, see_table
from services.play.watch_table import DelayedSource, TableSource
from services.play.watcher import AnotherViewer
from services.state.context import Context
from services.state.errors import CursorTooOld
from services.state.table_log import TableEvent

from .convert_event import event_message
from .convert_table import table_message
from .convert_times import timestamp
from .interceptors import caller
from .not_open import told_if_not_open
from .pages import page_offset, page_token
from .violations import Fields
from .watching import Drain, check_cursor, cursor_of, write


class TableWire:
    """Messages of a table's stream as bytes; many watchers share them.

    So the server's time in them is when this server read the event from the log.
    """

    def event(self, sequence: int, event: TableEvent, now_ms: int) -> bytes:
        """Return an event, redacted already."""
        message = pb.WatchTableResponse(
            server_time=timestamp(now_ms), event=event_message(sequence, event)
        )
        return message.SerializeToString()

    def heartbeat(self, now_ms: int) -> bytes:
        """Return a message that says that nothing happened."""
        message = pb.WatchTableResponse(
            server_time=timestamp(now_ms), heartbeat=watch_pb2.Heartbeat()
        )
        return message.SerializeToString()


class TableWatch:
    """Streams and pages of tables' logs, as their callers may see them."""

    def __init__(self, ctx: Context, stopping: asyncio.Event) -> None:
        self._ctx = ctx
        self._feeds = Feeds()
        self._drain = Drain(self._feeds, stopping)
        self._present = Present(ctx)
        self._logs = PastLogs()
        self._outages = KnownOutages()
        self._wire = TableWire()

    async def see(self, table_id: str) -> Sight:
        """Return a table as its caller may see it now: live, or as it was a while ago."""
        async with told_if_not_open(self._ctx, table_id):
            return await see_table(self._ctx, self._logs, table_id, caller(), known=self._outages)

    async def _see_play(self, table_id: str) -> Sight:
        sight = await self.see(table_id)
        if sight.sealed:
            raise TableSealed(table_id)
        return sight

    async def page(self, request: pb.GetHistoryRequest) -> pb.GetHistoryResponse:
        """Return a page of a table's log."""
        fields = Fields()
        table_id = fields.id("table_id", request.table_id)
        limit = fields.page_size(request.page_size, usual=500, largest=1000)
        after = page_offset(fields, f"history {table_id}", request.page_token)
        fields.done()
        async with told_if_not_open(self._ctx, table_id):
            page = await history(
                self._ctx, self._logs, table_id, caller(), after=after, limit=limit
            )
        more = bool(page.events) and page.events[-1].sequence < page.last_sequence
        return pb.GetHistoryResponse(
            events=[event_message(item.sequence, item.event) for item in page.events],
            next_page_token=page_token(f"history {table_id}", str(page.events[-1].sequence))
            if more
            else "",
        )

    async def stream(self, request: pb.WatchTableRequest, context: Any) -> AsyncIterator[Any]:
        """Yield a table's snapshot, and write its events as bytes until the table has ended."""
        fields = Fields()
        table_id = fields.id("table_id", request.table_id)
        after = cursor_of(fields, request)
        fields.done()
        self._drain.watch()
        sight = await self._see_play(table_id)
        if after is None:
            after = sight.snapshot.sequence
            yield self._told(sight.snapshot)
        elif not sight.delayed:  # who was told live what it may not know yet waits for the rest
            check_cursor(after, sight.last_sequence)
        while True:
            try:
                await self._follow(context, table_id, sight, after)
            except AnotherViewer as changed:
                after = changed.after_sequence
                sight = await self._see_play(table_id)
            except CursorTooOld as error:
                resync = watch_pb2.Resync(after_sequence=error.after)
                yield pb.WatchTableResponse(
                    server_time=timestamp(self._ctx.now_ms()), resync=resync
                )
                sight = await self._see_play(table_id)
                after = sight.snapshot.sequence
                yield self._told(sight.snapshot)
            else:
                return

    async def _follow(self, context: Any, table_id: str, sight: Sight, after: int) -> None:
        """Write what comes: bytes, past everything that stands around a message.

        A write waits until the caller's HTTP/2 window has room, so that no more than that window
        and one message is on its way; what comes meanwhile waits in the watcher's bounded queue.
        """
        player_id = caller().player_id
        updates = self._feeds.follow(
            (table_id, sight.delayed),
            lambda: self._source(table_id, delayed=sight.delayed),
            player_id,
            sight.seat,
            after,
        )
        async with (
            self._present.while_streaming(player_id, seated=sight.seat != NONE),
            aclosing(cast("AsyncGenerator[bytes, None]", updates)) as messages,
        ):
            async for data in messages:
                await write(context, data)

    def _source(self, table_id: str, *, delayed: bool) -> Source:
        if delayed:
            return DelayedSource(self._ctx, table_id, self._wire, self._logs.of(table_id))
        return TableSource(self._ctx, table_id, self._wire)

    def _told(self, snapshot: TableSnapshot) -> pb.WatchTableResponse:
        return pb.WatchTableResponse(
            server_time=timestamp(self._ctx.now_ms()), snapshot=table_message(snapshot)
        )
