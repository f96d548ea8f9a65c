"""Entering a large tournament: what an entry costs in an empty field and in a full one.

Run as ``python -m tests.bench.bench_entries``.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable

import uvloop
from prometheus_client import CollectorRegistry

from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.get_player import PLAYERS
from services.events.principals import Principal
from services.events.read_standings import read_standings
from services.events.register import register
from services.events.stage_choices import knockout
from services.events.start_tournament import start_tournament
from services.runtime.wiring import new_id, now_ms
from services.state.client import connect
from services.state.codec import PLAYER
from services.state.context import Context
from services.state.kept import Kept
from services.state.meters import Meters
from services.state.records import PlayerRecord
from services.state.store import Store

from .own_store import own_store
from .yardstick import yardstick_line

ENTRANTS = 16_384
CALLERS = 16
HOST = Principal("host", "host")


async def entered(ctx: Context, tournament_id: str, players: list[str]) -> tuple[float, float]:
    """Enter players, so many at a time; return seconds, and of them this process's own."""
    waiting = iter(players)

    async def caller() -> None:
        for player_id in waiting:
            await register(ctx, HOST, tournament_id=tournament_id, player_id=player_id)

    began, own = time.perf_counter(), time.process_time()
    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    return time.perf_counter() - began, time.process_time() - own


async def timed(name: str, work: Awaitable[object]) -> None:
    """Print how long something takes."""
    began = time.perf_counter()
    await work
    print(f"{name:44} {time.perf_counter() - began:7.3f} s")


async def measure(url: str) -> None:
    """Print every figure."""
    store = Store(connect(url), Meters(CollectorRegistry()))
    ctx = Context(store, store.meters, now_ms, new_id, secrets.token_bytes)
    players = [f"p{number}" for number in range(ENTRANTS)]
    record = PLAYER.encode(PlayerRecord("Pat", "greedy", "bot", "host", 1))
    for player_id in players:
        await store.create(PLAYERS, player_id, record)
    options = TournamentOptions("Cup", "kalooki-jamaican", knockout(4, 2), seed=b"bench")
    tournament_id = (await create_tournament(ctx, HOST, options, tournament_id=new_id())).id
    costs = []
    for first in range(0, ENTRANTS, 1_000):
        some = players[first : first + 1_000]
        seconds, own = await entered(ctx, tournament_id, some)
        costs.append((seconds / len(some) * 1e3, own / len(some) * 1e3))
    for name, (each, own) in (("first", costs[0]), ("last", costs[-2])):
        print(f"{f'an entry, {name} thousand of {ENTRANTS:,}':44} {each:7.3f} ms, {own:.3f} ms own")
    print(f"{'':44} last to first, reference within 1.20: {costs[-2][1] / costs[0][1]:.2f} (own)")
    await timed(
        "start: the first round paired", start_tournament(ctx, HOST, tournament_id=tournament_id)
    )
    store.kept = Kept()
    await timed("standings, nothing kept", read_standings(ctx, tournament_id))
    await timed("standings, the next page", read_standings(ctx, tournament_id))
    await store.close()


def main() -> None:
    """Measure on a server of its own."""
    print(yardstick_line())
    with own_store() as (_, url):
        uvloop.run(measure(url))


if __name__ == "__main__":
    main()
