"""LadderService at the edge: what changes ladders, and the ladders themselves."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

from typing import Any

from rummy_arena.api.v1 import ladder_service_pb2 as pb
from services.events.direct import REASON_LENGTH
from services.events.entry import OWNER_LENGTH
from services.events.ladders.close_ladder import close_ladder
from services.events.ladders.create_ladder import create_ladder
from services.events.ladders.end_season import end_season
from services.events.ladders.enter_ladder import Entering, enter_ladder
from services.events.ladders.ladder import INDEX, read_ladder
from services.events.ladders.leave_ladder import leave_ladder
from services.events.ladders.list_ladders import list_ladders
from services.events.principals import HOSTS
from services.state.context import Context

from .convert_entry import code_of
from .convert_ladder import entrant_message, ladder_message
from .convert_times import timestamp
from .derived_ids import derived_id, own_request
from .interceptors import caller
from .ladder_options import is_as_asked, ladder_options_of
from .ladder_reading import LadderReading
from .pages import page_place, place_token
from .refusals import RequestIdReused
from .unfinished import Unfinished
from .violations import Fields

_LIST = "ladders"


class LadderService(LadderReading):
    """Runs and shows ladders and arenas."""

    def __init__(self, ctx: Context, unfinished: Unfinished) -> None:
        super().__init__(ctx)
        self._unfinished = unfinished

    async def CreateLadder(
        self, request: pb.CreateLadderRequest, context: Any
    ) -> pb.CreateLadderResponse:
        """Create a ladder, or say whether it could be; a repeat returns the first."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        options = ladder_options_of(fields, request)
        fields.done()
        principal = caller()
        snapshot = await self._unfinished.finish(
            create_ladder(
                self._ctx,
                principal,
                options,
                ladder_id=derived_id("ladder", principal, request_id),
                validate_only=request.validate_only,
            )
        )
        if not is_as_asked(options, snapshot.record):
            raise RequestIdReused
        return pb.CreateLadderResponse(
            ladder=ladder_message(snapshot, id_known=not request.validate_only)
        )

    async def EnterLadder(
        self, request: pb.EnterLadderRequest, context: Any
    ) -> pb.EnterLadderResponse:
        """Enter a player; one who is entered already stays so."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        ladder_id = fields.id("ladder_id", request.ladder_id)
        player_id = _player(fields, request.player_id, "enter")
        owner = _optional(fields, "owner", request.owner, OWNER_LENGTH)
        code = code_of(fields, request.invitation_code)
        fields.done()
        entering = Entering(
            owner=owner,
            at_once=request.tables_at_once,
            anchor_mean=request.anchor_rating if request.HasField("anchor_rating") else None,
            code=code,
        )
        number, entrant = await self._unfinished.finish(
            enter_ladder(
                self._ctx,
                caller(),
                ladder_id=ladder_id,
                player_id=player_id,
                entering=entering,
                request_id=own_request(request_id),
            )
        )
        return pb.EnterLadderResponse(entrant=entrant_message(ladder_id, number, entrant))

    async def LeaveLadder(
        self, request: pb.LeaveLadderRequest, context: Any
    ) -> pb.LeaveLadderResponse:
        """Take a player off a ladder."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        ladder_id = fields.id("ladder_id", request.ladder_id)
        player_id = _player(fields, request.player_id, "take off")
        reason = _optional(fields, "reason", request.reason, REASON_LENGTH)
        fields.done()
        number, entrant = await self._unfinished.finish(
            leave_ladder(
                self._ctx,
                caller(),
                ladder_id=ladder_id,
                player_id=player_id,
                reason=reason,
                request_id=own_request(request_id),
            )
        )
        return pb.LeaveLadderResponse(entrant=entrant_message(ladder_id, number, entrant))

    async def CloseLadder(
        self, request: pb.CloseLadderRequest, context: Any
    ) -> pb.CloseLadderResponse:
        """Close a ladder, or say what would come of it."""
        fields = Fields()
        fields.request_id(request.request_id)
        ladder_id = fields.id("ladder_id", request.ladder_id)
        reason = _optional(fields, "reason", request.reason, REASON_LENGTH)
        fields.done()
        snapshot = await self._unfinished.finish(
            close_ladder(
                self._ctx,
                caller(),
                ladder_id=ladder_id,
                reason=reason,
                validate_only=request.validate_only,
            )
        )
        return pb.CloseLadderResponse(ladder=ladder_message(snapshot))

    async def EndLadderSeason(
        self, request: pb.EndLadderSeasonRequest, context: Any
    ) -> pb.EndLadderSeasonResponse:
        """End a season, or say what would come of it."""
        fields = Fields()
        fields.request_id(request.request_id)
        ladder_id = fields.id("ladder_id", request.ladder_id)
        reason = _optional(fields, "reason", request.reason, REASON_LENGTH)
        fields.done()
        snapshot = await self._unfinished.finish(
            end_season(
                self._ctx,
                caller(),
                ladder_id=ladder_id,
                season=request.season,
                reason=reason,
                validate_only=request.validate_only,
            )
        )
        return pb.EndLadderSeasonResponse(ladder=ladder_message(snapshot))

    async def GetLadder(self, request: pb.GetLadderRequest, context: Any) -> pb.GetLadderResponse:
        """Return a ladder."""
        fields = Fields()
        ladder_id = fields.id("ladder_id", request.ladder_id)
        fields.done()
        snapshot = await read_ladder(self._ctx, ladder_id)
        return pb.GetLadderResponse(
            ladder=ladder_message(snapshot), server_time=timestamp(self._ctx.now_ms())
        )

    async def ListLadders(
        self, request: pb.ListLaddersRequest, context: Any
    ) -> pb.ListLaddersResponse:
        """Return a page of ladders."""
        fields = Fields()
        limit = fields.page_size(request.page_size, usual=50, largest=200)
        after = page_place(fields, _LIST, request.page_token, indexes=[INDEX])
        fields.done()
        page = await list_ladders(self._ctx, after=after, limit=limit)
        return pb.ListLaddersResponse(
            ladders=[ladder_message(snapshot) for snapshot in page.ladders],
            next_page_token=place_token(_LIST, page.last),
            server_time=timestamp(self._ctx.now_ms()),
        )


def _player(fields: Fields, player_id: str, verb: str) -> str:
    """Return the player that a call is about: the caller's own where it says nothing."""
    if not player_id and caller().role in HOSTS:
        fields.refuse("player_id", f"name the player to {verb}: hosts {verb} others as well")
    return fields.id("player_id", player_id or caller().player_id)


def _optional(fields: Fields, field: str, text: str, longest: int) -> str:
    """Return a text that may be empty; refuse a long or unprintable one."""
    return fields.text(field, text, longest=longest) if text.strip() else ""
