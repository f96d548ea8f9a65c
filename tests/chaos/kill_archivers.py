"""Kill every worker while it archives, and see that each game is archived whole all the same.

``python -m tests.chaos.kill_archivers [--kills 3] [--entrants 48]``

Plays a tournament of house bots. When the archive holds one of the two files of a game and not the
other, all workers get SIGKILL with their pools. Afterwards every game must be there, in both
forms, verified, and no half file under a game's name. Takes a minute or two, for what the dead have
left is sent for again after one. Exit status 0 when all that holds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from rummy_arena.client import Arena
from rummy_arena.game.fairness import verify
from rummy_arena.game.notation import parse_game
from rummy_arena.rulesets.registry import get_rule_set
from services.runtime.children import session_members
from services.runtime.demo_play import enter_house_bots
from services.runtime.run_record import processes
from tests.e2e.arenas import RunningArena, running

SUFFIXES = (".jsonl.gz", ".txt.gz")
LONGEST_S, LOOK_EVERY_S = 180.0, 0.2


async def play(arena: Arena, entrants: int) -> list[str]:
    """Play a tournament; return its tables."""
    tournament = await arena.tournaments.create(
        "chaos",
        rule_set="kalooki-jamaican",
        seats_per_table=4,
        advance_per_table=2,
        capacity=entrants,
    )
    await enter_house_bots(arena, tournament.id, entrants)
    await arena.tournaments.start(tournament.id)
    async for update in arena.tournaments.watch(tournament.id, after=0):
        if update.event.WhichOneof("event") == "tournament_finished":
            break
    rounds = await arena.tournaments.bracket(tournament.id)
    return [pairing.table_id for row in rounds for pairing in row.pairings]


def names(archive: Path) -> set[str]:
    """Return the names of the files in the archive."""
    return {path.name for path in archive.glob("????/??/??/*.gz")}


def halves(archive: Path) -> list[str]:
    """Return the games of which one file is there."""
    found = names(archive)
    games = {name.split(".")[0] for name in found}
    return [game for game in games if len({game + suffix for suffix in SUFFIXES} & found) == 1]


def kill_workers(home: Path) -> int:
    """SIGKILL the workers with their pools; return how many processes that were."""
    record = json.loads((home / "run.json").read_text())
    pids = [
        pid
        for name, entry in processes(record)
        if name.startswith("worker")
        for pid in session_members(int(entry["pid"]))
    ]
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(pids)


async def kill_at_halves(home: Path, archive: Path, kills: int) -> int:
    """Kill the workers so many times, each while a game is half archived; return how often."""
    done, left = 0, set[str]()
    while done < kills:
        half = set(halves(archive)) - left
        if half:
            killed = kill_workers(home)
            done, left = done + 1, left | half
            print(f"killed {killed} processes with {', '.join(half)} half archived")
            await asyncio.sleep(1.5)  # for others to take their place
        await asyncio.sleep(0.0005)
    return done


def faults(archive: Path, tables: list[str]) -> list[str]:
    """Return what is wrong with the archive."""
    paths = {path.name: path for path in archive.glob("????/??/??/*.gz")}
    wanted = {table + suffix for table in tables for suffix in SUFFIXES}
    wrong = [f"missing: {name}" for name in sorted(wanted - set(paths))]
    wrong += [f"unknown: {name}" for name in sorted(set(paths) - wanted)]
    for name in sorted(wanted & set(paths)):
        text = gzip.decompress(paths[name].read_bytes()).decode()
        if name.endswith(".txt.gz"):
            parsed = parse_game(text)
            rules = get_rule_set(parsed.rule_set, parsed.options)
            if not verify(rules, parsed.seats, parsed.events).good:
                wrong.append(f"not good: {name}")
        elif json.loads(text.splitlines()[0])["table"]["sequence"] != str(text.count("\n") - 1):
            wrong.append(f"not whole: {name}")
    return wrong


async def run(arena: RunningArena, archive: Path, kills: int, entrants: int) -> list[str]:
    """Play, kill, and wait for the archive; return what is wrong with it."""
    killing = asyncio.create_task(kill_at_halves(arena.folder, archive, kills))
    async with Arena.connect(arena.api, token=arena.token) as client:
        tables = await play(client, entrants)
    for _ in range(round(LONGEST_S / LOOK_EVERY_S)):
        if len(names(archive)) >= 2 * len(tables):
            break
        await asyncio.sleep(LOOK_EVERY_S)
    killing.cancel()
    happened = killing.done() and not killing.cancelled()
    return faults(archive, tables) + ([] if happened else ["it came to fewer kills than asked for"])


def main(arguments: list[str]) -> int:
    """Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--entrants", type=int, default=48)
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="arena-archive-") as folder:
        archive = Path(folder) / "archive"
        archive.mkdir()
        env = {"RUMMY_ARENA_ARCHIVE_URL": str(archive), "RUMMY_ARENA_RESTARTS": "20"}
        with running(Path(folder) / "arena", "--workers", "2", env=env) as arena:
            wrong = asyncio.run(run(arena, archive, chosen.kills, chosen.entrants))
        games = len(names(archive)) // 2
    for fault in wrong:
        print(f"FAULT: {fault}")
    print(f"{games} games archived; {'NOT as they should be' if wrong else 'all whole'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
