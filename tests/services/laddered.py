"""Ladders for tests: made through the use cases, with house bots on them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.tournament.ladder import LadderTerms
from services.events.create_player import create_player
from services.events.ladders.count_result import count_result
from services.events.ladders.create_ladder import LadderOptions, create_ladder
from services.events.ladders.enter_ladder import Entering, enter_ladder
from services.events.ladders.ladder import read_entrants, read_ladder
from services.events.principals import Principal
from services.state.context import Context
from services.state.ladder_records import LadderEntrantRecord
from services.state.messages import OpenLadderTable
from services.state.records import SeatResultRecord
from tests.workers.carrying import Clock, carry, sweep, take

HOST = Principal("host", "host")
QUICK = LadderTerms(4, 3, widen=60_000, hold_ms=2_000, pause_ms=0, fewer_ms=3_000, anchors_ms=0)
RULE_SET = "kalooki-bonus"


async def ladder(ctx: Context, terms: LadderTerms = QUICK, **options: Any) -> str:
    """Create a ladder and return its id."""
    short = {"contract": "1"}  # a game is one deal
    chosen = LadderOptions("Bots", RULE_SET, terms, rule_set_options=short, **options)
    made = await create_ladder(ctx, HOST, chosen, ladder_id=ctx.new_id().lower())
    return made.id


async def player(ctx: Context, name: str, *, bot: str = "", role: str = "bot") -> str:
    """Create a player and return its id."""
    player_id, _ = await create_player(
        ctx, HOST, name=name, role=role, bot=bot, player_id=ctx.new_id()
    )
    return player_id


async def bots(
    ctx: Context, ladder_id: str, count: int, owners: Mapping[int, str] | None = None
) -> list[str]:
    """Enter house bots and return their players, by number of the entrant less one."""
    players = []
    for number in range(1, count + 1):
        bot = tuple(HOUSE_BOTS)[number % len(HOUSE_BOTS)]
        players.append(await player(ctx, f"{bot}-{number}", bot=bot))
        entering = Entering((owners or {}).get(number, ""))
        await enter_ladder(ctx, HOST, ladder_id=ladder_id, player_id=players[-1], entering=entering)
    return players


async def anchor(ctx: Context, ladder_id: str, mean: float, *, at_once: int = 16) -> str:
    """Enter a house bot that keeps its rating."""
    player_id = await player(ctx, f"anchor-{mean}", bot="random")
    await enter_ladder(
        ctx,
        HOST,
        ladder_id=ladder_id,
        player_id=player_id,
        entering=replace(Entering(), at_once=at_once, anchor_mean=mean),
    )
    return player_id


async def entrants_of(ctx: Context, ladder_id: str) -> dict[int, LadderEntrantRecord]:
    """Return everybody on a ladder."""
    return await read_entrants(ctx, ladder_id, (await read_ladder(ctx, ladder_id)).record)


def ended(entrants: Sequence[int], dice: random.Random) -> list[SeatResultRecord]:
    """Return how a table of these entrants may end; some of them share places."""
    totals = [dice.randint(0, 9) for _ in entrants]
    return [
        SeatResultRecord(entrant, total, 1 + sum(o < total for o in totals), 0, 0, 0, [])
        for entrant, total in zip(entrants, totals, strict=True)
    ]


async def tell(ctx: Context, dice: random.Random, *, times: int = 1, rounds: int = 1_000) -> None:
    """Carry what ladders owe, with tables that end at once, in whatever way."""
    for _ in range(rounds):
        messages = await take(ctx)
        if not messages:
            return
        for message in messages:
            if isinstance(message, OpenLadderTable):
                ladder_id, number = message.ladder_id, message.number
                record = (await read_ladder(ctx, ladder_id)).record
                seats = next((t.entrants for t in record.open if t.number == number), [])
                told = ended(seats, dice)
                for _ in range(times):
                    await count_result(ctx, ladder_id, number, told)
            else:
                for _ in range(times):
                    await carry(ctx, message)


async def tell_on(
    ctx: Context, clock: Clock, ladder_id: str, wanted: int, *, times: int = 1
) -> None:
    """Let time pass, with tables that end at once, until so many results are rated."""
    dice = random.Random(wanted)
    for _ in range(1_000):
        await tell(ctx, dice, times=times)
        if (await read_ladder(ctx, ladder_id)).record.results >= wanted:
            return
        clock.now_ms += 1_000
        await sweep(ctx)
    raise AssertionError("no further result came")
