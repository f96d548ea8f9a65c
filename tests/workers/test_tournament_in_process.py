"""A whole tournament through the use cases and a real store, without broker or processes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.rulesets.registry import RULE_SETS
from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.read_standings import read_standings
from services.events.register import register
from services.events.stage_choices import knockout
from services.events.start_tournament import start_tournament
from services.state.context import Context
from services.state.keys import SHARDS
from services.state.messages import decode_message
from services.state.records import Status

from .carrying import HOST, carry


async def drain(ctx: Context, *, times: int = 1) -> int:
    """Carry every message of the outboxes, each so many times, until none is left."""
    carried = 0
    while True:
        before = carried
        for shard in range(SHARDS):
            entries = await ctx.store.outbox_read(shard, "test", count=100, block_ms=0)
            for entry in entries:
                for _ in range(times):
                    await carry(ctx, decode_message(entry.data))
                carried += 1
            await ctx.store.outbox_ack(shard, [entry.id for entry in entries])
        if carried == before:
            return carried


async def play_tournament(
    ctx: Context,
    entrants: int,
    *,
    seed: bytes,
    times: int = 1,
    rule_set: str = "kalooki-jamaican",
    choices: Mapping[str, str] | None = None,
) -> list[str]:
    """Run a knockout of house bots; return the names in order of the final standings."""
    options = TournamentOptions(
        "Test", rule_set, knockout(4, 2), seed=seed, rule_set_options=dict(choices or {})
    )
    tournament = await create_tournament(ctx, HOST, options, tournament_id=ctx.new_id())
    for number in range(entrants):
        bot = tuple(HOUSE_BOTS)[number % len(HOUSE_BOTS)]
        player_id, _ = await create_player(
            ctx, HOST, name=f"{bot}-{number}", role="bot", bot=bot, player_id=ctx.new_id()
        )
        await register(ctx, HOST, tournament_id=tournament.id, player_id=player_id)
    await start_tournament(ctx, HOST, tournament_id=tournament.id)
    await drain(ctx, times=times)
    snapshot, rows = await read_standings(ctx, tournament.id)
    assert snapshot.record.status is Status.FINISHED
    assert len(rows) == entrants
    return [f"{row.row.rank} {row.entrant.name}" for row in rows]


async def test_a_knockout_ends_with_everybody_in_the_standings(ctx: Context) -> None:
    rows = await play_tournament(ctx, 10, seed=b"one")
    assert rows[0].startswith("1 ")


async def test_work_delivered_three_times_changes_nothing(ctx: Context) -> None:
    once = await play_tournament(ctx, 9, seed=b"two")
    thrice = await play_tournament(ctx, 9, seed=b"two", times=3)
    assert once == thrice


GAMES = [
    *((rule_set, {}) for rule_set in RULE_SETS),
    ("kaluki-european", {"rebuys": "1"}),
    ("kalooki-bonus", {"best_of": "3", "short_form": "on"}),
]


@pytest.mark.parametrize(("rule_set", "choices"), GAMES, ids=str)
async def test_every_game_makes_a_tournament(
    ctx: Context, rule_set: str, choices: dict[str, str]
) -> None:
    rows = await play_tournament(ctx, 6, seed=b"three", rule_set=rule_set, choices=choices)
    assert rows[0].startswith("1 ")
