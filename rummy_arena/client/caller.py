"""One channel: calls with a deadline, streams that take up where they broke off."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

import grpc

from .errors import ArenaError, arena_error

Request = TypeVar("Request")
Response = TypeVar("Response")

_API = "rummy_arena.api.v1"

# Only a call that found no server is made again by itself, and every mutating request carries its
# request id, so that a repeat changes nothing.
_SERVICE_CONFIG = json.dumps(
    {
        "methodConfig": [
            {
                "name": [
                    {"service": "rummy_arena.api.v1.TableService", "method": "WatchTable"},
                    {
                        "service": "rummy_arena.api.v1.TournamentService",
                        "method": "WatchTournament",
                    },
                ],  # streams are resumed by ``watch`` below
            },
            {
                "name": [{}],
                "retryPolicy": {
                    "maxAttempts": 5,
                    "initialBackoff": "0.1s",
                    "maxBackoff": "2s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            },
        ]
    }
)
CHANNEL_OPTIONS: tuple[tuple[str, str | int], ...] = (
    ("grpc.service_config", _SERVICE_CONFIG),
    ("grpc.keepalive_time_ms", 30_000),  # the server permits one ping in 10 s
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", 8 * 1024 * 1024),
)
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 2.0


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


UpdateType = TypeVar("UpdateType", bound=_Update)


@dataclass(frozen=True)
class Caller:
    """A channel to one address with the token that goes along with each call."""

    address: str
    channel: grpc.aio.Channel
    token: str | None
    timeout_s: float
    patience_s: float

    @property
    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    async def call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request
    ) -> Response:
        """Return the answer, or raise ArenaError."""
        try:
            return await method(request, timeout=self.timeout_s, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise arena_error(error, self.address) from None

    async def watch(
        self,
        method: grpc.aio.UnaryStreamMultiCallable[Request, UpdateType],
        request: Callable[[int | None], Request],
        after: int | None,
    ) -> AsyncIterator[UpdateType]:
        """Yield the updates of a stream, heartbeats left out, until the server ends it.

        A stream that breaks is asked for again after the last sequence that arrived; ArenaError if
        it is refused, or if no server answers for ``patience_s`` seconds.
        """
        pauses = Pauses(self.patience_s)
        while True:
            try:
                async for update in method(request(after), metadata=self._metadata):
                    pauses.reset()
                    kind = update.WhichOneof("update")
                    if kind == "heartbeat":
                        continue
                    if kind == "event":
                        after = update.event.sequence
                    elif kind == "snapshot":
                        after = update.snapshot.sequence
                    yield update
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or pauses.exhausted:
                    raise arena_error(error, self.address) from None
                await pauses.pause()
            else:
                return


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
