"""Tables: look, act, follow, read back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

from rummy_arena.api.v1.action_pb2 import Action
from rummy_arena.api.v1.table_event_pb2 import TableEvent
from rummy_arena.api.v1.table_export_pb2 import (
    EXPORT_FORMAT_JSON_LINES,
    EXPORT_FORMAT_NOTATION,
    ExportFormat,
    ExportTableRequest,
)
from rummy_arena.api.v1.table_pb2 import Table
from rummy_arena.api.v1.table_service_pb2 import (
    ActRequest,
    ActResponse,
    GetHistoryRequest,
    GetTableRequest,
    WatchTableRequest,
    WatchTableResponse,
)
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceStub
from rummy_arena.game import actions

from .caller import Caller, new_request_id, resynced
from .wire import action_message

Form = Literal["notation", "json-lines"]
_FORMATS: dict[Form, ExportFormat.ValueType] = {
    "notation": EXPORT_FORMAT_NOTATION,
    "json-lines": EXPORT_FORMAT_JSON_LINES,
}


class Tables:
    """Calls of the table service."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = TableServiceStub(caller.channel)

    async def get(self, table_id: str) -> Table:
        """Return a table as the player of the token may see it."""
        request = GetTableRequest(table_id=table_id)
        return (await self._caller.call(self._stub.GetTable, request)).table

    async def act(self, table_id: str, action: Action | actions.Action) -> ActResponse:
        """Play one action of the token's player; return where its events end in the log."""
        message = action_message(action) if isinstance(action, actions.Action) else action
        request = ActRequest(request_id=new_request_id(), table_id=table_id, action=message)
        return await self._caller.call(self._stub.Act, request)

    async def history(self, table_id: str) -> AsyncIterator[TableEvent]:
        """Yield every event of the table so far."""
        request = GetHistoryRequest(table_id=table_id)
        while True:
            page = await self._caller.call(self._stub.GetHistory, request)
            for event in page.events:
                yield event
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def export(self, table_id: str, form: Form = "notation") -> AsyncIterator[bytes]:
        """Yield the whole game of a table that has ended, in pieces, with every card.

        ``rummy-arena verify`` and ``rummy_arena.game.notation.parse_game`` read the notation; the
        lines are described in table_export.proto. ArenaError WRONG_STATUS before the end.
        """
        request = ExportTableRequest(table_id=table_id, format=_FORMATS[form])
        async for piece in self._caller.download(self._stub.ExportTable, request):
            yield piece.data

    async def watch(
        self, table_id: str, *, after: int | None = None
    ) -> AsyncIterator[WatchTableResponse]:
        """Yield a snapshot, then each event, until the game is over; survives broken streams.

        ``after`` is the sequence of the last event that the caller has: then no snapshot comes.
        """

        def request(cursor: int | None) -> WatchTableRequest:
            return WatchTableRequest(table_id=table_id, after_sequence=cursor)

        async for update in self._caller.watch(self._stub.WatchTable, request, after):
            yield update

    async def events(self, table_id: str, *, after: int = 0) -> AsyncIterator[TableEvent]:
        """Yield every event after a sequence, without a gap, until the game is over.

        ArenaError CURSOR_TOO_OLD if these events are not kept any more.
        """
        async for update in self.watch(table_id, after=after):
            if update.WhichOneof("update") == "resync":
                raise resynced(update.resync.after_sequence)
            yield update.event
