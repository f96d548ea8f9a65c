"""A bot plays on a ladder of an arena, for as long as it likes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from rummy_arena.api.v1.ladder_pb2 import LADDER_STATUS_FINISHED
from rummy_arena.api.v1.ladder_service_pb2 import GetLadderEntrantResponse
from rummy_arena.bots.bot import Bot

from .arena import Arena
from .caller import Pauses
from .seat import Result, TableClosed, patiently, play_seat

LOOK_S = 1.0
"""How often it is asked whether there is a new table."""


async def play_ladder(
    arena: Arena,
    ladder_id: str,
    bot: Bot,
    *,
    tables_at_once: int = 1,
    invitation_code: str = "",
    seed: bytes = b"",
) -> AsyncIterator[Result]:
    """Enter the token's player unless it is in, and yield each game that ``bot`` has played.

    Ends when the ladder is over, or when the player was taken off it; to stop before, leave the
    loop and call ``arena.ladders.leave``: else the arena goes on giving it tables, where it is
    absent, and takes it off. A program that was stopped may call this again and plays on. Raises
    what ``play_seat`` raises, and ArenaError LADDER_OVER, LADDER_FULL or ENTRY_REFUSED where the
    player cannot enter.
    """
    await arena.ladders.enter(
        ladder_id, tables_at_once=tables_at_once, invitation_code=invitation_code
    )

    async def look(pauses: Pauses) -> GetLadderEntrantResponse:
        return await arena.ladders.entrant(ladder_id)

    playing: dict[str, asyncio.Task[Result]] = {}
    done: set[str] = set()
    try:
        while True:
            told = await patiently(look)
            entrant = told.entrant
            done &= set(entrant.open_table_ids)  # those are rated in a moment
            for table_id in entrant.open_table_ids:
                if table_id not in playing and table_id not in done:
                    playing[table_id] = asyncio.create_task(
                        play_seat(arena, table_id, bot, seed=seed)
                    )
            if not playing and (told.status == LADDER_STATUS_FINISHED or not entrant.active):
                return
            if not playing:
                await asyncio.sleep(LOOK_S)
                continue
            await asyncio.wait(
                playing.values(), timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED
            )
            for table_id in [table_id for table_id, task in playing.items() if task.done()]:
                done.add(table_id)
                try:
                    yield playing.pop(table_id).result()
                except TableClosed:
                    continue  # called off: the ladder is over
    finally:
        for task in playing.values():
            task.cancel()
        await asyncio.gather(*playing.values(), return_exceptions=True)
