"""Connections to one server, each lent to one command at a time.

redis-py's client spends on each command, with its pool, its retries and its events, twice what the
exchange itself costs, and an action at a table is two commands. So the scripts and reads that every
call makes go over its connections directly: the last one used first, as many as there are callers
at the same time. Like the client's, a command whose reply is lost is sent again, which every script
allows for. That a reply is late is seen by one look at all lines now and then, for a timer around
each command would cost as much again.
"""

from __future__ import annotations

import asyncio
from typing import Any

import redis.asyncio as aioredis
from redis.asyncio.connection import AbstractConnection
from redis.backoff import AbstractBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

LOST = (RedisConnectionError, RedisTimeoutError, OSError)


class Lines:
    """The connections of one client's server; make it and use it inside one running loop."""

    def __init__(
        self,
        client: aioredis.Redis,
        *,
        connections: int,
        wait_s: float,
        reply_s: float,
        retries: int,
        backoff: AbstractBackoff,
    ) -> None:
        """Lend up to ``connections`` at a time; further callers wait up to ``wait_s`` for one.

        A command that gets no reply within ``reply_s`` to ``1.5 * reply_s``, or whose connection is
        lost, is sent ``retries`` times more, with pauses from ``backoff``.
        """
        pool: Any = client.connection_pool
        self._kind: type[AbstractConnection] = pool.connection_class
        self._options = {**pool.connection_kwargs, "socket_timeout": None}
        self._idle: list[AbstractConnection] = []
        self._busy: dict[AbstractConnection, float] = {}  # and since when
        self._reply_s = reply_s
        self._look: asyncio.TimerHandle | None = None
        self._room = asyncio.Semaphore(connections)
        self._wait_s = wait_s
        self._retries = retries
        self._backoff = backoff

    async def ask(self, *words: Any) -> Any:
        """Return the reply to a command; raises redis-py's errors, as its client does."""
        if self._room.locked():
            await self._room_for_one()
        else:
            await self._room.acquire()
        try:
            failures = 0
            while True:
                try:
                    return await self._exchange(words)
                except LOST:
                    if failures == self._retries:
                        raise
                    # A line that was idle may have been dead for long: a new one is tried at once.
                    if failures:
                        await asyncio.sleep(self._backoff.compute(failures))
                    failures += 1
        finally:
            self._room.release()

    async def close(self) -> None:
        """Close the idle connections."""
        if self._look is not None:
            self._look.cancel()
        while self._idle:
            await self._idle.pop().disconnect()

    async def _room_for_one(self) -> None:
        try:
            async with asyncio.timeout(self._wait_s):
                await self._room.acquire()
        except TimeoutError:
            raise RedisConnectionError("no connection became free in time") from None

    async def _exchange(self, words: tuple[Any, ...]) -> Any:
        idle, loop = self._idle, asyncio.get_running_loop()
        line = idle.pop() if idle else self._kind(**self._options)
        self._busy[line] = loop.time()
        if self._look is None:
            self._look = loop.call_later(self._reply_s / 2, self._look_at_lines)
        try:
            await line.send_packed_command(line.pack_command(*words), check_health=False)
            reply = await line.read_response()
        except ResponseError:  # a reply as well
            idle.append(line)
            raise
        except LOST:
            self._hang_up()
            raise
        finally:
            del self._busy[line]
        # Whatever else cuts in between, redis-py has closed this line.
        idle.append(line)
        return reply

    def _look_at_lines(self) -> None:
        """Close the lines that have waited for too long, which their callers see as lost."""
        loop = asyncio.get_running_loop()
        late = loop.time() - self._reply_s
        _close([line for line, since in self._busy.items() if since <= late])
        again = self._reply_s / 2
        self._look = loop.call_later(again, self._look_at_lines) if self._busy else None

    def _hang_up(self) -> None:
        """Forget the idle lines: where one is dead, so are mostly all."""
        dead, self._idle = self._idle, []
        _close(dead)


def _close(lines: list[AbstractConnection]) -> None:
    for line in lines:
        asyncio.ensure_future(line.disconnect(nowait=True))  # noqa: RUF006  nobody waits for it
