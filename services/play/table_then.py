"""A table as it was at an earlier moment, as far as spectators are told."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rummy_arena.game.replay import actions_in
from rummy_arena.game.state import Game
from services.state.records import Life, SeatRecord, TableRecord
from services.state.table_log import (
    SeatAbsent,
    SeatReady,
    SeatReturned,
    SeatTaken,
    TableEvent,
    game_events,
)

from .delayed import LIVES, delay_of


def record_then(
    record: TableRecord, game: Game | None, past: Sequence[TableEvent], later: Sequence[TableEvent]
) -> TableRecord:
    """Return what the record told after ``past``, without clocks, which tell of the present.

    ``game`` is the one that ``past`` leads to, and ``later`` is what the log has behind it.
    """
    lives = [LIVES[type(event)] for event in past if type(event) in LIVES]
    gathered = game is not None or record.origin is not None
    opened_before = Life.PLAYING if gathered else Life.OPEN
    return msgspec.structs.replace(
        record,
        seats=_seats_then(record, past, later),
        life=lives[-1] if lives else opened_before,
        finished_ms=0 if later else record.finished_ms,
        reason="" if later else record.reason,
        places=() if later else record.places,
        deadline_ms=0,
        paused_ms=0,
        actions=actions_in(game_events(past)),
    )


def record_listed(record: TableRecord, now_ms: int) -> TableRecord:
    """Return what lists may tell of a table: of one that is watched with a delay, no news.

    That it has ended is told once spectators may see the end; that it is paused, and how much was
    played, never.
    """
    delay = delay_of(record, "")
    if delay is None or record.life is Life.OPEN:
        return record
    if record.finished_ms and record.finished_ms + delay.ms <= now_ms:
        return record
    return msgspec.structs.replace(
        record,
        seats=_seats_then(record, (), ()),
        life=Life.PLAYING,
        finished_ms=0,
        reason="",
        places=(),
        deadline_ms=0,
        paused_ms=0,
        actions=0,
    )


def record_sealed(record: TableRecord) -> TableRecord:
    """Return what is told of a table whose cards are not: where it is in its life, and who plays.

    Nothing in it depends on a card, but for when the table ended.
    """
    return msgspec.structs.replace(
        record, seats=_seats_then(record, (), ()), game=None, deadline_ms=0, places=(), actions=0
    )


def _seats_then(
    record: TableRecord, past: Sequence[TableEvent], later: Sequence[TableEvent]
) -> list[SeatRecord]:
    """Return who sat where, as far as the events tell; banks are full, for they are clocks."""
    clock = record.terms.clock
    taken_later = {event.seat for event in later if isinstance(event, SeatTaken)}
    ready: dict[int, bool] = {}
    missed: dict[int, int] = {}
    for event in past:
        if isinstance(event, SeatReady):
            ready[event.seat] = event.ready
        elif isinstance(event, SeatAbsent | SeatReturned):
            missed[event.seat] = clock.absent_after if isinstance(event, SeatAbsent) else 0
    return [
        SeatRecord("", "", "")
        if number in taken_later
        else msgspec.structs.replace(
            seat,
            missed=missed.get(number, 0),
            ready=ready.get(number, False),
            bank_ms=clock.bank_ms,
            grace_ms=clock.grace_ms,
        )
        for number, seat in enumerate(record.seats)
    ]
