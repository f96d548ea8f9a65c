"""One connection to one server that all callers share, each reply going to who asked for it.

redis-py's client lends a connection to each command, and spends on that, with its retries and
events, twice what the exchange itself costs; and an action at a table is two commands. So the
scripts and reads that every call makes go over one connection of its own: what is asked in one turn
of the loop leaves in one write, and the server, which answers in order, is never waited for by one
caller alone. What blocks the server, or fetches much, goes through the client.

A reply of 5 MB keeps those behind it waiting for some 20 to 50 ms; a slow script, for as long as it
runs, but so it does by any way to the server. A second line made 64 callers no cheaper (5 us each).

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
from redis.exceptions import ReadOnlyError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

LOST = (RedisConnectionError, RedisTimeoutError, OSError, ReadOnlyError)
"""Errors after which a command goes over a new line; a replica's, for its master is elsewhere."""
QUICK = frozenset({"EVAL", "EVALSHA", "GET", "HMGET"})
"""What may go over a line: a command that blocks, or has no reply or several, would hold up all."""
LOOKS = 4  # for late replies, in the time that a reply may take


class Lines:
    """The line to a client's server, and a new one whenever it is lost; for one running loop."""

    def __init__(
        self, client: aioredis.Redis, *, reply_s: float, retries: int, backoff: AbstractBackoff
    ) -> None:
        """Take a line for lost on which no reply comes for ``reply_s`` to ``1.25 * reply_s``.

        What was asked on it is then sent ``retries`` times more. Lines that are lost before their
        first reply follow each other with pauses from ``backoff``, the same for all callers.
        """
        pool: Any = client.connection_pool
        options = {**pool.connection_kwargs, "socket_timeout": None}
        self._connection: Callable[[], AbstractConnection] = lambda: pool.connection_class(
            **options
        )
        self._line: Line | None = None
        self._carrying: set[asyncio.Task[None]] = set()
        self._reply_s = reply_s
        self._retries = retries
        self._backoff = backoff
        self._in_vain = 0
        self._closed = False

    async def ask(self, *words: Any) -> Any:
        """Return the reply to a ``QUICK`` command; raises redis-py's errors, as its client does.

        ValueError for another command.
        """
        if words[0] not in QUICK:
            raise ValueError(f"{words[0]} may hold up every caller; send it through the client")
        failures = 0
        while True:
            line = self._line
            if line is None or line.lost:
                line = self._new_line(line)
            try:
                return await line.ask(words)
            except LOST:
                if failures == self._retries:
                    raise
                failures += 1

    async def close(self) -> None:
        """Close the line for good; whoever waits, or asks later, gets a ConnectionError."""
        self._closed = True
        if self._line is not None:
            self._line.hang_up()
        if self._carrying:
            await asyncio.wait(self._carrying)

    def _new_line(self, lost: Line | None) -> Line:
        if self._closed:
            raise RedisConnectionError("the connection was closed")
        begin_s = 0.0
        if lost is not None:
            # One that was idle may have been dead for long: then a new one is tried at once.
            self._in_vain = 0 if lost.replied else self._in_vain + 1
            if self._in_vain:
                begin_s = lost.lost_s + self._backoff.compute(self._in_vain)
        self._line = line = Line(self._connection(), self._reply_s, begin_s)
        self._carrying.add(line.carrying)
        line.carrying.add_done_callback(self._carrying.discard)
        return line


class Line:
    """One connection: who writes next, who waits for the next reply."""

    def __init__(self, connection: AbstractConnection, reply_s: float, begin_s: float) -> None:
        """Connect at ``begin_s`` by the loop's clock."""
        self.lost = False
        self.lost_s = 0.0  # when, by the loop's clock
        self.replied = False
        self._connection: Any = connection
        self._reply_s = reply_s
        self._loop = asyncio.get_running_loop()
        self._begin_s = max(begin_s, self._loop.time())
        self._unsent: list[bytes] = []
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._asked = asyncio.Event()
        self._first: asyncio.Future[Any] | None = None  # in line at the last look
        self._looks = 0  # since it is
        self._look = self._loop.call_at(self._begin_s + reply_s / LOOKS, self._look_for_late)
        self.carrying = asyncio.ensure_future(self._carry())

    def ask(self, words: tuple[Any, ...]) -> asyncio.Future[Any]:
        """Return the reply that will come; a caller that goes away leaves it to nobody."""
        packed = self._connection.pack_command(*words)
        reply: asyncio.Future[Any] = self._loop.create_future()
        self._unsent += packed
        self._waiting.append(reply)
        self._asked.set()
        return reply

    def hang_up(self, error: BaseException | None = None) -> None:
        """Tell everybody who waits that the line is lost, and have its connection closed."""
        self._lose(error or RedisConnectionError("the connection was closed"))
        self.carrying.cancel()

    async def _carry(self) -> None:
        """Connect, then write and read until the line is lost."""
        error: BaseException = RedisConnectionError("the connection was closed")
        try:
            await asyncio.sleep(self._begin_s - self._loop.time())
            await self._connection.connect()
            error = await self._exchange()
        except Exception as failed:
            error = failed
        finally:
            self._lose(error)
            await self._connection.disconnect(nowait=True)

    async def _exchange(self) -> BaseException:
        """Write and read until one of both fails; return why."""
        ways = [asyncio.ensure_future(self._write()), asyncio.ensure_future(self._read())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            return next(error for way in ways if way.done() and (error := way.exception()))
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

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
                answer = await read(disconnect_on_error=False)  # or the writer would connect anew
            except ReadOnlyError:
                raise
            except ResponseError as refused:  # is a reply as well
                reply = waiting.popleft()
                if not reply.done():
                    reply.set_exception(refused)
            else:
                reply = waiting.popleft()
                if not reply.done():
                    reply.set_result(answer)
            self.replied = True

    def _look_for_late(self) -> None:
        """Give up the line when the same reply is awaited for too many looks in a row.

        So it is not given up while replies come, nor because this process was held up itself.
        """
        first = self._waiting[0] if self._waiting else None
        self._looks = 0 if first is None or first is not self._first else self._looks + 1
        self._first = first
        if self._looks == LOOKS:
            self.hang_up(RedisTimeoutError("the server did not reply in time"))
        else:
            self._look = self._loop.call_later(self._reply_s / LOOKS, self._look_for_late)

    def _lose(self, error: BaseException) -> None:
        if not self.lost:
            self.lost, self.lost_s = True, self._loop.time()
        self._look.cancel()
        # A refusal is one of the connection itself: of its password, or its database.
        kind = type(error) if isinstance(error, (*LOST, ResponseError)) else RedisConnectionError
        while self._waiting:
            reply = self._waiting.popleft()
            if not reply.done():
                reply.set_exception(kind(*error.args))
