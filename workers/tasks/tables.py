"""Tables: open one, play its house bots, report its result."""

from __future__ import annotations

import asyncio
import contextlib
import time

import structlog
from celery import shared_task
from kombu.exceptions import OperationalError

from rummy_arena.bots.registry import HOUSE_BOTS
from services.events.report_result import report_result as report_result_once
from services.events.seat_table import Seating, Wanted, seat_table, seat_tables
from services.play.close_table import call_off_table
from services.play.create_table import create_table
from services.play.curtail_table import curtail_table
from services.play.hold_table import hold_table, release_table
from services.play.play_bots import play_bots
from services.play.reseat_table import reseat_table
from services.state.context import Context
from services.state.store import NotFound
from workers.app import ROUNDS_QUEUE
from workers.task import ArenaTask, context

ROUND_SLICE_S = 0.1
"""So long a task opens and plays tables of a large round before it makes room for others'."""
SEATED_AT_ONCE = 8
"""Tables whose seats are read together; what has changed meanwhile is seen after them at last."""
SLICE_MS = 2_000
"""A task plays no longer than this, then makes room; far below the visibility timeout."""
WAIT_S = 0.25
"""A table that is held for longer is being played; one that is held for an action is not, and an
action that is refused sends for nobody."""
ARENA = ""
"""Who did what nobody asked for."""

log = structlog.get_logger(__name__)


@shared_task(base=ArenaTask, bind=True, name="workers.open_table")
def open_table(
    task: ArenaTask,
    tournament_id: str,
    round: int,  # noqa: A002  the message's field
    number: int,
    attempt: int = 0,
) -> None:
    """Bring a table of a round in line with its tournament."""
    task.perform(_open(context(), tournament_id, round, number, attempt))


@shared_task(base=ArenaTask, bind=True, name="workers.open_tables")
def open_tables(
    task: ArenaTask,
    tournament_id: str,
    round: int,  # noqa: A002  the message's field
    first: int,
    step: int,
) -> None:
    """Bring some tables of a large round in line, and send for the others."""
    ctx, at = context(), first
    while at:
        at = task.performed(_open_some(ctx, tournament_id, round, at, step)) or 0
        if at and _sent_for_more(task, tournament_id, round, at, step):
            return


def _sent_for_more(task: ArenaTask, tournament_id: str, round_: int, first: int, step: int) -> bool:
    told = {"tournament_id": tournament_id, "round": round_, "first": first, "step": step}
    try:
        task.apply_async(kwargs=told, queue=ROUNDS_QUEUE, retry=False)
    except (OperationalError, OSError) as error:  # then this task goes on itself
        log.warning("the broker is away", task=task.name, reason=str(error))
        return False
    return True


async def create_seated(ctx: Context, seating: Seating) -> bool:
    """Create the table of a pairing unless it is there; return whether this call did."""
    return await create_table(
        ctx,
        seating.table_id,
        seating.rule_set,
        seating.seats,
        seating.seed,
        options=seating.options,
        origin=seating.origin,
        terms=seating.terms,
    )


async def _open(
    ctx: Context, tournament_id: str, round_number: int, number: int, attempt: int
) -> None:
    """Do what the tournament wants of the table, and look again whether it still does."""
    wanted = None
    while True:
        seating = await seat_table(ctx, tournament_id, round_number, number, attempt)
        if seating is None or seating.wanted is wanted:
            return
        wanted = seating.wanted
        if wanted is not Wanted.PLAYED:
            await _stopped(ctx, seating)
            return
        if not await create_seated(ctx, seating) or seating.curtailed:
            await _in_line(ctx, seating)
            await _play(ctx, seating.table_id)
            # Sent for again: perhaps because its result went missing on the way.
            await report_result_once(ctx, seating.table_id)
            return
        if await _played_out(ctx, seating.table_id):
            return


async def _open_some(
    ctx: Context, tournament_id: str, round_number: int, first: int, step: int
) -> int:
    """Do for tables of a round what ``_open`` does for one; return with which to go on, or 0."""
    until_s = time.monotonic() + ROUND_SLICE_S
    while True:
        numbers = range(first, first + SEATED_AT_ONCE * step, step)
        block = await seat_tables(ctx, tournament_id, round_number, numbers)
        more = numbers[-1] < block.tables
        opened: list[int] = []
        for seating in block.seatings:
            if time.monotonic() >= until_s and opened:
                first, more = seating.origin.number, True
                break
            opened.append(seating.origin.number)
            if seating.wanted is not Wanted.PLAYED:
                await _stopped(ctx, seating)
            elif await create_seated(ctx, seating) and not seating.curtailed:
                await _played_out(ctx, seating.table_id)
            else:  # somebody else may have opened it, perhaps with other players
                await _open(ctx, tournament_id, round_number, seating.origin.number, 0)
        else:
            first = numbers[-1] + step
        if opened and await block.is_outdated(ctx):
            for number in opened:
                await _open(ctx, tournament_id, round_number, number, 0)
        if not more or time.monotonic() >= until_s:
            return first if more else 0


async def _stopped(ctx: Context, seating: Seating) -> None:
    with contextlib.suppress(NotFound):  # it was never opened
        if seating.wanted is Wanted.HELD:
            await hold_table(ctx, seating.table_id, by=ARENA, reason=seating.reason)
        else:
            await call_off_table(ctx, seating.table_id, by=ARENA, reason=seating.reason)


async def _in_line(ctx: Context, seating: Seating) -> None:
    """Let a table that was held go on, and seat whoever has an entrant's place by now."""
    await release_table(ctx, seating.table_id, by=ARENA)
    await reseat_table(ctx, seating.table_id, seating.seats)
    if seating.curtailed:
        await curtail_table(ctx, seating.table_id)


@shared_task(base=ArenaTask, bind=True, name="workers.play_table")
def play_table(task: ArenaTask, table_id: str) -> None:
    """Let the house bots of a table decide."""
    task.perform(_play(context(), table_id))


async def _play(ctx: Context, table_id: str) -> None:
    await play_bots(ctx, table_id, HOUSE_BOTS, slice_ms=SLICE_MS, wait_s=WAIT_S)


async def _played_out(ctx: Context, table_id: str) -> bool:
    """Play and, if that ends the game, count its result at once; return whether it did.

    A result that gets lost in between is awaited by a tournament, which sends for the table again.
    """
    over = False

    async def report() -> None:
        nonlocal over
        over = True
        await report_result_once(ctx, table_id)

    await play_bots(ctx, table_id, HOUSE_BOTS, slice_ms=SLICE_MS, wait_s=WAIT_S, report=report)
    return over


@shared_task(base=ArenaTask, bind=True, name="workers.report_result")
def report_result(task: ArenaTask, table_id: str) -> None:
    """Count a finished table in its tournament."""
    task.perform(report_result_once(context(), table_id))


@shared_task(base=ArenaTask, bind=True, name="workers.report_results")
def report_results(task: ArenaTask, table_ids: list[str]) -> None:
    """Count finished tables in their tournaments."""
    task.perform(_report_all(context(), table_ids))


async def _report_all(ctx: Context, table_ids: list[str]) -> None:
    told = await asyncio.gather(
        *(report_result_once(ctx, table_id) for table_id in table_ids), return_exceptions=True
    )
    for error in told:  # once all are through
        if isinstance(error, NotFound):
            log.info("nothing to do", task="workers.report_results", reason=str(error))
        elif isinstance(error, BaseException):
            raise error
