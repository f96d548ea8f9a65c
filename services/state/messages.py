"""Outbox messages: work that a commit owes, handled at least once, so each is idempotent."""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class OpenTable(msgspec.Struct, tag="open_table", frozen=True):
    """Bring a table of a tournament's round in line with it.

    It is created unless it exists, played while the tournament runs, held while that is held, and
    called off when it does not count any more. ``attempt`` 0 is the one that counts.
    """

    tournament_id: str
    round: int
    number: int
    attempt: int = 0


class OpenTables(msgspec.Struct, tag="open_tables", frozen=True):
    """Bring many tables of a large round in line with it, one after another.

    They are ``first`` and every ``step``-th after it, without those whose result is in.
    """

    tournament_id: str
    round: int
    first: int
    step: int


class OpenLadderTable(msgspec.Struct, tag="open_ladder_table", frozen=True):
    """Create a ladder's table unless it exists, and play it."""

    ladder_id: str
    number: int


class AdvanceLadder(msgspec.Struct, tag="advance_ladder", frozen=True):
    """Something changed in a ladder's pool."""

    ladder_id: str


class PlayTable(msgspec.Struct, tag="play_table", frozen=True):
    """A house bot must decide at this table."""

    table_id: str


class ReportResult(msgspec.Struct, tag="report_result", frozen=True):
    """A table of a tournament has finished."""

    table_id: str


class AdvanceTournament(msgspec.Struct, tag="advance_tournament", frozen=True):
    """Every result of the round is in, or somebody should look whether it is."""

    tournament_id: str


class ArchiveTable(msgspec.Struct, tag="archive_table", frozen=True):
    """A table has ended and must be archived before it may expire."""

    table_id: str


class UnsealTables(msgspec.Struct, tag="unseal_tables", frozen=True):
    """A round whose tables shared their deals is over, or somebody should look whether it is.

    The tables are ``first`` and every ``step``-th after it; with 0 ``first`` alone.
    """

    tournament_id: str
    round: int
    first: int
    step: int = 0


Message: TypeAlias = (
    OpenTable
    | OpenTables
    | OpenLadderTable
    | AdvanceLadder
    | PlayTable
    | ReportResult
    | AdvanceTournament
    | ArchiveTable
    | UnsealTables
)
MESSAGE_TYPES: tuple[type[Message], ...] = (
    OpenTable,
    OpenTables,
    OpenLadderTable,
    AdvanceLadder,
    PlayTable,
    ReportResult,
    AdvanceTournament,
    ArchiveTable,
    UnsealTables,
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


def encode_message(message: Message) -> bytes:
    """Return the message as JSON with its type in ``type``."""
    return _encoder.encode(message)


def decode_message(data: bytes | str) -> Message:
    """Return the message; msgspec.ValidationError when it is none."""
    return _decoder.decode(data)
