"""The life of a table at the edge: created, joined, started, paused, decided, closed."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1.table_pb2 import TableStatus
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceServicer
from rummy_arena.game.actions import NONE
from rummy_arena.game.series import SeatsError
from services.events.direct import REASON_LENGTH
from services.events.get_player import get_player
from services.events.principals import HOSTS
from services.play.adjudicate_table import adjudicate_table
from services.play.change import Ask, Changed
from services.play.close_table import close_table
from services.play.create_table import open_table, planned
from services.play.leave_seat import leave_seat
from services.play.list_tables import LIVE, indexes_of, list_tables
from services.play.pause_table import pause_table
from services.play.read_table import snapshot_of
from services.play.resume_table import resume_table
from services.play.set_ready import set_ready
from services.play.start_table import start_table
from services.play.take_seat import Sitter, take_seat
from services.state.context import Context
from services.state.records import Life

from .convert_table import LIVES, table_message
from .convert_times import timestamp
from .derived_ids import derived_id, own_request
from .interceptors import caller
from .pages import page_place, place_token
from .refusals import TableSeats
from .table_options import new_table_of
from .table_sight import as_seen
from .table_watch import TableWatch
from .unfinished import Unfinished
from .violations import Fields
from .waiting import wait_s


class TableLife(TableServiceServicer):
    """What happens to tables besides their games."""

    _ctx: Context
    _unfinished: Unfinished
    _watch: TableWatch

    async def CreateTable(
        self, request: pb.CreateTableRequest, context: Any
    ) -> pb.CreateTableResponse:
        """Create a table, or say whether it could be; a repeat returns the first."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        new = new_table_of(fields, request)
        fields.done()
        principal = caller()
        if new.seed:
            principal.require(*HOSTS)
        try:
            if request.validate_only:
                snapshot = snapshot_of("", planned(self._ctx, principal, new), None, NONE, 0)
            else:
                table_id = derived_id("table", principal, request_id)
                opening = open_table(self._ctx, principal, new, table_id=table_id)
                await self._unfinished.finish(opening)
                # Its creator may be behind by now, as other spectators are.
                snapshot = (await self._watch.see(table_id)).snapshot
        except SeatsError as error:
            raise TableSeats(error, "options.seats") from error
        return pb.CreateTableResponse(
            table=table_message(snapshot),
            sequence=snapshot.sequence,
            server_time=timestamp(self._ctx.now_ms()),
        )

    async def ListTables(
        self, request: pb.ListTablesRequest, context: Any
    ) -> pb.ListTablesResponse:
        """Return a page of public tables."""
        fields = Fields()
        limit = fields.page_size(request.page_size, usual=50, largest=200)
        lives = _lives(fields, request)
        rule_set = request.rule_set_id and fields.id("rule_set_id", request.rule_set_id)
        of = f"tables {rule_set} {sorted(lives)}"
        after = page_place(fields, of, request.page_token, indexes=indexes_of(lives))
        fields.done()
        page = await list_tables(
            self._ctx, after=after, limit=limit, lives=lives, rule_set=rule_set
        )
        return pb.ListTablesResponse(
            tables=map(table_message, page.tables),
            next_page_token=place_token(of, page.last),
            server_time=timestamp(self._ctx.now_ms()),
        )

    async def TakeSeat(self, request: pb.TakeSeatRequest, context: Any) -> pb.TakeSeatResponse:
        """Seat the caller, or another player."""
        fields, ask = Fields(), _Asked(request, context)
        seat = request.seat if request.HasField("seat") else NONE
        player_id = ask.player_id(fields)
        ask.check(fields)
        async with as_seen(self._ctx, request.table_id):
            player = await get_player(self._ctx, player_id)
            sitter = Sitter(player_id, player.name, player.role, player.bot)
            changed = await self._unfinished.finish(
                take_seat(self._ctx, caller(), request.table_id, sitter, ask.ask, seat=seat)
            )
        return pb.TakeSeatResponse(seat=changed.seat, **self._done(changed))

    async def LeaveSeat(self, request: pb.LeaveSeatRequest, context: Any) -> pb.LeaveSeatResponse:
        """Free the caller's seat, or that of another player."""
        fields, ask = Fields(), _Asked(request, context)
        player_id = ask.player_id(fields)
        ask.check(fields)
        leaving = leave_seat(self._ctx, caller(), request.table_id, player_id, ask.ask)
        return pb.LeaveSeatResponse(**await self._changed(request.table_id, leaving))

    async def SetReady(self, request: pb.SetReadyRequest, context: Any) -> pb.SetReadyResponse:
        """Note whether the caller is ready."""
        ask = _Asked(request, context)
        ask.check(Fields())
        setting = set_ready(self._ctx, caller(), request.table_id, ask.ask, ready=request.ready)
        return pb.SetReadyResponse(**await self._changed(request.table_id, setting))

    async def StartTable(
        self, request: pb.StartTableRequest, context: Any
    ) -> pb.StartTableResponse:
        """Start a table whose seats are taken."""
        ask = _Asked(request, context)
        ask.check(Fields())
        starting = start_table(self._ctx, caller(), request.table_id, ask.ask)
        return pb.StartTableResponse(**await self._changed(request.table_id, starting))

    async def PauseTable(
        self, request: pb.PauseTableRequest, context: Any
    ) -> pb.PauseTableResponse:
        """Stop a game where it is."""
        fields, ask = Fields(), _Asked(request, context)
        reason = request.reason and fields.text("reason", request.reason, longest=REASON_LENGTH)
        ask.check(fields)
        pausing = pause_table(self._ctx, caller(), request.table_id, ask.ask, reason=reason)
        return pb.PauseTableResponse(**await self._changed(request.table_id, pausing))

    async def ResumeTable(
        self, request: pb.ResumeTableRequest, context: Any
    ) -> pb.ResumeTableResponse:
        """Let a paused game go on."""
        ask = _Asked(request, context)
        ask.check(Fields())
        resuming = resume_table(self._ctx, caller(), request.table_id, ask.ask)
        return pb.ResumeTableResponse(**await self._changed(request.table_id, resuming))

    async def AdjudicateTable(
        self, request: pb.AdjudicateTableRequest, context: Any
    ) -> pb.AdjudicateTableResponse:
        """End a game by decision."""
        fields, ask = Fields(), _Asked(request, context)
        reason = fields.text("reason", request.reason, longest=REASON_LENGTH)
        ask.check(fields)
        adjudicating = adjudicate_table(
            self._ctx,
            caller(),
            request.table_id,
            replace(ask.ask, preview=request.validate_only),
            reason=reason,
            places=tuple(request.places),
        )
        async with as_seen(self._ctx, request.table_id):
            changed = await self._unfinished.finish(adjudicating)
        return pb.AdjudicateTableResponse(**self._done(changed), places=changed.places)

    async def CloseTable(
        self, request: pb.CloseTableRequest, context: Any
    ) -> pb.CloseTableResponse:
        """Call a table off."""
        fields, ask = Fields(), _Asked(request, context)
        reason = fields.text("reason", request.reason, longest=REASON_LENGTH)
        ask.check(fields)
        closing = close_table(self._ctx, caller(), request.table_id, ask.ask, reason=reason)
        return pb.CloseTableResponse(**await self._changed(request.table_id, closing))

    async def _changed(self, table_id: str, change: Coroutine[Any, Any, Changed]) -> dict[str, Any]:
        """Run a use case to its end; return what every answer has."""
        async with as_seen(self._ctx, table_id):
            return self._done(await self._unfinished.finish(change))

    def _done(self, changed: Changed) -> dict[str, Any]:
        return {
            "sequence": changed.sequence,
            "server_time": timestamp(self._ctx.now_ms()),
        }


class _Asked:
    """What all requests on a table's life have."""

    def __init__(self, request: Any, context: Any) -> None:
        self._request = request
        self.ask = Ask(own_request(request.request_id), wait_s(context))

    def check(self, fields: Fields) -> None:
        """Check the ids; raise InvalidRequest for these or for what was refused before."""
        fields.request_id(self._request.request_id)
        fields.id("table_id", self._request.table_id)
        fields.done()

    def player_id(self, fields: Fields) -> str:
        """Return the player of the request: the caller unless it names another."""
        named: str = self._request.player_id
        return fields.id("player_id", named) if named else caller().player_id


def _lives(fields: Fields, request: pb.ListTablesRequest) -> tuple[Life, ...]:
    unknown = [status for status in request.statuses if status not in LIVES]
    if unknown:
        fields.refuse("statuses", f"give some of {', '.join(TableStatus.keys()[1:])}")
        return ()
    return tuple({LIVES[status] for status in request.statuses}) or LIVE
