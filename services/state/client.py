"""The one factory of Redis connections, with every time limit and retry stated."""

from __future__ import annotations

import asyncio
from typing import Any

import redis.asyncio as aioredis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

CONNECTIONS = 64
CONNECT_S = 3.0
SOCKET_S = 5.0
RETRIES = 3  # safe, because every script may run twice
POOL_WAIT_S = 5.0


def connect(url: str, *, connections: int = CONNECTIONS) -> aioredis.Redis:
    """Return a client for ``redis://``, ``rediss://`` or ``unix://`` URLs; it connects when used.

    ValueError for another URL.
    """
    if url.startswith("redis+socket://"):
        raise ValueError("write a unix socket as unix:///path/to/socket?db=0")
    options: dict[str, Any] = {
        "socket_timeout": SOCKET_S,
        "retry": Retry(ExponentialWithJitterBackoff(base=0.05, cap=1.0), RETRIES),
        "retry_on_error": [RedisConnectionError, RedisTimeoutError, asyncio.TimeoutError],
        "max_connections": connections,
        "timeout": POOL_WAIT_S,
    }
    if not url.startswith("unix://"):
        options["socket_connect_timeout"] = CONNECT_S
    pool = aioredis.BlockingConnectionPool.from_url(url, **options)
    return aioredis.Redis(connection_pool=pool)
