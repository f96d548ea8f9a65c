"""What TableService tells of a table that has ended: the whole game, in pieces."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import NamedTuple

from rummy_arena.api.v1 import table_export_pb2 as pb
from services.play.delayed import PastLogs
from services.play.export_notation import notation
from services.play.export_table import Export, export_table
from services.state.context import Context

from .export_lines import json_lines
from .interceptors import caller
from .table_sight import as_seen
from .violations import Fields


class _Form(NamedTuple):
    content_type: str
    write: Callable[[Export], Iterator[bytes]]


_NOTATION = _Form("text/plain; charset=utf-8", notation)
_FORMS = {
    pb.EXPORT_FORMAT_UNSPECIFIED: _NOTATION,
    pb.EXPORT_FORMAT_NOTATION: _NOTATION,
    pb.EXPORT_FORMAT_JSON_LINES: _Form("application/jsonl; charset=utf-8", json_lines),
}


class TableExport:
    """Writes tables that have ended."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._logs = PastLogs()
        # One piece of all exports at a time: calls at tables must not wait for many of them.
        self._writing = asyncio.Semaphore(1)

    async def pieces(self, request: pb.ExportTableRequest) -> AsyncIterator[pb.ExportTableResponse]:
        """Yield the table; each piece is written, beside the event loop, when it can be sent."""
        fields = Fields()
        table_id = fields.id("table_id", request.table_id)
        if request.format not in _FORMS:
            fields.refuse("format", f"give one of {', '.join(pb.ExportFormat.keys()[1:])}")
        fields.done()
        form = _FORMS[request.format]
        async with as_seen(self._ctx, table_id):
            export = await export_table(self._ctx, self._logs, table_id, caller())
        written = form.write(export)
        content_type = form.content_type
        while data := await self._next(written):
            yield pb.ExportTableResponse(data=data, content_type=content_type)
            content_type = ""

    async def _next(self, written: Iterator[bytes]) -> bytes:
        async with self._writing:
            return await asyncio.to_thread(next, written, b"")
