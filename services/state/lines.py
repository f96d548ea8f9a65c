"""One connection to one server that all callers share, each reply going to who asked for it.

redis-py's client lends a connection to each command, and spends on that, with its retries and
events, twice what the exchange itself costs; and an action at a table is two commands. So the
scripts and reads that every call makes go over one connection of its own: what is asked in one turn
of the loop leaves in one write, and the server, which answers in order, is never waited for by one
caller alone. What blocks the server, or fetches much, goes through the client.

Like the client's, a command whose reply is lost is sent again, which every script allows for. That
replies are late is seen by one look now and then, for a timer around each would cost as much again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

import redis.asyncio as aioredis
from redis.asyncio.connection import AbstractConnection
from redis.backoff import AbstractBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

LOST = (RedisConnectionError, RedisTimeoutError, OSError)


class Lines:
    """The line to a client's server, and a new one whenever it is lost; for one running loop."""

    def __init__(
        self, client: aioredis.Redis, *, reply_s: float, retries: int, backoff: AbstractBackoff
    ) -> None:
        """Take a reply that is ``reply_s`` to ``1.5 * reply_s`` late, or its line, for lost.

        Its command is then sent ``retries`` times more, with pauses from ``backoff``.
        """
        pool: Any = client.connection_pool
        options = {**pool.connection_kwargs, "socket_timeout": None}
        self._connection: Callable[[], AbstractConnection] = lambda: pool.connection_class(
            **options
        )
        self._line: Line | None = None
        self._reply_s = reply_s
        self._retries = retries
        self._backoff = backoff

    async def ask(self, *words: Any) -> Any:
        """Return the reply to a command; raises redis-py's errors, as its client does."""
        failures = 0
        while True:
            if self._line is None or self._line.lost:
                self._line = Line(self._connection(), self._reply_s)
            try:
                return await self._line.ask(words)
            except LOST:
                if failures == self._retries:
                    raise
                # A line that was idle may have been dead for long: a new one is tried at once.
                if failures:
                    await asyncio.sleep(self._backoff.compute(failures))
                failures += 1

    async def close(self) -> None:
        """Close the line; whoever waits is told that it was lost."""
        if self._line is not None:
            await self._line.close()


class Line:
    """One connection: who writes next, who waits for the next reply."""

    def __init__(self, connection: AbstractConnection, reply_s: float) -> None:
        self.lost = False
        self._connection: Any = connection
        self._reply_s = reply_s
        self._loop = asyncio.get_running_loop()
        self._unsent: list[bytes] = []
        self._waiting: deque[tuple[asyncio.Future[Any], float]] = deque()  # and since when
        self._asked = asyncio.Event()
        self._look = self._loop.call_later(reply_s / 2, self._look_for_late)
        self._carrying = asyncio.ensure_future(self._carry())

    def ask(self, words: tuple[Any, ...]) -> asyncio.Future[Any]:
        """Return the reply that will come; a caller that goes away leaves it to nobody."""
        reply: asyncio.Future[Any] = self._loop.create_future()
        self._unsent += self._connection.pack_command(*words)
        self._waiting.append((reply, self._loop.time()))
        self._asked.set()
        return reply

    async def close(self) -> None:
        """Close the connection; returns when it is closed."""
        self._carrying.cancel()
        await asyncio.wait([self._carrying])

    async def _carry(self) -> None:
        """Connect, then write and read until the line is lost."""
        error: BaseException = RedisConnectionError("the connection was closed")
        ways: list[asyncio.Future[None]] = []
        try:
            await self._connection.connect()
            ways = [asyncio.ensure_future(self._write()), asyncio.ensure_future(self._read())]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            error = next(way.exception() or error for way in ways if way.done())
        except LOST as failed:
            error = failed
        finally:
            self._hang_up(error)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            await self._connection.disconnect(nowait=True)

    async def _write(self) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            unsent, self._unsent = self._unsent, []
            await self._connection.send_packed_command(unsent, check_health=False)

    async def _read(self) -> None:
        waiting, read = self._waiting, self._connection.read_response
        while True:
            try:
                answer = await read()
            except ResponseError as refused:  # is a reply as well
                reply = waiting.popleft()[0]
                if not reply.done():
                    reply.set_exception(refused)
                continue
            reply = waiting.popleft()[0]
            if not reply.done():
                reply.set_result(answer)

    def _look_for_late(self) -> None:
        late = self._loop.time() - self._reply_s
        if self._waiting and self._waiting[0][1] <= late:
            self._hang_up(RedisTimeoutError("the server did not reply in time"))
            self._carrying.cancel()
        else:
            self._look = self._loop.call_later(self._reply_s / 2, self._look_for_late)

    def _hang_up(self, error: BaseException) -> None:
        """Tell everybody who waits that the line is lost."""
        self.lost = True
        self._look.cancel()
        kind = type(error) if isinstance(error, LOST) else RedisConnectionError
        while self._waiting:
            reply = self._waiting.popleft()[0]
            if not reply.done():
                reply.set_exception(kind(*error.args))
