"""Ladders and arenas: create, enter, follow."""

from __future__ import annotations

from collections.abc import AsyncIterator

from rummy_arena.api.v1.ladder_pb2 import (
    Ladder,
    LadderEntrant,
    LadderMatch,
    LadderOptions,
    LadderStanding,
    LadderWaiting,
    RatingStep,
)
from rummy_arena.api.v1.ladder_service_pb2 import (
    CheckLadderRatingsRequest,
    CheckLadderRatingsResponse,
    CloseLadderRequest,
    CreateLadderRequest,
    EndLadderSeasonRequest,
    EnterLadderRequest,
    ExplainLadderRequest,
    GetHeadToHeadRequest,
    GetHeadToHeadResponse,
    GetLadderEntrantRequest,
    GetLadderEntrantResponse,
    GetLadderRequest,
    GetLadderStandingsRequest,
    GetRatingHistoryRequest,
    LeaveLadderRequest,
    ListLadderMatchesRequest,
    ListLaddersRequest,
)
from rummy_arena.api.v1.ladder_service_pb2_grpc import LadderServiceStub

from .caller import Caller, new_request_id


class Ladders:
    """Calls of the ladder service."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = LadderServiceStub(caller.channel)

    async def create(
        self, options: LadderOptions, *, seed: str | None = None, validate_only: bool = False
    ) -> Ladder:
        """Return a new ladder, or arena where the options have an end time."""
        request = CreateLadderRequest(
            request_id=new_request_id(), options=options, seed=seed, validate_only=validate_only
        )
        return (await self._caller.call(self._stub.CreateLadder, request)).ladder

    async def enter(
        self,
        ladder_id: str,
        player_id: str = "",
        *,
        owner: str = "",
        tables_at_once: int = 0,
        anchor_rating: float | None = None,
        invitation_code: str = "",
    ) -> LadderEntrant:
        """Enter a player, or bring it back; by default the one of the token.

        Of one who is in, this changes owner and tables, where they are given.
        """
        request = EnterLadderRequest(
            request_id=new_request_id(),
            ladder_id=ladder_id,
            player_id=player_id,
            owner=owner,
            tables_at_once=tables_at_once,
            anchor_rating=anchor_rating,
            invitation_code=invitation_code,
        )
        return (await self._caller.call(self._stub.EnterLadder, request)).entrant

    async def leave(
        self, ladder_id: str, player_id: str = "", *, reason: str = ""
    ) -> LadderEntrant:
        """Take a player off the ladder, by default the one of the token."""
        request = LeaveLadderRequest(
            request_id=new_request_id(), ladder_id=ladder_id, player_id=player_id, reason=reason
        )
        return (await self._caller.call(self._stub.LeaveLadder, request)).entrant

    async def close(
        self, ladder_id: str, *, reason: str = "", validate_only: bool = False
    ) -> Ladder:
        """Close a ladder; its open tables are played out."""
        request = CloseLadderRequest(
            request_id=new_request_id(),
            ladder_id=ladder_id,
            reason=reason,
            validate_only=validate_only,
        )
        return (await self._caller.call(self._stub.CloseLadder, request)).ladder

    async def end_season(
        self, ladder_id: str, season: int, *, reason: str = "", validate_only: bool = False
    ) -> Ladder:
        """End a season, by its number; return the ladder in the season after it."""
        request = EndLadderSeasonRequest(
            request_id=new_request_id(),
            ladder_id=ladder_id,
            season=season,
            reason=reason,
            validate_only=validate_only,
        )
        return (await self._caller.call(self._stub.EndLadderSeason, request)).ladder

    async def get(self, ladder_id: str) -> Ladder:
        """Return a ladder."""
        request = GetLadderRequest(ladder_id=ladder_id)
        return (await self._caller.call(self._stub.GetLadder, request)).ladder

    async def entrant(self, ladder_id: str, player_id: str = "") -> GetLadderEntrantResponse:
        """Return a player on a ladder, by default the one of the token; and how the ladder is."""
        request = GetLadderEntrantRequest(ladder_id=ladder_id, player_id=player_id)
        return await self._caller.call(self._stub.GetLadderEntrant, request)

    async def standings(self, ladder_id: str, *, season: int = 0) -> list[LadderStanding]:
        """Return the whole standings: of now, or of a season that has ended."""
        request = GetLadderStandingsRequest(ladder_id=ladder_id, season=season)
        pages = self._caller.pages(self._stub.GetLadderStandings, request)
        return [row async for page in pages for row in page.standings]

    async def matches(
        self, ladder_id: str, player_id: str = "", *, most: int = 50
    ) -> list[LadderMatch]:
        """Return the latest rated results, of one player or of all, up to ``most``."""
        request = ListLadderMatchesRequest(
            ladder_id=ladder_id, player_id=player_id, page_size=min(most, 200)
        )
        found: list[LadderMatch] = []
        async for page in self._caller.pages(self._stub.ListLadderMatches, request):
            found += page.matches
            if len(found) >= most:
                break
        return found[:most]

    async def head_to_head(
        self, ladder_id: str, player_id: str, opponent_id: str
    ) -> GetHeadToHeadResponse:
        """Return what two players have done against each other."""
        request = GetHeadToHeadRequest(
            ladder_id=ladder_id, player_id=player_id, opponent_id=opponent_id
        )
        return await self._caller.call(self._stub.GetHeadToHead, request)

    async def history(self, ladder_id: str, player_id: str) -> list[RatingStep]:
        """Return how a player's rating became what it is, the first result first."""
        request = GetRatingHistoryRequest(ladder_id=ladder_id, player_id=player_id)
        pages = self._caller.pages(self._stub.GetRatingHistory, request)
        return [step async for page in pages for step in page.steps]

    async def explain(self, ladder_id: str, player_id: str = "") -> list[LadderWaiting]:
        """Return what everybody, or one player, does or waits for."""
        request = ExplainLadderRequest(ladder_id=ladder_id, player_id=player_id)
        pages = self._caller.pages(self._stub.ExplainLadder, request)
        return [one async for page in pages for one in page.entrants]

    async def check_ratings(self, ladder_id: str) -> CheckLadderRatingsResponse:
        """Have all results rated again, and return what differs."""
        request = CheckLadderRatingsRequest(ladder_id=ladder_id)
        return await self._caller.call(self._stub.CheckLadderRatings, request)

    async def list(self) -> AsyncIterator[Ladder]:
        """Yield all ladders and arenas, the oldest first."""
        async for page in self._caller.pages(self._stub.ListLadders, ListLaddersRequest()):
            for ladder in page.ladders:
                yield ladder
