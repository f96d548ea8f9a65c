"""Events of a tournament as messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rummy_arena.api.v1 import tournament_event_pb2 as pb
from rummy_arena.api.v1 import tournament_pb2
from services.state import tournament_log as log

from .convert_times import timestamp_or_none
from .convert_tournament import result_message


def tournament_event_message(sequence: int, event: log.TournamentEvent) -> pb.TournamentEvent:
    """Return an event of the tournament's log as a message."""
    name, convert = _CONVERSIONS[type(event)]
    return pb.TournamentEvent(sequence=sequence, **{name: convert(event)})


def _registered(event: log.Registered) -> pb.EntrantRegistered:
    return pb.EntrantRegistered(
        entrant=tournament_pb2.Entrant(
            number=event.entrant,
            player_id=event.player_id,
            name=event.name,
            house_bot=event.bot,
            owner=event.owner,
            seeding=event.seeding,
        ),
        by=event.by,
    )


def _round_started(event: log.RoundStarted) -> pb.RoundStarted:
    return pb.RoundStarted(
        round=event.round,
        table_count=len(event.tables),
        entrant_count=sum(map(len, event.tables)),
        byes=event.byes,
        begin_time=timestamp_or_none(event.begins_ms),
    )


def _table_finished(event: log.TableFinished) -> pb.TableFinished:
    return pb.TableFinished(
        round=event.round,
        number=event.result.number,
        table_id=event.result.table_id,
        result=result_message(event.result),
    )


def _round_finished(event: log.RoundFinished) -> pb.RoundFinished:
    return pb.RoundFinished(
        round=event.round,
        advancing=event.advancing,
        lots=event.lots,
        board_seeds=[pb.BoardSeed(board=board, seed=seed) for board, seed in event.board_seeds],
    )


def _replaced(event: log.Replaced) -> pb.EntrantReplaced:
    return pb.EntrantReplaced(
        entrant=tournament_pb2.Entrant(
            number=event.entrant,
            player_id=event.player_id,
            name=event.name,
            house_bot=event.bot,
        ),
        old_player_id=event.old_player_id,
        by=event.by,
        reason=event.reason,
    )


def _replayed(event: log.TableReplayed) -> pb.TableReplayed:
    return pb.TableReplayed(
        round=event.round,
        number=event.number,
        table_id=event.table_id,
        old_table_id=event.old_table_id,
        by=event.by,
        reason=event.reason,
    )


_CONVERSIONS: dict[type[Any], tuple[str, Callable[[Any], Any]]] = {
    log.Registered: ("entrant_registered", _registered),
    log.Started: (
        "tournament_started",
        lambda event: pb.TournamentStarted(entrant_count=event.entrants, by=event.by),
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
        lambda event: pb.TournamentCancelled(reason=event.reason, by=event.by),
    ),
    log.CheckedIn: (
        "entrant_checked_in",
        lambda event: pb.EntrantCheckedIn(entrant=event.entrant, by=event.by),
    ),
    log.Withdrawn: (
        "entrant_withdrawn",
        lambda event: pb.EntrantWithdrawn(
            entrant=event.entrant, round=event.round, by=event.by, reason=event.reason
        ),
    ),
    log.Returned: (
        "entrant_returned",
        lambda event: pb.EntrantReturned(entrant=event.entrant, round=event.round, by=event.by),
    ),
    log.Disqualified: (
        "entrant_disqualified",
        lambda event: pb.EntrantDisqualified(
            entrant=event.entrant, by=event.by, reason=event.reason
        ),
    ),
    log.Replaced: ("entrant_replaced", _replaced),
    log.TableReplayed: ("table_replayed", _replayed),
    log.RoundRepaired: (
        "round_repaired",
        lambda event: pb.RoundRepaired(round=event.round, by=event.by, reason=event.reason),
    ),
    log.Paused: (
        "tournament_paused",
        lambda event: pb.TournamentPaused(by=event.by, reason=event.reason),
    ),
    log.Resumed: ("tournament_resumed", lambda event: pb.TournamentResumed(by=event.by)),
}
