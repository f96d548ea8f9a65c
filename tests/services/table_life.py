"""People around a table of one's own, for the tests of its life over the API."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

from rummy_arena.api.v1.player_pb2 import Role
from rummy_arena.api.v1.table_pb2 import Table
from rummy_arena.client import Arena, ArenaError

from .conftest import Api

RULES = "kalooki-jamaican"
SEATS = 3


@dataclass(frozen=True)
class Guest:
    """A player and its connection."""

    id: str
    arena: Arena


@dataclass(frozen=True)
class Party:
    """Everybody who may come near a table."""

    admin: Guest
    creator: Guest  # a player who creates the table, and has no seat
    host: Guest  # another host
    seated: Guest  # a player at seat 0
    others: tuple[Guest, Guest]  # who take the other seats
    elsewhere: Guest  # a player who sits at no table
    spectator: Guest

    def role(self, name: str) -> Guest:
        """Return the guest of this name."""
        guest = getattr(self, name)
        assert isinstance(guest, Guest)
        return guest

    async def open(self, **terms: object) -> Table:
        """Return a table with one player at it."""
        table = await self.creator.arena.tables.create(RULES, SEATS, **terms)  # type: ignore[arg-type]
        await self.creator.arena.tables.take_seat(table.id, player_id=self.seated.id)
        return table

    async def full(self, **terms: object) -> Table:
        """Return a table whose seats are all taken."""
        table = await self.open(**terms)
        for guest in self.others:
            await self.creator.arena.tables.take_seat(table.id, player_id=guest.id)
        return table

    async def playing(self, **terms: object) -> Table:
        """Return a table whose game has started."""
        table = await self.full(**terms)
        await self.creator.arena.tables.start(table.id)
        return await self.creator.arena.tables.get(table.id)

    async def paused(self, **terms: object) -> Table:
        """Return a table whose game stands still."""
        table = await self.playing(**terms)
        await self.creator.arena.tables.pause(table.id)
        return table

    async def in_turn(self, table_id: str) -> Guest:
        """Return the guest whose decision is awaited."""
        table = await self.creator.arena.tables.get(table_id)
        return (self.seated, *self.others)[table.waiting_seats[0]]


async def party_of(api: Api) -> Party:
    """Return a new party."""

    async def guest(name: str, role: Role.ValueType) -> Guest:
        made = await api.admin.players.create(name, role=role)
        token = await api.admin.players.create_token(made.id)
        return Guest(made.id, api.admin.as_bearer(token.secret))

    return Party(
        admin=Guest("admin", api.admin),
        creator=await guest("Creator", Role.ROLE_PLAYER),
        host=await guest("Host", Role.ROLE_HOST),
        seated=await guest("Seated", Role.ROLE_PLAYER),
        others=(await guest("Second", Role.ROLE_BOT), await guest("Third", Role.ROLE_PLAYER)),
        elsewhere=await guest("Elsewhere", Role.ROLE_PLAYER),
        spectator=await guest("Spectator", Role.ROLE_SPECTATOR),
    )


async def told(call: Awaitable[object]) -> str:
    """Return the reason for which a call is refused, or "ok"."""
    try:
        await call
    except ArenaError as error:
        return error.reason
    return "ok"


async def ask(who: Guest, name: str, request: Any) -> Any:
    """Make one call with this very request."""
    tables = who.arena.tables
    return await tables._caller.call(getattr(tables._stub, name), request)
