"""What bearer tokens stand for, by the id of the token, each with its own time to live."""

from __future__ import annotations

from collections.abc import Sequence

from . import keys
from .link import Link
from .scripts import unavailable

CHANGED = ("token", "changed")
"""Aggregate and id under which ``wakeups`` tell that a token was revoked or rotated."""


class Tokens(Link):
    """One string a token, which the server forgets by itself, and one list a player."""

    async def put_token(self, token_id: str, data: bytes, *, ttl_ms: int) -> None:
        """Keep what a token stands for until its time is over."""
        with unavailable():
            await self._client.set(keys.token(token_id), data, px=ttl_ms)

    async def add_token(
        self, token_id: str, data: bytes, *, player_id: str, ttl_ms: int, expires_ms: int
    ) -> bytes:
        """Keep a new token in its player's list; return its data, or what was there before it.

        It is listed first, so that no token is ever missing when all of a player's are revoked.
        """
        with unavailable():
            await self._client.zadd(keys.player_tokens(player_id), {token_id: expires_ms})
            there: bytes | None = await self._client.set(
                keys.token(token_id), data, px=max(1, ttl_ms), nx=True, get=True
            )
        return data if there is None else there

    async def replace_token(
        self, token_id: str, data: bytes, *, player_id: str, ttl_ms: int, expires_ms: int
    ) -> None:
        """Keep what a listed token stands for now, and until when, and tell every process."""
        with unavailable():
            await self._client.set(keys.token(token_id), data, px=max(1, ttl_ms))
            await self._client.zadd(keys.player_tokens(player_id), {token_id: expires_ms})
        await self.tell_tokens_changed()

    async def get_token(self, token_id: str) -> bytes | None:
        """Return what a token stands for, or None."""
        with unavailable():
            data: bytes | None = await self._ask("GET", keys.token(token_id))
        return data

    async def get_tokens(self, token_ids: Sequence[str]) -> list[bytes | None]:
        """Return what each token stands for, or None, in one round trip."""
        if not token_ids:
            return []
        return await self._together(*(("GET", keys.token(token_id)) for token_id in token_ids))

    async def player_tokens(self, player_id: str, *, now_ms: int) -> list[str]:
        """Return the ids of a player's tokens whose time is not over, the first to end first."""
        name = keys.player_tokens(player_id)
        with unavailable():
            await self._client.zremrangebyscore(name, "-inf", now_ms)
            return [token_id.decode() for token_id in await self._client.zrange(name, 0, -1)]

    async def drop_token(self, token_id: str) -> bool:
        """Forget a token; return whether there was one."""
        with unavailable():
            return bool(await self._client.delete(keys.token(token_id)))

    async def drop_tokens(self, player_id: str, token_ids: Sequence[str]) -> int:
        """Revoke tokens of one player and tell every process; return how many there were."""
        if not token_ids:
            return 0
        dropped: int = sum(
            await self._together(*(("DEL", keys.token(token_id)) for token_id in token_ids))
        )
        with unavailable():
            await self._client.zrem(keys.player_tokens(player_id), *token_ids)
        await self.tell_tokens_changed()
        return dropped

    async def tell_tokens_changed(self) -> None:
        """Wake whoever remembers tokens, in every process, to look again."""
        with unavailable():
            await self._client.publish(keys.wake_channel(*CHANGED), b"")
