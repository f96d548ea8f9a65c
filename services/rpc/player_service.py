"""PlayerService at the edge."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

from typing import Any

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1 import player_pb2
from rummy_arena.api.v1 import player_service_pb2 as pb
from rummy_arena.api.v1.player_service_pb2_grpc import PlayerServiceServicer
from services.events.principals import NAME_LENGTH, create_player, create_token
from services.state.context import Context
from services.state.records import PlayerRecord

from .convert_times import timestamp
from .derived_ids import derived_id
from .interceptors import caller
from .refusals import RequestIdReused
from .unfinished import Unfinished
from .violations import Fields

USUAL_TTL_S = 30 * 24 * 3600
_ROLES = {
    player_pb2.ROLE_ADMIN: "admin",
    player_pb2.ROLE_HOST: "host",
    player_pb2.ROLE_PLAYER: "player",
    player_pb2.ROLE_BOT: "bot",
    player_pb2.ROLE_SPECTATOR: "spectator",
}
_ROLE_MESSAGES = {name: message for message, name in _ROLES.items()}


class PlayerService(PlayerServiceServicer):
    """Creates players and the tokens with which they call."""

    def __init__(self, ctx: Context, unfinished: Unfinished) -> None:
        self._ctx = ctx
        self._unfinished = unfinished

    async def CreatePlayer(
        self, request: pb.CreatePlayerRequest, context: Any
    ) -> pb.CreatePlayerResponse:
        """Create a player; a repeat returns the first."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        name = fields.text("name", request.name, longest=NAME_LENGTH)
        role = _role(fields, request)
        fields.done()
        principal = caller()
        player_id, record = await self._unfinished.finish(
            create_player(
                self._ctx,
                principal,
                name=name,
                role=role,
                bot=request.house_bot,
                player_id=derived_id("player", principal, request_id),
            )
        )
        if (record.name, record.role, record.bot) != (name, role, request.house_bot):
            raise RequestIdReused
        return pb.CreatePlayerResponse(player=player_message(player_id, record))

    async def CreateToken(
        self, request: pb.CreateTokenRequest, context: Any
    ) -> pb.CreateTokenResponse:
        """Create a token of a player."""
        fields = Fields()
        fields.request_id(request.request_id)
        player_id = fields.id("player_id", request.player_id)
        ttl_s = _ttl_s(fields, request.ttl) if request.HasField("ttl") else USUAL_TTL_S
        fields.done()
        issued = await self._unfinished.finish(
            create_token(self._ctx, caller(), player_id=player_id, ttl_s=ttl_s)
        )
        return pb.CreateTokenResponse(
            secret=issued.token,
            expire_time=timestamp(issued.expires_ms),
            server_time=timestamp(self._ctx.now_ms()),
        )


def player_message(player_id: str, record: PlayerRecord) -> player_pb2.Player:
    """Return a player as a message."""
    return player_pb2.Player(
        id=player_id,
        name=record.name,
        role=_ROLE_MESSAGES[record.role],
        house_bot=record.bot,
        create_time=timestamp(record.created_ms),
    )


def _role(fields: Fields, request: pb.CreatePlayerRequest) -> str:
    role = _ROLES.get(request.role)
    if role is None:
        fields.refuse("role", f"give one of {', '.join(player_pb2.Role.keys()[1:])}")
        return ""
    if request.house_bot and role != "bot":
        fields.refuse("role", "give ROLE_BOT where house_bot says who plays")
    return role


def _ttl_s(fields: Fields, ttl: Duration) -> int:
    if ttl.seconds < 1 or ttl.nanos < 0:
        fields.refuse("ttl", "give at least 1 second, or leave it out")
    return ttl.seconds
