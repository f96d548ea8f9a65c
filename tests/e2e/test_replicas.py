"""Two API processes on one port, replaced and killed under clients that never pause."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest

from rummy_arena.api.v1.table_event_pb2 import DEAL_END_VOID, TableEvent
from rummy_arena.bots.greedy import GreedyBot
from rummy_arena.client import Arena, ArenaError, play_seat
from rummy_arena.client.caller import Caller

from .arenas import RunningArena, running
from .test_restart import ACTED

SEATS, TABLES, WATCHERS, READERS = 4, 3, 6, 2
AGAIN_S = 60.0


class Enough(BaseException):
    """The players have played for long enough."""


@dataclass
class Crowd:
    """What clients did and were told, all of them in this process."""

    acted: Counter[str] = field(default_factory=Counter)  # by table, as acknowledged
    failed: list[str] = field(default_factory=list)
    seen: dict[tuple[str, int], list[int]] = field(default_factory=dict)  # by table and watcher
    reads: int = 0
    over: bool = False

    async def play(self, arena: Arena, table_id: str) -> None:
        """Play a seat until it is enough."""
        act = arena.tables.act

        async def counted(*arguments: Any) -> Any:
            if self.over:
                raise Enough
            answer = await act(*arguments)
            self.acted[table_id] += 1
            return answer

        tables: Any = arena.tables
        tables.act = counted
        with suppress(Enough):
            await play_seat(arena, table_id, GreedyBot())

    async def watch(self, arena: Arena, table_id: str, number: int) -> None:
        """Note every event of a table."""
        seen = self.seen.setdefault((table_id, number), [])
        async for event in arena.tables.events(table_id):
            seen.append(event.sequence)

    async def read(self, arena: Arena, table_id: str) -> None:
        """Read without pause."""
        while not self.over:
            await arena.tables.get(table_id)
            self.reads += 1
            await asyncio.sleep(0.005)


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> Crowd:
    """A crowd, each failed call of which is noted even where the client gets over it."""
    crowd, call = Crowd(), Caller.call

    async def noted(self: Caller, method: Any, request: Any) -> Any:
        try:
            return await call(self, method, request)
        except ArenaError as error:
            if error.code not in (grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.NOT_FOUND):
                crowd.failed.append(str(error))
            raise

    monkeypatch.setattr(Caller, "call", noted)
    return crowd


async def test_nobody_notices_that_a_replica_goes(tmp_path: Path, crowd: Crowd) -> None:
    with running(tmp_path / "arena", "--api-processes", "2") as arena:
        async with _playing(arena, crowd) as tables:
            for name, how in (("api-1", signal.SIGTERM), ("api-2", signal.SIGKILL)):
                await asyncio.sleep(0.3)
                before = sum(crowd.acted.values())
                await _replace(arena, name, how)
                assert sum(crowd.acted.values()) > before
        async with Arena.connect(arena.api, token=arena.token) as admin:
            logs = {t: [event async for event in admin.tables.history(t)] for t in tables}
        assert "too often" not in arena.output
    assert crowd.failed == []
    assert crowd.reads > 50
    for table_id, log in logs.items():
        logged = sum(_is_action(event) for event in log)
        assert logged > 0
        # Calls and passes of a window that is open are not in the log yet.
        assert 0 <= crowd.acted[table_id] - logged < SEATS
    for (table_id, _), seen in crowd.seen.items():
        assert len(seen) > 20
        assert seen == list(range(1, len(seen) + 1))
        assert len(seen) <= len(logs[table_id])


@asynccontextmanager
async def _playing(arena: RunningArena, crowd: Crowd) -> AsyncIterator[list[str]]:
    """Yield the tables, at each of which four clients play and some watch and read."""
    clients = [Arena.connect(arena.api, token=arena.token)]
    admin = clients[0]
    tokens, tables = await _seated(admin)
    work = []
    for number, (player_token, table_id) in enumerate(tokens):
        clients.append(Arena.connect(arena.api, token=player_token))
        work.append(asyncio.create_task(crowd.play(clients[-1], table_id)))
        if number < WATCHERS:
            clients.append(Arena.connect(arena.api, token=arena.token))
            work.append(asyncio.create_task(crowd.watch(clients[-1], table_id, number)))
        if number < READERS:
            work.append(asyncio.create_task(crowd.read(clients[-1], table_id)))
    await asyncio.sleep(0.5)
    yield tables
    crowd.over = True
    await asyncio.sleep(0.5)
    for task in work:
        if task.done():
            task.result()  # raises what a client ran into
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    for client in clients:
        await client.close()


async def _seated(admin: Arena) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the token and table of each player of a tournament's first round, and the tables."""
    event = await admin.tournaments.create(
        "replicas", rule_set="kalooki-jamaican", seats_per_table=SEATS, advance_per_table=1
    )
    tokens = {}
    for number in range(SEATS * TABLES):
        player = await admin.players.create(f"player {number}")
        entrant = await admin.tournaments.register(event.id, player.id)
        tokens[entrant.number] = (await admin.players.create_token(player.id)).secret
    await admin.tournaments.start(event.id)
    deadline = time.monotonic() + AGAIN_S
    while not (rounds := await admin.tournaments.bracket(event.id)):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    pairings = rounds[0].pairings
    seated = [(tokens[n], pairing.table_id) for pairing in pairings for n in pairing.entrants]
    return seated, [pairing.table_id for pairing in pairings]


async def _replace(arena: RunningArena, name: str, how: signal.Signals) -> None:
    """End an API process and wait until another stands in its place."""
    pid = _entry(arena, name)["pid"]
    os.kill(pid, how)
    deadline = time.monotonic() + AGAIN_S
    while (entry := _entry(arena, name))["pid"] == pid or "address" not in entry:
        assert time.monotonic() < deadline, arena.output
        await asyncio.sleep(0.05)


def _entry(arena: RunningArena, name: str) -> dict[str, Any]:
    entry = json.loads((arena.folder / "run.json").read_text())["processes"][name]
    assert isinstance(entry, dict)
    return entry


def _is_action(event: TableEvent) -> bool:
    return event.WhichOneof("event") in ACTED or event.deal_ended.end == DEAL_END_VOID
