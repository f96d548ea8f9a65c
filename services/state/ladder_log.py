"""What happened on a ladder: the records of its log, in which each rated result stands once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from .errors import CorruptRecord


class LadderEntered(msgspec.Struct, tag="entered", array_like=True, frozen=True):
    """A player entered, or came back."""

    entrant: int
    player_id: str
    by: str
    back: bool


class LadderAdjusted(msgspec.Struct, tag="adjusted", array_like=True, frozen=True):
    """An entrant has another owner, or may sit at another number of tables."""

    entrant: int
    owner: str
    at_once: int
    by: str


class LadderLeft(msgspec.Struct, tag="left", array_like=True, frozen=True):
    """An entrant left; the tables where it sits are played on."""

    entrant: int
    by: str
    reason: str


class LadderPaired(msgspec.Struct, tag="paired", array_like=True, frozen=True):
    """Tables were opened: (number, entrants in seat order) each."""

    tables: list[tuple[int, list[int]]]


class LadderRated(msgspec.Struct, tag="rated", array_like=True, frozen=True):
    """A table's result was counted; seats are (entrant, place, total penalties)."""

    sequence: int
    table: int
    seats: list[tuple[int, int, int]]


class LadderSeasonEnded(msgspec.Struct, tag="season_ended", array_like=True, frozen=True):
    """A season ended; ``by`` is empty where its time was over."""

    sequence: int
    season: int
    by: str
    reason: str


class LadderClosed(msgspec.Struct, tag="closed", array_like=True, frozen=True):
    """No new table opens; ``by`` is empty where the time was over."""

    by: str
    reason: str


class LadderFinished(msgspec.Struct, tag="finished", array_like=True, frozen=True):
    """It is over; ``void`` are tables whose results came too late."""

    void: list[int]


LadderEvent: TypeAlias = (
    LadderEntered
    | LadderAdjusted
    | LadderLeft
    | LadderPaired
    | LadderRated
    | LadderSeasonEnded
    | LadderClosed
    | LadderFinished
)

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[list[LadderEvent]] = msgspec.msgpack.Decoder(list[LadderEvent])


def encode_ladder_events(events: Iterable[LadderEvent]) -> bytes:
    """Return a batch of a ladder's events."""
    return _encoder.encode(list(events))


def decode_ladder_events(data: bytes) -> list[LadderEvent]:
    """Return the events of a batch, or raise CorruptRecord."""
    try:
        return _decoder.decode(data)
    except msgspec.MsgspecError as error:
        raise CorruptRecord("a ladder's log", str(error)) from error
