"""The Lua scripts beside this module, loaded once and run by their hash."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from importlib import resources
from typing import Any

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, RedisClusterException, RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from .errors import StoreUnavailable

NAMES = (
    "acquire",
    "claim_due",
    "commit",
    "create",
    "forget",
    "index_move",
    "presence",
    "pulse",
    "release",
    "renew",
    "report",
)

Argument = str | bytes | int


class Scripts:
    """Runs a script by name, by its hash.

    A server that does not know it, being new or restarted, is sent its text and knows it then:
    in a cluster each node by itself, without a round to all of them that one dead node would fail.
    """

    def __init__(self, ask: Callable[..., Awaitable[Any]]) -> None:
        """``ask`` sends a command, given as words, and returns its reply."""
        folder = resources.files(__package__) / "lua"
        self._ask = ask
        self.texts = {name: (folder / f"{name}.lua").read_text() for name in NAMES}
        self._hashes = {
            name: hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
            for name, text in self.texts.items()
        }

    async def run(self, name: str, keys: Sequence[str], *arguments: Argument) -> Any:
        """Return the script's reply; raises StoreUnavailable when the server cannot be used."""
        with unavailable():
            try:
                return await self._ask("EVALSHA", self._hashes[name], len(keys), *keys, *arguments)
            except NoScriptError:
                return await self._ask("EVAL", self.texts[name], len(keys), *keys, *arguments)


class unavailable:  # noqa: N801  reads as a phrase where it is used
    """Turn redis-py's errors into StoreUnavailable."""

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, RedisConnectionError | RedisTimeoutError | OSError):
            raise StoreUnavailable(f"the state's server does not answer: {error}") from error
        if isinstance(error, RuntimeError) and "closed" in str(error):
            # What uvloop says of a connection that went in the moment before it was written to.
            raise StoreUnavailable(f"the state's server has gone: {error}") from error
        if isinstance(error, RedisError | RedisClusterException):
            raise StoreUnavailable(f"the state's server refused: {error}") from error
