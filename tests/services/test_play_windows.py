"""Call windows at a table: callers at one moment, what is told of them, time that runs out."""

from __future__ import annotations

import asyncio
import dataclasses
from random import Random

import pytest

from rummy_arena.game.actions import CALL, NONE, PASS, Action
from rummy_arena.game.engine import asked, standard_move
from rummy_arena.game.events import Called, Event, Passed, WindowOpened
from rummy_arena.game.replay import replay
from rummy_arena.game.state import Phase
from services.play.act import act
from services.play.clocks import EDGE_MS
from services.play.create_table import create_table
from services.play.expire_turn import expire_turn
from services.play.read_table import TableSnapshot, snapshot_of
from services.play.table import TABLES, Table, load_table
from services.state.context import Context
from services.state.records import SeatRecord
from tests.stored_logs import game_log_of

SEATS = 6


class People:
    """A table of six people, who draw and discard until one of them is called."""

    def __init__(self, ctx: Context) -> None:
        self.now_ms = 1_800_000_000_000
        self.ctx = dataclasses.replace(ctx, now_ms=lambda: self.now_ms)
        self.requests = 0

    async def table(self) -> Table:
        """Return the table as it is stored."""
        return load_table("t1", (await self.ctx.store.read(TABLES, "t1")).data)

    async def act(self, seat: int, action: Action) -> int:
        """Let a person act; return the sequence that it is told."""
        self.requests += 1
        request = f"r-{self.requests}"
        return (await act(self.ctx, "t1", f"p-{seat}", action, request_id=request)).sequence

    async def window(self) -> Table:
        """Let time stand still until a window opens; return the table."""
        while (table := await self.table()).game.deal.phase is not Phase.CALL_WINDOW:
            seat = table.waiting[0]
            await self.act(seat, standard_move(table.game.deal, seat))
        return table

    async def log(self) -> list[Event]:
        """Return the events of the game."""
        return await game_log_of(self.ctx, "t1")

    async def seen(self, seat: int) -> TableSnapshot:
        """Return what a seat or a spectator may read."""
        stored = await self.ctx.store.read(TABLES, "t1")
        table = load_table("t1", stored.data)
        return snapshot_of("t1", table.record, table.game, seat, stored.seq)


@pytest.fixture
async def people(ctx: Context) -> People:
    people = People(ctx)
    seats = [SeatRecord(f"p-{seat}", f"P{seat}", "") for seat in range(SEATS)]
    assert await create_table(people.ctx, "t1", "kalooki-jamaican", seats, bytes(range(32)))
    return people


@pytest.mark.parametrize("seed", range(4))
async def test_callers_at_one_moment_are_told_in_turn_order(people: People, seed: int) -> None:
    table = await people.window()
    callers, after = [*asked(table.game.deal)], table.game.deal.after
    assert len(callers) == SEATS - 2
    expected: list[Event] = []
    seat = after[table.game.deal.turn]
    while len(expected) < len(callers):
        if seat in callers:
            expected.append(Passed(seat) if seat % 2 else Called(seat))
        seat = after[seat]
    Random(seed).shuffle(callers)
    choices = [(seat, PASS if seat % 2 else CALL) for seat in callers]
    await asyncio.gather(*[people.act(seat, choice) for seat, choice in choices])
    log = await people.log()
    assert isinstance(log[-len(callers) - 1], WindowOpened)
    assert log[-len(callers) :] == expected
    stored = await people.table()
    assert stored.game.deal.phase is Phase.CALL_DECISION
    assert replay(stored.game.rules, SEATS, log).deal.hands == stored.game.deal.hands


async def test_nobody_reads_of_an_answer_before_the_window_closes(people: People) -> None:
    table = await people.window()
    callers = asked(table.game.deal)
    before = {seat: _shown(await people.seen(seat)) for seat in range(NONE, SEATS)}
    told, log = set(), await people.log()
    for count, seat in enumerate(callers[:-1]):
        told.add(await people.act(seat, CALL if count % 2 else PASS))
        for other in {*before} - {*callers[: count + 1]}:
            assert _shown(await people.seen(other)) == before[other]
    assert len(told) == 1
    assert await people.log() == log
    assert await people.act(callers[-1], PASS) > told.pop()


def _shown(snapshot: TableSnapshot) -> object:
    """Return what of a snapshot goes out: of who sits there, who it is."""
    seats = [(seated.player_id, seated.name, seated.entrant) for seated in snapshot.seats]
    return dataclasses.replace(snapshot, seats=()), seats


async def test_time_that_runs_out_in_a_window_passes_for_the_silent_alone(people: People) -> None:
    table = await people.window()
    early, *silent = asked(table.game.deal)
    await people.act(early, CALL)
    stored = await people.table()
    assert stored.record.deadline_ms == table.record.deadline_ms
    assert stored.waiting == tuple(silent)
    people.now_ms = stored.record.deadline_ms + EDGE_MS
    await expire_turn(people.ctx, "t1")
    answers = (await people.log())[-len(silent) - 1 :]
    assert set(answers) == {Called(early), *map(Passed, silent)}
    stored = await people.table()
    assert stored.waiting == (stored.game.deal.turn,)
    assert [seat.missed for seat in stored.record.seats] == [0] * SEATS


async def test_an_answer_whose_reply_was_lost_is_given_once(people: People) -> None:
    table = await people.window()
    caller = asked(table.game.deal)[0]
    first = await act(people.ctx, "t1", f"p-{caller}", CALL, request_id="again")
    again = await act(people.ctx, "t1", f"p-{caller}", CALL, request_id="again")
    assert first == again
    assert (await people.table()).record.actions == table.record.actions
