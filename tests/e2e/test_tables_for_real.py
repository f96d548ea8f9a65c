"""People at tables of a real arena, on real time: clocks, absence, pauses, an arena that died."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from rummy_arena.api.v1.action_pb2 import Action, DrawStock
from rummy_arena.api.v1.table_pb2 import PHASE_DRAW, Decision
from rummy_arena.bots.greedy import GreedyBot
from rummy_arena.client import Arena, ArenaError, play_tournament, time_control
from services.runtime.children import session_members

from .arenas import RunningArena, running

OPTIONS = ("--api-processes", "2", "--workers", "1")
RULES = "kalooki-jamaican"
LATE_S = 2.5
"""A deadline is acted on after the time for what is on its way, and once a second."""
QUICK = {
    "draw_time": 1.5,
    "play_time": 1.5,
    "call_window": 1.0,
    "decision_time": 1.0,
    "bank": 2.0,
    "disconnect_grace": 0.0,
    "between_deals": 0.2,
    "absent_time": 0.1,
}
SIMPLE = ("pass_discard", "draw_stock", "allow", "discard")
"""What a player does who only wants to get on."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningArena]:
    with running(tmp_path_factory.mktemp("tables") / "arena", *OPTIONS) as arena:
        yield arena


@dataclass(frozen=True)
class Seated:
    """A player with a connection, at a table."""

    id: str
    secret: str
    arena: Arena
    table_id: str

    async def decision(self) -> Decision:
        return (await self.arena.tables.get(self.table_id)).decision

    async def move(self) -> None:
        """Do what is simple, if anything is to be done."""
        open_to = {
            action.WhichOneof("action"): action for action in (await self.decision()).actions
        }
        for kind in SIMPLE:
            if kind in open_to:
                await self.arena.tables.act(self.table_id, open_to[kind])
                return

    async def until_drawing(self, seat: int, players: Sequence[Seated]) -> None:
        """Let everybody move until the seat, this player's, must draw."""
        while True:
            table = await self.arena.tables.get(self.table_id)
            if table.view.phase == PHASE_DRAW and list(table.waiting_seats) == [seat]:
                return
            for other in table.waiting_seats:
                with contextlib.suppress(ArenaError):
                    await players[other].move()

    async def banks_ms(self) -> list[int]:
        table = await self.arena.tables.get(self.table_id)
        return [seat.bank.ToMilliseconds() for seat in table.seats]


class Watched:
    """The events of a table, with the moments at which they arrived."""

    def __init__(self, arena: Arena, table_id: str) -> None:
        self.seen: list[tuple[float, str]] = []
        self._arena, self._table_id = arena, table_id

    async def follow(self) -> None:
        async for event in self._arena.tables.events(self._table_id):
            self.seen.append((time.time(), event.WhichOneof("event") or ""))

    async def first(self, kind: str, *, after: int = 0) -> float:
        """Return when the first event of this kind came."""
        async with asyncio.timeout(15):
            while True:
                for at_s, seen in self.seen[after:]:
                    if seen == kind:
                        return at_s
                await asyncio.sleep(0.01)

    def count(self, kind: str) -> int:
        return sum(seen == kind for _, seen in self.seen)


@asynccontextmanager
async def watching(arena: Arena, table_id: str) -> AsyncIterator[Watched]:
    watched = Watched(arena, table_id)
    task = asyncio.create_task(watched.follow())
    try:
        yield watched
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def playing(admin: Arena, *, absent_after: int = 3, **clock: float) -> list[Seated]:
    """Return three people at a table that has just started."""
    terms = time_control(absent_after=absent_after, stand_in=None, **{**QUICK, **clock})
    table = await admin.tables.create(RULES, 3, time_control=terms)
    people = []
    for number in range(3):
        player = await admin.players.create(f"Person {number}")
        secret = (await admin.players.create_token(player.id)).secret
        await admin.tables.take_seat(table.id, player_id=player.id)
        people.append(Seated(player.id, secret, admin.as_bearer(secret), table.id))
    await admin.tables.start(table.id)
    return people


def deadline_s(decision: Decision) -> float:
    return decision.deadline.ToMilliseconds() / 1000


def own_end_s(decision: Decision) -> float:
    return decision.own_time_end.ToMilliseconds() / 1000


async def having_played(people: Sequence[Seated]) -> int:
    """Let the seat in turn finish a turn; return it once it must draw again."""
    table = await people[0].arena.tables.get(people[0].table_id)
    while table.view.phase != PHASE_DRAW:
        for seat in table.waiting_seats:
            await people[seat].move()
        table = await people[0].arena.tables.get(people[0].table_id)
    (seat,) = table.waiting_seats
    await people[seat].move()
    await people[seat].move()
    await people[seat].until_drawing(seat, people)
    return seat


def connected(arena: RunningArena) -> Arena:
    return Arena.connect(arena.api, token=arena.token)


async def a_turn_ends_when_it_was_told_to_and_who_never_came_has_no_bank(admin: Arena) -> None:
    people = await playing(admin)
    table = await admin.tables.get(people[0].table_id)
    decision = await people[table.waiting_seats[0]].decision()
    assert own_end_s(decision) == deadline_s(decision)
    async with watching(admin, table.id) as watched:
        assert 0 <= await watched.first("time_expired") - deadline_s(decision) <= LATE_S


async def a_slow_turn_uses_the_bank_and_then_ends(admin: Arena) -> None:
    people = await playing(admin, increment=0.5)
    seat = await having_played(people)
    player = people[seat]
    (bank_ms,) = {(await player.banks_ms())[seat]}
    assert bank_ms == 2_500  # with the increment of one finished turn
    decision = await player.decision()
    assert deadline_s(decision) - own_end_s(decision) == pytest.approx(2.5)
    await asyncio.sleep(own_end_s(decision) + 1.0 - time.time())
    await player.move()
    left_ms = (await player.banks_ms())[seat]
    assert 1_000 <= left_ms <= 1_500
    decision = await player.decision()
    async with watching(admin, player.table_id) as watched:
        assert 0 <= await watched.first("time_expired") - deadline_s(decision) <= LATE_S
    assert (await player.banks_ms())[seat] == 0


async def a_player_whose_stream_is_cut_has_the_grace_once(admin: Arena) -> None:
    people = await playing(admin, bank=0, disconnect_grace=4)
    async with watching(admin, people[0].table_id) as watched:
        async with watching(people[0].arena, people[0].table_id) as own:
            await people[0].until_drawing(0, people)
            await own.first("deal_started")
            await people[0].move()
        decision = await people[0].decision()
        await asyncio.sleep(deadline_s(decision) + LATE_S - time.time())
        granted = await people[0].decision()
        assert deadline_s(granted) - deadline_s(decision) == pytest.approx(4.0)
        await people[0].move()  # back in time, with some 1.5 s of the grace left
        assert watched.count("time_expired") == 0
        await people[0].until_drawing(0, people)
        decision = await people[0].decision()
        after = len(watched.seen)
        late_s = await watched.first("time_expired", after=after) - deadline_s(decision)
        assert 1.0 <= late_s <= 2.0 + LATE_S


async def who_lets_turns_expire_is_played_for_until_they_return(admin: Arena) -> None:
    people = await playing(admin, absent_after=1, draw_time=0.5, bank=0)
    (seat,) = (await admin.tables.get(people[0].table_id)).waiting_seats
    async with watching(admin, people[0].table_id) as watched:
        await watched.first("seat_absent")
        assert (await admin.tables.get(people[0].table_id)).seats[seat].absent
        await people[seat].arena.tables.take_seat(people[seat].table_id)
        await watched.first("seat_returned")
        assert not (await admin.tables.get(people[0].table_id)).seats[seat].absent
        for player in people:
            await player.arena.tables.leave_seat(player.table_id)
        for _ in range(2):  # deals that stand-ins play, while nobody waits
            await watched.first("deal_started", after=len(watched.seen))


async def a_pause_gives_back_what_was_left_however_often_it_is_asked_for(admin: Arena) -> None:
    people = await playing(admin, draw_time=4)
    table_id = people[0].table_id
    (seat,) = (await admin.tables.get(table_id)).waiting_seats
    async with watching(admin, table_id) as watched:
        before_s = deadline_s(await people[seat].decision()) - time.time()
        await asyncio.gather(*(admin.tables.pause(table_id, "tea") for _ in range(5)))
        with pytest.raises(ArenaError, match="WRONG_STATUS"):
            await people[seat].arena.tables.act(table_id, Action(draw_stock=DrawStock()))
        await asyncio.sleep(3)
        await asyncio.gather(*(admin.tables.resume(table_id) for _ in range(5)))
        after_s = deadline_s(await people[seat].decision()) - time.time()
        assert before_s - 1.0 <= after_s <= before_s
        await watched.first("table_resumed")
        assert [watched.count(kind) for kind in ("table_paused", "table_resumed")] == [1, 1]


async def a_tournament_ends_as_adjudicated_with_one_who_plays_and_one_who_never_comes(
    admin: Arena,
) -> None:
    event = await admin.tournaments.create(
        "Mixed",
        rule_set=RULES,
        seats_per_table=3,
        advance_per_table=1,
        time_control=time_control(absent_after=1, stand_in=None, **QUICK),
    )
    ben = await admin.players.create("Ben", house_bot="greedy")
    away = await admin.players.create("Away")
    ann = await admin.players.create("Ann")
    hers = admin.as_bearer((await admin.players.create_token(ann.id)).secret)
    for player in (ben, away):
        await admin.tournaments.register(event.id, player.id)
    await hers.tournaments.register(event.id)
    await admin.tournaments.start(event.id)
    playing = asyncio.create_task(play_tournament(hers, event.id, GreedyBot()))
    ((first,),) = [each.pairings for each in await admin.tournaments.bracket(event.id)]
    async with watching(admin, first.table_id) as watched:
        await watched.first("seat_absent")
        await watched.first("drew", after=len(watched.seen))
    table = await admin.tables.get(first.table_id)
    place = {away.id: 1, ann.id: 2, ben.id: 3}
    places = [place[seat.player_id] for seat in table.seats]
    await admin.tables.adjudicate(first.table_id, "the hall closes", places)
    async with asyncio.timeout(10):
        (result,) = await playing
        async for _ in admin.tournaments.events(event.id):
            pass  # until it ends
    assert result.place == 2
    assert result.decisions > 0
    standings = await admin.tournaments.standings(event.id)
    assert [row.entrant.name for row in standings] == ["Away", "Ann", "Ben"]


AT_ONCE = (
    a_turn_ends_when_it_was_told_to_and_who_never_came_has_no_bank,
    a_slow_turn_uses_the_bank_and_then_ends,
    a_player_whose_stream_is_cut_has_the_grace_once,
    who_lets_turns_expire_is_played_for_until_they_return,
    a_pause_gives_back_what_was_left_however_often_it_is_asked_for,
    a_tournament_ends_as_adjudicated_with_one_who_plays_and_one_who_never_comes,
)


async def test_clocks_run_as_they_are_told_at_tables_that_play_at_once(arena: RunningArena) -> None:
    async with connected(arena) as admin, asyncio.TaskGroup() as group:
        for scenario in AT_ONCE:
            group.create_task(scenario(admin), name=scenario.__name__)


async def test_deadlines_wait_for_a_worker_that_was_stopped_and_fire_once(
    arena: RunningArena,
) -> None:
    async with connected(arena) as admin, contextlib.AsyncExitStack() as stack:
        tables = [await playing(admin, draw_time=1 + number, play_time=30) for number in range(3)]
        watched = [
            await stack.enter_async_context(watching(admin, people[0].table_id))
            for people in tables
        ]
        with stopped(session_members(arena.pid("worker-1"))):
            await asyncio.sleep(5)
            assert [each.count("time_expired") for each in watched] == [0, 0, 0]
        for each in watched:
            await each.first("time_expired")
        await asyncio.sleep(0.5)
        assert [each.count("time_expired") for each in watched] == [1, 1, 1]


@contextlib.contextmanager
def stopped(pids: Sequence[int]) -> Iterator[None]:
    """Hold processes up with SIGSTOP."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


async def test_time_in_which_the_arena_was_away_is_given_back(tmp_path: Path) -> None:
    arena = RunningArena(tmp_path / "arena", *OPTIONS)
    async with connected(arena) as admin:
        people = await playing(admin, draw_time=4, bank=2)
        seat = await having_played(people)
        bank_ms = (await people[seat].banks_ms())[seat]
        left_s = deadline_s(await people[seat].decision()) - time.time()
    arena.kill_all()
    await asyncio.sleep(left_s - 2.5)  # and it takes seconds to start
    with running(tmp_path / "arena", *OPTIONS) as again:
        async with connected(again) as admin:
            player = Seated(
                people[seat].id,
                people[seat].secret,
                admin.as_bearer(people[seat].secret),
                people[seat].table_id,
            )
            now_left_s = await told_left_s(player, at_least_s=left_s - 3.5)
            assert now_left_s <= left_s + 1.5  # the last pulse was no longer ago
            await player.move()
            assert (await player.banks_ms())[seat] == bank_ms
            events = [event async for event in admin.tables.history(player.table_id)]
            assert "time_expired" not in {event.WhichOneof("event") for event in events}


async def told_left_s(player: Seated, *, at_least_s: float) -> float:
    """Return how much time the player is told of once that is enough; servers know in a second."""
    for _ in range(20):
        left_s = deadline_s(await player.decision()) - time.time()
        if left_s >= at_least_s:
            return left_s
        await asyncio.sleep(0.1)
    raise AssertionError(f"{left_s} s left")
