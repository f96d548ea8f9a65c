"""The workers' part done in this process: the tasks' own code, without broker or pool."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Collection, Iterable

from rummy_arena.bots.registry import HOUSE_BOTS
from services.events.advance_tournament import advance_tournament
from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.ladders.advance_ladder import advance_ladder
from services.events.principals import Principal
from services.events.read_standings import read_standings
from services.events.register import register
from services.events.report_result import report_result
from services.events.stage_choices import knockout
from services.events.start_tournament import start_tournament
from services.state.context import Context
from services.state.keys import SHARDS
from services.state.messages import (
    AdvanceLadder,
    AdvanceTournament,
    Message,
    OpenLadderTable,
    OpenTable,
    OpenTables,
    PlayTable,
    ReportResult,
    UnsealTables,
    decode_message,
)
from services.state.records import Status
from workers.tasks.ladders import _open as _open_of_ladder
from workers.tasks.sealed import _unseal
from workers.tasks.sweep import _sweep
from workers.tasks.tables import _open, _open_some, _play

HOST = Principal("host", "host")


class Clock:
    """A clock that a test sets forward."""

    def __init__(self, now_ms: int = 1_800_000_000_000) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms

    def of(self, ctx: Context) -> Context:
        """Return the context with this clock."""
        return dataclasses.replace(ctx, now_ms=self)


async def carry(ctx: Context, message: Message) -> None:
    """Do what the worker's task for this message does."""
    match message:
        case OpenTable(tournament_id, round_number, number, attempt):
            await _open(ctx, tournament_id, round_number, number, attempt)
        case OpenTables(tournament_id, round_number, first, step):
            while first:
                first = await _open_some(ctx, tournament_id, round_number, first, step)
        case OpenLadderTable(ladder_id, number):
            await _open_of_ladder(ctx, ladder_id, number)
        case AdvanceLadder(ladder_id):
            await advance_ladder(ctx, ladder_id)
        case PlayTable(table_id):
            await _play(ctx, table_id)
        case ReportResult(table_id):
            await report_result(ctx, table_id)
        case AdvanceTournament(tournament_id):
            await advance_tournament(ctx, tournament_id)
        case UnsealTables(tournament_id, round_number, first, step):
            await _unseal(ctx, tournament_id, round_number, first, step)


async def drain(
    *processes: Context,
    times: int = 1,
    lose: Callable[[Message], bool] = lambda _: False,
    shards: Iterable[int] = range(SHARDS),
) -> int:
    """Carry the outboxes' messages until none is left; return how many were carried.

    Each message goes to every one of ``processes`` at the same instant, ``times`` over; those that
    ``lose`` names go to nobody.
    """
    carried = 0
    while True:
        messages = await take(processes[0], shards)
        if not messages:
            return carried
        for message in messages:
            if lose(message):
                continue
            for _ in range(times):
                await asyncio.gather(*(carry(process, message) for process in processes))
            carried += 1


async def take(ctx: Context, shards: Iterable[int] = range(SHARDS)) -> list[Message]:
    """Take every message out of the outboxes."""
    messages = []
    for shard in shards:
        entries = await ctx.store.outbox_read(shard, "test", count=1_000, block_ms=0)
        messages += [decode_message(entry.data) for entry in entries]
        await ctx.store.outbox_ack(shard, [entry.id for entry in entries])
    return messages


async def sweep(ctx: Context) -> None:
    """Do what the sweep's task does."""
    await _sweep(ctx)


async def started(
    ctx: Context, entrants: int, *, seed: bytes, people: Collection[int] = (), seats: int = 4
) -> str:
    """Start a knockout of house bots, with people at some entrant numbers; return its id."""
    options = TournamentOptions("Test", "kalooki-jamaican", knockout(seats, 2), seed=seed)
    tournament = await create_tournament(ctx, HOST, options, tournament_id=ctx.new_id())
    for number in range(1, entrants + 1):
        bot = "" if number in people else tuple(HOUSE_BOTS)[number % len(HOUSE_BOTS)]
        player_id, _ = await create_player(
            ctx,
            HOST,
            name=f"{bot or 'player'}-{number}",
            role="bot" if bot else "player",
            bot=bot,
            player_id=ctx.new_id(),
        )
        await register(ctx, HOST, tournament_id=tournament.id, player_id=player_id)
    await start_tournament(ctx, HOST, tournament_id=tournament.id)
    return tournament.id


async def status(ctx: Context, tournament_id: str) -> Status:
    """Return where the tournament stands."""
    snapshot, _ = await read_standings(ctx, tournament_id)
    return snapshot.record.status


async def final_lines(ctx: Context, tournament_id: str) -> list[str]:
    """Return the standings of a tournament that must be over, line by line."""
    snapshot, rows = await read_standings(ctx, tournament_id)
    assert snapshot.record.status is Status.FINISHED
    return [f"{row.row.rank} {row.entrant.name} {row.row}" for row in rows]
