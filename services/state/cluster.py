"""A Redis Cluster as the state's server: redis-py's client, with the waiting and retrying of ours.

Every key of one command shares a hash tag, so a command goes to one node. The library follows the
slots (MOVED, ASK, TRYAGAIN); what it leaves open is here: callers wait for a connection instead of
being refused one, retries pause in between, and a node that failed is asked last for the new map.
As with a single server a retry may run a script twice, which every script allows for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

from redis._parsers import AsyncCommandsParser
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import AbstractConnection, Connection
from redis.asyncio.retry import Retry
from redis.backoff import AbstractBackoff
from redis.exceptions import ClusterError, RedisClusterException, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

T = TypeVar("T")
SPARE = 8  # connections a node may have beyond those of callers: to learn the map of the slots
MOVING = (RedisConnectionError, RedisTimeoutError, ClusterError, RedisClusterException)
"""What passes when the cluster has settled: a node gone, a slot on its way, no map to be had."""


class Keys(AsyncCommandsParser):
    """Knows the keys of the store's commands by itself.

    The library's asks the first master for them whenever it learns the map, so that nothing works
    while that one is dead, and asks again before every XREADGROUP.
    """

    async def initialize(self, node: ClusterNode | None = None) -> None:
        """Ask nobody."""

    async def get_keys(self, *args: Any) -> tuple[Any, ...]:
        """Return a command's key: the word after its name, or after STREAMS."""
        if args[0] != "XREADGROUP":
            return args[1:2]
        place = next(at for at, word in enumerate(args) if word in ("STREAMS", b"STREAMS"))
        return args[place + 1 : place + 2]


class Cluster(RedisCluster):
    """A client of all masters; used like the client of one server, as far as the store needs."""

    def __init__(
        self,
        nodes: Sequence[tuple[str, int]],
        wrap: Callable[[type[AbstractConnection]], type[AbstractConnection]],
        *,
        connections: int,
        wait_s: float,
        retries: int,
        backoff: AbstractBackoff,
        **options: Any,
    ) -> None:
        """Know ``nodes`` to begin with; ``wrap`` makes the class of its connections."""
        super().__init__(
            startup_nodes=[ClusterNode(host, port) for host, port in nodes],
            max_connections=connections + SPARE,
            reinitialize_steps=0,  # else every fifth MOVED cuts all connections, in use or not
            retry=Retry(backoff, 0),  # the library would retry without a pause
            **options,
        )
        self._wrap_connections(wrap)
        self.commands_parser = Keys()
        self._room = asyncio.Semaphore(connections)
        self._wait_s = wait_s
        self._retries = retries
        self._backoff = backoff
        self._failed: str | None = None

    def _wrap_connections(
        self, wrap: Callable[[type[AbstractConnection]], type[AbstractConnection]]
    ) -> None:
        kind = wrap(self.connection_kwargs["connection_class"])
        self.connection_kwargs["connection_class"] = kind  # of every node that is learned of
        for node in self.nodes_manager.startup_nodes.values():
            node.connection_class = cast(type[Connection], kind)

    async def initialize(
        self,
        additional_startup_nodes_info: list[tuple[str, int]] | None = None,
        last_failed_node_name: str | None = None,
    ) -> RedisCluster:
        """Learn the map of the slots if it is not known, from the node that failed last of all."""
        return await super().initialize(
            additional_startup_nodes_info, last_failed_node_name or self._failed
        )

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Run one command on the node of its keys, and again while the cluster is moving."""
        run = super().execute_command

        async def ask() -> Any:
            await self.initialize()  # before the library chooses: without a map it takes any node
            return await run(*args, **options)

        return await self._tried(ask)

    async def together(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Run commands in one go, those of one slot in their order, and return their replies."""

        async def ask() -> list[Any]:
            await self.initialize()
            pipe = self.pipeline()
            for command in commands:
                pipe.execute_command(*command)
            return await pipe.execute()

        return await self._tried(ask)

    async def ping(self, **options: Any) -> bool:
        """Return True if any master answers: the others' tables can be played."""
        async with self._place():
            await self.initialize()
            error: Exception | None = None
            for node in self.get_primaries():
                try:
                    return bool(await node.execute_command("PING"))
                except (RedisError, OSError) as failed:
                    error = failed
        raise error or RedisConnectionError("the cluster has no masters")

    def any_node(self, choose: Callable[[list[ClusterNode]], ClusterNode]) -> ClusterNode:
        """Return a node to subscribe at; all of them hear every message."""
        known = self.get_primaries() or list(self.nodes_manager.startup_nodes.values())
        sound = [node for node in known if node.name != self._failed]
        return choose(sound or known)

    async def _tried(self, ask: Callable[[], Awaitable[T]]) -> T:
        async with self._place():
            for failures in range(1, self._retries + 1):
                try:
                    return await ask()
                except MOVING as error:
                    self._failed = getattr(error, "last_failed_node_name", self._failed)
                await asyncio.sleep(self._backoff.compute(failures))
            return await ask()

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._wait_s):
                await self._room.acquire()
        except TimeoutError:
            raise RedisConnectionError("No connection available.") from None
        try:
            yield
        finally:
            self._room.release()
