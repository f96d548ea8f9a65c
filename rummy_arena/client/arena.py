"""The way in: one connection to an arena."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import grpc

from .caller import CHANNEL_OPTIONS, Caller
from .directors import Directors
from .ladders import Ladders
from .players import Players
from .rules import Rules
from .tables import Tables
from .tls import Tls
from .tournaments import Tournaments
from .webhooks import Webhooks


class Arena:
    """A connection to an arena, to be used in ``async with``.

    ``rules``, ``players``, ``tournaments``, ``directors``, ``webhooks``, ``ladders`` and ``tables``
    hold the calls. Each raises ArenaError when the arena refuses it or cannot be reached.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.rules = Rules(caller)
        self.players = Players(caller)
        self.tournaments = Tournaments(caller)
        self.directors = Directors(caller)
        self.webhooks = Webhooks(caller)
        self.ladders = Ladders(caller)
        self.tables = Tables(caller)

    @classmethod
    def connect(
        cls,
        address: str,
        *,
        token: str | None = None,
        tls: Tls | None = None,
        timeout_s: float = 10.0,
        patience_s: float = 30.0,
    ) -> Self:
        """Return a connection to ``host:port`` or ``unix:/path``; make it inside a running loop.

        With ``tls`` the connection is encrypted; an arena that listens with TLS takes no other.
        ``timeout_s`` bounds each call. A stream that breaks is resumed, unless no server answers
        for ``patience_s``.
        """
        if tls is None:
            channel = grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS)
        else:
            options = (*CHANNEL_OPTIONS, *tls.options)
            channel = grpc.aio.secure_channel(address, tls.credentials, options=options)
        return cls(Caller(address, channel, token, timeout_s, patience_s))

    @property
    def address(self) -> str:
        """Where the arena is."""
        return self._caller.address

    def as_bearer(self, token: str) -> Arena:
        """Return the same connection with another token; only this one closes it."""
        own = self._caller
        return Arena(Caller(own.address, own.channel, token, own.timeout_s, own.patience_s))

    async def close(self) -> None:
        """Close the connection; open streams end."""
        await self._caller.channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
