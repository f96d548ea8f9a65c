"""Kill processes of an arena under a ladder, and see that each result is rated once.

``python -m tests.chaos.kill_under_ladder [--rounds 5] [--seed N]``

A ladder of house bots plays on while processes are killed at random moments: a server, a worker,
one of its pool, the parent of them all. Every rated result that was ever told must stay what it
was; at the end no table may be lost or rated twice, and the ratings must be what the results give.
Exit status 0 when all that holds.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from rummy_arena.api.v1.ladder_pb2 import LadderMatch, LadderOptions
from rummy_arena.client import Arena, ArenaError
from tests.e2e.arenas import RunningArena
from tests.e2e.test_ladder import of_bots, pairing, until

from .kill_everything import LONGEST_ROUND_S, Chaos, Lost, arena_on, say

RESULTS_A_ROUND = 20


class LadderChaos:
    """One ladder, and what was told of its results."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.deaths = Chaos(folder, entrants=0, seed=seed)
        self.ladder_id = ""
        self.told: dict[int, LadderMatch] = {}

    async def create(self, client: Arena) -> None:
        """Create the ladder and enter the bots."""
        options = LadderOptions(
            title="chaos", rule_set_id="kalooki-jamaican", pairing=pairing(4), ranked_from_games=1
        )
        self.ladder_id = await of_bots(client, options, {"random": 1200, "careful": 1700})

    async def follow(self, client: Arena, wanted: int) -> None:
        """Take in results until there are so many."""
        while len(self.told) < wanted:
            for match in await client.ladders.matches(self.ladder_id, most=200):
                if self.told.setdefault(match.number, match) != match:
                    raise Lost(f"result {match.number} was {self.told[match.number]}, not {match}")
            await asyncio.sleep(0.1)

    async def check(self, client: Arena) -> None:
        """Close the ladder, let it play out, and look at everything; raises Lost."""
        await client.ladders.close(self.ladder_id, reason="enough")
        ladder = await until(client, self.ladder_id)
        matches = await client.ladders.matches(self.ladder_id, most=10_000)
        kept = {match.number: match for match in matches}
        if any(kept.get(number) != match for number, match in self.told.items()):
            raise Lost("a result that was told is gone, or has changed")
        if len({match.table_id for match in matches}) != ladder.table_count:
            raise Lost(f"{ladder.table_count} tables, and {len(matches)} results")
        checked = await client.ladders.check_ratings(self.ladder_id)
        if checked.differences or checked.repeated_tables:
            raise Lost(f"the ratings are not what the results give: {checked}")
        say(f"{checked.results} results, each rated once; the ratings are what they give")


async def round_of(chaos: LadderChaos, arena: RunningArena, number: int) -> None:
    """Play for a while, then let somebody die."""
    async with Arena.connect(arena.api, token=arena.token) as client:
        if not chaos.ladder_id:
            await chaos.create(client)
        wanted = len(chaos.told) + chaos.deaths.dice.randint(1, RESULTS_A_ROUND)
        async with asyncio.timeout(LONGEST_ROUND_S):
            await chaos.follow(client, wanted)
    victim = chaos.deaths.dice.choice(chaos.deaths.victims(arena))
    say(f"round {number}: {len(chaos.told)} results told; {victim} is killed")
    chaos.deaths.kill(arena, victim)


async def run(chaos: LadderChaos, rounds: int) -> None:
    """Play through so many deaths, then to the end; raises Lost."""
    for number in range(1, rounds + 1):
        with arena_on(chaos.deaths.folder) as arena:
            await round_of(chaos, arena, number)
    with arena_on(chaos.deaths.folder) as arena:
        started = time.monotonic()
        async with Arena.connect(arena.api, token=arena.token) as client:
            async with asyncio.timeout(LONGEST_ROUND_S):
                await chaos.follow(client, len(chaos.told) + 1)
                await chaos.check(client)
        say(f"{time.monotonic() - started:.1f} s to the end")


def main() -> int:
    """Run; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often something is killed")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="same deaths")
    given = parser.parse_args()
    say(f"seed {given.seed}: {given.rounds} deaths")
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        try:
            asyncio.run(run(LadderChaos(Path(folder), given.seed), given.rounds))
        except (ArenaError, Lost, TimeoutError) as error:
            say(f"FAILED: {error or 'the ladder stands still'}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
