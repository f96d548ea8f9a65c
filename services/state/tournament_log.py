"""What happened in a tournament: the records of its log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from .errors import CorruptRecord
from .records import TableResultRecord


class Registered(msgspec.Struct, tag="registered", array_like=True, frozen=True):
    """A player entered."""

    entrant: int
    player_id: str
    name: str


class Started(msgspec.Struct, tag="started", array_like=True, frozen=True):
    """Registration closed and play began."""

    entrants: int


class RoundStarted(msgspec.Struct, tag="round_started", array_like=True, frozen=True):
    """A round was paired; ``tables`` hold entrant numbers in seat order."""

    round: int
    tables: list[list[int]]
    byes: list[int]


class TableFinished(msgspec.Struct, tag="table_finished", array_like=True, frozen=True):
    """A table's result was counted."""

    round: int
    result: TableResultRecord


class RoundFinished(msgspec.Struct, tag="round_finished", array_like=True, frozen=True):
    """Every table of a round is counted; ``advancing`` go on; ``lots`` were drawn to decide it."""

    round: int
    advancing: list[int]
    lots: list[str]


class Finished(msgspec.Struct, tag="finished", array_like=True, frozen=True):
    """The tournament is over; ``winners`` share the title."""

    winners: list[int]


class Cancelled(msgspec.Struct, tag="cancelled", array_like=True, frozen=True):
    """The tournament ended without a result."""

    reason: str


TournamentEvent: TypeAlias = (
    Registered | Started | RoundStarted | TableFinished | RoundFinished | Finished | Cancelled
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
