"""TableService at the edge."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1 import watch_pb2
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceServicer
from services.play.act import act
from services.play.history import history
from services.play.read_table import read_table
from services.play.watch_table import watch_table
from services.state.context import Context
from services.state.errors import CursorTooOld

from .convert_action import action_of
from .convert_event import event_message
from .convert_table import table_message
from .convert_times import timestamp
from .interceptors import caller
from .not_open import told_if_not_open
from .pages import page_offset, page_token
from .unfinished import Unfinished
from .violations import Fields
from .watching import check_cursor, cursor_of, until

LONGEST_WAIT_S = 2.0
"""For a table's lease; a caller with less time left gives up earlier."""


class TableService(TableServiceServicer):
    """Plays and shows tables."""

    def __init__(self, ctx: Context, unfinished: Unfinished, stopping: asyncio.Event) -> None:
        self._ctx = ctx
        self._unfinished = unfinished
        self._stopping = stopping

    async def GetTable(self, request: pb.GetTableRequest, context: Any) -> pb.GetTableResponse:
        """Return a table as the caller may see it."""
        fields = Fields()
        table_id = fields.id("table_id", request.table_id)
        fields.done()
        async with told_if_not_open(self._ctx, table_id):
            snapshot = await read_table(self._ctx, table_id, caller().player_id)
        return pb.GetTableResponse(
            table=table_message(snapshot), server_time=timestamp(self._ctx.now_ms())
        )

    async def Act(self, request: pb.ActRequest, context: Any) -> pb.ActResponse:
        """Play one action of the caller's seat."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        table_id = fields.id("table_id", request.table_id)
        action = action_of(fields, request.action)
        fields.done()
        acting = act(
            self._ctx,
            table_id,
            caller().player_id,
            action,
            request_id=request_id,
            wait_s=_wait_s(context),
        )
        async with told_if_not_open(self._ctx, table_id):
            acted = await self._unfinished.finish(acting)
        return pb.ActResponse(sequence=acted.sequence, server_time=timestamp(self._ctx.now_ms()))

    async def GetHistory(
        self, request: pb.GetHistoryRequest, context: Any
    ) -> pb.GetHistoryResponse:
        """Return a page of the table's log."""
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

    async def WatchTable(
        self, request: pb.WatchTableRequest, context: Any
    ) -> AsyncIterator[pb.WatchTableResponse]:
        """Stream the table's events until its game is over."""
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


def _wait_s(context: Any) -> float:
    left_s = context.time_remaining()
    return LONGEST_WAIT_S if left_s is None else max(0.0, min(LONGEST_WAIT_S, left_s))
