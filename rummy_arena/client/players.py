"""Players and their tokens."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1.player_pb2 import ROLE_BOT, ROLE_PLAYER, Player, Role
from rummy_arena.api.v1.player_service_pb2 import (
    CreatePlayerRequest,
    CreateTokenRequest,
    CreateTokenResponse,
)
from rummy_arena.api.v1.player_service_pb2_grpc import PlayerServiceStub

from .caller import Caller, new_request_id


class Players:
    """Calls of the player service."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = PlayerServiceStub(caller.channel)

    async def create(
        self, name: str, *, role: Role.ValueType | None = None, house_bot: str = ""
    ) -> Player:
        """Return a new player: with the role player, or bot if ``house_bot`` names who plays."""
        if role is None:
            role = ROLE_BOT if house_bot else ROLE_PLAYER
        request = CreatePlayerRequest(
            request_id=new_request_id(), name=name, role=role, house_bot=house_bot
        )
        return (await self._caller.call(self._stub.CreatePlayer, request)).player

    async def create_token(
        self, player_id: str, *, ttl_s: float | None = None
    ) -> CreateTokenResponse:
        """Return a new token of a player, whose ``secret`` is shown here only."""
        request = CreateTokenRequest(request_id=new_request_id(), player_id=player_id)
        if ttl_s is not None:
            nanos = round(ttl_s * 1e9)
            request.ttl.CopyFrom(Duration(seconds=nanos // 10**9, nanos=nanos % 10**9))
        return await self._caller.call(self._stub.CreateToken, request)
