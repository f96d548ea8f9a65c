"""Events of a tournament as messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rummy_arena.api.v1 import tournament_event_pb2 as pb
from rummy_arena.api.v1 import tournament_pb2
from services.state import tournament_log as log

from .convert_tournament import result_message


def tournament_event_message(sequence: int, event: log.TournamentEvent) -> pb.TournamentEvent:
    """Return an event of the tournament's log as a message."""
    name, convert = _CONVERSIONS[type(event)]
    return pb.TournamentEvent(sequence=sequence, **{name: convert(event)})


def _registered(event: log.Registered) -> pb.EntrantRegistered:
    return pb.EntrantRegistered(
        entrant=tournament_pb2.Entrant(
            number=event.entrant, player_id=event.player_id, name=event.name
        )
    )


def _round_started(event: log.RoundStarted) -> pb.RoundStarted:
    return pb.RoundStarted(
        round=event.round,
        table_count=len(event.tables),
        entrant_count=sum(map(len, event.tables)),
        byes=event.byes,
    )


def _table_finished(event: log.TableFinished) -> pb.TableFinished:
    return pb.TableFinished(
        round=event.round,
        number=event.result.number,
        table_id=event.result.table_id,
        result=result_message(event.result),
    )


def _round_finished(event: log.RoundFinished) -> pb.RoundFinished:
    return pb.RoundFinished(round=event.round, advancing=event.advancing, lots=event.lots)


_CONVERSIONS: dict[type[Any], tuple[str, Callable[[Any], Any]]] = {
    log.Registered: ("entrant_registered", _registered),
    log.Started: (
        "tournament_started",
        lambda event: pb.TournamentStarted(entrant_count=event.entrants),
    ),
    log.RoundStarted: ("round_started", _round_started),
    log.TableFinished: ("table_finished", _table_finished),
    log.RoundFinished: ("round_finished", _round_finished),
    log.Finished: (
        "tournament_finished",
        lambda event: pb.TournamentFinished(winners=event.winners),
    ),
    log.Cancelled: (
        "tournament_cancelled",
        lambda event: pb.TournamentCancelled(reason=event.reason),
    ),
}
