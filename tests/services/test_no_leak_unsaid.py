"""What was answered in an open call window is told to nobody before it closes (J-6, X-15)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from rummy_arena.api.v1 import action_pb2
from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.client.wire import action_message
from rummy_arena.game import actions
from rummy_arena.game.state import Answer, Phase
from services.play.expire_turn import expire_turn
from services.play.table import TABLES
from services.state.records import Life, SeatRecord, SeedPolicy, Terms, TimeControl, Visibility
from tests.state.whole_games import Sample

from .sides import NOW_MS, Side, Stored, Stream, Told, both, two_sides
from .twins import Moment, moments

JAMAICAN = Sample("kalooki-jamaican", 6, 3)
BONUS = Sample("kalooki-bonus", 5, 2, {"short_form": "on", "packs": "3"})
CALL, PASS, ALLOW, DRAW = map(
    action_message, (actions.CALL, actions.PASS, actions.ALLOW, actions.DRAW_STOCK)
)
SECRET = b"s" * 32


@pytest.fixture
async def sides(valkey_url: str, tmp_path: Path) -> AsyncIterator[tuple[Side, Side]]:
    async with two_sides(valkey_url, tmp_path) as both_sides:
        yield both_sides


@cache
def window(sample: Sample) -> Moment:
    """Return a moment at which at least three seats are asked and nobody has answered."""
    for moment in moments(sample):
        deal = moment.game.deal
        asked = deal.answers.count(Answer.WAITING)
        if deal.phase is Phase.CALL_WINDOW and asked >= 3 and Answer.PASSED not in deal.answers:
            return moment
    raise AssertionError("no such window")


@dataclass
class Room:
    """A table with an open window on two sides, and everybody who looks at it."""

    sides: tuple[Side, Side]
    moment: Moment
    stored: Stored
    streams: dict[str, list[Stream]] = field(default_factory=dict)

    @property
    def asked(self) -> list[int]:
        """The seats that may call."""
        answers = self.moment.game.deal.answers
        return [seat for seat, answer in enumerate(answers) if answer is Answer.WAITING]

    @property
    def turn(self) -> int:
        """The next player."""
        return self.moment.game.deal.turn

    def others(self, *but: int) -> list[str]:
        """Return everybody but some seats."""
        seats = [f"p{seat}" for seat in range(self.moment.game.seats) if seat not in but]
        return [*seats, "watcher", "host", "admin"]

    async def watch(self, who: Sequence[str]) -> None:
        """Let some watch from now on."""
        for one in who:
            request = pb.WatchTableRequest(table_id="t1")
            self.streams[one] = [side.open(one, "WatchTable", request) for side in self.sides]
            for stream in self.streams[one]:
                assert len(await stream.read(1)) == 1

    async def act(self, at: Side, seat: int, action: action_pb2.Action, request_id: str) -> Told:
        """Let a seat act on one side."""
        request = pb.ActRequest(request_id=request_id, table_id="t1", action=action)
        return await at.call(f"p{seat}", "Act", request)

    async def same_for(self, who: Sequence[str]) -> None:
        """Ask everything there is: both sides must tell some people the same."""
        for one in who:
            await both(self.sides, one, "GetTable", pb.GetTableRequest(table_id="t1"))
            page = pb.GetHistoryRequest(table_id="t1", page_size=1000)
            await both(self.sides, one, "GetHistory", page)
            await both(self.sides, one, "ListTables", pb.ListTablesRequest())
            for action in (CALL, PASS, ALLOW, DRAW):
                if one.startswith("p") and int(one[1:]) in (*self.asked, self.turn):
                    continue  # it may do some of these
                request = pb.ActRequest(request_id="x", table_id="t1", action=action)
                assert (await both(self.sides, one, "Act", request))[0] == "refused"

    async def silence(self) -> None:
        """Nothing came to anybody who watches."""
        for streams in self.streams.values():
            for stream in streams:
                assert await stream.silent() == ("silence",)


async def room(
    sides: tuple[Side, Side],
    sample: Sample,
    seats: Callable[[list[SeatRecord]], None] = lambda seats: None,
    **terms: object,
) -> Room:
    """Return a table with an open window."""
    moment = window(sample)
    stored = Stored(SECRET, Terms(seeds=SeedPolicy.SYSTEM, **terms), seated=seats)  # type: ignore[arg-type]
    for at in sides:
        await at.store("t1", moment, stored)
    return Room(sides, moment, stored)


@pytest.mark.parametrize("sample", [JAMAICAN, BONUS], ids=str)
async def test_answers_show_nowhere_while_the_window_is_open(
    sides: tuple[Side, Side], sample: Sample
) -> None:
    here = await room(sides, sample)
    early, *late = here.asked
    lookers = here.others(early)
    await here.watch(lookers)
    answer = await here.act(sides[0], early, PASS, "r1")
    assert pb.ActResponse.FromString(answer[1]).sequence == len(here.moment.log)
    await here.same_for(lookers)
    if sample is JAMAICAN:
        await here.act(sides[0], late[0], CALL, "r2")
        await here.same_for(here.others(early, late[0]))
    await here.silence()


async def test_a_waiver_shows_nowhere_even_if_who_waives_was_absent(
    sides: tuple[Side, Side],
) -> None:
    turn = window(JAMAICAN).game.deal.turn

    def absent(seats: list[SeatRecord]) -> None:
        seats[turn].missed = TimeControl().absent_after

    here = await room(sides, JAMAICAN, absent)
    await here.watch(here.others(turn))
    assert (await here.act(sides[0], turn, ALLOW, "r1"))[0] == "ok"
    await here.same_for(here.others(turn))
    await here.silence()


async def test_who_leaves_an_open_window_does_not_show_whether_it_had_answered(
    sides: tuple[Side, Side],
) -> None:
    here = await room(sides, JAMAICAN)
    leaver = here.asked[0]
    assert (await here.act(sides[0], leaver, PASS, "r1"))[0] == "ok"
    for at in sides:
        at.now_ms = NOW_MS + 1_500
    leave = pb.LeaveSeatRequest(request_id="r2", table_id="t1")
    assert (await both(sides, f"p{leaver}", "LeaveSeat", leave))[0] == "ok"
    await here.same_for(here.others(leaver))


@pytest.mark.parametrize("then", ["pause", "adjudicate", "expire"])
async def test_what_comes_over_an_open_window_does_not_show_who_had_answered(
    sides: tuple[Side, Side], then: str
) -> None:
    """What is left unanswered when its time is over is a pass: then all answers are told."""
    here = await room(sides, JAMAICAN)
    early = here.asked[0]
    assert (await here.act(sides[0], early, PASS, "r1"))[0] == "ok"
    for at in sides:
        at.now_ms = NOW_MS + 60_000
    if then == "pause":
        pause = pb.PauseTableRequest(request_id="r2", table_id="t1", reason="tea")
        assert (await both(sides, "admin", "PauseTable", pause))[0] == "ok"
        resume = pb.ResumeTableRequest(request_id="r3", table_id="t1")
        await here.same_for(here.others(early))
        assert (await both(sides, "admin", "ResumeTable", resume))[0] == "ok"
    elif then == "adjudicate":
        end = pb.AdjudicateTableRequest(request_id="r2", table_id="t1", reason="late")
        assert (await both(sides, "admin", "AdjudicateTable", end))[0] == "ok"
    else:
        for at in sides:
            await expire_turn(at.ctx, "t1")
    await here.same_for(["watcher", "host", f"p{here.moment.game.deal.discarder}"])


async def test_the_id_of_another_s_request_says_nothing(sides: tuple[Side, Side]) -> None:
    here = await room(sides, JAMAICAN)
    early, curious = here.asked[:2]
    assert (await here.act(sides[0], early, CALL, "turn-1"))[0] == "ok"
    ours, theirs = [await here.act(at, curious, PASS, "turn-1") for at in sides]
    assert ours == theirs
    assert ours[0] == "ok"
    watcher = pb.ActRequest(request_id="turn-1", table_id="t1", action=CALL)
    assert (await both(sides, "watcher", "Act", watcher))[3] is not None


async def test_a_private_table_is_to_a_stranger_as_none_whatever_goes_on_there(
    sides: tuple[Side, Side],
) -> None:
    """On the other side there is no such table at all."""
    here = Room(sides, window(JAMAICAN), Stored(SECRET))
    terms = Terms(seeds=SeedPolicy.SYSTEM, visibility=Visibility.PRIVATE)
    await sides[0].store("t1", here.moment, replace(here.stored, terms=terms))
    assert (await here.act(sides[0], here.asked[0], PASS, "r1"))[0] == "ok"
    store = sides[0].ctx.store
    requests = {
        "GetTable": pb.GetTableRequest(table_id="t1"),
        "GetHistory": pb.GetHistoryRequest(table_id="t1"),
        "Act": pb.ActRequest(request_id="r1", table_id="t1", action=PASS),
        "TakeSeat": pb.TakeSeatRequest(request_id="r1", table_id="t1"),
        "LeaveSeat": pb.LeaveSeatRequest(request_id="r1", table_id="t1"),
        "SetReady": pb.SetReadyRequest(request_id="r1", table_id="t1", ready=True),
        "StartTable": pb.StartTableRequest(request_id="r1", table_id="t1"),
        "PauseTable": pb.PauseTableRequest(request_id="r1", table_id="t1"),
        "ResumeTable": pb.ResumeTableRequest(request_id="r1", table_id="t1"),
        "AdjudicateTable": pb.AdjudicateTableRequest(
            request_id="r1", table_id="t1", reason="r", places=[1]
        ),
        "CloseTable": pb.CloseTableRequest(request_id="r1", table_id="t1", reason="r"),
        "ListTables": pb.ListTablesRequest(),
    }
    for busy in (False, True):
        held = await store.acquire(TABLES, "t1", lease_ms=60_000, wait_s=1) if busy else None
        for method, request in requests.items():
            for at in sides:
                at.timeout_s = 0.3 if busy else 10
            await both(sides, "stranger", method, request)
        for cursor in (None, 0, 10**6):
            watch = pb.WatchTableRequest(table_id="t1", after_sequence=cursor)
            ours, theirs = [await at.open("stranger", "WatchTable", watch).read(1) for at in sides]
            assert ours == theirs
        if held is not None:
            await store.release(held)


async def test_life_is_shown_alike_whatever_was_answered(sides: tuple[Side, Side]) -> None:
    here = await room(sides, JAMAICAN)
    await here.act(sides[0], here.asked[0], PASS, "r1")
    listed = await both(sides, "watcher", "ListTables", pb.ListTablesRequest())
    (table,) = pb.ListTablesResponse.FromString(listed[1]).tables
    assert table.actions == here.stored.record(here.moment).actions
    assert here.stored.life is Life.PLAYING


async def test_twins_of_an_answered_window_close_alike(sides: tuple[Side, Side]) -> None:
    """Whoever was first to answer, what is told at the end is the same, in the same order."""
    here = await room(sides, JAMAICAN)
    orders = [here.asked, here.asked[::-1]]
    Random(1).shuffle(orders[1])
    await here.watch(here.others())
    for at, order in zip(sides, orders, strict=True):
        for number, seat in enumerate(order):
            action = CALL if seat == here.asked[1] else PASS
            assert (await here.act(at, seat, action, f"r{number}"))[0] == "ok"
    for ours, theirs in here.streams.values():
        told = await ours.read(len(here.asked))
        assert told == await theirs.read(len(here.asked))
        ours.close()
        theirs.close()
    await here.same_for(["watcher", "host"])
