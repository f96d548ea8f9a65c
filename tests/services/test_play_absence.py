"""What silence costs a player: the card, a turn, and in the end the patience of the others."""

from __future__ import annotations

import dataclasses

from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game.actions import DRAW_STOCK
from rummy_arena.game.state import Phase
from services.play.act import act
from services.play.create_table import create_table
from services.play.expire_turn import expire_turn
from services.play.play_bots import play_bots
from services.play.table import ABSENT_AFTER, ABSENT_MS, CLOCK_MS, TABLES, Table, load_table
from services.state.context import Context
from services.state.records import SeatRecord

PERSON = "p-1"
SEATS = [SeatRecord(PERSON, "Person", ""), *(SeatRecord(f"b-{n}", "", "greedy") for n in (1, 2, 3))]


class Clocked:
    """A table with one person and a clock that jumps to each deadline of theirs."""

    def __init__(self, ctx: Context) -> None:
        self.now_ms = 1_800_000_000_000
        self.ctx = dataclasses.replace(ctx, now_ms=lambda: self.now_ms)

    async def table(self) -> Table:
        """Return the table once the bots have played up to the person."""
        await play_bots(self.ctx, "t1", HOUSE_BOTS, slice_ms=60_000)
        return load_table("t1", (await self.ctx.store.read(TABLES, "t1")).data)

    async def expire(self) -> None:
        """Let the person's time run out."""
        self.now_ms = (await self.table()).record.deadline_ms
        await expire_turn(self.ctx, "t1")

    async def clock_ms(self) -> int:
        """Return how long the person is waited for now."""
        return (await self.table()).record.deadline_ms - self.now_ms

    async def until(self, *phases: Phase) -> Table:
        """Let time run out until the person is asked in one of these phases."""
        for _ in range(300):
            table = await self.table()
            if table.game.deal.phase in phases:
                return table
            await self.expire()
        raise AssertionError("the person is never asked in such a phase")


async def seated(ctx: Context) -> Clocked:
    clocked = Clocked(ctx)
    assert await create_table(clocked.ctx, "t1", "kalooki-jamaican", SEATS, bytes(range(32)))
    return clocked


async def test_silence_in_call_windows_is_no_missed_turn(ctx: Context) -> None:
    clocked = await seated(ctx)
    windows = turns = 0
    while turns < ABSENT_AFTER:
        table = await clocked.table()
        phase = table.game.deal.phase
        assert table.record.seats[0].missed == turns
        assert await clocked.clock_ms() == CLOCK_MS[phase]
        windows += phase is Phase.CALL_WINDOW
        turns += phase is Phase.DRAW
        await clocked.expire()
    assert windows > 0


async def test_who_lets_a_call_decision_pass_still_has_the_turn(ctx: Context) -> None:
    clocked = await seated(ctx)
    table = await clocked.until(Phase.CALL_DECISION)
    turn, missed = table.game.deal.turn_number, table.record.seats[0].missed
    await clocked.expire()
    after = await clocked.table()
    assert (after.game.deal.phase, after.game.deal.turn_number) == (Phase.DRAW, turn)
    assert after.record.seats[0].missed == missed


async def test_the_absent_are_hardly_waited_for_until_they_act(ctx: Context) -> None:
    clocked = await seated(ctx)
    while (await clocked.table()).record.seats[0].missed < ABSENT_AFTER:
        await clocked.expire()
    await clocked.until(Phase.DRAW)
    assert await clocked.clock_ms() == ABSENT_MS
    await act(clocked.ctx, "t1", PERSON, DRAW_STOCK, request_id="back")
    assert await clocked.clock_ms() == CLOCK_MS[Phase.PLAY]
