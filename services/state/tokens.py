"""What bearer tokens stand for, by the hash of the token, each with its own time to live."""

from __future__ import annotations

from . import keys
from .link import Link
from .scripts import unavailable


class Tokens(Link):
    """One string a token; the server forgets it by itself."""

    async def put_token(self, token_hash: str, data: bytes, *, ttl_ms: int) -> None:
        """Keep what a token stands for until its time is over."""
        with unavailable():
            await self._client.set(keys.token(token_hash), data, px=ttl_ms)

    async def get_token(self, token_hash: str) -> bytes | None:
        """Return what a token stands for, or None."""
        with unavailable():
            data: bytes | None = await self._client.get(keys.token(token_hash))
        return data

    async def drop_token(self, token_hash: str) -> bool:
        """Revoke a token; return whether there was one."""
        with unavailable():
            return bool(await self._client.delete(keys.token(token_hash)))
