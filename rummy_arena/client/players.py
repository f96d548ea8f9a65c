"""Players and their tokens."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1.player_pb2 import Player, PlayerKind, Role
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
        self, name: str, *, kind: PlayerKind.ValueType | None = None, house_bot: str = ""
    ) -> Player:
        """Return a new player: a person, or a house bot if ``house_bot`` names one."""
        if kind is None:
            kind = PlayerKind.PLAYER_KIND_PERSON
            if house_bot:
                kind = PlayerKind.PLAYER_KIND_HOUSE_BOT
        request = CreatePlayerRequest(
            request_id=new_request_id(), name=name, kind=kind, house_bot=house_bot
        )
        return (await self._caller.call(self._stub.CreatePlayer, request)).player

    async def create_token(
        self, role: Role.ValueType, *, player_id: str = "", ttl_s: float | None = None
    ) -> CreateTokenResponse:
        """Return a new token, whose ``secret`` is shown here only; it lasts ``ttl_s`` seconds."""
        request = CreateTokenRequest(request_id=new_request_id(), player_id=player_id, role=role)
        if ttl_s is not None:
            nanos = round(ttl_s * 1e9)
            request.ttl.CopyFrom(Duration(seconds=nanos // 10**9, nanos=nanos % 10**9))
        return await self._caller.call(self._stub.CreateToken, request)
