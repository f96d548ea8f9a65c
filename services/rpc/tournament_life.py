"""The life of a tournament at the edge: who is in, and what it waits for."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

from typing import Any

from rummy_arena.api.v1 import tournament_pb2
from rummy_arena.api.v1 import tournament_service_pb2 as pb
from rummy_arena.api.v1.tournament_service_pb2_grpc import TournamentServiceServicer
from services.events.check_in import check_in
from services.events.direct import REASON_LENGTH
from services.events.entry import OWNER_LENGTH
from services.events.explain_tournament import (
    Awaited,
    AwaitedTable,
    Explanation,
    explain_tournament,
)
from services.events.leave_tournament import return_to_tournament, withdraw
from services.events.principals import HOSTS
from services.events.register import Claim, register
from services.events.tournament_parts import read_some_entrants
from services.state.context import Context

from .convert_entry import code_of
from .convert_times import timestamp, timestamp_or_none
from .convert_tournament import STATUSES, entrant_message
from .derived_ids import own_request
from .interceptors import caller
from .pages import page_offset, page_token
from .unfinished import Unfinished
from .violations import Fields

LARGEST_SEEDING = 1_000_000


class TournamentLife(TournamentServiceServicer):
    """What entrants do, and what is explained to everybody."""

    _ctx: Context
    _unfinished: Unfinished

    async def Register(self, request: pb.RegisterRequest, context: Any) -> pb.RegisterResponse:
        """Enter a player; one who is entered already stays so."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        tournament_id = fields.id("tournament_id", request.tournament_id)
        if not request.player_id and caller().role in HOSTS:
            fields.refuse("player_id", "name the player to enter: hosts enter others as well")
        player_id = fields.id("player_id", request.player_id or caller().player_id)
        claim = _claim(fields, request)
        fields.done()
        number = await self._unfinished.finish(
            register(
                self._ctx,
                caller(),
                tournament_id=tournament_id,
                player_id=player_id,
                claim=claim,
                request_id=own_request(request_id),
            )
        )
        return pb.RegisterResponse(entrant=await self._entrant(tournament_id, number))

    async def CheckIn(self, request: pb.CheckInRequest, context: Any) -> pb.CheckInResponse:
        """Check an entrant in; one who has checked in stays so."""
        fields = Fields()
        request_id, tournament_id, player_id = _whose(fields, request)
        fields.done()
        number = await self._unfinished.finish(
            check_in(
                self._ctx,
                caller(),
                tournament_id,
                player_id,
                request_id=own_request(request_id),
            )
        )
        return pb.CheckInResponse(entrant=await self._entrant(tournament_id, number))

    async def Withdraw(self, request: pb.WithdrawRequest, context: Any) -> pb.WithdrawResponse:
        """Take an entrant out of the rounds to come."""
        fields = Fields()
        request_id, tournament_id, player_id = _whose(fields, request)
        reason = ""
        if request.reason:
            reason = fields.text("reason", request.reason, longest=REASON_LENGTH)
        fields.done()
        number = await self._unfinished.finish(
            withdraw(
                self._ctx,
                caller(),
                tournament_id,
                player_id,
                reason=reason,
                request_id=own_request(request_id),
            )
        )
        return pb.WithdrawResponse(entrant=await self._entrant(tournament_id, number))

    async def ReturnToTournament(
        self, request: pb.ReturnToTournamentRequest, context: Any
    ) -> pb.ReturnToTournamentResponse:
        """Bring an entrant who has withdrawn back."""
        fields = Fields()
        request_id, tournament_id, player_id = _whose(fields, request)
        fields.done()
        number = await self._unfinished.finish(
            return_to_tournament(
                self._ctx,
                caller(),
                tournament_id,
                player_id,
                request_id=own_request(request_id),
            )
        )
        return pb.ReturnToTournamentResponse(entrant=await self._entrant(tournament_id, number))

    async def ExplainTournament(
        self, request: pb.ExplainTournamentRequest, context: Any
    ) -> pb.ExplainTournamentResponse:
        """Say what a tournament waits for."""
        fields = Fields()
        tournament_id = fields.id("tournament_id", request.tournament_id)
        limit = fields.page_size(request.page_size, usual=100, largest=200)
        of = f"explained {tournament_id}"
        after = page_offset(fields, of, request.page_token)
        fields.done()
        found = await explain_tournament(
            self._ctx, caller(), tournament_id, after=after, limit=limit
        )
        return self._explained(found, of, first=after == 0)

    def _explained(
        self, found: Explanation, of: str, *, first: bool
    ) -> pb.ExplainTournamentResponse:
        return pb.ExplainTournamentResponse(
            status=STATUSES[found.snapshot.record.status],
            awaited=map(_awaited_message, found.awaited) if first else (),
            tables=map(_table_message, found.tables),
            next_page_token=page_token(of, str(found.tables[-1].number)) if found.more else "",
            server_time=timestamp(self._ctx.now_ms()),
        )

    async def _entrant(self, tournament_id: str, number: int) -> tournament_pb2.Entrant:
        (record,) = await read_some_entrants(self._ctx, tournament_id, [number])
        return entrant_message(number, record)


def _whose(
    fields: Fields,
    request: pb.CheckInRequest | pb.WithdrawRequest | pb.ReturnToTournamentRequest,
) -> tuple[str, str, str]:
    """Return request id, tournament and player of a request about an entrant."""
    request_id = fields.request_id(request.request_id)
    tournament_id = fields.id("tournament_id", request.tournament_id)
    return (
        request_id,
        tournament_id,
        fields.id("player_id", request.player_id or caller().player_id),
    )


def _claim(fields: Fields, request: pb.RegisterRequest) -> Claim:
    code, owner = code_of(fields, request.invitation_code), ""
    if request.owner:
        owner = fields.text("owner", request.owner, longest=OWNER_LENGTH)
    if request.seeding > LARGEST_SEEDING:
        fields.refuse("seeding", f"give at most {LARGEST_SEEDING}")
    return Claim(code=code, owner=owner, seeding=request.seeding)


def _awaited_message(awaited: Awaited) -> pb.Awaited:
    return pb.Awaited(
        reason=awaited.reason.name,
        text=awaited.reason.value,
        deadline=timestamp_or_none(awaited.deadline_ms),
        missing=awaited.missing,
    )


def _table_message(table: AwaitedTable) -> pb.AwaitedTable:
    return pb.AwaitedTable(
        number=table.number,
        table_id=table.table_id,
        reason=table.reason.name,
        text=table.reason.value,
        deal=table.deal,
        entrants=table.entrants,
        deadline=timestamp_or_none(table.deadline_ms),
    )
