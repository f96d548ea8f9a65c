"""A pause stops all clocks and gives back exactly what was left, whoever leaves or comes back."""

from __future__ import annotations

import pytest

from rummy_arena.game.actions import DRAW_STOCK
from rummy_arena.game.state import Phase
from services.play.change import Ask
from services.play.clocks import EDGE_MS, LONGEST_PAUSE_MS
from services.play.delayed import PastLogs
from services.play.errors import WrongLife
from services.play.leave_seat import leave_seat
from services.play.outages import KnownOutages
from services.play.pause_table import pause_table
from services.play.resume_table import resume_table
from services.play.see_table import see_table
from services.play.take_seat import Sitter, take_seat
from services.state.context import Context
from services.state.records import Life
from services.state.table_log import TimeExpired

from .test_play_clocks import CONTROL, Admin, Clocked, Sitting, bank


@pytest.fixture
async def table(ctx: Context) -> Clocked:
    clocked = Clocked(ctx, CONTROL)
    await clocked.open()
    return clocked


async def test_a_pause_after_an_outage_keeps_what_is_given_back(table: Clocked) -> None:
    seat = await table.around()
    left_ms = (await table.table()).record.deadline_ms - table.now_ms
    await table.ctx.store.pulse(table.now_ms, 3_000)
    table.now_ms += 20_000
    await table.ctx.store.pulse(table.now_ms, 3_000)
    await pause_table(table.ctx, Admin(), "t1", Ask("p1"))
    table.now_ms += 3_600_000
    await resume_table(table.ctx, Admin(), "t1", Ask("p2"))
    stored = await table.table()
    assert stored.waiting == (seat,)
    assert stored.record.deadline_ms - table.now_ms == left_ms


async def test_an_outage_before_or_within_a_pause_is_given_back_once(table: Clocked) -> None:
    """Looks come later: at the deadline, and when somebody watches."""
    seat = await table.around()
    store = table.ctx.store
    left_ms = (await table.table()).record.deadline_ms - table.now_ms - 9_000
    table.now_ms += 9_000
    await store.pulse(table.now_ms, 3_000)
    table.now_ms += 60_000
    await store.pulse(table.now_ms, 3_000)
    await pause_table(table.ctx, Admin(), "t1", Ask("p1"))
    table.now_ms += 60_000
    await store.pulse(table.now_ms, 3_000)
    await resume_table(table.ctx, Admin(), "t1", Ask("p2"))
    due_ms = table.now_ms + left_ms
    sight = await see_table(table.ctx, PastLogs(), "t1", Admin(), known=KnownOutages())
    assert sight.snapshot.play is not None
    assert sight.snapshot.play.clock is not None
    assert sight.snapshot.play.clock.deadline_ms == due_ms
    while table.now_ms < due_ms + EDGE_MS:
        assert (await table.table()).waiting == (seat,)
        table.now_ms = min(table.now_ms + 2_500, due_ms + EDGE_MS)
        await store.pulse(table.now_ms, 3_000)
    await table.expire()
    assert TimeExpired(seat) in await table.events()


async def test_a_pause_stops_the_clock_and_everybody(table: Clocked) -> None:
    seat = await table.around()
    table.now_ms += 6_000
    left_ms = (await table.table()).record.deadline_ms - table.now_ms
    await pause_table(table.ctx, Admin(), "t1", Ask("p1"), reason="fire drill")
    for _ in range(3):
        table.now_ms += 3_600_000
        await table.expire()
    with pytest.raises(WrongLife):
        await table.act(seat, DRAW_STOCK)
    assert (await table.table()).waiting == ()
    assert not await due(table)
    await resume_table(table.ctx, Admin(), "t1", Ask("p2"))
    stored = await table.table()
    assert stored.waiting == (seat,)
    assert stored.record.deadline_ms - table.now_ms == left_ms
    before = bank(stored, seat)
    table.now_ms += CONTROL.draw_ms - 6_000
    await table.act(seat, DRAW_STOCK)
    assert bank(await table.table(), seat) == before


async def test_who_leaves_during_a_pause_is_not_waited_for_after_it(table: Clocked) -> None:
    seat = await table.around()
    await pause_table(table.ctx, Admin(), "t1", Ask("p1"))
    await leave_seat(table.ctx, Sitting(f"p-{seat}"), "t1", f"p-{seat}", Ask("p2"))
    assert not await due(table)
    await resume_table(table.ctx, Admin(), "t1", Ask("p3"))
    assert (await table.table()).record.deadline_ms == table.now_ms + CONTROL.absent_ms


async def test_who_leaves_during_a_pause_in_a_call_window_does_not_hold_it_up(ctx: Context) -> None:
    clocked = Clocked(ctx, CONTROL)
    await clocked.open()
    while (table := await clocked.table()).game.deal.phase is not Phase.CALL_WINDOW:
        await clocked.act(table.waiting[0])
    await pause_table(clocked.ctx, Admin(), "t1", Ask("pause"))
    for seat in table.waiting:
        await leave_seat(clocked.ctx, Sitting(f"p-{seat}"), "t1", f"p-{seat}", Ask(f"leave {seat}"))
    await resume_table(clocked.ctx, Admin(), "t1", Ask("resume"))
    assert (await clocked.table()).game.deal.phase is not Phase.CALL_WINDOW


async def test_who_comes_back_during_a_pause_has_a_whole_clock_after_it(table: Clocked) -> None:
    seat = await table.around()
    sitter = Sitter(f"p-{seat}", "", "player")
    await leave_seat(table.ctx, Sitting(f"p-{seat}"), "t1", f"p-{seat}", Ask("p1"))
    await pause_table(table.ctx, Admin(), "t1", Ask("p2"))
    await take_seat(table.ctx, Sitting(f"p-{seat}"), "t1", sitter, Ask("p3"))
    table.now_ms += 60_000
    await resume_table(table.ctx, Admin(), "t1", Ask("p4"))
    stored = await table.table()
    assert stored.record.deadline_ms == table.now_ms + CONTROL.draw_ms + bank(stored, seat)


async def due(table: Clocked) -> bool:
    """Return whether any clock of the table runs; that it is given up some day is none."""
    from services.state.keys import shard_of

    far_ms = table.now_ms + LONGEST_PAUSE_MS // 2
    claimed = await table.ctx.store.claim_due(shard_of("t1"), now_ms=far_ms, limit=9, hold_ms=1)
    return bool(claimed)


async def test_a_table_that_nobody_resumes_is_closed_after_a_week(table: Clocked) -> None:
    await pause_table(table.ctx, Admin(), "t1", Ask("p1"))
    paused_ms = table.now_ms
    table.now_ms = paused_ms + LONGEST_PAUSE_MS - 1
    await table.expire()
    assert (await table.table()).record.life is Life.PAUSED
    table.now_ms += 1
    await table.expire()
    record = (await table.table()).record
    assert (record.life, record.finished_ms) == (Life.CLOSED, table.now_ms)
