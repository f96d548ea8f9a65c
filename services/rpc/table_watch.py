"""What TableService tells of a table's log: the stream of its events, and its pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1 import watch_pb2
from services.play.history import history
from services.play.read_table import read_table
from services.play.watch_table import watch_table
from services.state.context import Context
from services.state.errors import CursorTooOld

from .convert_event import event_message
from .convert_table import table_message
from .convert_times import timestamp
from .interceptors import caller
from .not_open import told_if_not_open
from .pages import page_offset, page_token
from .violations import Fields
from .watching import check_cursor, cursor_of, until


class TableWatch:
    """Streams and pages of tables' logs, as their callers may see them."""

    def __init__(self, ctx: Context, stopping: asyncio.Event) -> None:
        self._ctx = ctx
        self._stopping = stopping

    async def page(self, request: pb.GetHistoryRequest) -> pb.GetHistoryResponse:
        """Return a page of a table's log."""
        fields = Fields()
        table_id = fields.id("table_id", request.table_id)
        limit = fields.page_size(request.page_size, usual=500, largest=1000)
        after = page_offset(fields, f"history {table_id}", request.page_token)
        fields.done()
        async with told_if_not_open(self._ctx, table_id):
            page = await history(
                self._ctx, table_id, after=after, limit=limit, player_id=caller().player_id
            )
        more = bool(page.events) and page.events[-1].sequence < page.last_sequence
        return pb.GetHistoryResponse(
            events=[event_message(item.sequence, item.event) for item in page.events],
            next_page_token=page_token(f"history {table_id}", str(page.events[-1].sequence))
            if more
            else "",
        )

    async def stream(
        self, request: pb.WatchTableRequest, context: Any
    ) -> AsyncIterator[pb.WatchTableResponse]:
        """Yield a table's events until its game is over."""
        fields = Fields()
        table_id = fields.id("table_id", request.table_id)
        after = cursor_of(
            fields,
            present=request.HasField("after_sequence"),
            after_sequence=request.after_sequence,
        )
        fields.done()
        player_id = caller().player_id
        async with told_if_not_open(self._ctx, table_id):
            snapshot = await read_table(self._ctx, table_id, player_id)
        if after is None:
            after = snapshot.sequence
            yield self._told(snapshot=table_message(snapshot))
        check_cursor(after, snapshot.sequence)
        try:
            async for message in self._events(table_id, player_id, after):
                yield message
        except CursorTooOld:
            yield self._told(resync=watch_pb2.Resync(after_sequence=after))
            snapshot = await read_table(self._ctx, table_id, player_id)
            yield self._told(snapshot=table_message(snapshot))
            async for message in self._events(table_id, player_id, snapshot.sequence):
                yield message

    async def _events(
        self, table_id: str, player_id: str, after: int
    ) -> AsyncIterator[pb.WatchTableResponse]:
        pages = watch_table(self._ctx, table_id, after=after, player_id=player_id)
        async for page in until(self._stopping, pages):
            for item in page.events:
                yield self._told(event=event_message(item.sequence, item.event))
            if not page.events:
                yield self._told(heartbeat=watch_pb2.Heartbeat())

    def _told(self, **update: Any) -> pb.WatchTableResponse:
        return pb.WatchTableResponse(server_time=timestamp(self._ctx.now_ms()), **update)
