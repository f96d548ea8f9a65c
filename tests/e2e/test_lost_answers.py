"""An answer that is lost on the wire: the call is made again by the client, and done once."""

from __future__ import annotations

from pathlib import Path

from rummy_arena.client import Arena
from rummy_arena.game.engine import standard_move
from rummy_arena.game.replay import actions_in
from services.events.put_token import put_token
from services.play.create_table import create_table
from services.play.table import TABLES, Table, load_table
from services.state.context import Context
from services.state.records import SeatRecord, Terms, TimeControl
from tests.stored_logs import game_log_of

from .cutting import cutter_before
from .replicas import replicas

CONTROL = TimeControl(draw_ms=10**7, play_ms=10**7, window_ms=10**7, decision_ms=10**7)
ACTIONS, EVERY = 24, 4


async def stored(ctx: Context) -> tuple[Table, int]:
    snapshot = await ctx.store.read(TABLES, "t1")
    return load_table("t1", snapshot.data), snapshot.version


async def test_an_action_whose_answer_is_lost_is_played_once(
    ctx: Context, valkey_url: str, tmp_path: Path
) -> None:
    for seat in range(2):
        await put_token(ctx, f"seat-{seat}", player_id=f"p{seat}", role="player", ttl_s=600)
    seats = [SeatRecord(f"p{seat}", f"P{seat}", "") for seat in range(2)]
    terms = Terms(clock=CONTROL)
    assert await create_table(ctx, "t1", "kaluki-european", seats, bytes(32), terms=terms)
    with replicas(tmp_path, valkey_url, 1) as (server,):
        async with (
            cutter_before(server.port) as cutter,
            Arena.connect(cutter.address, token="seat-0") as first,
            Arena.connect(cutter.address, token="seat-1") as second,
        ):
            players = (first, second)
            for number in range(ACTIONS):
                table, version = await stored(ctx)
                seat = table.waiting[0]
                await players[seat].tables.get("t1")  # the line stands
                if number % EVERY == 0:
                    cutter.lose_next_reply()
                answer = await players[seat].tables.act("t1", standard_move(table.game.deal, seat))
                after, now = await stored(ctx)
                assert now == version + 1
                assert answer.sequence == (await ctx.store.read(TABLES, "t1")).seq
                assert after.record.actions == table.record.actions + 1
            assert cutter.cuts == ACTIONS // EVERY
            assert cutter.lost_bytes > 0
    assert actions_in(await game_log_of(ctx, "t1")) == ACTIONS
