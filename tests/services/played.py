"""A table that a test plays itself, with bots at every seat and a commit for each action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rummy_arena.bots.drive import drive
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game.events import DealEnded, Event
from services.play.commit import commit_of
from services.play.create_table import create_table
from services.play.save import save
from services.play.table import TABLES, load_table
from services.state.context import Context
from services.state.records import SeatRecord, Terms

RULE_SET = "kalooki-jamaican"
SEED = bytes(range(32))


@dataclass
class Played:
    """A table without house bots, so that nothing else plays at it."""

    ctx: Context
    id: str
    over: bool = False
    last: int = 0  # sequence

    async def step(self, enough: Callable[[list[Event]], bool] = lambda events: True) -> None:
        """Play and commit one action, or as many as are ``enough``."""
        held = await self.ctx.store.acquire(TABLES, self.id, lease_ms=5_000, wait_s=5)
        table = load_table(self.id, held.data, self.ctx.random_bytes)
        before = table.decision()
        bots = dict.fromkeys(range(table.game.seats), HOUSE_BOTS["greedy"])
        events = drive(table.game, table.chance, bots, SEED, stop=enough)
        commit = commit_of(table, events, before, now_ms=self.ctx.now_ms(), wake=False)
        await save(self.ctx, held, table.record, commit)
        self.over, self.last = table.game.over, held.seq + len(events)

    async def steps(self, count: int) -> None:
        """Play so many actions."""
        for _ in range(count):
            await self.step()

    async def deal(self) -> None:
        """Play to the end of the deal, in one commit."""
        await self.step(lambda events: any(isinstance(event, DealEnded) for event in events))

    async def finish(self) -> None:
        """Play the game to its end, in one commit."""
        await self.step(lambda events: False)


async def played_table(
    ctx: Context, *players: str, terms: Terms | None = None, rule_set: str = RULE_SET
) -> Played:
    """Return a table whose first deal is dealt; ``players`` sit at it, or three who are nobody."""
    table_id = ctx.new_id()
    seats = [SeatRecord(player, player, "") for player in players or ("a", "b", "c")]
    await create_table(ctx, table_id, rule_set, seats, SEED, terms=terms)
    return Played(ctx, table_id, last=(await ctx.store.read(TABLES, table_id)).seq)
