"""What an entrant of a ladder waits for, as a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rummy_arena.api.v1 import ladder_pb2 as pb
from rummy_arena.tournament import ladder_reasons as reasons
from services.events.ladders.explain_ladder import Explained

from .convert_ladder import entrant_message
from .convert_times import timestamp

_FIELDS: dict[type, tuple[str, Callable[[Any], Any]]] = {
    reasons.Pausing: ("pause", lambda _: pb.WaitsForPause()),
    reasons.TooFew: (
        "entrants",
        lambda why: pb.WaitsForEntrants(free=why.free, needed=why.needed),
    ),
    reasons.SameOwner: (
        "other_owners",
        lambda why: pb.WaitsForOtherOwners(
            owner=why.owner, in_reach=why.in_reach, owners=why.owners
        ),
    ),
    reasons.NobodyNear: (
        "reach",
        lambda why: pb.WaitsForReach(
            reach=why.reach, in_reach=why.in_reach, needed=why.needed, nearest=why.nearest
        ),
    ),
    reasons.Ahead: (
        "games",
        lambda why: pb.WaitsForGames(games=why.games, fewest=why.fewest, lead=why.lead),
    ),
    reasons.NotBegun: ("start", lambda _: pb.WaitsForStart()),
    reasons.TablesFull: ("tables", lambda why: pb.WaitsForTables(tables=why.tables)),
}
"""The field of each reason, and what makes its message."""
SOON = "it is about to be given a table"


def waiting_message(ladder_id: str, explained: Explained) -> pb.LadderWaiting:
    """Return what an entrant does or waits for as a message."""
    entrant, reason = explained.entrant, explained.reason
    message = pb.LadderWaiting(entrant=entrant_message(ladder_id, explained.number, entrant))
    if reason is None and not explained.soon:
        return message
    message.since_time.CopyFrom(timestamp(entrant.since_ms))
    if reason is None:
        message.words = SOON
        message.table.SetInParent()
        return message
    message.words = reason.words()
    if reason.until_ms is not None:
        message.until_time.CopyFrom(timestamp(reason.until_ms))
    field, make = _FIELDS[type(reason)]
    getattr(message, field).CopyFrom(make(reason))
    getattr(message, field).SetInParent()  # one without facts is told by being there
    return message
