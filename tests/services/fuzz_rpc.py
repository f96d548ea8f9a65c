"""Every RPC under requests at random: what is answered, what is refused, and how.

Run as ``python -m tests.services.fuzz_rpc [calls] [seed]``; the calls of a seed are always the
same. Ends with status 1 at the first answer that no caller should get.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import re
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.rpc import (  # type: ignore[import-untyped]  # has stubs but does not publish them
    error_details_pb2,
    status_pb2,
)
from prometheus_client import CollectorRegistry

from rummy_arena.client import Arena
from services.events.put_token import put_token
from services.rpc.errors import DOMAIN
from services.rpc.server import LARGEST_REQUEST, ArenaServer
from services.runtime.children import stop
from services.runtime.logs import configure_logs
from services.runtime.valkey import start_valkey
from services.runtime.wiring import new_id, now_ms
from services.state.client import Client, connect
from services.state.context import Context
from services.state.meters import Meters
from services.state.store import Store

from .fuzz_messages import methods, path_of, request
from .fuzz_world import World, world_of

CALLS = 50_000
CALLS_A_WORLD = 900
LOOKS = 0.2
"""Share of the calls around which everything that is stored is looked at."""
STREAM_S = 0.05
"""A stream that says nothing for so long is one that waits for events: it was opened."""
TIMEOUT_S = 20.0
SHORT_S = {"TestWebhook": 1.0}
"""Of calls that wait for what nobody does here."""
TOO_LARGE = "(too large)"
DETAILS = "grpc-status-details-bin"
_Code = grpc.StatusCode
REFUSALS = {
    *(_Code.INVALID_ARGUMENT, _Code.NOT_FOUND, _Code.FAILED_PRECONDITION, _Code.OUT_OF_RANGE),
    *(_Code.PERMISSION_DENIED, _Code.UNAUTHENTICATED, _Code.RESOURCE_EXHAUSTED, _Code.ABORTED),
    _Code.UNAVAILABLE,
}
REASON = re.compile(r"[A-Z][A-Z0-9_]+")
OURS = re.compile(r"Traceback|Error\b|Exception|object at 0x|\bNone\b|msgspec|redis|EVALSHA|\.py\b")
"""What an exception's text would say, and no refusal does."""
SCHEMES = ("Bearer {}", "Bearer {}", "Bearer {}", "bearer  {} ", "Basic {}", "{}", "Bearer")


class Wrong(Exception):
    """An answer that no caller should get; the text says to which call."""


@dataclass
class Tally:
    """What was seen: calls by method and outcome."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return self.outcomes.total()

    def of(self, method: MethodDescriptor) -> tuple[int, int]:
        """Return how many calls of a method were answered, and how many refused."""
        mine = Counter({end: n for (name, end), n in self.outcomes.items() if name == method.name})
        return mine["OK"], mine.total() - mine["OK"]


class Complaints(logging.Handler):
    """Keeps what is logged as an error while a fuzzer runs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.said.append(self.format(record))

    def __enter__(self) -> Complaints:
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)


@dataclass(frozen=True)
class Where:
    """A server, and what is needed to see what it does."""

    address: str
    ctx: Context
    store: Client
    admin: Arena
    admin_token: str


@dataclass
class Fuzzer:
    """Calls one server, one call after the other, so that what changed is known to be its doing."""

    channel: grpc.aio.Channel
    store: Client
    world: World
    dice: random.Random
    tally: Tally
    complaints: Complaints

    async def run(self, calls: int) -> None:
        """Make the calls that are right, and then so many of each method in turn; raises Wrong."""
        words, every = self.world.words(), methods()
        for method in every:
            for who, data in self.world.right.get(method.name, ()):
                await self._make(method, who, data, plain=True)
        for number in range(calls):
            method = every[number % len(every)]
            await self._make(method, *self._call(method, words))

    async def _make(
        self, method: MethodDescriptor, who: str, data: bytes, *, plain: bool = False
    ) -> None:
        metadata = self._metadata(who, plain=plain)
        before = await state_of(self.store) if self.dice.random() < LOOKS else None
        error = await self.call(method, data, metadata)
        what = f"{method.name} as {who} with {data[:400].hex()}"
        self.check(what, method, len(data), error)
        if error is not None and before is not None:
            await self._same_state(what, before)

    def _call(self, method: MethodDescriptor, words: Any) -> tuple[str, bytes]:
        right = self.world.right.get(method.name)
        if right and self.dice.random() < 0.1:
            return self.dice.choice(right)
        if method.name == "Act" and self.dice.random() < 0.5:
            who, own = self.dice.choice(self.world.turns)
            return who, request(method, self.dice, {**words, **own})
        likely = (*["Ann"] * 7, *["admin"] * 7)
        return self.dice.choice((*likely, *self.world.tokens)), request(method, self.dice, words)

    def _metadata(self, who: str, *, plain: bool) -> Sequence[tuple[str, str | bytes]]:
        token = self.world.tokens[who]
        usual = ("authorization", f"Bearer {token}")
        if who == "none":
            return ()
        if plain or self.dice.random() < 0.9:
            return (usual,)
        strange = self.dice.choice(("", "x" * 4000, "~" * 64, token[:-1], f"{token} {token}"))
        return self.dice.choice(
            (
                (("authorization", self.dice.choice(SCHEMES).format(strange)),),
                (("authorization-bin", self.dice.randbytes(40)),),
                (("authorization", f"Bearer {strange}"), usual),
                (usual, ("x-any", strange), ("x-any-bin", self.dice.randbytes(40))),
            )
        )

    async def call(
        self, method: MethodDescriptor, data: bytes, metadata: Sequence[tuple[str, str | bytes]]
    ) -> grpc.aio.AioRpcError | None:
        """Return the error of a call; None if it was answered, or opened a stream."""
        streams = method.server_streaming
        make: Any = self.channel.unary_stream if streams else self.channel.unary_unary
        timeout_s = SHORT_S.get(method.name, TIMEOUT_S)
        call = make(path_of(method))(data, metadata=metadata, timeout=timeout_s)
        try:
            if not streams:
                await call
                return None
            reading = asyncio.ensure_future(_read(call))
            if not (await asyncio.wait([reading], timeout=STREAM_S))[0]:
                call.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading
        except grpc.aio.AioRpcError as error:
            return error
        return None

    def check(
        self, what: str, method: MethodDescriptor, size: int, error: grpc.aio.AioRpcError | None
    ) -> None:
        """Raise Wrong for an answer that is none, or for words that were not for the caller."""
        end = "OK"
        if error is not None:
            end = TOO_LARGE if _too_large(size, error) else checked(what, error)
        self.tally.outcomes[method.name, end] += 1
        if self.complaints.said:
            raise Wrong(f"{what}: the server complained: {self.complaints.said}")

    async def _same_state(self, what: str, before: dict[bytes, Any]) -> None:
        after = await state_of(self.store)
        ended = {key for key in before if b":token:" in key} - after.keys()  # by themselves
        differ = {key for key in {*before, *after} if before.get(key) != after.get(key)}
        if changed := differ - ended:
            raise Wrong(f"{what}: it was refused, and {sorted(changed)} changed")


def _too_large(size: int, error: grpc.aio.AioRpcError) -> bool:
    """Return whether a request never reached the server, which says so without details."""
    return size > LARGEST_REQUEST and error.code() is _Code.RESOURCE_EXHAUSTED


async def _read(call: Any) -> None:
    async for _ in call:
        pass


def checked(what: str, error: grpc.aio.AioRpcError) -> str:
    """Return the reason of a refusal; raises Wrong unless it is a typed one."""
    if error.code() not in REFUSALS:
        raise Wrong(f"{what}: {error.code()} {error.details()}")
    told, info = status_pb2.Status(), error_details_pb2.ErrorInfo()
    for key, detail in error.trailing_metadata() or ():
        if key == DETAILS and isinstance(detail, bytes):
            told.ParseFromString(detail)
    if not told.details or not told.details[0].Unpack(info):
        raise Wrong(f"{what}: {error.code()} {error.details()} without an ErrorInfo")
    if (told.code, told.message) != (error.code().value[0], error.details()):
        raise Wrong(f"{what}: {error.code()} {error.details()}, but its details say {told}")
    if info.domain != DOMAIN or not REASON.fullmatch(info.reason):
        raise Wrong(f"{what}: reason {info.reason!r} of {info.domain!r}")
    if found := OURS.search(told.message):
        raise Wrong(f"{what}: {found[0]!r} in {told.message!r}")
    return str(info.reason)


async def state_of(store: Client) -> dict[bytes, Any]:
    """Return what is stored, but for leases and who is connected, which calls may touch."""
    keys = [key async for key in store.scan_iter(match="*", count=10_000) if not _touched(key)]
    async with store.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.hgetall(key) if key.endswith(b":record") else pipe.dump(key)
        found = zip(keys, await pipe.execute(), strict=True)
    stored = {key: held for key, held in found if held}  # a key may end after it was listed
    for held in stored.values():
        if isinstance(held, dict):
            held.pop(b"fence", None)  # holders are counted, also those that wrote nothing
    return stored


def _touched(key: bytes) -> bool:
    return key.endswith(b":lease") or b":presence:" in key or b"{pulse}" in key


async def fuzz(where: Where, calls: int, *, seed: int, tally: Tally) -> None:
    """Make so many calls to a server with an empty store; raises Wrong."""
    world = await world_of(where.ctx, where.admin, where.admin_token)
    with Complaints() as complaints:
        async with grpc.aio.insecure_channel(where.address) as channel:
            dice = random.Random(seed)
            fuzzer = Fuzzer(channel, where.store, world, dice, tally, complaints)
            await fuzzer.run(calls)
    await where.admin.tables.get(world.tables["finished"])  # it still serves


@asynccontextmanager
async def _served(folder: Path) -> AsyncIterator[Where]:
    """Start a store and a server in a folder."""
    child, url = start_valkey(folder, log=folder / "log")
    store = Store(connect(url), Meters(CollectorRegistry()))
    ctx = Context(store, store.meters, now_ms, new_id, secrets.token_bytes)
    server = ArenaServer(ctx)
    try:
        address = await server.start(f"unix:{folder}/api.sock")
        token = secrets.token_hex(16)
        async with Arena.connect(address, token=token) as admin:
            yield Where(address, ctx, connect(url), admin, token)
    finally:
        await server.stop(0.2)
        await store.close()
        stop(child, grace_s=5.0)


async def _main(calls: int, seed: int) -> Tally:
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        async with _served(Path(folder)) as where:
            while tally.calls < calls:
                await where.store.flushdb()
                await put_token(
                    where.ctx, where.admin_token, player_id="admin", role="admin", ttl_s=3600
                )
                await fuzz(where, CALLS_A_WORLD, seed=seed, tally=tally)
                seed += 1
                print(f"{tally.calls:,} of {calls:,} calls", file=sys.stderr, flush=True)
    return tally


def main() -> None:
    """Make the calls and print what was seen."""
    configure_logs("fuzz", "error")
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else CALLS
    try:
        tally = asyncio.run(_main(calls, int(sys.argv[2]) if len(sys.argv) > 2 else 0))
    except Wrong as wrong:
        sys.exit(f"BROKEN {wrong}")
    print(f"{tally.calls:,} calls, nothing found")
    for (name, end), count in sorted(tally.outcomes.items()):
        print(f"{name:20} {end:24} {count:7,}")


if __name__ == "__main__":
    main()
