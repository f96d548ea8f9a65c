"""One channel: calls with a deadline, streams that take up where they broke off."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

import grpc

from .errors import UNREACHABLE, ArenaError, arena_error

Request = TypeVar("Request")
Response = TypeVar("Response")

_API = "rummy_arena.api.v1"

# Calls are made again by ``Caller.call`` below, which knows what was answered; gRPC itself repeats
# only what never left this process or was refused unread.
_SERVICE_CONFIG = json.dumps({"methodConfig": [{"name": [{}]}]})
CHANNEL_OPTIONS: tuple[tuple[str, str | int], ...] = (
    ("grpc.service_config", _SERVICE_CONFIG),
    ("grpc.keepalive_time_ms", 30_000),  # the server permits one ping in 10 s
    ("grpc.keepalive_timeout_ms", 10_000),
    # How long one attempt to connect may take, whatever the name suggests.
    ("grpc.min_reconnect_backoff_ms", 2_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # Each Arena has a connection of its own, so that several spread over the servers of a port.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", 8 * 1024 * 1024),
)
_SLOW_CONSUMER = "SLOW_CONSUMER"
"""Reason for a stream that was read more slowly than events came: all of them are still there."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 1.0
_BRIEFLY_S = 1.5
"""How long a call is made again for a trouble that a repeat may not end."""

# A server that is killed or told to stop leaves calls with these. Whoever cancels in this process
# gets CancelledError instead.
_GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
_PASSING_REASONS = (UNREACHABLE, "DRAINING", "CANCELLED")
# Somebody else has what is to be changed, or died with it: the server asks for the same request.
_AGAIN = (*_GONE, grpc.StatusCode.ABORTED)


class _Event(Protocol):
    @property
    def sequence(self) -> int: ...


class _Update(Protocol):
    """What the messages of all watch streams have in common."""

    def WhichOneof(self, oneof_group: Literal["update"], /) -> str | None: ...  # noqa: N802  protobuf's name

    @property
    def snapshot(self) -> _Event: ...
    @property
    def event(self) -> _Event: ...


class _PageRequest(Protocol):
    page_token: str


class _Page(Protocol):
    """What the pages of all lists have in common."""

    @property
    def next_page_token(self) -> str: ...


UpdateType = TypeVar("UpdateType", bound=_Update)
PageRequest = TypeVar("PageRequest", bound=_PageRequest)
PageType = TypeVar("PageType", bound=_Page)


@dataclass(frozen=True)
class Caller:
    """A channel to one address with the token that goes along with each call."""

    address: str
    channel: grpc.aio.Channel
    token: str | None = field(repr=False)
    timeout_s: float
    patience_s: float
    reached: asyncio.Event = field(default_factory=asyncio.Event, compare=False)
    """Set once a server has answered."""

    def __post_init__(self) -> None:
        """Raise ValueError for a token that cannot be sent, with which gRPC would wait for ever."""
        if self.token is not None and not (self.token.isascii() and self.token.isprintable()):
            raise ValueError("a token has printable ASCII characters only; copy it as it was given")

    @property
    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    async def call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request
    ) -> Response:
        """Return the answer, or raise ArenaError; all attempts together take ``timeout_s``.

        A call that found no server, or one that was leaving, is made again with the same request,
        its request id with it: what was done already is answered, not done twice. A caller that was
        too fast for the server waits as long as it says.
        """
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        pauses = Pauses(self.timeout_s)
        while True:
            left_s = max(0.0, began_s + self.timeout_s - loop.time())
            try:
                answer = await method(request, timeout=left_s, metadata=self._metadata)
            except grpc.aio.AioRpcError as error:
                failed = arena_error(error, self.address)
                if await _waited(failed, began_s + self.timeout_s):
                    continue
                if error.code() not in _AGAIN or loop.time() - began_s >= self._repeat_s(failed):
                    raise failed from None
            else:
                self.reached.set()
                return answer
            await pauses.pause()

    async def pages(
        self, method: grpc.aio.UnaryUnaryMultiCallable[PageRequest, PageType], request: PageRequest
    ) -> AsyncIterator[PageType]:
        """Yield the pages of a list, from the first to the last; raise ArenaError."""
        while True:
            page = await self.call(method, request)
            yield page
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def download(
        self, method: grpc.aio.UnaryStreamMultiCallable[Request, Response], request: Request
    ) -> AsyncIterator[Response]:
        """Yield the pieces of something that has an end; raise ArenaError if it breaks off.

        Until the first piece has come it is asked for again as in ``call``.
        """
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        pauses = Pauses(self.timeout_s)
        begun = False
        while True:
            try:
                async for piece in method(request, metadata=self._metadata):
                    begun = True
                    self.reached.set()
                    yield piece
            except grpc.aio.AioRpcError as error:
                failed = arena_error(error, self.address)
                if not begun and await _waited(failed, began_s + self.timeout_s):
                    continue
                late = loop.time() - began_s >= self._repeat_s(failed)
                if begun or error.code() not in _GONE or late:
                    raise failed from None
            else:
                return
            await pauses.pause()

    def _repeat_s(self, failed: ArenaError) -> float:
        """Return for how long after its first attempt a call is made again."""
        if failed.code is not grpc.StatusCode.ABORTED and failed.reason not in _PASSING_REASONS:
            return min(_BRIEFLY_S, self.timeout_s)
        # An address where nobody ever answered is likely a wrong one.
        patient = self.reached.is_set() or failed.reason != UNREACHABLE
        # The last attempt must have time to be made.
        return self.timeout_s * 0.8 if patient else min(_BRIEFLY_S, self.timeout_s)

    async def watch(
        self,
        method: grpc.aio.UnaryStreamMultiCallable[Request, UpdateType],
        request: Callable[[int | None], Request],
        after: int | None,
    ) -> AsyncIterator[UpdateType]:
        """Yield the updates of a stream, heartbeats left out, until the server ends it.

        A stream that breaks, or that was read too slowly, is asked for again after the last
        sequence that arrived; ArenaError if it is refused, or if no server answers for
        ``patience_s`` seconds.
        """
        pauses = Pauses(self.patience_s)
        while True:
            try:
                async for update in method(request(after), metadata=self._metadata):
                    pauses.reset()
                    self.reached.set()
                    kind = update.WhichOneof("update")
                    if kind == "heartbeat":
                        continue
                    if kind == "event":
                        after = update.event.sequence
                    elif kind == "snapshot":
                        after = update.snapshot.sequence
                    yield update
            except grpc.aio.AioRpcError as error:
                failed = arena_error(error, self.address)
                until_s = asyncio.get_running_loop().time() + self.patience_s
                if not pauses.exhausted and await _waited(failed, until_s):
                    continue
                goes_on = error.code() in _GONE or failed.reason == _SLOW_CONSUMER
                if not goes_on or pauses.exhausted:
                    raise failed from None
                await pauses.pause()
            else:
                return


async def _waited(failed: ArenaError, until_s: float) -> bool:
    """Wait as long as the server asked for, and return True, if that ends in time."""
    if failed.retry_after_s is None:
        return False
    # Those who were refused together must not all come back together.
    pause_s = failed.retry_after_s * random.uniform(1.0, 1.2)  # noqa: S311  jitter, not a secret
    if asyncio.get_running_loop().time() + pause_s >= until_s:
        return False
    await asyncio.sleep(pause_s)
    return True


class Pauses:
    """Growing pauses with jitter between attempts, and when to give up."""

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self.reset()

    def reset(self) -> None:
        """Start again: something has arrived."""
        self._next_s = _FIRST_PAUSE_S
        self._trouble_since_s: float | None = None

    @property
    def exhausted(self) -> bool:
        """Whether there has been nothing but trouble for too long."""
        now_s = asyncio.get_running_loop().time()
        if self._trouble_since_s is None:
            self._trouble_since_s = now_s
        return now_s - self._trouble_since_s >= self._patience_s

    async def pause(self) -> None:
        """Wait before the next attempt."""
        pause_s = self._next_s * random.uniform(0.5, 1.0)  # noqa: S311  jitter, not a secret
        self._next_s = min(self._next_s * 2, _LONGEST_PAUSE_S)
        await asyncio.sleep(pause_s)


def new_request_id() -> str:
    """Return a request id that nobody else makes."""
    return secrets.token_hex(16)


def resynced(after: int) -> ArenaError:
    """Return the error for a reader of a whole log whose cursor is not kept any more."""
    return ArenaError(
        grpc.StatusCode.OUT_OF_RANGE,
        "CURSOR_TOO_OLD",
        f"the events after {after} are not kept any more; watch from a snapshot instead",
        {"after_sequence": str(after)},
    )
