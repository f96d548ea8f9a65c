"""Rounds of many tables: few messages for all of them, some tables at a time, each result once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from services.events import rounds
from services.events.hold_tournament import pause_tournament, resume_tournament
from services.events.rounds import open_messages
from services.events.seat_table import seat_tables
from services.events.tournament import read_tournament
from services.state.context import Context
from services.state.messages import (
    AdvanceTournament,
    Message,
    OpenTable,
    OpenTables,
    PlayTable,
    ReportResult,
)
from services.state.records import RoundRecord, Status
from workers.app import QUEUES
from workers.queue_order import ARCHIVE_QUEUE, PlayFirst
from workers.relay import ROUTES, tasks_of
from workers.tasks import tables
from workers.tasks.tables import _open_some

from .carrying import HOST, Clock, carry, drain, final_lines, started, status, sweep, take

ENTRANTS, SEED = 24, b"large rounds"


async def undisturbed(ctx: Context) -> list[str]:
    """Return the standings when each table has a message of its own."""
    tournament_id = await started(ctx, ENTRANTS, seed=SEED)
    await drain(ctx)
    return await final_lines(ctx, tournament_id)


@pytest.fixture
def two_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of more than two tables are large here, and a slice ends after each table."""
    monkeypatch.setattr(rounds, "MOST_MESSAGES", 2)
    monkeypatch.setattr(tables, "ROUND_SLICE_S", 0.0)


def test_a_large_round_has_few_messages_that_name_every_table() -> None:
    round_ = RoundRecord(1, [[1, 2]] * 1_000, 0)
    messages = open_messages("t", round_)
    assert len(messages) == 64
    named: list[int] = []
    for message in messages:
        assert isinstance(message, OpenTables)
        named += range(message.first, 1_001, message.step)
    assert sorted(named) == list(range(1, 1_001))
    left = range(5, 1_001, 7)
    again = open_messages("t", round_, set(range(1, 1_001)).difference(left))
    firsts = {message.first for message in again if isinstance(message, OpenTables)}
    assert {1 + (number - 1) % 64 for number in left} == firsts
    few = open_messages("t", round_, range(3, 1_001))
    assert few == [OpenTable("t", 1, 1), OpenTable("t", 1, 2)]


@pytest.mark.usefixtures("two_messages")
async def test_large_rounds_lead_to_the_same_standings(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as usual:
        usual.setattr(rounds, "MOST_MESSAGES", 64)
        expected = await undisturbed(ctx)
    tournament_id = await started(ctx, ENTRANTS, seed=SEED)
    messages = await take(ctx)
    assert messages == [OpenTables(tournament_id, 1, 1, 2), OpenTables(tournament_id, 1, 2, 2)]
    assert await _open_some(ctx, tournament_id, 1, 1, 2) == 3  # the slice was over
    for message in messages:
        await carry(ctx, message)
    await drain(ctx, times=2)
    assert await final_lines(ctx, tournament_id) == expected


@pytest.mark.usefixtures("two_messages")
async def test_tables_whose_message_got_lost_on_the_way_are_sent_for_again(ctx: Context) -> None:
    clock = Clock()
    clocked = clock.of(ctx)
    tournament_id = await started(clocked, ENTRANTS, seed=SEED)
    (_, second) = await take(clocked)
    await carry(clocked, second)
    assert [m for m in await take(clocked) if not isinstance(m, AdvanceTournament)] == []
    for _ in range(3):
        clock.now_ms += 16_000
        await sweep(clocked)
    assert set(await take(clocked)) == {OpenTables(tournament_id, 1, 1, 2)}


@pytest.mark.usefixtures("two_messages")
async def test_a_pause_in_the_middle_of_a_slice_holds_what_it_has_opened(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament_id = await started(ctx, ENTRANTS, seed=SEED)
    monkeypatch.setattr(tables, "ROUND_SLICE_S", 60.0)
    monkeypatch.setattr(tables, "_played_out", _then(ctx, tournament_id, tables._played_out))
    (first, _) = await take(ctx)
    await carry(ctx, first)  # tables 1, 3, 5
    block = await seat_tables(ctx, tournament_id, 1, range(1, 7))
    assert [seating.wanted.value for seating in block.seatings] == ["held"] * 5
    monkeypatch.undo()
    await drain(ctx)
    assert await status(ctx, tournament_id) is Status.PAUSED
    await resume_tournament(ctx, HOST, tournament_id)
    await drain(ctx)
    assert await status(ctx, tournament_id) is Status.FINISHED


def _then(
    ctx: Context, tournament_id: str, play: Callable[[Context, str], Awaitable[bool]]
) -> Callable[[Context, str], Awaitable[bool]]:
    """Play one table, then hold the tournament, and play no other of the slice."""
    held = False

    async def played(of: Context, table_id: str) -> bool:
        nonlocal held
        if held:
            return False
        held = True
        over = await play(of, table_id)
        await pause_tournament(ctx, HOST, tournament_id, reason="a storm")
        return over

    return played


async def test_a_worker_killed_between_the_end_of_a_game_and_its_result(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    clocked = clock.of(ctx)
    tournament_id = await started(clocked, 4, seed=SEED)

    async def killed(*_: object) -> bool:
        raise ConnectionResetError

    with monkeypatch.context() as dying:
        dying.setattr(tables, "report_result_once", killed)
        with pytest.raises(ConnectionResetError):
            await carry(clocked, *(await take(clocked)))
    assert await take(clocked) == []
    for _ in range(3):
        clock.now_ms += 16_000
        await sweep(clocked)
        await drain(clocked)
    assert (await read_tournament(ctx, tournament_id)).record.status is Status.FINISHED


def test_results_are_counted_many_to_a_task() -> None:
    messages: list[Message] = [ReportResult(f"t{number}") for number in range(120)]
    messages.insert(7, PlayTable("p"))
    sent = list(tasks_of(messages))
    names = [name for name, _, _ in sent]
    assert names == ["workers.play_table", *["workers.report_results"] * 3]
    counted = [one for _, _, told in sent[1:] for one in told["table_ids"]]  # type: ignore[attr-defined]
    assert counted == [f"t{number}" for number in range(120)]
    assert [name for name, _, _ in tasks_of(messages[:1])] == ["workers.report_result"]


def test_neither_people_nor_small_events_queue_behind_a_large_round() -> None:
    queues = [ROUTES[kind][1] for kind in (PlayTable, OpenTable, OpenTables, ReportResult)]
    assert len(set(queues)) == 4
    cycle = PlayFirst(list(QUEUES))  # type: ignore[no-untyped-call]
    taken = []
    for _ in range(8):  # while tasks wait in all of them
        taken.append(cycle.consume(len(QUEUES))[0])
        cycle.rotate(taken[-1])  # type: ignore[no-untyped-call]
    assert taken == [*queues_in_turn(), *queues_in_turn()]


def queues_in_turn() -> list[str]:
    """Return the queues that a worker takes in turn."""
    return [queue for queue in QUEUES if queue != ARCHIVE_QUEUE]
