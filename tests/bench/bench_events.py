"""Whole events of house bots: a large knockout, many small ones at once, growth with the field.

``python -m tests.bench.bench_events [entrants]`` starts an arena with two workers of one child
each. All games are Jamaican Kalooki at tables of four of which two go on.

- The knockout (4,096 entrants unless said otherwise) is of whole games of nine deals. Its tables a
  second are compared with those of the library alone, which plays every so many of the same games,
  of all rounds, in two processes at once, one for each core: no store, no broker, no events kept,
  and the games must end the same. On a machine that is busy with other things the share of the
  processor is the better figure: what those games took alone, of all that the arena's processes
  took from the start to the end. Idle between rounds is from the end of a round's last table to
  the creation of the next one's first, and at both ends of the run; beside it stands the time in
  which no table was being played, all by the times that the store keeps of tables.
- The others are of games of one deal, so that what is not play counts more.

Registration, with many calls side by side, has lines of its own.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from typing import Any

from .event_load import (
    CALLS_AT_ONCE,
    ONE_DEAL,
    Load,
    games_of,
    load_on,
    own_arena,
    played_alone,
    side_by_side,
)
from .yardstick import yardstick_line

KNOCKOUT = 4_096
SIZES = (64, 256, 1_024, 4_096, 16_384)
SMALL_EVENTS, SMALL = 1_000, 8
GUEST, GUESTS = 4, 5
GAMES_ALONE = 256
REFERENCE_SHARE, REFERENCE_IDLE = 0.60, 0.05


async def enter(load: Load, entrants: int, seed: str, options: dict[str, str]) -> str:
    """Return an event that is ready to start, and print what entering took."""
    started_s, cpu_s = time.perf_counter(), load.cpu_s()
    tournament_id = await load.enter(entrants, seed, options)
    took_s = time.perf_counter() - started_s
    print(
        f"{entrants:,} registrations, {CALLS_AT_ONCE} calls side by side: {took_s:.1f} s, "
        f"{entrants / took_s:.0f} a second, {(load.cpu_s() - cpu_s) / entrants * 1e3:.2f} ms of "
        "processor each",
        flush=True,
    )
    return tournament_id


async def knockout(load: Load, entrants: int) -> None:
    """Print how a knockout of whole games fares beside the library alone."""
    tournament_id = await enter(load, entrants, "knockout", {})
    cpu_s = load.cpu_s()
    await load.run(tournament_id, look_every_s=1.0)
    cpu_s = load.cpu_s() - cpu_s
    event = await load.told(tournament_id)
    tables = len(event.tables)
    rate = tables / event.run_s
    games = games_of(event, every=max(1, tables // GAMES_ALONE))
    alone = await asyncio.to_thread(played_alone, games)
    alone_rate = alone.games / alone.wall_s
    of_cpu = alone.cpu_s / alone.games * tables / cpu_s
    idle, between = event.idle_s / event.run_s, event.between_s / event.run_s
    print(
        f"knockout of {entrants:,}: {tables:,} tables in {event.run_s:.1f} s, {rate:.1f} a second"
    )
    print(f"  the library alone, two processes, {alone.games} games: {alone_rate:.1f} a second")
    print(
        f"  share of that rate kept          {rate / alone_rate:.2f}  reference {REFERENCE_SHARE}"
    )
    print(
        f"  share of the processor time      {of_cpu:.2f}  reference {REFERENCE_SHARE}; "
        f"{cpu_s / tables * 1e3:.1f} ms a table, {alone.cpu_s / alone.games * 1e3:.1f} alone"
    )
    print(
        f"  idle between rounds              {between:.1%}  reference {REFERENCE_IDLE:.0%}; "
        f"{event.between_s / len(event.rounds) * 1e3:.0f} ms a round; no table played: {idle:.1%}",
        flush=True,
    )


async def small_events(load: Load) -> None:
    """Print how long many small events take that start at once."""
    seeds = [f"small/{number}" for number in range(SMALL_EVENTS)]
    ids = []
    for first in range(0, SMALL_EVENTS, 8):  # each enters its own side by side
        some = seeds[first : first + 8]
        ids += await asyncio.gather(*(load.enter(SMALL, seed, ONE_DEAL) for seed in some))
    cpu_s, started_s = load.cpu_s(), time.perf_counter()
    await side_by_side(load.host.tournaments.start, ids)
    begun_s = time.perf_counter() - started_s
    events = []
    for tournament_id in ids:
        await load.over(tournament_id)
        events.append(await load.told(tournament_id))
    first_ms = min(event.record.started_ms for event in events)
    ended_s = [(event.record.finished_ms - first_ms) / 1e3 for event in events]
    tables = sum(len(event.tables) for event in events)
    print(
        f"{SMALL_EVENTS:,} events of {SMALL} at once: started in {begun_s:.1f} s, the last over "
        f"after {max(ended_s):.1f} s, {tables / max(ended_s):.0f} tables a second, "
        f"{(load.cpu_s() - cpu_s) / tables * 1e3:.1f} ms of processor a table; an event took "
        f"{statistics.median(event.run_s for event in events):.2f} s in the median, "
        f"{max(event.run_s for event in events):.2f} s at most",
        flush=True,
    )


async def guests(load: Load, label: str, count: int) -> list[str]:
    """Run small events one after another, and return how long each took as text."""
    took = []
    for number in range(count):
        tournament_id = await load.enter(GUEST, f"{label}/{number}", ONE_DEAL)
        took.append(f"{await load.run(tournament_id, look_every_s=0.01):.2f}")
    return took


async def growth(load: Load, sizes: tuple[int, ...]) -> None:
    """Print what a table costs as the field grows; a small event comes amid the largest."""
    alone = await guests(load, "alone", GUESTS)
    for entrants in sizes:
        await load.create_bots(entrants)
        tournament_id = await enter(load, entrants, f"growth/{entrants}", ONE_DEAL)
        amid: asyncio.Task[Any] | None = None
        cpu_s = load.cpu_s()
        if entrants >= KNOCKOUT:
            amid = asyncio.create_task(_amid(load, entrants))
        await load.run(tournament_id)
        cpu_s = load.cpu_s() - cpu_s
        event = await load.told(tournament_id)
        tables = len(event.tables)
        print(
            f"knockout of {entrants:,}, one deal each: {tables:,} tables, "
            f"{tables / event.run_s:.0f} a second, {cpu_s / tables * 1e3:.2f} ms of processor a "
            f"table, {event.between_s / event.run_s:.1%} between rounds",
            flush=True,
        )
        if amid is not None:
            print(
                f"  an event of {GUEST} amid it took {', '.join(await amid)} s, alone "
                f"{', '.join(alone)} s",
                flush=True,
            )


async def _amid(load: Load, entrants: int) -> list[str]:
    await asyncio.sleep(0.5)
    return await guests(load, f"amid/{entrants}", GUESTS)


async def measure(record: dict[str, Any], token: str, entrants: int) -> None:
    """Print all figures of one arena."""
    async with load_on(record, token) as load:
        sizes = tuple(size for size in SIZES if size <= 4 * entrants)
        started_s = time.perf_counter()
        await load.create_bots(entrants)
        took_s = time.perf_counter() - started_s
        print(f"{entrants:,} house bots created: {entrants / took_s:.0f} a second", flush=True)
        await knockout(load, entrants)
        await small_events(load)
        await growth(load, sizes)


def main() -> None:
    """Print the figures."""
    entrants = int(sys.argv[1]) if len(sys.argv) > 1 else KNOCKOUT
    print(yardstick_line())
    with own_arena() as (record, token):
        asyncio.run(measure(record, token, entrants))
    print(yardstick_line())


if __name__ == "__main__":
    main()
