"""TournamentService at the edge."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from rummy_arena.api.v1 import tournament_service_pb2 as pb
from rummy_arena.game.series import SeatsError
from services.events.create_tournament import create_tournament
from services.events.list_tournaments import list_tournaments
from services.events.read_bracket import read_bracket
from services.events.read_standings import read_standings
from services.events.start_tournament import start_tournament
from services.events.tournament import INDEX, read_tournament
from services.state.context import Context
from services.state.records import Status

from .convert_stages import seats_field
from .convert_times import timestamp
from .convert_tournament import (
    round_messages,
    standing_message,
    tournament_message,
)
from .derived_ids import derived_id, own_request
from .interceptors import caller
from .pages import page_offset, page_place, page_token, place_token
from .refusals import RequestIdReused, TableSeats
from .tournament_life import TournamentLife
from .tournament_log import list_events
from .tournament_options import matches, options_of
from .tournament_watch import TournamentWatch
from .unfinished import Unfinished
from .violations import Fields

_LIST = "tournaments"


class TournamentService(TournamentLife):
    """Runs and shows tournaments."""

    def __init__(self, ctx: Context, unfinished: Unfinished, stopping: asyncio.Event) -> None:
        self._ctx = ctx
        self._unfinished = unfinished
        self._watch = TournamentWatch(ctx, stopping)

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, context: Any
    ) -> pb.CreateTournamentResponse:
        """Create a tournament, or say whether it could be; a repeat returns the first."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        options = options_of(fields, request)
        fields.done()
        principal = caller()
        try:
            snapshot = await self._unfinished.finish(
                create_tournament(
                    self._ctx,
                    principal,
                    options,
                    tournament_id=derived_id("tournament", principal, request_id),
                    validate_only=request.validate_only,
                )
            )
        except SeatsError as error:
            raise TableSeats(error, seats_field(request.options, error.seats)) from error
        if not matches(options, snapshot.record):
            raise RequestIdReused
        return pb.CreateTournamentResponse(
            tournament=tournament_message(snapshot, id_known=not request.validate_only)
        )

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Any
    ) -> pb.StartTournamentResponse:
        """Close registration and start the first round."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        tournament_id = fields.id("tournament_id", request.tournament_id)
        fields.done()
        snapshot = await self._unfinished.finish(
            start_tournament(
                self._ctx,
                caller(),
                tournament_id=tournament_id,
                request_id=own_request(request_id),
            )
        )
        return pb.StartTournamentResponse(tournament=tournament_message(snapshot))

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Any
    ) -> pb.GetTournamentResponse:
        """Return a tournament."""
        fields = Fields()
        tournament_id = fields.id("tournament_id", request.tournament_id)
        fields.done()
        snapshot = await read_tournament(self._ctx, tournament_id)
        return pb.GetTournamentResponse(
            tournament=tournament_message(snapshot), server_time=timestamp(self._ctx.now_ms())
        )

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Any
    ) -> pb.ListTournamentsResponse:
        """Return a page of tournaments."""
        fields = Fields()
        limit = fields.page_size(request.page_size, usual=50, largest=200)
        after = page_place(fields, _LIST, request.page_token, indexes=[INDEX])
        fields.done()
        page = await list_tournaments(self._ctx, after=after, limit=limit)
        return pb.ListTournamentsResponse(
            tournaments=[tournament_message(snapshot) for snapshot in page.tournaments],
            next_page_token=place_token(_LIST, page.last),
            server_time=timestamp(self._ctx.now_ms()),
        )

    async def GetBracket(
        self, request: pb.GetBracketRequest, context: Any
    ) -> pb.GetBracketResponse:
        """Return a page of the bracket."""
        fields = Fields()
        tournament_id = fields.id("tournament_id", request.tournament_id)
        size = fields.page_size(request.page_size, usual=500, largest=1000)
        of = f"bracket {tournament_id}"
        start = page_offset(fields, of, request.page_token)
        fields.done()
        _, rounds = await read_bracket(self._ctx, tournament_id)
        end = start + size
        total = sum(len(item.round.tables) for item in rounds)
        return pb.GetBracketResponse(
            rounds=round_messages(tournament_id, rounds, start=start, end=end),
            next_page_token=page_token(of, str(end)) if end < total else "",
        )

    async def GetStandings(
        self, request: pb.GetStandingsRequest, context: Any
    ) -> pb.GetStandingsResponse:
        """Return a page of the standings."""
        fields = Fields()
        tournament_id = fields.id("tournament_id", request.tournament_id)
        size = fields.page_size(request.page_size, usual=500, largest=1000)
        of = f"standings {tournament_id}"
        start = page_offset(fields, of, request.page_token)
        fields.done()
        snapshot, rows = await read_standings(self._ctx, tournament_id)
        end = start + size
        return pb.GetStandingsResponse(
            standings=[standing_message(row) for row in rows[start:end]],
            next_page_token=page_token(of, str(end)) if end < len(rows) else "",
            final=snapshot.record.status is Status.FINISHED,
        )

    async def WatchTournament(
        self, request: pb.WatchTournamentRequest, context: Any
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        """Stream the tournament's events until it is over."""
        async for message in self._watch.stream(request, context):
            yield message

    async def ListTournamentEvents(
        self, request: pb.ListTournamentEventsRequest, context: Any
    ) -> pb.ListTournamentEventsResponse:
        """Return what happened after an event."""
        return await list_events(self._ctx, request)
