"""An arena whose clock a test moves, whose workers it is, and whose tournaments it runs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from rummy_arena.api.v1.tournament_pb2 import (
    TOURNAMENT_STATUS_RUNNING,
    Knockout,
    Tournament,
    TournamentOptions,
)
from rummy_arena.client import Arena, ArenaError
from services.state.context import Context
from services.state.keys import deadlines, shard_of
from tests.workers.carrying import Clock, drain, sweep

MINUTE_MS = 60_000
RULES = "kalooki-jamaican"


class World:
    """An arena whose clock the test moves, and whose workers it is."""

    def __init__(self, ctx: Context, clock: Clock, admin: Arena) -> None:
        self.ctx, self.clock, self.admin = ctx, clock, admin

    async def players(self, count: int, *, bot: str = "greedy") -> list[str]:
        """Return so many new players, of a house bot, or people where that is empty."""
        made = [
            await self.admin.players.create(f"p{number}", house_bot=bot)
            for number in range(1, count + 1)
        ]
        return [player.id for player in made]

    async def cup(self, **options: object) -> Tournament:
        """Return a knockout for tables of three with these options besides."""
        options.setdefault("knockout", Knockout(seats_per_table=3, advance_per_table=1))
        options.setdefault("rule_set_id", RULES)
        whole = TournamentOptions(title="Cup", **options)  # type: ignore[arg-type]
        return await self.admin.tournaments.open(whole, seed="life")

    async def enter(self, tournament: Tournament, players: Sequence[str]) -> None:
        """Enter players."""
        for player in players:
            await self.admin.tournaments.register(tournament.id, player)

    async def work(self, ms: int = 0) -> None:
        """Let time pass, and do all that is due."""
        self.clock.now_ms += ms
        for _ in range(30):
            await sweep(self.ctx)
            if not await drain(self.ctx):
                return
        raise AssertionError("there is always more to do")

    async def status(self, tournament: Tournament) -> int:
        """Return where the tournament stands."""
        return (await self.admin.tournaments.get(tournament.id)).status

    async def has_timer(self, tournament: Tournament) -> bool:
        """Return whether something is to happen to it by itself."""
        client = self.ctx.store._client
        key = deadlines(shard_of(tournament.id))
        return await client.zscore(key, f"tournament:{tournament.id}") is not None

    def at(self, ms: int) -> Timestamp:
        """Return a time so far from now."""
        moment = Timestamp()
        moment.FromMilliseconds(self.clock.now_ms + ms)
        return moment


async def refusal(call: object) -> str:
    """Return the reason with which a call is refused."""
    with pytest.raises(ArenaError) as caught:
        await call  # type: ignore[misc]
    return caught.value.reason


async def play_out(world: World, cup: Tournament) -> None:
    """Let time pass, turn by turn, until the tournament is over."""
    for _ in range(3_000):
        await world.work(100_000)
        if await world.status(cup) != TOURNAMENT_STATUS_RUNNING:
            return
    raise AssertionError("it does not end")
