"""The Lua scripts beside this module, loaded once and run by their hash."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any

import redis.asyncio as aioredis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from .errors import StoreUnavailable

NAMES = (
    "acquire",
    "claim_due",
    "commit",
    "create",
    "forget",
    "presence",
    "pulse",
    "release",
    "report",
)

Argument = str | bytes | int


class Scripts:
    """Runs a script by name; after a flush or restart of the server it is loaded again."""

    def __init__(self, client: aioredis.Redis) -> None:
        folder = resources.files(__package__) / "lua"
        self._scripts = {
            name: client.register_script((folder / f"{name}.lua").read_text()) for name in NAMES
        }

    async def run(self, name: str, keys: Sequence[str], *arguments: Argument) -> Any:
        """Return the script's reply; raises StoreUnavailable when the server cannot be used."""
        with unavailable():
            return await self._scripts[name](keys=list(keys), args=list(arguments))


class unavailable:  # noqa: N801  reads as a phrase where it is used
    """Turn redis-py's errors into StoreUnavailable."""

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, RedisConnectionError | RedisTimeoutError | OSError):
            raise StoreUnavailable(f"the state's server does not answer: {error}") from error
        if isinstance(error, RedisError):
            raise StoreUnavailable(f"the state's server refused: {error}") from error
