"""What LadderService shows of a ladder: standings, results, histories, reasons."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

from typing import Any

from rummy_arena.api.v1 import ladder_service_pb2 as pb
from rummy_arena.api.v1.ladder_service_pb2_grpc import LadderServiceServicer
from services.events.ladders.explain_ladder import explain_ladder
from services.events.ladders.ladder import read_entrants, read_ladder
from services.events.ladders.read_ladder_standings import read_ladder_standings, read_season
from services.events.ladders.read_results import (
    read_entrant,
    read_head_to_head,
    read_results,
    read_steps,
)
from services.events.ladders.recalculate_ladder import recalculate_ladder
from services.state.context import Context
from services.state.ladder_records import LadderStatus

from .convert_ladder import (
    STATUSES,
    entrant_message,
    ladder_message,
    match_message,
    rating_message,
    season_message,
    standing_message,
    step_message,
)
from .convert_ladder_waits import waiting_message
from .convert_times import timestamp
from .interceptors import caller
from .pages import page_offset, page_token
from .violations import Fields

LATEST = 50
"""Meetings of two players that are shown one by one."""


class LadderReading(LadderServiceServicer):
    """The calls that change nothing."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    async def GetLadderEntrant(
        self, request: pb.GetLadderEntrantRequest, context: Any
    ) -> pb.GetLadderEntrantResponse:
        """Return a player on a ladder."""
        fields = Fields()
        ladder_id = fields.id("ladder_id", request.ladder_id)
        player_id = fields.id("player_id", request.player_id or caller().player_id)
        fields.done()
        entered = await read_entrant(self._ctx, ladder_id, player_id)
        return pb.GetLadderEntrantResponse(
            entrant=entrant_message(ladder_id, entered.number, entered.entrant),
            status=STATUSES[entered.ladder.record.status],
            server_time=timestamp(self._ctx.now_ms()),
        )

    async def GetLadderStandings(
        self, request: pb.GetLadderStandingsRequest, context: Any
    ) -> pb.GetLadderStandingsResponse:
        """Return a page of the standings of now, or of a season that has ended."""
        fields = Fields()
        ladder_id = fields.id("ladder_id", request.ladder_id)
        size = fields.page_size(request.page_size, usual=500, largest=1000)
        of = f"standings {ladder_id} {request.season}"
        start = page_offset(fields, of, request.page_token)
        fields.done()
        end = start + size
        if request.season:
            season, ended = await read_season(self._ctx, ladder_id, request.season)
            return pb.GetLadderStandingsResponse(
                standings=[season_message(ladder_id, row) for row in ended[start:end]],
                next_page_token=page_token(of, str(end)) if end < len(ended) else "",
                final=True,
                season_end_time=timestamp(season.ended_ms),
                season_ended_by=season.by,
                season_end_reason=season.reason,
            )
        snapshot, rows = await read_ladder_standings(self._ctx, ladder_id)
        return pb.GetLadderStandingsResponse(
            standings=[standing_message(ladder_id, row) for row in rows[start:end]],
            next_page_token=page_token(of, str(end)) if end < len(rows) else "",
            final=snapshot.record.status is LadderStatus.FINISHED,
        )

    async def ListLadderMatches(
        self, request: pb.ListLadderMatchesRequest, context: Any
    ) -> pb.ListLadderMatchesResponse:
        """Return a page of results, the latest first; a page's token says up to where to go on."""
        fields = Fields()
        ladder_id = fields.id("ladder_id", request.ladder_id)
        player_id = fields.id("player_id", request.player_id) if request.player_id else ""
        size = fields.page_size(request.page_size, usual=50, largest=200)
        of = f"matches {ladder_id} {player_id}"
        left = page_offset(fields, of, request.page_token)
        fields.done()
        if player_id:
            entered = await read_entrant(self._ctx, ladder_id, player_id)
            record, count = entered.ladder.record, entered.entrant.games
            last = min(left or count, count)
            first = max(0, last - size)
            steps = await read_steps(self._ctx, ladder_id, entered, first=first, limit=last - first)
            numbers = [step.result for step in reversed(steps)]
        else:
            record = (await read_ladder(self._ctx, ladder_id)).record
            last = min(left or record.results, record.results)
            first = max(0, last - size)
            numbers = list(range(last, first, -1))
        results = await read_results(self._ctx, ladder_id, numbers)
        sat = sorted({entrant for result in results for entrant, _, _ in result.seats})
        entrants = await read_entrants(self._ctx, ladder_id, record, sat)
        return pb.ListLadderMatchesResponse(
            matches=[match_message(ladder_id, result, entrants) for result in results],
            next_page_token=page_token(of, str(first)) if first else "",
        )

    async def GetHeadToHead(
        self, request: pb.GetHeadToHeadRequest, context: Any
    ) -> pb.GetHeadToHeadResponse:
        """Return what two players have done against each other."""
        fields = Fields()
        ladder_id = fields.id("ladder_id", request.ladder_id)
        player_id = fields.id("player_id", request.player_id)
        opponent_id = fields.id("opponent_id", request.opponent_id)
        if player_id == opponent_id:
            fields.refuse("opponent_id", "name another player than player_id")
        fields.done()
        balance = await read_head_to_head(self._ctx, ladder_id, player_id, opponent_id)
        one, other, met = balance.one, balance.other, balance.head_to_head
        return pb.GetHeadToHeadResponse(
            entrant=entrant_message(ladder_id, one.number, one.entrant),
            opponent=entrant_message(ladder_id, other.number, other.entrant),
            tables=met.tables,
            ahead=met.ahead,
            level=met.level,
            behind=met.behind,
            score=met.score,
            expected_score=balance.expected,
            latest=[step_message(ladder_id, m.one) for m in balance.meetings[:LATEST]],
        )

    async def GetRatingHistory(
        self, request: pb.GetRatingHistoryRequest, context: Any
    ) -> pb.GetRatingHistoryResponse:
        """Return a page of the steps of one rating."""
        fields = Fields()
        ladder_id = fields.id("ladder_id", request.ladder_id)
        player_id = fields.id("player_id", request.player_id)
        size = fields.page_size(request.page_size, usual=200, largest=1000)
        of = f"history {ladder_id} {player_id}"
        start = page_offset(fields, of, request.page_token)
        fields.done()
        entered = await read_entrant(self._ctx, ladder_id, player_id)
        steps = await read_steps(self._ctx, ladder_id, entered, first=start, limit=size)
        end = start + len(steps)
        return pb.GetRatingHistoryResponse(
            entrant=entrant_message(ladder_id, entered.number, entered.entrant),
            steps=[step_message(ladder_id, step) for step in steps],
            next_page_token=page_token(of, str(end)) if end < entered.entrant.games else "",
        )

    async def ExplainLadder(
        self, request: pb.ExplainLadderRequest, context: Any
    ) -> pb.ExplainLadderResponse:
        """Return what everybody, or one player, does or waits for."""
        fields = Fields()
        ladder_id = fields.id("ladder_id", request.ladder_id)
        player_id = fields.id("player_id", request.player_id) if request.player_id else ""
        size = fields.page_size(request.page_size, usual=200, largest=1000)
        of = f"explain {ladder_id} {player_id}"
        start = page_offset(fields, of, request.page_token)
        fields.done()
        explained = await explain_ladder(self._ctx, ladder_id, player_id=player_id)
        shown = explained.entrants[start : start + size]
        more = start + size < len(explained.entrants)
        return pb.ExplainLadderResponse(
            ladder=ladder_message(explained.ladder),
            entrants=[waiting_message(ladder_id, one) for one in shown],
            next_page_token=page_token(of, str(start + size)) if more else "",
            server_time=timestamp(explained.now_ms),
        )

    async def CheckLadderRatings(
        self, request: pb.CheckLadderRatingsRequest, context: Any
    ) -> pb.CheckLadderRatingsResponse:
        """Rate all results again and return what differs."""
        fields = Fields()
        ladder_id = fields.id("ladder_id", request.ladder_id)
        fields.done()
        done = await recalculate_ladder(self._ctx, caller(), ladder_id=ladder_id)
        response = pb.CheckLadderRatingsResponse(
            results=done.results,
            seasons=done.seasons,
            entrants=done.entrants,
            repeated_tables=done.repeated[:1000],
            missing_table_count=done.missing,
        )
        for difference in done.differences[:1000]:
            response.differences.add(
                entrant=difference.entrant,
                kept=rating_message(difference.stored),
                recalculated=rating_message(difference.recalculated),
            )
        return response
