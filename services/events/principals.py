"""Players and their tokens: who a caller is, and what it may do."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

import structlog

from rummy_arena.bots.registry import HOUSE_BOTS
from services.state.codec import PLAYER, TOKEN
from services.state.context import Context
from services.state.records import PlayerRecord, TokenRecord

from .errors import InvalidOption, NotAllowed, NotAuthenticated

PLAYERS = "player"
ROLES = ("admin", "host", "player", "bot", "spectator")
HOSTS = ("admin", "host")
PLAYING = ("admin", "host", "player", "bot")  # whoever may hold a seat
NAME_LENGTH = 80
TOKEN_BYTES = 32  # 256 bits: no password hash is needed
LONGEST_TTL_S = 400 * 24 * 3600

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated caller."""

    player_id: str
    role: str

    def require(self, *roles: str) -> None:
        """Raise NotAllowed unless the caller has one of the roles."""
        if self.role not in roles:
            raise NotAllowed(self.role, roles)

    def require_host_of(self, what: str, created_by: str) -> None:
        """Raise NotAllowed unless the caller is an administrator or the host who created this."""
        self.require(*HOSTS)
        if self.role != "admin" and self.player_id != created_by:
            raise NotAllowed(self.role, ("admin", f"the host of this {what}"))


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token as it is shown, once; only its hash is stored."""

    token: str
    expires_ms: int


async def create_player(
    ctx: Context, principal: Principal, *, name: str, role: str, bot: str, player_id: str
) -> tuple[str, PlayerRecord]:
    """Create a player, or a house bot's player when ``bot`` names one; return its id and record.

    ``player_id`` is derived from the request, so that a repeat creates nothing and returns the
    first player. Raises InvalidOption or NotAllowed.
    """
    principal.require(*HOSTS)
    if not 1 <= len(name.strip()) <= NAME_LENGTH:
        raise InvalidOption("name", f"give 1 to {NAME_LENGTH} characters")
    if role not in ROLES:
        raise InvalidOption("role", f"unknown role {role!r}; known: {', '.join(ROLES)}")
    if role in HOSTS and principal.role != "admin":
        raise NotAllowed(principal.role, ("admin",))
    if bot and bot not in HOUSE_BOTS:
        raise InvalidOption("bot", f"unknown house bot {bot!r}; known: {', '.join(HOUSE_BOTS)}")
    record = PlayerRecord(name.strip(), bot, role, principal.player_id, ctx.now_ms())
    if not await ctx.store.create(PLAYERS, player_id, PLAYER.encode(record)):
        record = await get_player(ctx, player_id)
    return player_id, record


async def get_player(ctx: Context, player_id: str) -> PlayerRecord:
    """Return a player's record; raises NotFound."""
    snapshot = await ctx.store.read(PLAYERS, player_id)
    return PLAYER.decode(snapshot.data)


async def create_token(
    ctx: Context, principal: Principal, *, player_id: str, ttl_s: int
) -> IssuedToken:
    """Issue a token for a player with the player's role; raises NotFound, NotAllowed.

    Players issue their own, hosts those of the players whom they created: whoever holds a player's
    token sees that player's cards.
    """
    if principal.player_id != player_id:
        principal.require(*HOSTS)
    if not 1 <= ttl_s <= LONGEST_TTL_S:
        raise InvalidOption("ttl", f"give 1 to {LONGEST_TTL_S} seconds")
    player = await get_player(ctx, player_id)
    if principal.player_id != player_id:
        principal.require_host_of("player", player.created_by)
    token = "ra_" + base64.urlsafe_b64encode(ctx.random_bytes(TOKEN_BYTES)).decode().rstrip("=")
    await put_token(ctx, token, player_id=player_id, role=player.role, ttl_s=ttl_s)
    log.info("token issued", player=player_id, role=player.role, by=principal.player_id)
    return IssuedToken(token, ctx.now_ms() + ttl_s * 1000)


async def put_token(ctx: Context, token: str, *, player_id: str, role: str, ttl_s: int) -> None:
    """Store a token's hash, as ``create_token`` does and as the first administrator's is."""
    ttl_ms = ttl_s * 1000
    record = TokenRecord(player_id, role, ctx.now_ms() + ttl_ms)
    await ctx.store.put_token(token_hash(token), TOKEN.encode(record), ttl_ms=ttl_ms)


def token_hash(token: str) -> str:
    """Return the hash under which a token is stored; looking it up leaks no timing of the token."""
    return hashlib.sha256(token.encode()).hexdigest()


async def authenticate(ctx: Context, token: str) -> Principal:
    """Return who holds this token; raises NotAuthenticated."""
    data = await ctx.store.get_token(token_hash(token)) if token else None
    if data is None:
        raise NotAuthenticated(
            "the token is missing, unknown, or expired: send 'authorization: Bearer <token>'"
        )
    record = TOKEN.decode(data)
    if record.expires_ms <= ctx.now_ms():
        raise NotAuthenticated("the token has expired: ask for a new one")
    return Principal(record.player_id, record.role)
