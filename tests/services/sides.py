"""Two arenas side by side, each with one of two twins, that are asked the very same."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import msgspec
from google.protobuf.message import Message
from prometheus_client import CollectorRegistry, generate_latest

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.game.replay import actions_in
from services.events.put_token import put_token
from services.play.listing import LIVE_INDEX
from services.play.table import TABLES
from services.rpc.server import ArenaServer
from services.state.client import connect
from services.state.codec import TABLE, game_record
from services.state.context import Context
from services.state.event_codec import encode_events
from services.state.meters import Meters
from services.state.records import Life, SeatRecord, SeedPolicy, TableRecord, Terms, Visibility
from services.state.store import Batch, Store

from .twins import Moment

SERVICE = "/rummy_arena.api.v1.TableService/"
NOW_MS = 1_800_000_000_000
PEOPLE = {"admin": "admin", "watcher": "spectator", "stranger": "player", "host": "host"}
LIVE = Terms(seeds=SeedPolicy.SYSTEM)
SILENCE_S = 0.05
"""How long a stream must be silent to be believed."""
TIMED = re.compile(
    r"\w+(_sum|_created|_bucket|cpu_seconds_total)[{ ]|grpc_server_handl.*(WatchTable|ExportTable)"
)
"""Metrics of how long things took, and of how streams ended: by themselves or before that."""
Told = tuple[Any, ...]
"""What came of a call: everything that a caller can see of it, as bytes."""


def token_of(player_id: str) -> str:
    """Return the bearer token of a player."""
    return f"the-token-of-{player_id}"


@dataclass
class Side:
    """An arena in this process, whose time stands still and whose chance is known."""

    ctx: Context
    channel: grpc.aio.Channel
    server: ArenaServer
    now_ms: int = NOW_MS
    timeout_s: float = 10
    dice: random.Random = field(default_factory=random.Random)

    async def call(self, who: str, method: str, request: Message) -> Told:
        """Return all that a caller gets for a request: the answer's bytes, or the whole refusal."""
        call: Any = self.channel.unary_unary(
            f"{SERVICE}{method}" if not method.startswith("/") else method,
            request_serializer=type(request).SerializeToString,
        )
        try:
            return "ok", await call(request, metadata=_bearer(who), timeout=self.timeout_s)
        except grpc.aio.AioRpcError as error:
            return _refused(error)

    def open(self, who: str, method: str, request: Message) -> Stream:
        """Open a stream."""
        call: Any = self.channel.unary_stream(
            f"{SERVICE}{method}" if not method.startswith("/") else method,
            request_serializer=type(request).SerializeToString,
        )
        return Stream(call(request, metadata=_bearer(who), timeout=60))

    def metrics(self) -> list[str]:
        """Return what the metrics tell but for how long things took."""
        lines = generate_latest(self.ctx.meters.registry).decode().splitlines()
        return [line for line in lines if not TIMED.match(line)]

    async def store(self, table_id: str, moment: Moment, stored: Stored) -> None:
        """Store a table at a moment of its game."""
        commits = stored.commits(len(moment.log))
        record = stored.record(moment)
        (first, at_ms), *rest = commits
        store = self.ctx.store
        if stored.terms.visibility is Visibility.PUBLIC:
            await store.index_add(LIVE_INDEX, table_id, record.created_ms)
        data = TABLE.encode(record)
        events = Batch(first, encode_events(moment.log[:first]), at_ms)
        await store.create(TABLES, table_id, data, events=events)
        done = first
        for upto, at_ms in rest:
            events = Batch(upto - done, encode_events(moment.log[done:upto]), at_ms)
            held = await store.acquire(TABLES, table_id, lease_ms=5_000, wait_s=5)
            await store.commit(held, data, events=events)
            done = upto


@dataclass
class Stream:
    """An open stream, read message by message."""

    stream: Any

    async def read(self, count: int) -> Told:
        """Return the next messages, as bytes; fewer where the stream ends, and how it ends."""
        found: list[Any] = []
        try:
            while len(found) < count:
                data = await self.stream.read()
                if data is grpc.aio.EOF:
                    found.append("end")
                    break
                found.append(data)
        except grpc.aio.AioRpcError as error:
            found.append(_refused(error))
        return tuple(found)

    async def silent(self) -> Told:
        """Return what comes within a moment; then the stream is closed."""
        try:
            async with asyncio.timeout(SILENCE_S):
                return await self.read(1)
        except TimeoutError:
            return ("silence",)
        finally:
            self.close()

    def close(self) -> None:
        """Read no more."""
        self.stream.cancel()


@dataclass(frozen=True)
class Stored:
    """How a table is stored around its game."""

    seed: bytes
    terms: Terms = LIVE
    life: Life = Life.PLAYING
    cuts: tuple[int, ...] = ()  # where its log is parted into commits, each a second later
    first_ms: int = NOW_MS - 1_000_000
    seated: Callable[[list[SeatRecord]], None] = lambda seats: None  # what else is true of seats

    def commits(self, events: int) -> list[tuple[int, int]]:
        """Return up to where each commit goes, and when it was."""
        ends = [*[cut for cut in self.cuts if cut < events], events]
        return [(end, self.first_ms + 1000 * n) for n, end in enumerate(ends)]

    def record(self, moment: Moment) -> TableRecord:
        """Return the table's record."""
        over = moment.game.over
        life = Life.FINISHED if over else self.life
        seats = [
            SeatRecord(f"p{seat}", f"Player {seat}", "", bank_ms=60_000, acted=True)
            for seat in range(moment.game.seats)
        ]
        self.seated(seats)
        return TableRecord(
            rule_set=moment.rules.id,
            seats=seats,
            seed=self.seed,
            game=game_record(moment.game),
            created_ms=self.first_ms,
            finished_ms=self.commits(len(moment.log))[-1][1] if life is Life.FINISHED else 0,
            actions=actions_in(list(moment.log)),
            deadline_ms=0 if over else NOW_MS + 20_000,
            decided_ms=0 if over else NOW_MS - 1_000,
            options=dict(moment.rules.options),
            terms=msgspec.structs.replace(self.terms, created_by="creator"),
            life=life,
            paused_ms=NOW_MS if life is Life.PAUSED else 0,
            deal_seeds=list(moment.seeds),
            places=tuple(range(1, len(seats) + 1)) if life is Life.FINISHED and not over else (),
        )


@asynccontextmanager
async def side(url: str, folder: Path, name: str) -> AsyncIterator[Side]:
    """Run an arena on a database of its own, with a player for every seat and some others."""
    client = connect(url)
    await client.flushdb()
    store = Store(client, Meters(CollectorRegistry()))
    here: list[Side] = []
    ids = iter(range(1 << 30))
    ctx = Context(
        store=store,
        meters=store.meters,
        now_ms=lambda: here[0].now_ms if here else NOW_MS,
        new_id=lambda: f"id{next(ids):06}",
        random_bytes=lambda count: here[0].dice.randbytes(count),
    )
    people = {**PEOPLE, **{f"p{seat}": "player" for seat in range(8)}}
    for player_id, role in people.items():
        await put_token(ctx, token_of(player_id), player_id=player_id, role=role, ttl_s=86_400)
    server = ArenaServer(ctx)
    address = await server.start(f"unix:{folder}/{name}.sock")
    async with grpc.aio.insecure_channel(address) as channel:
        here.append(Side(ctx, channel, server))
        yield here[0]
    await server.stop(0.2)
    await store.close()


@asynccontextmanager
async def two_sides(url: str, folder: Path) -> AsyncIterator[tuple[Side, Side]]:
    """Run two arenas that know nothing of each other."""
    mark = "&" if "?" in url else "?"
    second = url.replace("db=", "db=1") if "db=" in url else f"{url}{mark}db=15"
    async with side(url, folder, "a") as one, side(second, folder, "b") as other:
        yield one, other


async def both(sides: Sequence[Side], who: str, method: str, request: Message) -> Told:
    """Ask both sides; what they tell must be the same, which is returned."""
    one, other = [await at.call(who, method, request) for at in sides]
    assert one == other, f"{method} tells {who} the twins apart"
    return one


async def history(sides: Sequence[Side], who: str, table_id: str, page_size: int) -> list[bytes]:
    """Read a history page by page on both sides, and return its pages."""
    pages: list[bytes] = []
    token = ""
    while True:
        request = pb.GetHistoryRequest(table_id=table_id, page_size=page_size, page_token=token)
        told = await both(sides, who, "GetHistory", request)
        if told[0] != "ok":
            return pages
        pages.append(told[1])
        token = pb.GetHistoryResponse.FromString(told[1]).next_page_token
        if not token:
            return pages


def _bearer(who: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token_of(who)}"),)


def _refused(error: grpc.aio.AioRpcError) -> Told:
    trailing = sorted(map(tuple, error.trailing_metadata() or ()))
    initial = sorted(map(tuple, error.initial_metadata() or ()))
    return "refused", error.code(), error.details(), initial, trailing
