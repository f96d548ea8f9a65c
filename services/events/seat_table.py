"""Who sits where at a table of a tournament's round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.state.context import Context
from services.state.errors import NotFound
from services.state.records import Origin, SeatRecord, Status, Terms

from .tournament import pairing_of, read_tournament, table_id, table_seed
from .tournament_parts import read_round, read_some_entrants


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


async def seat_table(
    ctx: Context, tournament_id: str, round_number: int, table_number: int
) -> Seating | None:
    """Return the seating of a paired table; None once the tournament no longer plays it.

    Raises NotFound.
    """
    record = (await read_tournament(ctx, tournament_id)).record
    if record.status is not Status.RUNNING or round_number > len(record.rounds):
        return None
    round_ = await read_round(ctx, tournament_id, record.rounds[round_number - 1])
    numbers = round_.tables[table_number - 1]
    entrants = await read_some_entrants(ctx, tournament_id, numbers)
    seats = [
        SeatRecord(entrant.player_id, entrant.name, entrant.bot, number)
        for number, entrant in zip(numbers, entrants, strict=True)
    ]
    return Seating(
        table_id=table_id(tournament_id, round_number, table_number),
        rule_set=record.rule_set,
        options=record.options,
        seats=seats,
        seed=table_seed(record.seed, round_number, table_number),
        origin=Origin(tournament_id, round_number, table_number),
        terms=record.terms,
    )


async def will_open(ctx: Context, table_id: str) -> bool:
    """Return whether a table that is not there is paired in a round that is being played."""
    pairing = pairing_of(table_id)
    if pairing is None:
        return False
    tournament_id, round_number, number = pairing
    try:
        record = (await read_tournament(ctx, tournament_id)).record
    except NotFound:
        return False
    playing = record.status is Status.RUNNING and round_number == len(record.rounds)
    return playing and number <= record.rounds[-1].tables
