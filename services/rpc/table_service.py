"""TableService at the edge."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from rummy_arena.api.v1 import table_export_pb2
from rummy_arena.api.v1 import table_service_pb2 as pb
from services.play.act import act
from services.state.context import Context

from .arrivals import arrived_ms
from .convert_action import action_of
from .convert_table import table_message
from .convert_times import timestamp
from .derived_ids import own_request
from .interceptors import caller
from .table_export import TableExport
from .table_life import TableLife
from .table_sight import as_seen
from .table_watch import TableWatch
from .unfinished import Unfinished
from .violations import Fields
from .waiting import wait_s


class TableService(TableLife):
    """Plays and shows tables; what else happens to them is in TableLife."""

    def __init__(self, ctx: Context, unfinished: Unfinished, stopping: asyncio.Event) -> None:
        self._ctx = ctx
        self._unfinished = unfinished
        self._watch = TableWatch(ctx, stopping)
        self._export = TableExport(ctx)

    async def GetTable(self, request: pb.GetTableRequest, context: Any) -> pb.GetTableResponse:
        """Return a table as the caller may see it."""
        fields = Fields()
        table_id = fields.id("table_id", request.table_id)
        fields.done()
        sight = await self._watch.see(table_id)
        return pb.GetTableResponse(
            table=table_message(sight.snapshot), server_time=timestamp(self._ctx.now_ms())
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
            request_id=own_request(request_id),
            wait_s=wait_s(context),
            arrived_ms=arrived_ms(),
        )
        async with as_seen(self._ctx, table_id):
            acted = await self._unfinished.finish(acting)
        return pb.ActResponse(sequence=acted.sequence, server_time=timestamp(self._ctx.now_ms()))

    async def GetHistory(
        self, request: pb.GetHistoryRequest, context: Any
    ) -> pb.GetHistoryResponse:
        """Return a page of the table's log."""
        return await self._watch.page(request)

    async def WatchTable(
        self, request: pb.WatchTableRequest, context: Any
    ) -> AsyncIterator[pb.WatchTableResponse]:
        """Stream the table's events until its game is over."""
        async for message in self._watch.stream(request, context):
            yield message

    async def ExportTable(
        self, request: table_export_pb2.ExportTableRequest, context: Any
    ) -> AsyncIterator[table_export_pb2.ExportTableResponse]:
        """Stream the whole game of a table that has ended."""
        async for message in self._export.pieces(request):
            yield message
