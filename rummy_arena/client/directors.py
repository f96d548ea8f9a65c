"""What the directors of a tournament do: each call says why, and can only be tried."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_arena.api.v1.director_service_pb2 import (
    CancelTournamentRequest,
    DisqualifyEntrantRequest,
    Exchange,
    PauseTournamentRequest,
    RepairRoundRequest,
    ReplaceEntrantRequest,
    ReplayTableRequest,
    ResumeTournamentRequest,
)
from rummy_arena.api.v1.director_service_pb2_grpc import DirectorServiceStub
from rummy_arena.api.v1.tournament_pb2 import Entrant, Pairing, Round, Tournament

from .caller import Caller, new_request_id


class Directors:
    """Calls of the director service; with ``validate_only`` nothing changes."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = DirectorServiceStub(caller.channel)

    async def pause(
        self, tournament_id: str, reason: str, *, validate_only: bool = False
    ) -> Tournament:
        """Hold a tournament and its tables."""
        request = PauseTournamentRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            reason=reason,
            validate_only=validate_only,
        )
        return (await self._caller.call(self._stub.PauseTournament, request)).tournament

    async def resume(self, tournament_id: str, *, validate_only: bool = False) -> Tournament:
        """Let a tournament go on, and its tables."""
        request = ResumeTournamentRequest(
            request_id=new_request_id(), tournament_id=tournament_id, validate_only=validate_only
        )
        return (await self._caller.call(self._stub.ResumeTournament, request)).tournament

    async def cancel(
        self, tournament_id: str, reason: str, *, validate_only: bool = False
    ) -> Tournament:
        """Call a tournament off, and its tables."""
        request = CancelTournamentRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            reason=reason,
            validate_only=validate_only,
        )
        return (await self._caller.call(self._stub.CancelTournament, request)).tournament

    async def replay_table(
        self,
        tournament_id: str,
        number: int,
        reason: str,
        *,
        round_number: int = 0,
        validate_only: bool = False,
    ) -> Pairing:
        """Have a table begin again; return it under its new id.

        It is one of the round that is being played; with another ``round_number`` it is refused.
        """
        request = ReplayTableRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            number=number,
            reason=reason,
            round=round_number,
            validate_only=validate_only,
        )
        return (await self._caller.call(self._stub.ReplayTable, request)).pairing

    async def replace(
        self,
        tournament_id: str,
        entrant: int,
        player_id: str,
        reason: str,
        *,
        validate_only: bool = False,
    ) -> Entrant:
        """Put another player in an entrant's place; return the entrant."""
        request = ReplaceEntrantRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            entrant=entrant,
            player_id=player_id,
            reason=reason,
            validate_only=validate_only,
        )
        return (await self._caller.call(self._stub.ReplaceEntrant, request)).entrant

    async def disqualify(
        self, tournament_id: str, entrant: int, reason: str, *, validate_only: bool = False
    ) -> Entrant:
        """Take an entrant out for good; return the entrant."""
        request = DisqualifyEntrantRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            entrant=entrant,
            reason=reason,
            validate_only=validate_only,
        )
        return (await self._caller.call(self._stub.DisqualifyEntrant, request)).entrant

    async def repair_round(
        self,
        tournament_id: str,
        round_number: int,
        reason: str,
        exchanges: Sequence[tuple[int, int]] = (),
        *,
        validate_only: bool = False,
    ) -> Round:
        """Pair a round again that has not begun, or let entrants change places; return it."""
        request = RepairRoundRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            round=round_number,
            exchanges=[Exchange(entrant=one, other=other) for one, other in exchanges],
            reason=reason,
            validate_only=validate_only,
        )
        return (await self._caller.call(self._stub.RepairRound, request)).round
