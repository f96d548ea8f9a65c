"""Kill processes all through events of several hundred tables; the standings must stay the same.

``python -m tests.chaos.kill_events [--seed N] [--runs 1] [--event knockout|groups|both]``

An event of house bots is played undisturbed in one arena, then with the same requests, ids and seed
in another, in which the API, workers, children of their pools, the relay, beat and the store get
SIGKILL: while entrants register, at the very start, and whenever so many results are in. The arena
starts its processes again itself; with its store it ends, and is started again on the same data.
At the end the standings must be those of the undisturbed run byte for byte, the bracket too but for
its times, and every table's result must stand once in a log without gaps that never told anything
else before. Exit status 0 when all that holds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import TimeoutExpired
from typing import TypeVar

import grpc
import psutil

from rummy_arena.api.v1.format_pb2 import Stage
from rummy_arena.api.v1.player_pb2 import ROLE_BOT
from rummy_arena.api.v1.player_service_pb2 import CreatePlayerRequest
from rummy_arena.api.v1.player_service_pb2_grpc import PlayerServiceStub
from rummy_arena.api.v1.tournament_pb2 import Round, TournamentOptions
from rummy_arena.api.v1.tournament_service_pb2 import (
    CreateTournamentRequest,
    RegisterRequest,
    StartTournamentRequest,
)
from rummy_arena.api.v1.tournament_service_pb2_grpc import TournamentServiceStub
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena, ArenaError
from services.runtime.run_record import is_running
from tests.e2e.arenas import RunningArena
from tests.ports import free_port

from .kill_everything import POOL_CHILD, Lost, Watcher, say

T = TypeVar("T")

PEACE = {"RUMMY_ARENA_START_DEADLINE_S": "120"}
CHAOS = {**PEACE, "RUMMY_ARENA_DURABILITY": "always", "RUMMY_ARENA_RESTARTS": "100"}
STORE = "valkey"
VICTIMS = ("api", "worker-1", "worker-2", "relay", "beat", POOL_CHILD, STORE)
"""Each dies at least once in a run of enough deaths."""
WHILE_ENTERING = 2
"""Deaths while entrants register; one more comes at the start."""
AT_ONCE = 32
LONGEST_S = 240.0
"""Of one event; longer means that it stands still."""
PATIENCE_S = 60.0
START_WITHIN_S = 0.02


@dataclass(frozen=True)
class Kind:
    """An event to be played."""

    entrants: int
    stages: tuple[Stage, ...]
    rules: Mapping[str, str] = field(default_factory=dict)


KNOCKOUT = Stage(format_id="knockout", seats_per_table=4, options={"advance": "2"})
GROUPS = Stage(format_id="groups", seats_per_table=4, options={"group_size": "8", "advance": "2"})
KINDS = {
    "knockout": Kind(608, (KNOCKOUT,)),
    "groups": Kind(352, (GROUPS, KNOCKOUT), {"contract": "1"}),
}
"""Of 306 tables of nine deals, and 309 of one deal."""
RESULTS = 305
"""As long as fewer are in, processes die: so in the last rounds too."""


@dataclass(frozen=True)
class Outcome:
    """What is left of an event, without what differs between two runs: times."""

    standings: bytes
    bracket: bytes
    tables: int


class Host:
    """Whoever runs the event: asks again, with the same request ids, until the arena answers."""

    def __init__(self, arena: Arena, kind: Kind, name: str) -> None:
        self.arena = arena
        self.kind = kind
        self.name = name
        self._caller = arena._caller
        self._players = PlayerServiceStub(self._caller.channel)
        self._tournaments = TournamentServiceStub(self._caller.channel)

    async def create(self) -> tuple[str, list[str]]:
        """Create the tournament and the players; return their ids, the same in every arena."""
        options = TournamentOptions(
            title=self.name,
            rule_set_id="kalooki-jamaican",
            rule_set_options=self.kind.rules,
            stages=self.kind.stages,
        )
        request = CreateTournamentRequest(
            request_id=f"{self.name}-event", options=options, seed=self.name
        )
        answer = await again(lambda: self._caller.call(self._tournaments.CreateTournament, request))
        gate = asyncio.Semaphore(AT_ONCE)
        bots = sorted(HOUSE_BOTS)

        async def player(number: int) -> str:
            wanted = CreatePlayerRequest(
                request_id=f"{self.name}-player-{number:04}",
                name=f"bot-{number:04}",
                role=ROLE_BOT,
                house_bot=bots[number % len(bots)],
            )
            async with gate:
                call = self._caller.call
                told = await again(lambda: call(self._players.CreatePlayer, wanted))
                return told.player.id

        ids = await asyncio.gather(*map(player, range(1, self.kind.entrants + 1)))
        return answer.tournament.id, ids

    async def register(self, tournament_id: str, number: int, player_id: str) -> None:
        """Enter a player as entrant ``number``; raises Lost for another number."""
        request = RegisterRequest(
            request_id=f"{self.name}-entrant-{number:04}",
            tournament_id=tournament_id,
            player_id=player_id,
        )
        told = await again(lambda: self._caller.call(self._tournaments.Register, request))
        if told.entrant.number != number:
            raise Lost(f"entrant {number} was told to be {told.entrant.number}")

    async def start(self, tournament_id: str) -> None:
        """Start it."""
        request = StartTournamentRequest(
            request_id=f"{self.name}-start-of-it", tournament_id=tournament_id
        )
        await again(lambda: self._caller.call(self._tournaments.StartTournament, request))

    async def outcome(self, tournament_id: str) -> Outcome:
        """Return what the finished event led to."""
        rows = await again(lambda: self.arena.tournaments.standings(tournament_id))
        rounds = await again(lambda: self.arena.tournaments.bracket(tournament_id))
        return Outcome(
            b"".join(row.SerializeToString(deterministic=True) for row in rows),
            b"".join(_timeless(round_) for round_ in rounds),
            sum(round_.table_count for round_ in rounds),
        )


def _timeless(round_: Round) -> bytes:
    for field_ in ("start_time", "begin_time", "finish_time"):
        round_.ClearField(field_)
    for pairing in round_.pairings:
        pairing.result.ClearField("finish_time")
    return round_.SerializeToString(deterministic=True)


async def again(ask: Callable[[], Awaitable[T]]) -> T:
    """Return the answer; whoever does not answer now is asked again for a while."""
    until_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            return await ask()
        except ArenaError as error:
            passing = (
                grpc.StatusCode.UNAVAILABLE,
                grpc.StatusCode.ABORTED,
                grpc.StatusCode.DEADLINE_EXCEEDED,
            )
            if error.code not in passing or time.monotonic() > until_s:
                raise
        await asyncio.sleep(0.05)


@dataclass
class Reaper:
    """Kills processes of an arena, and starts it again when it has ended of that."""

    folder: Path
    port: int
    dice: random.Random
    environment: Mapping[str, str]
    aloud: bool = False
    born_s: float = field(default_factory=time.monotonic)
    deck: list[str] = field(default_factory=list)
    deaths: Counter[str] = field(default_factory=Counter)
    arena: RunningArena | None = None
    starts: int = 0

    def start(self) -> None:
        """Start the arena on its folder and port, and wait until it is healthy."""
        options = ("--workers", "2", "--port", str(self.port))
        self.arena = RunningArena(self.folder, *options, env=self.environment)
        self.starts += 1

    def stop(self) -> None:
        """End it in peace."""
        if self.arena is not None and self.arena.parent.poll() is None:
            self.arena.end(signal.SIGTERM)

    async def kill(self, victim: str = "") -> str:
        """SIGKILL somebody, of whom all get their turn; return whom, once the arena runs again."""
        if not victim:
            if not self.deck:  # with the store everything ends, which takes long: once is enough
                again = VICTIMS if not self.deaths[STORE] else VICTIMS[:-1]
                self.deck = self.dice.sample(again, len(again))
            victim = self.deck.pop()
        await asyncio.to_thread(self._kill, victim)
        return victim

    def _kill(self, victim: str) -> None:
        assert self.arena is not None
        processes = json.loads((self.folder / "run.json").read_text())["processes"]
        if victim == POOL_CHILD:
            pid = self._child_of(int(processes[self.dice.choice(("worker-1", "worker-2"))]["pid"]))
        else:
            pid = int(processes[victim]["pid"]) if is_running(processes[victim]) else 0
        with contextlib.suppress(ProcessLookupError):
            if pid:  # else it is dead already
                os.kill(pid, signal.SIGKILL)
                self.deaths[victim] += 1
        if victim == STORE:
            self.arena.parent.wait(timeout=60)
            if left := self.arena.left():
                raise Lost(f"the arena has ended, and {left} stayed behind")
            self.start()

    def _child_of(self, pid: int) -> int:
        with contextlib.suppress(psutil.NoSuchProcess, IndexError):
            return self.dice.choice(psutil.Process(pid).children()).pid
        return 0  # it is starting, or dead


async def play(host: Host, watcher: Watcher, reaper: Reaper | None, deaths: int) -> Outcome:
    """Play the event to its end, with so many deaths on the way."""
    entering: Counter[int] = Counter()
    if reaper is not None:
        among = range(1, host.kind.entrants + 1)
        entering.update(reaper.dice.choice(among) for _ in range(WHILE_ENTERING))
    tournament_id, players = await host.create()
    for number, player_id in enumerate(players, start=1):
        killing = [reaper.kill("api") for _ in range(entering[number]) if reaper is not None]
        await asyncio.gather(host.register(tournament_id, number, player_id), *killing)
    if reaper is None:
        await host.start(tournament_id)
    else:
        await asyncio.gather(host.start(tournament_id), _kill_at_the_start(reaper))
    reaping = asyncio.create_task(_reap(host, watcher, reaper, deaths))
    try:
        async with asyncio.timeout(LONGEST_S):
            async for event in host.arena.tournaments.events(tournament_id):
                watcher.take(event)
                if reaping.done():
                    reaping.result()  # raises what went wrong
            await reaping
    finally:
        reaping.cancel()
        await asyncio.gather(reaping, return_exceptions=True)
    return await host.outcome(tournament_id)


async def _kill_at_the_start(reaper: Reaper) -> None:
    await asyncio.sleep(reaper.dice.uniform(0, START_WITHIN_S))
    await reaper.kill("api")


async def _reap(host: Host, watcher: Watcher, reaper: Reaper | None, deaths: int) -> None:
    """Kill whenever so many results have been seen."""
    if reaper is None:
        return
    for results in sorted(reaper.dice.randrange(RESULTS) for _ in range(deaths)):
        while watcher.results < results:  # noqa: ASYNC110  it counts, and tells nobody
            await asyncio.sleep(0.01)
        await asyncio.sleep(reaper.dice.uniform(0, 0.2))
        began_s, seen = time.monotonic(), watcher.results
        victim = await reaper.kill()
        if reaper.aloud:
            say(f"{began_s - reaper.born_s:6.1f} s: {seen} results; {victim} killed")


def check_log(watcher: Watcher, tables: int) -> None:
    """Raise Lost unless the log has no gaps and each table's result once."""
    if sorted(watcher.seen) != list(range(1, len(watcher.seen) + 1)):
        raise Lost("the log has gaps")
    told = Counter(
        event.table_finished.table_id
        for event in watcher.seen.values()
        if event.WhichOneof("event") == "table_finished"
    )
    if len(told) != tables or set(told.values()) != {1}:
        raise Lost(f"{tables} tables, and results {told}")


async def run_in(reaper: Reaper, kind: Kind, name: str, *, deaths: int) -> Outcome:
    """Play the event in the reaper's arena, which runs; with deaths if there are any."""
    assert reaper.arena is not None
    watcher = Watcher()
    async with Arena.connect(
        reaper.arena.api, token=reaper.arena.token, timeout_s=20, patience_s=PATIENCE_S
    ) as arena:
        host = Host(arena, kind, name)
        outcome = await play(host, watcher, reaper if deaths else None, deaths)
    check_log(watcher, outcome.tables)
    return outcome


def compare(
    seed: int, named: str, folder: Path, peace: Reaper, *, deaths: int, aloud: bool
) -> bool:
    """Play one event in peace and under fire; say what came of it, and return whether it held."""
    kind, name = KINDS[named], f"{named}-of-seed-{seed}"
    reaper = Reaper(folder / f"{name}", free_port(), random.Random(name), CHAOS, aloud)
    began_s = time.monotonic()
    expected = asyncio.run(run_in(peace, kind, name, deaths=0))
    peace_s = time.monotonic() - began_s
    began_s = time.monotonic()
    try:
        reaper.start()
        found = asyncio.run(run_in(reaper, kind, name, deaths=deaths))
    except (Lost, TimeoutError, ArenaError, AssertionError, TimeoutExpired) as error:
        output = reaper.arena.output if reaper.arena is not None else ""
        say(f"FAILED: seed {seed} {named}: {error or 'the event stands still'}\n{output}")
        return False
    finally:
        reaper.stop()
    equal = found == expected
    killed = ", ".join(f"{victim} {count}" for victim, count in sorted(reaper.deaths.items()))
    say(
        f"seed {seed} {named}: {found.tables} tables; killed: {killed}; "
        f"{time.monotonic() - began_s:.0f} s, undisturbed {peace_s:.0f} s; "
        + ("standings and bracket are equal" if equal else "FAILED: THEY DIFFER")
    )
    return equal


def main() -> int:
    """Run; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="the first one")
    parser.add_argument("--runs", type=int, default=1, help="so many seeds, one after another")
    parser.add_argument("--event", choices=(*KINDS, "both"), default="both")
    parser.add_argument("--deaths", type=int, default=9, help="while tables are played")
    parser.add_argument("--aloud", action="store_true", help="say who is killed when")
    given = parser.parse_args()
    kinds = list(KINDS) if given.event == "both" else [given.event]
    held = True
    with tempfile.TemporaryDirectory(prefix="chaos-") as name:
        peace = Reaper(Path(name) / "peace", free_port(), random.Random(), PEACE)
        peace.start()
        try:
            for seed in range(given.seed, given.seed + given.runs):
                for kind in kinds:
                    held &= compare(
                        seed, kind, Path(name), peace, deaths=given.deaths, aloud=given.aloud
                    )
        finally:
            peace.stop()
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
