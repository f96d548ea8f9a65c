"""Tables: create, join, direct, look, act, follow, read back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Literal

from rummy_arena.api.v1.action_pb2 import Action
from rummy_arena.api.v1.table_event_pb2 import TableEvent
from rummy_arena.api.v1.table_export_pb2 import (
    EXPORT_FORMAT_JSON_LINES,
    EXPORT_FORMAT_NOTATION,
    ExportFormat,
    ExportTableRequest,
)
from rummy_arena.api.v1.table_pb2 import Table, TableStatus
from rummy_arena.api.v1.table_service_pb2 import (
    ActRequest,
    ActResponse,
    AdjudicateTableRequest,
    CloseTableRequest,
    CreateTableRequest,
    GetHistoryRequest,
    GetTableRequest,
    LeaveSeatRequest,
    ListTablesRequest,
    PauseTableRequest,
    ResumeTableRequest,
    SetReadyRequest,
    StartTableRequest,
    TakeSeatRequest,
    WatchTableRequest,
    WatchTableResponse,
)
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceStub
from rummy_arena.api.v1.terms_pb2 import (
    SpectatorDelay,
    TableOptions,
    TimeControl,
    Visibility,
)
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

    async def create(
        self,
        rule_set: str,
        seats: int,
        *,
        options: Mapping[str, str] | None = None,
        time_control: TimeControl | None = None,
        visibility: Visibility.ValueType = Visibility.VISIBILITY_PUBLIC,
        spectator_delay: SpectatorDelay | None = None,
        invited: Iterable[str] = (),
        title: str = "",
        seed: str | None = None,
        validate_only: bool = False,
    ) -> Table:
        """Return a new table that waits for its players and that the token's player directs.

        ``invited`` are ids of players who may see and join a private table. With a ``seed``, which
        only hosts may give, the table can be played again, and whoever knows it foresees all cards.
        """
        request = CreateTableRequest(
            request_id=new_request_id(),
            options=TableOptions(
                rule_set_id=rule_set,
                rule_set_options=options,
                seats=seats,
                time_control=time_control,
                visibility=visibility,
                spectator_delay=spectator_delay,
                invited_player_ids=invited,
                title=title,
            ),
            seed=seed,
            validate_only=validate_only,
        )
        return (await self._caller.call(self._stub.CreateTable, request)).table

    async def list(
        self, *, statuses: Sequence[TableStatus.ValueType] = (), rule_set: str = ""
    ) -> AsyncIterator[Table]:
        """Yield public tables, without their games; by default those that have not ended."""
        request = ListTablesRequest(statuses=statuses, rule_set_id=rule_set)
        async for page in self._caller.pages(self._stub.ListTables, request):
            for table in page.tables:
                yield table

    async def take_seat(
        self, table_id: str, *, seat: int | None = None, player_id: str = ""
    ) -> int:
        """Take a seat, the first free one unless ``seat`` says which; return it.

        Whoever directs the table may seat another player, such as one that a house bot plays for.
        """
        request = TakeSeatRequest(
            request_id=new_request_id(), table_id=table_id, seat=seat, player_id=player_id
        )
        return (await self._caller.call(self._stub.TakeSeat, request)).seat

    async def leave_seat(self, table_id: str, *, player_id: str = "") -> None:
        """Leave the seat; in a game a stand-in plays it until its player acts or takes it again."""
        request = LeaveSeatRequest(
            request_id=new_request_id(), table_id=table_id, player_id=player_id
        )
        await self._caller.call(self._stub.LeaveSeat, request)

    async def ready(self, table_id: str, *, ready: bool = True) -> None:
        """Say that the token's player is ready; the game starts once every seat is."""
        request = SetReadyRequest(request_id=new_request_id(), table_id=table_id, ready=ready)
        await self._caller.call(self._stub.SetReady, request)

    async def start(self, table_id: str) -> None:
        """Start a table whose seats are all taken."""
        request = StartTableRequest(request_id=new_request_id(), table_id=table_id)
        await self._caller.call(self._stub.StartTable, request)

    async def pause(self, table_id: str, reason: str = "") -> None:
        """Stop a game and its clocks."""
        request = PauseTableRequest(request_id=new_request_id(), table_id=table_id, reason=reason)
        await self._caller.call(self._stub.PauseTable, request)

    async def resume(self, table_id: str) -> None:
        """Let a paused game go on."""
        request = ResumeTableRequest(request_id=new_request_id(), table_id=table_id)
        await self._caller.call(self._stub.ResumeTable, request)

    async def adjudicate(
        self,
        table_id: str,
        reason: str,
        places: Sequence[int] = (),
        *,
        validate_only: bool = False,
    ) -> tuple[int, ...]:
        """End a game with these places by seat, or as its deals stand; return the places."""
        request = AdjudicateTableRequest(
            request_id=new_request_id(),
            table_id=table_id,
            places=places,
            reason=reason,
            validate_only=validate_only,
        )
        return tuple((await self._caller.call(self._stub.AdjudicateTable, request)).places)

    async def close(self, table_id: str, reason: str) -> None:
        """Call a table off; it has no result."""
        request = CloseTableRequest(request_id=new_request_id(), table_id=table_id, reason=reason)
        await self._caller.call(self._stub.CloseTable, request)

    async def get(self, table_id: str) -> Table:
        """Return a table as the player of the token may see it."""
        request = GetTableRequest(table_id=table_id)
        return (await self._caller.call(self._stub.GetTable, request)).table

    async def act(self, table_id: str, action: Action | actions.Action) -> ActResponse:
        """Play one action of the token's player; return where its events end in the log.

        An answer in a call window adds none before the window closes.
        """
        message = action_message(action) if isinstance(action, actions.Action) else action
        request = ActRequest(request_id=new_request_id(), table_id=table_id, action=message)
        return await self._caller.call(self._stub.Act, request)

    async def history(self, table_id: str) -> AsyncIterator[TableEvent]:
        """Yield every event of the table so far."""
        request = GetHistoryRequest(table_id=table_id)
        async for page in self._caller.pages(self._stub.GetHistory, request):
            for event in page.events:
                yield event

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
