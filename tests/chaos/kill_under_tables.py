"""Kill servers, workers, the relay and the store under games that people play.

``python -m tests.chaos.kill_under_tables [--games 200] [--at-once 20] [--seed N]``

An arena of two API processes, two workers and a relay runs on a store of its own that syncs every
write. Players of this process play through the SDK, with house bots at their tables, while one
process after the other gets SIGKILL at a random moment: the arena starts it again, this program the
store. At the end every game is over, its log replays to the very table that is stored, and every
action that was ever acknowledged to a player stands in it. Exit status 0 when all that holds.
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from rummy_arena.api.v1.action_pb2 import Action as ActionMessage
from rummy_arena.api.v1.table_service_pb2 import ActResponse
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena
from rummy_arena.client.seat import play_seat
from rummy_arena.game.replay import Replay
from services.play.table import TABLES, load_table
from services.rpc.convert_action import action_of
from services.rpc.violations import Fields
from services.runtime.children import Child, stop
from services.runtime.settings import load_settings
from services.runtime.valkey import start_valkey
from services.runtime.wiring import close_context, open_context
from services.state.context import Context
from services.state.table_log import game_events
from tests.e2e.arenas import RunningArena
from tests.stored_logs import log_of

PEOPLE, BOTS = 12, 12
GAMES: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("kaluki-american", 2, {}),
    ("kalooki-bonus", 3, {"short_form": "on"}),
    ("kaluki-european", 3, {}),
    ("carioca-argentine", 2, {}),
    ("kalooki-jamaican", 3, {}),
)
"""What is played in turn: rule set, seats, options."""
STORE = "the store"
BETWEEN_S = (0.5, 3.0)
AWAY_S = 0.8
LONGEST_S = 1_500.0
Played = tuple[str, int, int]  # table, kind and card of an action


class Lost(Exception):
    """Something that was acknowledged is gone, or a game does not replay."""


class Tables:
    """The tables of one player, remembering every action that was acknowledged to it."""

    def __init__(self, arena: Arena, acknowledged: Counter[Played]) -> None:
        self._tables = arena.tables
        self._acknowledged = acknowledged

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tables, name)

    async def act(self, table_id: str, message: ActionMessage) -> ActResponse:
        """Act, and remember it once it is answered."""
        answer = await self._tables.act(table_id, message)
        action = action_of(Fields(), message)
        self._acknowledged[table_id, action.kind, action.card] += 1
        return answer


@dataclass
class Player:
    """Somebody with a token."""

    id: str
    arena: Arena
    tables: Tables


@dataclass
class Store:
    """The store under test: killed, and started again on what it has written."""

    folder: Path
    child: Child | None = None
    url: str = ""

    def start(self) -> None:
        """Start it; it answers when this returns."""
        self.child, self.url = start_valkey(
            self.folder / "valkey", log=self.folder / "valkey.log", durability="always"
        )

    def kill(self) -> None:
        """SIGKILL it."""
        assert self.child is not None
        self.child.process.kill()
        self.child.process.wait()

    def stop(self) -> None:
        """End it in peace."""
        if self.child is not None:
            stop(self.child, grace_s=10)


@dataclass
class Chaos:
    """The games and the dice that decide who dies."""

    arena: RunningArena
    store: Store
    dice: random.Random
    acknowledged: Counter[Played] = field(default_factory=Counter)
    deaths: Counter[str] = field(default_factory=Counter)
    tables: list[str] = field(default_factory=list)
    over: int = 0

    def processes(self) -> dict[str, int]:
        """Return the pids of the arena's processes as they are now."""
        record = json.loads((self.arena.folder / "run.json").read_text())
        return {name: int(entry["pid"]) for name, entry in record["processes"].items()}

    async def kill_on(self) -> None:
        """Kill one process after the other until cancelled."""
        while True:
            await asyncio.sleep(self.dice.uniform(*BETWEEN_S))
            victims = [*self.processes(), STORE]
            victim = self.dice.choice(victims)
            self.deaths[victim] += 1
            if victim == STORE:
                self.store.kill()
                await asyncio.sleep(self.dice.uniform(0, AWAY_S))
                self.store.start()
            else:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.processes()[victim], signal.SIGKILL)

    async def play(self, number: int, host: Arena, people: list[Player], bots: list[str]) -> None:
        """Play one game to its end: one person, or two, and house bots."""
        rule_set, seats, options = GAMES[number % len(GAMES)]
        table = await host.tables.create(rule_set, seats, options=options)
        self.tables.append(table.id)
        sitting = self.dice.sample(people, 1 + number % 2)
        for house_bot in self.dice.sample(bots, seats - len(sitting)):
            await host.tables.take_seat(table.id, player_id=house_bot)
        for player in sitting:
            await player.arena.tables.take_seat(table.id)
            await player.arena.tables.ready(table.id)
        bot = HOUSE_BOTS["greedy"]
        await asyncio.gather(
            *(
                play_seat(cast(Arena, player), table.id, bot, seed=number.to_bytes(8, "big"))
                for player in sitting
            )
        )
        self.over += 1
        if self.over % 10 == 0:
            say(f"{self.over} games over, {self.deaths.total()} deaths")


async def check(ctx: Context, chaos: Chaos) -> int:
    """Raise Lost unless every log holds; return the number of actions in all of them."""
    actions = 0
    for table_id in chaos.tables:
        snapshot = await ctx.store.read(TABLES, table_id)
        table = load_table(table_id, snapshot.data)
        if not table.game.over:
            raise Lost(f"table {table_id} is not over")
        everything = await log_of(ctx, table_id)
        log = game_events(everything)
        if len(everything) != snapshot.seq:
            raise Lost(f"the log of table {table_id} ends at {len(everything)}")
        replayed = Replay(table.game.rules, table.game.seats, log)
        logged: Counter[Played] = Counter()
        while not replayed.over:
            _, action = replayed.next_action()
            logged[table_id, action.kind, action.card] += 1
            replayed.step()
        if replayed.game != table.game:
            raise Lost(f"the log of table {table_id} replays to another game")
        mine = {key: count for key, count in chaos.acknowledged.items() if key[0] == table_id}
        missing = Counter(mine) - logged
        if missing:
            raise Lost(f"acknowledged and not in the log: {missing}")
        actions += logged.total()
    return actions


async def run(arena: RunningArena, store: Store, *, games: int, at_once: int, seed: int) -> None:
    """Play all games under fire, then look at what is stored."""
    chaos = Chaos(arena, store, random.Random(seed))
    began = time.monotonic()
    async with contextlib.AsyncExitStack() as stack:
        host = await stack.enter_async_context(Arena.connect(arena.api, token=arena.token))
        people: list[Player] = []
        for number in range(PEOPLE):
            player = await host.players.create(f"Person {number}")
            token = (await host.players.create_token(player.id)).secret
            mine = await stack.enter_async_context(Arena.connect(arena.api, token=token))
            people.append(Player(player.id, mine, Tables(mine, chaos.acknowledged)))
        house_bots = [
            await host.players.create(f"Bot {number}", house_bot="greedy") for number in range(BOTS)
        ]
        bots = [player.id for player in house_bots]
        killing = asyncio.create_task(chaos.kill_on())
        room = asyncio.Semaphore(at_once)

        async def one(number: int) -> None:
            async with room:
                await chaos.play(number, host, people, bots)

        playing = asyncio.gather(*map(one, range(games)))
        async with asyncio.timeout(LONGEST_S):
            await asyncio.wait((playing, killing), return_when=asyncio.FIRST_COMPLETED)
            if killing.done():
                killing.result()
            await playing
        killing.cancel()
        await asyncio.gather(killing, return_exceptions=True)
    ctx = await open_context(load_settings(redis_url=store.url))
    actions = await check(ctx, chaos)
    await close_context(ctx)
    deaths = ", ".join(f"{name} {count}" for name, count in sorted(chaos.deaths.items()))
    say(f"{games} games, {actions:,} actions in {time.monotonic() - began:.0f} s; killed: {deaths}")
    say(f"{chaos.acknowledged.total():,} acknowledged actions of players: all are in the logs")


def say(line: str) -> None:
    """Print at once."""
    print(line, flush=True)


def main() -> int:
    """Run; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="how many are played")
    parser.add_argument("--at-once", type=int, default=20, help="how many at the same time")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="same dice")
    given = parser.parse_args()
    say(f"seed {given.seed}: {given.games} games")
    with tempfile.TemporaryDirectory(prefix="chaos-") as name:
        store = Store(Path(name))
        store.start()
        environment = {"RUMMY_ARENA_REDIS_URL": store.url, "RUMMY_ARENA_RESTARTS": "100"}
        options = ("--workers", "2", "--api-processes", "2")
        arena = RunningArena(Path(name) / "arena", *options, env=environment)
        try:
            asyncio.run(
                run(arena, store, games=given.games, at_once=given.at_once, seed=given.seed)
            )
        except (Lost, TimeoutError) as error:
            say(f"FAILED: {error or 'games stand still'}\n{arena.output}")
            return 1
        finally:
            if arena.parent.poll() is None:
                arena.end(signal.SIGTERM)
            store.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
