"""Players and their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1.player_pb2 import ROLE_BOT, ROLE_PLAYER, Player, Role, Scope, Token
from rummy_arena.api.v1.player_service_pb2 import (
    CreatePlayerRequest,
    CreateTokenRequest,
    CreateTokenResponse,
    ListTokensRequest,
    RevokeTokenRequest,
    RotateTokenRequest,
    RotateTokenResponse,
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
        self,
        player_id: str,
        *,
        ttl_s: float | None = None,
        scopes: Iterable[Scope.ValueType] = (),
    ) -> CreateTokenResponse:
        """Return a new token of a player, whose ``secret`` is shown here only.

        Without ``scopes`` it may be used for all that the caller may give it.
        """
        request = CreateTokenRequest(
            request_id=new_request_id(), player_id=player_id, scopes=scopes
        )
        if ttl_s is not None:
            request.ttl.CopyFrom(_duration(ttl_s))
        return await self._caller.call(self._stub.CreateToken, request)

    async def tokens(self, player_id: str = "") -> Sequence[Token]:
        """Return the live tokens of a player, or one's own, without their secrets."""
        request = ListTokensRequest(player_id=player_id)
        return (await self._caller.call(self._stub.ListTokens, request)).tokens

    async def revoke_token(self, token_id: str) -> int:
        """Revoke a token; return how many ended by this: 0 where it was over already."""
        request = RevokeTokenRequest(request_id=new_request_id(), token_id=token_id)
        return (await self._caller.call(self._stub.RevokeToken, request)).revoked

    async def revoke_all_tokens(self, player_id: str) -> int:
        """Revoke all tokens of a player, one's own too if it is that player's; return how many."""
        request = RevokeTokenRequest(request_id=new_request_id(), all_of_player_id=player_id)
        return (await self._caller.call(self._stub.RevokeToken, request)).revoked

    async def rotate_token(
        self, token_id: str = "", *, grace_s: float = 0.0
    ) -> RotateTokenResponse:
        """Return the successor of a token, or of one's own, which lasts ``grace_s`` more.

        ``Arena.as_bearer`` of the new secret goes on with it.
        """
        request = RotateTokenRequest(
            request_id=new_request_id(), token_id=token_id, grace=_duration(grace_s)
        )
        return await self._caller.call(self._stub.RotateToken, request)


def _duration(seconds: float) -> Duration:
    nanos = round(seconds * 1e9)
    return Duration(seconds=nanos // 10**9, nanos=nanos % 10**9)
