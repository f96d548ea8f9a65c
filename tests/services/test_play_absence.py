"""What silence costs a player: the card, a turn, and in the end the patience of the others."""

from __future__ import annotations

import dataclasses
import itertools

import msgspec

from rummy_arena.bots.bot import Bot, Dice
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game import series
from rummy_arena.game.actions import DRAW_STOCK, END_TURN, Action
from rummy_arena.game.engine import standard_move
from rummy_arena.game.state import Phase
from rummy_arena.game.view import View
from services.play.act import act
from services.play.clocks import EDGE_MS, act_ms
from services.play.create_table import create_table
from services.play.expire_turn import expire_turn
from services.play.play_bots import play_bots
from services.play.table import TABLES, Table, load_table
from services.state.context import Context
from services.state.records import SeatRecord, Terms, TimeControl

CONTROL = TimeControl(between_deals_ms=0, bank_ms=0, stand_in="")
PATIENT = TimeControl(between_deals_ms=0, absent_after=255)
PERSON, OTHER = "p-1", "p-2"
PEOPLE = [SeatRecord(PERSON, "Person", ""), SeatRecord(OTHER, "Other", "")]
SEATS = [*PEOPLE, *(SeatRecord(f"b-{n}", "", "greedy") for n in (1, 2))]


class Clocked:
    """A table with a silent person and a prompt one, and a clock that jumps to each deadline."""

    def __init__(self, ctx: Context) -> None:
        self.now_ms = 1_800_000_000_000
        self.ctx = dataclasses.replace(ctx, now_ms=lambda: self.now_ms)
        self._requests = itertools.count()

    async def table(self) -> Table:
        """Return the table once the others have played up to the silent person."""
        while True:
            await play_bots(self.ctx, "t1", HOUSE_BOTS, slice_ms=60_000)
            table = await stored(self.ctx)
            if 1 not in table.waiting:
                return table
            move = standard_move(table.game.deal, 1)
            await act(self.ctx, "t1", OTHER, move, request_id=f"other-{next(self._requests)}")

    async def expire(self) -> None:
        """Let the person's time run out."""
        self.now_ms = (await self.table()).record.deadline_ms + EDGE_MS
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


async def stored(ctx: Context) -> Table:
    return load_table("t1", (await ctx.store.read(TABLES, "t1")).data)


async def seated(
    ctx: Context, rule_set: str = "kalooki-jamaican", control: TimeControl = CONTROL
) -> Clocked:
    clocked, terms = Clocked(ctx), Terms(clock=control)
    seats = [msgspec.structs.replace(seat) for seat in SEATS]
    assert await create_table(clocked.ctx, "t1", rule_set, seats, bytes(range(32)), terms=terms)
    return clocked


async def test_silence_in_call_windows_is_no_missed_turn(ctx: Context) -> None:
    clocked = await seated(ctx)
    windows = turns = 0
    while turns < CONTROL.absent_after:
        table = await clocked.table()
        phase = table.game.deal.phase
        assert table.record.seats[0].missed == turns
        assert await clocked.clock_ms() == act_ms(CONTROL, phase)
        windows += phase is Phase.CALL_WINDOW
        turns += phase is Phase.DRAW
        await clocked.expire()
    assert windows > 0


async def test_who_lets_a_call_decision_pass_still_has_the_turn(ctx: Context) -> None:
    clocked = await seated(ctx, control=PATIENT)
    table = await clocked.until(Phase.CALL_DECISION)
    turn, missed = table.game.deal.turn_number, table.record.seats[0].missed
    await clocked.expire()
    after = await clocked.table()
    assert (after.game.deal.phase, after.game.deal.turn_number) == (Phase.DRAW, turn)
    assert after.record.seats[0].missed == missed


async def test_who_is_silent_about_a_call_of_the_own_discard_forbids_it(ctx: Context) -> None:
    clocked = await seated(ctx, "kalooki-bonus", PATIENT)
    table = await clocked.until(Phase.CALL_DECISION)
    deal = table.game.deal
    assert (table.waiting, deal.discarder) == ((0,), 0)
    await clocked.expire()
    after = await stored(ctx)
    assert (after.game.deal.phase, after.game.deal.top) == (Phase.DRAW, deal.top)
    assert after.record.seats[0].missed == table.record.seats[0].missed


async def test_the_absent_are_hardly_waited_for_until_they_act(ctx: Context) -> None:
    clocked = await seated(ctx)
    while (await clocked.table()).record.seats[0].missed < CONTROL.absent_after:
        await clocked.expire()
    await clocked.until(Phase.DRAW)
    assert await clocked.clock_ms() == CONTROL.absent_ms
    await act(clocked.ctx, "t1", PERSON, DRAW_STOCK, request_id="back")
    assert await clocked.clock_ms() == act_ms(CONTROL, Phase.PLAY)


async def test_a_table_that_everybody_left_is_played_a_deal_at_a_time(ctx: Context) -> None:
    clocked = Clocked(ctx)
    people = [SeatRecord(f"p-{n}", "", "") for n in range(3)]
    assert await create_table(
        clocked.ctx, "t1", "kalooki-jamaican", people, bytes(range(32)), terms=Terms(clock=CONTROL)
    )
    looks = 0
    while not (table := await stored(ctx)).game.over:
        clocked.now_ms = max(clocked.now_ms, table.record.deadline_ms + EDGE_MS)
        await expire_turn(clocked.ctx, "t1")
        await play_bots(clocked.ctx, "t1", {}, slice_ms=60_000)
        looks += 1
    assert table.game.totals == (0, 0, 0)  # nobody ever opened: every deal was void
    # 27 void attempts, one look each, and the turns and windows until all three were absent.
    assert looks < 60


class Cheat:
    """A bot that sooner or later does what it must not."""

    name = "cheat"

    def choose(self, view: View, dice: Dice) -> Action:
        return END_TURN if view.turn_number > 4 else HOUSE_BOTS["greedy"].choose(view, dice)


async def test_a_bot_that_fails_or_is_gone_does_not_stop_its_table(ctx: Context) -> None:
    names = ("greedy", "cheat", "nobody-knows")
    bots: dict[str, Bot] = {"greedy": HOUSE_BOTS["greedy"], "cheat": Cheat()}
    seats = [SeatRecord(f"b-{name}", "", name) for name in names]
    assert await create_table(ctx, "t1", "kalooki-jamaican", seats, bytes(range(32)))
    assert await play_bots(ctx, "t1", bots, slice_ms=60_000)
    table = await stored(ctx)
    assert table.game.over
    assert series.result(table.game).deals_won[0] == 9
    failed = ctx.meters.registry.get_sample_value
    assert failed("rummy_arena_bots_failed_total", {"bot": "cheat"}) == 1
