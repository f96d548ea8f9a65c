"""What happens to a table besides its game, as messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rummy_arena.api.v1 import table_event_pb2 as pb
from services.state import table_log as log


def _taken(event: log.SeatTaken) -> pb.SeatTaken:
    return pb.SeatTaken(
        seat=event.seat, player_id=event.player_id, name=event.name, house_bot=event.bot
    )


def _adjudicated(event: log.TableAdjudicated) -> pb.TableAdjudicated:
    return pb.TableAdjudicated(by_player_id=event.by, places=event.places, reason=event.reason)


CONVERSIONS: dict[type[Any], tuple[str, Callable[[Any], Any]]] = {
    log.TableOpened: ("table_opened", lambda event: pb.TableOpened(by_player_id=event.by)),
    log.SeatTaken: ("seat_taken", _taken),
    log.SeatLeft: (
        "seat_left",
        lambda event: pb.SeatLeft(seat=event.seat, player_id=event.player_id),
    ),
    log.SeatReady: (
        "seat_ready",
        lambda event: pb.SeatReady(seat=event.seat, ready=event.ready),
    ),
    log.TableStarted: ("table_started", lambda event: pb.TableStarted()),
    log.TablePaused: (
        "table_paused",
        lambda event: pb.TablePaused(by_player_id=event.by, reason=event.reason),
    ),
    log.TableResumed: ("table_resumed", lambda event: pb.TableResumed(by_player_id=event.by)),
    log.TimeExpired: ("time_expired", lambda event: pb.TimeExpired(seat=event.seat)),
    log.SeatAbsent: (
        "seat_absent",
        lambda event: pb.SeatAbsent(seat=event.seat, stand_in=event.bot),
    ),
    log.SeatReturned: ("seat_returned", lambda event: pb.SeatReturned(seat=event.seat)),
    log.TableAdjudicated: ("table_adjudicated", _adjudicated),
    log.TableClosed: (
        "table_closed",
        lambda event: pb.TableClosed(by_player_id=event.by, reason=event.reason),
    ),
}
"""By the type of event: its field in a TableEvent, and how its message is made."""
