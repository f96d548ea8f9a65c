"""The one factory of Redis connections, with every time limit and retry stated."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import hiredis
import redis.asyncio as aioredis
from redis.asyncio.client import PubSub
from redis.asyncio.connection import AbstractConnection, SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from .cluster import Cluster
from .lines import Lines

CONNECTIONS = 64
CONNECT_S = 3.0
SOCKET_S = 5.0
LONGEST_BLOCK_MS = int(SOCKET_S * 1000) - 1000
"""A command may block the server for so long without passing for one that got no reply."""
RETRIES = 3  # safe, because every script may run twice
POOL_WAIT_S = 5.0
BACKOFF = ExponentialWithJitterBackoff(base=0.05, cap=1.0)
CLUSTER_SCHEMES = {"redis-cluster": "redis", "rediss-cluster": "rediss"}
CLUSTER_PORT = 6379
LIMITS: dict[str, Any] = {
    "protocol": 2,  # replies of one shape from every server
    "socket_timeout": SOCKET_S,
    "socket_connect_timeout": CONNECT_S,
}

Client: TypeAlias = aioredis.Redis | Cluster


class Packing(AbstractConnection):
    """Encodes commands with hiredis, as redis-py's own synchronous connections do.

    A commit has some thirty arguments: 2.5 us instead of 20 us of every one.
    """

    def pack_command(self, *args: Any) -> list[bytes]:
        """Return the command's bytes; the first argument may hold several words."""
        words = args[0].encode() if isinstance(args[0], str) else args[0]
        return [hiredis.pack_command((*words.split(), *args[1:]))]


def _packing(kind: type[AbstractConnection]) -> type[AbstractConnection]:
    return type("PackingConnection", (Packing, kind), {})


def connect(url: str, *, connections: int = CONNECTIONS) -> Client:
    """Return a client for a server's URL; it connects when used, and closes its pool with itself.

    ``redis://``, ``rediss://``, and ``unix://`` or ``redis+socket://`` followed by a path; the
    database is ``?db=``. ``redis-cluster://host:port[,host:port]`` and ``rediss-cluster://`` name
    some nodes of a cluster. ValueError for another URL.
    """
    scheme, separator, rest = url.partition("://")
    if scheme in CLUSTER_SCHEMES:
        return _connect_cluster(url, connections)
    if scheme == "redis+socket":
        url = f"unix{separator}{rest.replace('virtual_host=', 'db=')}"  # as the broker writes it
    pool = aioredis.BlockingConnectionPool.from_url(
        url,
        retry=Retry(BACKOFF, RETRIES),
        retry_on_error=[RedisConnectionError, RedisTimeoutError],
        max_connections=connections,
        timeout=POOL_WAIT_S,
        **LIMITS,
    )
    pool.connection_class = _packing(pool.connection_class)
    return aioredis.Redis.from_pool(pool)


def _connect_cluster(url: str, connections: int) -> Cluster:
    parts = urlsplit(url)
    login, at, hosts = parts.netloc.rpartition("@")
    nodes: list[tuple[str, int]] = []
    options: dict[str, Any] = {}
    for host in hosts.split(","):
        scheme = CLUSTER_SCHEMES[parts.scheme]
        options = dict(
            parse_url(urlunsplit(parts._replace(scheme=scheme, netloc=login + at + host)))
        )
        if "host" not in options:
            raise ValueError(f"name a cluster's nodes as {parts.scheme}://host:port,host:port")
        nodes.append((options.pop("host"), options.pop("port", CLUSTER_PORT)))
    if options.pop("db", 0):
        raise ValueError("a cluster has database 0 only; leave the number out")
    ssl = options.pop("connection_class", None) is SSLConnection
    return Cluster(
        nodes,
        _packing,
        connections=connections,
        wait_s=POOL_WAIT_S,
        retries=RETRIES,
        backoff=BACKOFF,
        ssl=ssl,
        **options,
        **LIMITS,
    )


def lines_of(client: Client) -> Lines | None:
    """Return the lines of a client of one server; None for a cluster, whose client finds nodes."""
    if isinstance(client, Cluster):
        return None
    return Lines(client, reply_s=SOCKET_S, retries=RETRIES, backoff=BACKOFF)


async def together(client: Client, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Send commands in one go and return their replies; those of one slot run in their order."""
    if isinstance(client, Cluster):
        return await client.together(commands)
    async with client.pipeline(transaction=False) as pipe:
        for command in commands:
            pipe.execute_command(*command)
        return await pipe.execute()


def subscriber(client: Client) -> PubSub:
    """Return a subscription on a connection of its own to the client's server.

    In a cluster that is any node, for it hears what is published at every other. It never
    reconnects by itself, so that its owner learns of every gap.
    """
    if isinstance(client, Cluster):
        node = client.any_node(random.choice)
        kind: Any = node.connection_class
        options: dict[str, Any] = dict(node.connection_kwargs)
    else:
        kind = client.connection_pool.connection_class
        options = dict(client.connection_pool.connection_kwargs)
    options.pop("retry_on_error", None)
    options["retry"] = Retry(NoBackoff(), 0, supported_errors=())
    return PubSub(aioredis.ConnectionPool(kind, max_connections=1, **options))
