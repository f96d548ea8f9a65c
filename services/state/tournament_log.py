"""What happened in a tournament: the records of its log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from .errors import CorruptRecord
from .records import TableResultRecord


class Registered(msgspec.Struct, tag="registered", array_like=True, frozen=True):
    """A player entered; ``by`` is the player who entered it, here and below whoever did it."""

    entrant: int
    player_id: str
    name: str
    bot: str = ""
    owner: str = ""
    seeding: int = 0
    by: str = ""


class Started(msgspec.Struct, tag="started", array_like=True, frozen=True):
    """Registration closed and play began; ``by`` is "" where it started by itself."""

    entrants: int
    by: str = ""


class RoundStarted(msgspec.Struct, tag="round_started", array_like=True, frozen=True):
    """A round was paired; ``tables`` hold entrant numbers in seat order."""

    round: int
    tables: list[list[int]]
    byes: list[int]
    begins_ms: int = 0  # when its tables open


class TableFinished(msgspec.Struct, tag="table_finished", array_like=True, frozen=True):
    """A table's result was counted."""

    round: int
    result: TableResultRecord


class RoundFinished(msgspec.Struct, tag="round_finished", array_like=True, frozen=True):
    """Every table of a round is counted; ``advancing`` go on; ``lots`` were drawn to decide it."""

    round: int
    advancing: list[int]
    lots: list[str]
    board_seeds: list[tuple[int, bytes]] = []  # the seeds of deals that several tables had


class Finished(msgspec.Struct, tag="finished", array_like=True, frozen=True):
    """The tournament is over; ``winners`` share the title."""

    winners: list[int]


class Cancelled(msgspec.Struct, tag="cancelled", array_like=True, frozen=True):
    """The tournament ended without a result."""

    reason: str
    by: str = ""


class CheckedIn(msgspec.Struct, tag="checked_in", array_like=True, frozen=True):
    """An entrant said that it is there."""

    entrant: int
    by: str


class Withdrawn(msgspec.Struct, tag="withdrawn", array_like=True, frozen=True):
    """An entrant is not paired from this round on; 0 before the start, ``by`` "" by the arena."""

    entrant: int
    round: int
    by: str
    reason: str


class Returned(msgspec.Struct, tag="returned", array_like=True, frozen=True):
    """An entrant is paired again from this round on; 0 before the start."""

    entrant: int
    round: int
    by: str


class Disqualified(msgspec.Struct, tag="disqualified", array_like=True, frozen=True):
    """An entrant was taken out."""

    entrant: int
    by: str
    reason: str


class Replaced(msgspec.Struct, tag="replaced", array_like=True, frozen=True):
    """Another player has an entrant's place."""

    entrant: int
    player_id: str
    name: str
    bot: str
    old_player_id: str
    by: str
    reason: str


class TableReplayed(msgspec.Struct, tag="table_replayed", array_like=True, frozen=True):
    """A table begins again, under a new id."""

    round: int
    number: int
    table_id: str
    old_table_id: str
    by: str
    reason: str


class RoundRepaired(msgspec.Struct, tag="round_repaired", array_like=True, frozen=True):
    """A round that had not begun was paired again."""

    round: int
    tables: list[list[int]]
    byes: list[int]
    by: str
    reason: str


class Paused(msgspec.Struct, tag="paused", array_like=True, frozen=True):
    """The tournament is held."""

    by: str
    reason: str


class Resumed(msgspec.Struct, tag="resumed", array_like=True, frozen=True):
    """The tournament goes on."""

    by: str


TournamentEvent: TypeAlias = (
    Registered
    | Started
    | RoundStarted
    | TableFinished
    | RoundFinished
    | Finished
    | Cancelled
    | CheckedIn
    | Withdrawn
    | Returned
    | Disqualified
    | Replaced
    | TableReplayed
    | RoundRepaired
    | Paused
    | Resumed
)

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[list[TournamentEvent]] = msgspec.msgpack.Decoder(
    list[TournamentEvent]
)


def encode_tournament_events(events: Iterable[TournamentEvent]) -> bytes:
    """Return a batch of tournament events."""
    return _encoder.encode(list(events))


def decode_tournament_events(data: bytes) -> list[TournamentEvent]:
    """Return the events of a batch, or raise CorruptRecord."""
    try:
        return _decoder.decode(data)
    except msgspec.MsgspecError as error:
        raise CorruptRecord("a tournament's log", str(error)) from error
