"""What each part of the store works through: the client and its scripts."""

from __future__ import annotations

from typing import Any

import redis.asyncio as aioredis

from .scripts import Scripts


class Link:
    """A client, which replies in bytes, and the scripts loaded through it."""

    def __init__(self, client: aioredis.Redis) -> None:
        self._client: Any = client  # its stubs allow for str replies; here all are bytes
        self._scripts = Scripts(client)
