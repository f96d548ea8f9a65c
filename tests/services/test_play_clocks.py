"""Time to act, banks, increments, graces, outages, pauses: whose time runs and whose does not."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools

import msgspec
import pytest
from prometheus_client import CollectorRegistry

from rummy_arena.game.actions import CALL, DRAW_STOCK, PASS, Action
from rummy_arena.game.engine import standard_move
from rummy_arena.game.state import Phase
from services.play.act import act
from services.play.clocks import EDGE_MS
from services.play.create_table import create_table
from services.play.delayed import PastLogs
from services.play.errors import TooLate
from services.play.expire_turn import expire_turn
from services.play.outages import KnownOutages
from services.play.read_table import Clock
from services.play.see_table import see_table
from services.play.table import TABLES, Table, load_table
from services.state.client import connect
from services.state.context import Context
from services.state.meters import Meters
from services.state.records import SeatRecord, Terms, TimeControl
from services.state.store import Store
from services.state.table_log import SeatAbsent, SeatReturned, TableEvent, TimeExpired
from tests.stored_logs import log_of

CONTROL = TimeControl(
    draw_ms=10_000,
    play_ms=20_000,
    bank_ms=30_000,
    increment_ms=2_000,
    grace_ms=40_000,
    between_deals_ms=7_000,
)
DIRECTOR = "director"


@dataclasses.dataclass(frozen=True)
class Admin:
    player_id: str = DIRECTOR
    role: str = "host"


@dataclasses.dataclass(frozen=True)
class Sitting:
    player_id: str
    role: str = "player"


class Clocked:
    """A table of three people, and a clock that stands still until it is moved."""

    def __init__(self, ctx: Context, control: TimeControl) -> None:
        self.now_ms = 1_800_000_000_000
        self.ctx = dataclasses.replace(ctx, now_ms=lambda: self.now_ms)
        self.control = control
        self._requests = itertools.count()

    async def open(self, rule_set: str = "kalooki-jamaican") -> None:
        seats = [SeatRecord(f"p-{n}", f"P{n}", "") for n in range(3)]
        terms = Terms(created_by=DIRECTOR, clock=self.control)
        assert await create_table(self.ctx, "t1", rule_set, seats, bytes(range(32)), terms=terms)

    async def table(self) -> Table:
        return load_table("t1", (await self.ctx.store.read(TABLES, "t1")).data)

    async def act(self, seat: int, action: Action | None = None, *, late_ms: int = 0) -> None:
        """Act; ``late_ms`` is what the call waited within the arena."""
        chosen = action or standard_move((await self.table()).game.deal, seat)
        arrived_ms = self.now_ms
        self.now_ms += late_ms
        await act(
            self.ctx,
            "t1",
            f"p-{seat}",
            chosen,
            request_id=f"r-{next(self._requests)}",
            arrived_ms=arrived_ms,
        )

    async def expire(self) -> None:
        await expire_turn(self.ctx, "t1")

    async def turn(self) -> int:
        """Play standard moves, at once, until somebody must draw; return who."""
        while (table := await self.table()).game.deal.phase is not Phase.DRAW:
            await self.act(table.waiting[0])
        return table.game.deal.turn

    async def around(self) -> int:
        """Let everybody finish a turn, so that all have played; return who must draw."""
        for _ in range(3):
            seat = await self.turn()
            await self.act(seat, DRAW_STOCK)
        return await self.turn()

    async def events(self) -> list[TableEvent]:
        return await log_of(self.ctx, "t1")


@pytest.fixture
async def table(ctx: Context) -> Clocked:
    clocked = Clocked(ctx, CONTROL)
    await clocked.open()
    return clocked


def bank(table: Table, seat: int) -> int:
    return table.record.seats[seat].bank_ms


async def test_the_first_clock_has_its_own_time_and_no_bank(table: Clocked) -> None:
    stored = await table.table()
    assert stored.record.deadline_ms == table.now_ms + CONTROL.draw_ms
    assert [bank(stored, seat) for seat in range(3)] == [CONTROL.bank_ms] * 3


async def test_who_has_played_may_use_the_bank(table: Clocked) -> None:
    seat = await table.around()
    before = await table.table()
    assert before.record.deadline_ms == table.now_ms + CONTROL.draw_ms + bank(before, seat)
    table.now_ms += CONTROL.draw_ms + 4_000
    await table.act(seat, DRAW_STOCK)
    after = await table.table()
    assert bank(after, seat) == bank(before, seat) - 4_000
    assert after.record.deadline_ms == table.now_ms + CONTROL.play_ms + bank(after, seat)


async def test_a_finished_turn_earns_the_increment(table: Clocked) -> None:
    seat = await table.turn()
    await table.act(seat, DRAW_STOCK)
    assert bank(await table.table(), seat) == CONTROL.bank_ms
    await table.act(seat)
    assert bank(await table.table(), seat) == CONTROL.bank_ms + CONTROL.increment_ms


async def test_what_a_call_waits_within_the_arena_is_not_the_players_time(table: Clocked) -> None:
    seat = await table.around()
    before = bank(await table.table(), seat)
    table.now_ms += CONTROL.draw_ms
    await table.act(seat, DRAW_STOCK, late_ms=5_000)
    assert bank(await table.table(), seat) == before


async def test_a_deadline_waits_for_what_is_on_its_way(table: Clocked) -> None:
    seat = await table.turn()
    deadline_ms = (await table.table()).record.deadline_ms
    table.now_ms = deadline_ms + EDGE_MS - 1
    await table.expire()
    assert (await table.table()).waiting == (seat,)
    table.now_ms += 1
    await table.expire()
    stored = await table.table()
    assert stored.waiting != (seat,)
    assert stored.record.seats[seat].missed == 1
    assert TimeExpired(seat) in await table.events()


async def test_an_expired_bank_is_empty(table: Clocked) -> None:
    seat = await table.around()
    table.now_ms = (await table.table()).record.deadline_ms + EDGE_MS
    await table.expire()
    assert bank(await table.table(), seat) == 0


async def test_a_deadline_that_two_sweeps_claim_is_handled_once(table: Clocked) -> None:
    seat = await table.turn()
    table.now_ms = (await table.table()).record.deadline_ms + EDGE_MS
    await table.expire()
    handled = (await table.table()).record
    await table.expire()
    assert (await table.table()).record == handled
    assert (await table.events()).count(TimeExpired(seat)) == 1


async def test_two_deadlines_that_passed_at_once_are_handled_in_order(table: Clocked) -> None:
    first = await table.turn()
    table.now_ms += 3_600_000  # the sweep was away for an hour
    await table.expire()
    stored = await table.table()
    second = next(seat for seat in stored.waiting)
    assert second != first
    # The next player's clock starts when the first move was made, not when it should have been.
    assert stored.record.deadline_ms > table.now_ms
    assert [event for event in await table.events() if isinstance(event, TimeExpired)] == [
        TimeExpired(first)
    ]


async def test_who_is_not_connected_has_the_grace_once(table: Clocked) -> None:
    seat = await table.around()
    store = table.ctx.store
    await store.seen(f"p-{seat}", "stream", table.now_ms, 10_000)
    await store.left(f"p-{seat}", "stream", table.now_ms + 1)
    deadline_ms = (await table.table()).record.deadline_ms
    table.now_ms = deadline_ms + EDGE_MS
    await table.expire()
    waited = await table.table()
    assert waited.waiting == (seat,)
    assert waited.record.deadline_ms == deadline_ms + CONTROL.grace_ms
    table.now_ms = deadline_ms + 15_000  # back within the grace
    await table.act(seat, DRAW_STOCK)
    assert (await table.table()).record.seats[seat].grace_ms == CONTROL.grace_ms - 15_000


async def test_who_is_connected_has_no_grace(table: Clocked) -> None:
    seat = await table.around()
    deadline_ms = (await table.table()).record.deadline_ms
    table.now_ms = deadline_ms + EDGE_MS
    await table.ctx.store.seen(f"p-{seat}", "stream", table.now_ms, 10_000)
    await table.expire()
    assert (await table.table()).waiting != (seat,)


async def test_time_in_which_the_arena_was_away_is_given_back(table: Clocked) -> None:
    seat = await table.turn()
    started_ms = table.now_ms
    store = table.ctx.store
    await store.pulse(started_ms + 1_000, 3_000)
    table.now_ms = started_ms + 61_000
    assert await store.pulse(table.now_ms, 3_000)  # a minute of silence ends
    sight = await see_table(table.ctx, PastLogs(), "t1", Admin(), known=KnownOutages())
    await table.expire()
    stored = await table.table()
    assert stored.waiting == (seat,)
    assert stored.record.deadline_ms >= table.now_ms + CONTROL.draw_ms - 1_000
    told = sight.snapshot.play
    assert told is not None
    assert told.clock == Clock(stored.record.deadline_ms, stored.record.deadline_ms)
    await table.act(seat, DRAW_STOCK)
    assert bank(await table.table(), seat) == CONTROL.bank_ms


async def test_an_arena_that_was_off_for_a_year_plays_on(table: Clocked) -> None:
    seat = await table.turn()
    await table.ctx.store.pulse(table.now_ms + 1_000, 3_000)
    table.now_ms += 365 * 24 * 3_600_000
    assert await table.ctx.store.pulse(table.now_ms, 3_000)
    await table.expire()
    assert (await table.table()).waiting == (seat,)
    await table.act(seat, DRAW_STOCK)


async def test_the_bank_is_not_charged_for_an_outage_that_no_sweep_saw(table: Clocked) -> None:
    seat = await table.around()
    before = bank(await table.table(), seat)
    await table.ctx.store.pulse(table.now_ms, 3_000)
    table.now_ms += CONTROL.draw_ms + 5_000
    await table.ctx.store.pulse(table.now_ms, 3_000)
    await table.act(seat, DRAW_STOCK)
    assert bank(await table.table(), seat) == before


async def test_a_sweep_that_is_up_before_any_server_moves_for_nobody(table: Clocked) -> None:
    await table.turn()
    await table.ctx.store.pulse(table.now_ms, 1)  # long ago when the store is asked
    await asyncio.sleep(0.02)
    table.now_ms += 3_600_000
    await table.expire()
    stored = await table.table()
    assert not stored.record.seats[stored.game.deal.turn].missed
    assert stored.record.deadline_ms == table.now_ms + CONTROL.draw_ms


async def test_the_first_clock_of_a_further_deal_starts_after_the_break(ctx: Context) -> None:
    clocked = Clocked(ctx, CONTROL)
    await clocked.open("kaluki-american")
    number = 1
    while (table := await clocked.table()).game.deal.number == number:
        await clocked.act(table.waiting[0])
    own_ms = CONTROL.draw_ms + bank(table, table.waiting[0])
    assert table.record.deadline_ms == clocked.now_ms + CONTROL.between_deals_ms + own_ms


async def test_a_stand_in_plays_the_absent_until_they_act(ctx: Context) -> None:
    clocked = Clocked(ctx, msgspec.structs.replace(CONTROL, grace_ms=0))
    await clocked.open()
    first = await clocked.turn()
    opened = False
    while not opened:
        table = await clocked.table()
        opened = table.game.deal.opened_turn[first] > 0 or table.game.deal.number > 3
        (seat, *_) = table.waiting
        if seat != first:
            await clocked.act(seat)
        else:
            clocked.now_ms = table.record.deadline_ms + EDGE_MS
            await clocked.expire()
    table = await clocked.table()
    assert table.game.deal.opened_turn[first] > 0  # the standard move never opens
    told = await clocked.events()
    assert told.count(SeatAbsent(first, "greedy")) == 1
    while (table := await clocked.table()).waiting != (first,) or (
        table.game.deal.phase is not Phase.DRAW
    ):
        await clocked.act(table.waiting[0])
    assert table.record.deadline_ms - clocked.now_ms <= CONTROL.absent_ms + CONTROL.between_deals_ms
    await clocked.act(first, DRAW_STOCK)
    table = await clocked.table()
    assert (await clocked.events()).count(SeatReturned(first)) == 1
    assert table.record.deadline_ms - clocked.now_ms >= CONTROL.play_ms


async def test_an_open_window_waits_only_for_who_has_not_answered(ctx: Context) -> None:
    clocked = Clocked(ctx, CONTROL)
    seats = [SeatRecord(f"p-{n}", f"P{n}", "") for n in range(4)]
    terms = Terms(clock=CONTROL)
    assert await create_table(
        clocked.ctx, "t1", "kalooki-jamaican", seats, bytes(range(32)), terms=terms
    )
    while (table := await clocked.table()).game.deal.phase is not Phase.CALL_WINDOW:
        await clocked.act(table.waiting[0])
    callers = [seat for seat in table.waiting if seat != table.game.deal.turn]
    assert len(callers) == 2
    sequence = (await ctx.store.read(TABLES, "t1")).seq
    deadline_ms = table.record.deadline_ms
    await clocked.act(callers[1], CALL)
    table = await clocked.table()
    assert callers[1] not in table.waiting
    assert table.record.deadline_ms == deadline_ms
    assert (await ctx.store.read(TABLES, "t1")).seq == sequence  # nothing is told yet
    await clocked.act(callers[0], PASS)
    table = await clocked.table()
    assert table.game.deal.phase is not Phase.CALL_WINDOW  # at once, not at its deadline


async def test_whoever_sends_action_after_action_is_expired_all_the_same(
    table: Clocked, valkey_url: str
) -> None:
    """Each is refused, and holds the table for a moment; its look comes from another process."""
    seat = await table.around()
    deadline_ms = (await table.table()).record.deadline_ms
    table.now_ms = deadline_ms + EDGE_MS
    elsewhere = Store(connect(valkey_url), Meters(CollectorRegistry()))
    held = await elsewhere.acquire(TABLES, "t1", lease_ms=5_000, wait_s=0)
    looking = asyncio.create_task(table.expire())
    await asyncio.sleep(0.05)
    assert not looking.done()
    await elsewhere.release(held)
    await looking
    assert TimeExpired(seat) in await table.events()
    await elsewhere.close()


async def test_who_is_too_late_in_a_window_is_told_so(ctx: Context) -> None:
    clocked = Clocked(ctx, CONTROL)
    seats = [SeatRecord(f"p-{n}", f"P{n}", "") for n in range(4)]
    terms = Terms(clock=CONTROL)
    assert await create_table(
        clocked.ctx, "t1", "kalooki-jamaican", seats, bytes(range(32)), terms=terms
    )
    while (table := await clocked.table()).game.deal.phase is not Phase.CALL_WINDOW:
        await clocked.act(table.waiting[0])
    caller = next(seat for seat in table.waiting if seat != table.game.deal.turn)
    clocked.now_ms = table.record.deadline_ms + 1
    with pytest.raises(TooLate) as late:
        await clocked.act(caller, CALL)
    assert late.value.late_ms == 1
    assert caller in (await clocked.table()).waiting
    clocked.now_ms = table.record.deadline_ms
    await clocked.act(caller, CALL, late_ms=900)  # came in time, and waited in the arena


async def test_who_is_late_in_the_own_turn_pays_with_the_grace_and_then_is_too_late(
    table: Clocked,
) -> None:
    seat = await table.around()
    table.now_ms = (await table.table()).record.deadline_ms + 700
    await table.act(seat, DRAW_STOCK)
    assert (await table.table()).record.seats[seat].grace_ms == CONTROL.grace_ms - 700
    table.now_ms = (await table.table()).record.deadline_ms + CONTROL.grace_ms
    with pytest.raises(TooLate):
        await table.act(seat)
    await table.expire()
    assert seat not in (await table.table()).waiting


async def test_who_never_played_has_no_grace(table: Clocked) -> None:
    seat = await table.turn()
    table.now_ms = (await table.table()).record.deadline_ms + 1
    with pytest.raises(TooLate):
        await table.act(seat, DRAW_STOCK)
