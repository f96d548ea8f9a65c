"""Damaged tables: every use case refuses them or works, and the sweep goes on with the others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game.actions import DRAW_STOCK
from services.events.principals import Principal
from services.events.report_result import report_result
from services.play.act import act
from services.play.adjudicate_table import adjudicate_table
from services.play.change import Ask
from services.play.close_table import close_table
from services.play.delayed import PastLogs
from services.play.expire_turn import expire_turn
from services.play.export_table import export_table
from services.play.history import history
from services.play.leave_seat import leave_seat
from services.play.list_tables import list_tables
from services.play.pause_table import pause_table
from services.play.play_bots import play_bots
from services.play.resume_table import resume_table
from services.play.see_table import see_table
from services.play.set_ready import set_ready
from services.play.start_table import start_table
from services.play.table import TABLES
from services.play.take_seat import Sitter, take_seat
from services.rpc.errors import told
from services.state import codec
from services.state.context import Context
from services.state.errors import CorruptRecord
from services.state.records import Life
from services.state.tables import table_record
from tests.state.test_damage_played import damage_value
from tests.state.test_damage_tables import LIVES, NOW_MS, at
from tests.workers.carrying import Clock
from workers.tasks.sweep import _sweep

ADMIN = Principal("admin", "admin")
PLAYER = Principal("p0", "player")
GUEST = Sitter("guest", "Guest", "player")
ROUNDS = 100
Use = Callable[[Context, str], Awaitable[object]]

USES: dict[str, Use] = {
    "see": lambda ctx, table: see_table(ctx, PastLogs(), table, PLAYER),
    "list": lambda ctx, table: list_tables(ctx, after=None, limit=10, lives=tuple(Life)),
    "history": lambda ctx, table: history(ctx, PastLogs(), table, PLAYER, after=0, limit=100),
    "export": lambda ctx, table: export_table(ctx, PastLogs(), table, ADMIN),
    "report": report_result,
    "act": lambda ctx, table: act(
        ctx, table, "p0", DRAW_STOCK, request_id="act", arrived_ms=ctx.now_ms()
    ),
    "expire": expire_turn,
    "play bots": lambda ctx, table: play_bots(ctx, table, HOUSE_BOTS, slice_ms=50),
    "take": lambda ctx, table: take_seat(ctx, ADMIN, table, GUEST, Ask("take")),
    "leave": lambda ctx, table: leave_seat(ctx, ADMIN, table, "p1", Ask("leave")),
    "ready": lambda ctx, table: set_ready(ctx, PLAYER, table, Ask("ready"), ready=True),
    "start": lambda ctx, table: start_table(ctx, ADMIN, table, Ask("start")),
    "pause": lambda ctx, table: pause_table(ctx, ADMIN, table, Ask("pause")),
    "resume": lambda ctx, table: resume_table(ctx, ADMIN, table, Ask("resume")),
    "adjudicate": lambda ctx, table: adjudicate_table(
        ctx, ADMIN, table, Ask("adjudicate"), reason="late"
    ),
    "close": lambda ctx, table: close_table(ctx, ADMIN, table, Ask("close"), reason="rain"),
}


async def put(ctx: Context, table_id: str, data: bytes) -> None:
    """Store what is to be a table, due at once."""
    assert await ctx.store.create(TABLES, table_id, data, deadline_ms=NOW_MS)


def damaged(dice: random.Random) -> bytes:
    """Return a table at some stage of its life, with some values changed."""
    record = msgspec.msgpack.decode(codec.TABLE.encode(at(dice.choice(LIVES))))
    for _ in range(dice.choice((1, 1, 2))):
        damage_value(record, dice)
    return msgspec.msgpack.encode(record)


async def used(use: Use, ctx: Context, table_id: str) -> str:
    """Return how a use case ended: "done", or the kind of refusal; what is none is raised."""
    try:
        await use(ctx, table_id)
    except CorruptRecord:
        return "damaged"
    except Exception as error:
        if told(error) is None:
            raise
        return "refused"
    return "done"


async def test_every_use_case_refuses_a_damaged_table_or_works(ctx: Context) -> None:
    dice, ends = random.Random(1), Counter[str]()
    for number in range(ROUNDS):
        names = dice.sample([*USES], len(USES))
        await put(ctx, f"t{number}", damaged(dice))
        for name in names:
            end = await used(USES[name], ctx, f"t{number}")
            ends[end] += 1
    assert min(ends["damaged"], ends["refused"], ends["done"]) > ROUNDS


async def test_a_refused_table_is_left_as_it_was(ctx: Context) -> None:
    """Whoever repairs a store needs what is in it."""
    record = at("playing")
    record.deal_seeds = []
    await put(ctx, "t", data := codec.TABLE.encode(record))
    for name, use in USES.items():
        assert (await used(use, ctx, "t") == "damaged") is (name != "list"), name
    assert (await ctx.store.read(TABLES, "t")).data == data


@pytest.fixture
async def others(ctx: Context) -> list[str]:
    """Tables of the same shards, due as well."""
    names = [f"whole{number}" for number in range(20)]
    for name in names:
        await put(ctx, name, codec.TABLE.encode(at("playing")))
    return names


async def test_the_sweep_goes_on_with_other_tables(ctx: Context, others: list[str]) -> None:
    dice = random.Random(2)
    for number in range(12):
        await put(ctx, f"t{number}", damaged(dice))
    await _sweep(Clock(NOW_MS + 60_000).of(ctx))
    for name in others:
        stored = await ctx.store.read(TABLES, name)
        record, _ = table_record(name, stored.data)
        assert stored.seq, "its player's time was up"
        assert sum(seat.missed for seat in record.seats) == 1
