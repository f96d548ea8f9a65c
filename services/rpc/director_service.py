"""DirectorService at the edge."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

from typing import Any, Protocol

from rummy_arena.api.v1 import director_service_pb2 as pb
from rummy_arena.api.v1 import tournament_pb2
from rummy_arena.api.v1.director_service_pb2_grpc import DirectorServiceServicer
from services.events.direct import REASON_LENGTH
from services.events.hold_tournament import (
    cancel_tournament,
    pause_tournament,
    resume_tournament,
)
from services.events.repair_round import repair_round
from services.events.replace_entrant import disqualify_entrant, replace_entrant
from services.events.replay_table import replay_table
from services.events.tournament import read_tournament
from services.events.tournament_parts import read_round, read_some_entrants
from services.state.context import Context
from services.state.records import EntrantRecord, RoundRecord

from .convert_tournament import bare_round_message, entrant_message, tournament_message
from .derived_ids import own_request
from .interceptors import caller
from .unfinished import Unfinished
from .violations import Fields


class Directing(Protocol):
    """What every request of a director has."""

    request_id: str
    tournament_id: str
    reason: str


class DirectorService(DirectorServiceServicer):
    """Directs tournaments."""

    def __init__(self, ctx: Context, unfinished: Unfinished) -> None:
        self._ctx = ctx
        self._unfinished = unfinished

    async def PauseTournament(
        self, request: pb.PauseTournamentRequest, context: Any
    ) -> pb.PauseTournamentResponse:
        """Hold a tournament."""
        fields = Fields()
        request_id, tournament_id, reason = _asked(fields, request)
        fields.done()
        snapshot = await self._unfinished.finish(
            pause_tournament(
                self._ctx,
                caller(),
                tournament_id,
                reason=reason,
                request_id=own_request(request_id),
                preview=request.validate_only,
            )
        )
        return pb.PauseTournamentResponse(tournament=tournament_message(snapshot))

    async def ResumeTournament(
        self, request: pb.ResumeTournamentRequest, context: Any
    ) -> pb.ResumeTournamentResponse:
        """Let a tournament go on."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        tournament_id = fields.id("tournament_id", request.tournament_id)
        fields.done()
        snapshot = await self._unfinished.finish(
            resume_tournament(
                self._ctx,
                caller(),
                tournament_id,
                request_id=own_request(request_id),
                preview=request.validate_only,
            )
        )
        return pb.ResumeTournamentResponse(tournament=tournament_message(snapshot))

    async def CancelTournament(
        self, request: pb.CancelTournamentRequest, context: Any
    ) -> pb.CancelTournamentResponse:
        """Call a tournament off."""
        fields = Fields()
        request_id, tournament_id, reason = _asked(fields, request)
        fields.done()
        snapshot = await self._unfinished.finish(
            cancel_tournament(
                self._ctx,
                caller(),
                tournament_id,
                reason=reason,
                request_id=own_request(request_id),
                preview=request.validate_only,
            )
        )
        return pb.CancelTournamentResponse(tournament=tournament_message(snapshot))

    async def ReplayTable(
        self, request: pb.ReplayTableRequest, context: Any
    ) -> pb.ReplayTableResponse:
        """Have a table begin again."""
        fields = Fields()
        request_id, tournament_id, reason = _asked(fields, request)
        fields.done()
        round_, table_id = await self._unfinished.finish(
            replay_table(
                self._ctx,
                caller(),
                tournament_id,
                request.number,
                reason=reason,
                round_number=request.round,
                request_id=own_request(request_id),
                preview=request.validate_only,
            )
        )
        return pb.ReplayTableResponse(
            pairing=tournament_pb2.Pairing(
                number=request.number,
                table_id=table_id,
                entrants=round_.tables[request.number - 1],
                label=round_.labels[request.number - 1] if round_.labels else "",
            )
        )

    async def ReplaceEntrant(
        self, request: pb.ReplaceEntrantRequest, context: Any
    ) -> pb.ReplaceEntrantResponse:
        """Put another player in an entrant's place."""
        fields = Fields()
        request_id, tournament_id, reason = _asked(fields, request)
        player_id = fields.id("player_id", request.player_id)
        fields.done()
        entrant = await self._unfinished.finish(
            replace_entrant(
                self._ctx,
                caller(),
                tournament_id,
                request.entrant,
                player_id,
                reason=reason,
                request_id=own_request(request_id),
                preview=request.validate_only,
            )
        )
        return pb.ReplaceEntrantResponse(
            entrant=await self._entrant(tournament_id, request.entrant, entrant)
        )

    async def DisqualifyEntrant(
        self, request: pb.DisqualifyEntrantRequest, context: Any
    ) -> pb.DisqualifyEntrantResponse:
        """Take an entrant out for good."""
        fields = Fields()
        request_id, tournament_id, reason = _asked(fields, request)
        fields.done()
        entrant = await self._unfinished.finish(
            disqualify_entrant(
                self._ctx,
                caller(),
                tournament_id,
                request.entrant,
                reason=reason,
                request_id=own_request(request_id),
                preview=request.validate_only,
            )
        )
        return pb.DisqualifyEntrantResponse(
            entrant=await self._entrant(tournament_id, request.entrant, entrant)
        )

    async def RepairRound(
        self, request: pb.RepairRoundRequest, context: Any
    ) -> pb.RepairRoundResponse:
        """Pair a round again that has not begun."""
        fields = Fields()
        request_id, tournament_id, reason = _asked(fields, request)
        fields.done()
        round_ = await self._unfinished.finish(
            repair_round(
                self._ctx,
                caller(),
                tournament_id,
                request.round,
                exchanges=[(pair.entrant, pair.other) for pair in request.exchanges],
                reason=reason,
                request_id=own_request(request_id),
                preview=request.validate_only,
            )
        )
        return pb.RepairRoundResponse(
            round=bare_round_message(
                tournament_id, round_ or await self._round(tournament_id, request.round)
            )
        )

    async def _entrant(
        self, tournament_id: str, number: int, changed: EntrantRecord | None
    ) -> tournament_pb2.Entrant:
        """Return an entrant as it is, or would be, after a change; as it is for a repeat."""
        if changed is None:
            (changed,) = await read_some_entrants(self._ctx, tournament_id, [number])
        return entrant_message(number, changed)

    async def _round(self, tournament_id: str, number: int) -> RoundRecord:
        record = (await read_tournament(self._ctx, tournament_id)).record
        return await read_round(self._ctx, tournament_id, record.rounds[number - 1])


def _asked(fields: Fields, request: Directing) -> tuple[str, str, str]:
    """Return request id, tournament and reason of a request."""
    return (
        fields.request_id(request.request_id),
        fields.id("tournament_id", request.tournament_id),
        fields.text("reason", request.reason, longest=REASON_LENGTH),
    )
