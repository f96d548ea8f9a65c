"""PlayerService at the edge."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

from typing import Any

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1 import player_pb2
from rummy_arena.api.v1 import player_service_pb2 as pb
from rummy_arena.api.v1.player_service_pb2_grpc import PlayerServiceServicer
from services.events.create_player import NAME_LENGTH, create_player
from services.events.create_token import LONGEST_TTL_MS, create_token
from services.events.list_tokens import ListedToken, list_tokens
from services.events.revoke_token import revoke_token, revoke_tokens_of
from services.events.rotate_token import LONGEST_GRACE_MS, rotate_token
from services.events.scopes import Scope
from services.state.context import Context
from services.state.records import PlayerRecord

from .bearers import Bearers
from .convert_times import timestamp
from .derived_ids import derived_id
from .interceptors import caller
from .refusals import RequestIdReused
from .unfinished import Unfinished
from .violations import Fields

_ROLES = {
    player_pb2.ROLE_ADMIN: "admin",
    player_pb2.ROLE_HOST: "host",
    player_pb2.ROLE_PLAYER: "player",
    player_pb2.ROLE_BOT: "bot",
    player_pb2.ROLE_SPECTATOR: "spectator",
}
_ROLE_MESSAGES = {name: message for message, name in _ROLES.items()}
_SCOPES = {
    player_pb2.SCOPE_WATCH: Scope.WATCH,
    player_pb2.SCOPE_PLAY: Scope.PLAY,
    player_pb2.SCOPE_ENTER: Scope.ENTER,
    player_pb2.SCOPE_MANAGE: Scope.MANAGE,
    player_pb2.SCOPE_PLAYERS: Scope.PLAYERS,
}


class PlayerService(PlayerServiceServicer):
    """Creates players and the tokens with which they call."""

    def __init__(self, ctx: Context, unfinished: Unfinished, bearers: Bearers) -> None:
        self._ctx = ctx
        self._unfinished = unfinished
        self._bearers = bearers

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
        """Create a token of a player; a repeat returns the first."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        player_id = fields.id("player_id", request.player_id)
        ttl_ms = None
        if request.HasField("ttl"):
            ttl_ms = _duration_ms(fields, "ttl", request.ttl, least=1000, most=LONGEST_TTL_MS)
        scopes = _scopes(fields, request)
        fields.done()
        issued = await self._unfinished.finish(
            create_token(
                self._ctx,
                caller(),
                player_id=player_id,
                ttl_ms=ttl_ms,
                scopes=scopes,
                token_id=derived_id("token", caller(), request_id),
            )
        )
        return pb.CreateTokenResponse(
            secret=issued.token,
            token_id=issued.token_id,
            scopes=scope_messages(issued.scopes),
            expire_time=timestamp(issued.expires_ms),
            server_time=timestamp(self._ctx.now_ms()),
        )

    async def ListTokens(
        self, request: pb.ListTokensRequest, context: Any
    ) -> pb.ListTokensResponse:
        """List a player's tokens."""
        fields = Fields()
        player_id = request.player_id and fields.id("player_id", request.player_id)
        fields.done()
        tokens = await list_tokens(self._ctx, caller(), player_id or caller().player_id)
        return pb.ListTokensResponse(
            tokens=map(token_message, tokens), server_time=timestamp(self._ctx.now_ms())
        )

    async def RevokeToken(
        self, request: pb.RevokeTokenRequest, context: Any
    ) -> pb.RevokeTokenResponse:
        """Revoke one token, or all of a player's."""
        fields = Fields()
        fields.request_id(request.request_id)
        target = request.WhichOneof("target")
        if target is None:
            fields.refuse("target", "give token_id or all_of_player_id")
        else:
            fields.id(target, getattr(request, target))
        fields.done()
        if target == "token_id":
            revoking = revoke_token(self._ctx, caller(), request.token_id)
        else:
            revoking = revoke_tokens_of(self._ctx, caller(), request.all_of_player_id)
        revoked = await self._unfinished.finish(revoking)
        self._bearers.forget()
        return pb.RevokeTokenResponse(revoked=revoked, server_time=timestamp(self._ctx.now_ms()))

    async def RotateToken(
        self, request: pb.RotateTokenRequest, context: Any
    ) -> pb.RotateTokenResponse:
        """Replace a token; a repeat returns the first answer."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        token_id = request.token_id and fields.id("token_id", request.token_id)
        grace_ms = _duration_ms(fields, "grace", request.grace, least=0, most=LONGEST_GRACE_MS)
        fields.done()
        rotated = await self._unfinished.finish(
            rotate_token(
                self._ctx,
                caller(),
                token_id or caller().token_id,
                grace_ms=grace_ms,
                new_id=derived_id("rotated", caller(), request_id),
            )
        )
        self._bearers.forget()
        issued = rotated.issued
        return pb.RotateTokenResponse(
            secret=issued.token,
            token_id=issued.token_id,
            scopes=scope_messages(issued.scopes),
            expire_time=timestamp(issued.expires_ms),
            old_expire_time=timestamp(rotated.old_expires_ms),
            server_time=timestamp(self._ctx.now_ms()),
        )


def token_message(token: ListedToken) -> player_pb2.Token:
    """Return what may be shown of a token as a message."""
    return player_pb2.Token(
        id=token.token_id,
        player_id=token.player_id,
        scopes=scope_messages(token.scopes),
        create_time=timestamp(token.created_ms),
        expire_time=timestamp(token.expires_ms),
        successor_id=token.successor,
    )


def scope_messages(scopes: Scope) -> list[player_pb2.Scope.ValueType]:
    """Return scopes as a message has them."""
    return [message for message, scope in _SCOPES.items() if scope in scopes]


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


def _scopes(fields: Fields, request: pb.CreateTokenRequest) -> Scope:
    scopes = Scope(0)
    for message in request.scopes:
        if message not in _SCOPES:
            fields.refuse("scopes", f"give some of {', '.join(player_pb2.Scope.keys()[1:])}")
            break
        scopes |= _SCOPES[message]
    return scopes


def _duration_ms(fields: Fields, field: str, duration: Duration, *, least: int, most: int) -> int:
    duration_ms = duration.seconds * 1000 + duration.nanos // 1_000_000
    if not least <= duration_ms <= most or not 0 <= duration.nanos < 1_000_000_000:
        fields.refuse(field, f"give {least // 1000} to {most // 1000} seconds, or leave it out")
    return duration_ms
