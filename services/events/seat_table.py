"""Who sits where at a table of a tournament's round, and what is to become of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import msgspec

from services.state.context import Context
from services.state.errors import NotFound
from services.state.records import (
    Origin,
    RoundRecord,
    SeatRecord,
    SeedPolicy,
    Status,
    Terms,
    TournamentRecord,
)

from .tournament import board_seed, pairing_of, read_tournament, table_id, table_seed
from .tournament_parts import read_round, read_some_entrants


class Wanted(Enum):
    """What is to become of a table."""

    PLAYED = "played"
    HELD = "held"
    CALLED_OFF = "called off"


@dataclass(frozen=True, slots=True)
class Seating:
    """Everything that creating the table needs; a function of the tournament's record alone."""

    table_id: str
    rule_set: str
    options: Mapping[str, str]
    seats: list[SeatRecord]
    seed: bytes
    origin: Origin
    terms: Terms
    wanted: Wanted = Wanted.PLAYED
    reason: str = ""  # why it is held or called off
    curtailed: bool = False  # whether the round's time is over: the present deal is the last


async def seat_table(
    ctx: Context, tournament_id: str, round_number: int, table_number: int, attempt: int = 0
) -> Seating | None:
    """Return the seating of a paired table; None once the tournament is done with it.

    ``attempt`` 0 is the one that counts. Raises NotFound.
    """
    record = (await read_tournament(ctx, tournament_id)).record
    if round_number != len(record.rounds) or record.begun < round_number:
        return None
    round_ = await read_round(ctx, tournament_id, record.rounds[round_number - 1])
    counts = round_.attempts.get(table_number, 1)
    wanted, reason = _wanted(record, replayed=attempt not in (0, counts))
    if wanted is None:
        return None
    attempt = attempt or counts
    numbers = round_.tables[table_number - 1]
    entrants = await read_some_entrants(ctx, tournament_id, numbers)
    return Seating(
        table_id=table_id(tournament_id, round_number, table_number, attempt),
        rule_set=record.rule_set,
        options={**record.options, **round_.options},
        seats=[
            SeatRecord(entrant.player_id, entrant.name, entrant.bot, number)
            for number, entrant in zip(numbers, entrants, strict=True)
        ],
        seed=_seed(record, round_, table_number, attempt),
        origin=Origin(tournament_id, round_number, table_number, attempt),
        terms=_terms(record, round_),
        wanted=wanted,
        reason=reason,
        curtailed=record.curtailed >= round_number,
    )


def _wanted(record: TournamentRecord, *, replayed: bool) -> tuple[Wanted | None, str]:
    match record.status:
        case Status.CANCELLED:
            return Wanted.CALLED_OFF, record.reason
        case Status.PAUSED if not replayed:
            return Wanted.HELD, record.pause_reason
        case Status.RUNNING | Status.PAUSED:
            return (Wanted.CALLED_OFF, "it is played again") if replayed else (Wanted.PLAYED, "")
        case _:
            return None, ""


def _seed(record: TournamentRecord, round_: RoundRecord, number: int, attempt: int) -> bytes:
    if round_.boards and attempt == 1:
        return board_seed(record.seed, round_.number, round_.boards[number - 1])
    return table_seed(record.seed, round_.number, number, attempt)


def _terms(record: TournamentRecord, round_: RoundRecord) -> Terms:
    if not round_.boards:
        return record.terms
    return msgspec.structs.replace(record.terms, seeds=SeedPolicy.DERIVED)


async def will_open(ctx: Context, table_id: str) -> bool:
    """Return whether a table that is not there is paired in a round that is being played."""
    pairing = pairing_of(table_id)
    if pairing is None:
        return False
    try:
        record = (await read_tournament(ctx, pairing.tournament_id)).record
    except NotFound:
        return False
    playing = record.status in (Status.RUNNING, Status.PAUSED)
    if not playing or pairing.round != len(record.rounds):
        return False
    if pairing.number > record.rounds[-1].tables:
        return False
    round_ = await read_round(ctx, pairing.tournament_id, record.rounds[-1])
    return pairing.attempt == round_.attempts.get(pairing.number, 1)
