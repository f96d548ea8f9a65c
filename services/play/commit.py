"""What one commit of a table writes: its record, what happened, what it owes, its deadline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rummy_arena.game.events import DealEnded
from rummy_arena.game.replay import actions_in
from rummy_arena.game.series import tally
from services.state.codec import TABLE, game_record
from services.state.event_codec import encode_events
from services.state.messages import Message, PlayTable, ReportResult
from services.state.records import Life
from services.state.store import Batch
from services.state.table_log import TableAdjudicated, TableEvent, game_events

from . import clocks
from .table import Table

BOT_WATCHDOG_MS = 10_000
"""A house bot's table that nothing was heard of for so long is taken up again by the sweep."""

TIME_OVER = "the time of the round was over"


@dataclass(frozen=True, slots=True)
class Commit:
    """What one commit of a table writes."""

    data: bytes
    events: Batch
    messages: tuple[Message, ...] = ()
    deadline_ms: int | None = None
    actions: int = 0
    deals: tuple[DealEnded, ...] = ()


def commit_of(
    table: Table, events: Sequence[TableEvent], before: tuple[int, ...], *, now_ms: int, wake: bool
) -> Commit:
    """Return the commit that stores the table after ``events``.

    ``before`` is ``table.decision()`` before them, () for a table that has just started. With
    ``wake`` a worker is sent for; either way the deadline brings the table back if nobody acts.
    """
    record = table.record
    played = game_events(events)
    deals = tuple([event for event in played if isinstance(event, DealEnded)])
    actions = actions_in(played)
    record.game = game_record(table.game)
    record.actions += actions
    record.deals += len(deals)
    _note_no_shows(table, deals)
    table.chance.forget_revealed(played)
    record.deal_seeds = [(*deal, seed) for deal, seed in table.chance.seeds.items()]
    messages: list[Message] = []
    deadline_ms = None
    if table.game.over:
        _finish(table, now_ms)
    elif record.curtailed and any(deal.points for deal in deals):
        events = [*events, _curtailed(table, now_ms)]
    elif record.life is Life.PAUSED:
        deadline_ms = clocks.pause_end_ms(record)
    elif table.playing:
        deadline_ms = _deadline(table, before, now_ms)
        if wake:
            messages.append(PlayTable(table.id))
    if record.life is Life.FINISHED and record.origin is not None:
        messages.append(ReportResult(table.id))
    batch = Batch(len(events), encode_events(events) if events else b"", now_ms)
    return Commit(TABLE.encode(record), batch, tuple(messages), deadline_ms, actions, deals)


def _curtailed(table: Table, now_ms: int) -> TableAdjudicated:
    """The time of the table's round is over, and so is the deal that was to be its last.

    The deal that follows has been dealt by then, and does not count.
    """
    record = table.record
    record.places, record.reason = tally(table.game).places, TIME_OVER
    _finish(table, now_ms)
    return TableAdjudicated("", record.places, record.reason)


def _note_no_shows(table: Table, deals: Sequence[DealEnded]) -> None:
    """After the first deal that counts, note whose player did nothing in all of it.

    What that means is for a tournament to say; the seat is played on.
    """
    counted = sum(bool(deal.points) for deal in deals)
    if counted and len(table.game.scores) == counted:
        for seat in table.record.seats:
            seat.no_show = not seat.bot and not seat.acted


def _finish(table: Table, now_ms: int) -> None:
    record = table.record
    record.life = Life.FINISHED
    record.finished_ms = record.finished_ms or now_ms
    record.deadline_ms = 0


def _deadline(table: Table, before: tuple[int, ...], now_ms: int) -> int:
    """Start the clock of a new decision, keep that of an old one; return when to look again."""
    record, decision = table.record, table.decision()
    if decision != before or not record.deadline_ms:
        further_deal = bool(before) and decision[:2] != before[:2]
        clocks.start(record, table.game, now_ms, new_deal=further_deal)
    due_ms = clocks.due_ms(record, table.game)
    if due_ms is None:
        return now_ms + BOT_WATCHDOG_MS
    return min(due_ms, now_ms + BOT_WATCHDOG_MS) if table.bots_waiting else due_ms
