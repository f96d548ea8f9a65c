"""Where a table's deals come from: each has its own seed, committed to before and told after."""

from __future__ import annotations

import asyncio
import dataclasses
from random import Random

import pytest

from rummy_arena.bots.bot import dice_of
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game.events import DealCommitted, DealRevealed, DealStarted
from rummy_arena.game.fairness import verify
from rummy_arena.game.state import Phase
from rummy_arena.game.view import view
from rummy_arena.rulesets.registry import get_rule_set
from services.play.act import act
from services.play.create_table import create_table
from services.play.play_bots import play_bots
from services.play.table import TABLES, load_table
from services.state.context import Context
from services.state.records import SeatRecord, SeedPolicy, Terms
from tests.stored_logs import game_log_of

RULES = "kalooki-jamaican"
BOTS = [SeatRecord(f"b{seat}", f"B{seat}", "greedy") for seat in range(4)]
SYSTEM = Terms(seeds=SeedPolicy.SYSTEM)


async def test_five_hundred_tables_of_one_moment_have_five_hundred_deals(ctx: Context) -> None:
    """Same clock, same players, same seed of the table: only the system's chance differs."""
    moment_ms = ctx.now_ms()
    still = dataclasses.replace(ctx, now_ms=lambda: moment_ms)
    started = asyncio.get_running_loop().time()
    ids = [f"t{number}" for number in range(500)]
    made = await asyncio.gather(
        *(create_table(still, one, RULES, BOTS, bytes(32), terms=SYSTEM) for one in ids)
    )
    assert all(made)
    assert asyncio.get_running_loop().time() - started < 20
    decks, commitments = set(), set()
    for one in ids:
        for event in await game_log_of(ctx, one):
            if isinstance(event, DealStarted):
                decks.add(event.deck)
            elif isinstance(event, DealCommitted):
                commitments.add(event.commitment)
    assert len(decks) == len(commitments) == 500


async def test_a_whole_game_of_system_seeds_can_be_verified(ctx: Context) -> None:
    assert await create_table(ctx, "t1", RULES, BOTS, bytes(32), terms=SYSTEM)
    assert await play_bots(ctx, "t1", HOUSE_BOTS, slice_ms=60_000)
    table = load_table("t1", (await ctx.store.read(TABLES, "t1")).data)
    log = await game_log_of(ctx, "t1")
    assert table.game.over
    revealed = [event for event in log if isinstance(event, DealRevealed)]
    assert len(revealed) == sum(isinstance(event, DealStarted) for event in log)
    assert len({event.seed for event in revealed}) == len(revealed)
    assert table.record.deal_seeds == []
    assert verify(get_rule_set(RULES), 4, log).good


async def test_seeds_that_are_not_told_yet_are_kept_and_others_are_not(ctx: Context) -> None:
    people = [SeatRecord(f"p{seat}", f"P{seat}", "") for seat in range(4)]
    assert await create_table(ctx, "t1", RULES, people, bytes(32), terms=SYSTEM)
    record = load_table("t1", (await ctx.store.read(TABLES, "t1")).data).record
    ((number, attempt, seed),) = record.deal_seeds
    assert (number, attempt, len(seed)) == (1, 0, 32)
    assert seed != bytes(32)


async def test_derived_seeds_deal_the_same_again(ctx: Context) -> None:
    logs = []
    for table_id in ("t1", "t2"):
        assert await create_table(ctx, table_id, RULES, BOTS, bytes(range(32)))
        assert await play_bots(ctx, table_id, HOUSE_BOTS, slice_ms=60_000)
        logs.append(await game_log_of(ctx, table_id))
    assert logs[0] == logs[1]


@pytest.mark.parametrize("rule_set", ["kaluki-european", "kaluki-american"])
async def test_people_play_on_through_re_buys_with_system_seeds(
    ctx: Context, rule_set: str
) -> None:
    """Between two deals there is no deal whose seed must be kept."""
    people = [SeatRecord(f"p{seat}", f"P{seat}", "") for seat in range(3)]
    ctx = dataclasses.replace(ctx, random_bytes=Random(5).randbytes)  # the same on each run
    assert await create_table(ctx, "t1", rule_set, people, bytes(32), terms=SYSTEM)
    bot, offers = HOUSE_BOTS["random"], 0
    for number in range(5_000):
        table = load_table("t1", (await ctx.store.read(TABLES, "t1")).data)
        if table.game.over:
            break
        offers += table.game.deal.phase is Phase.REBUY
        seat = table.waiting[0]
        seen = view(table.game, seat)
        move = bot.choose(seen, dice_of(bytes(32), seen))
        await act(ctx, "t1", f"p{seat}", move, request_id=f"r{number}")
    assert offers > 0
    assert table.game.over
