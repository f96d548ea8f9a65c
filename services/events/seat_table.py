"""Who sits where at a table of a tournament's round, and what is to become of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import msgspec

from services.state.context import Context
from services.state.errors import NotFound
from services.state.records import (
    EntrantRecord,
    Origin,
    RoundRecord,
    SeatRecord,
    SeedPolicy,
    Status,
    Terms,
    TournamentRecord,
)

from .boards import shares_deals
from .tournament import (
    TOURNAMENTS,
    board_seed,
    pairing_of,
    read_tournament,
    result_field,
    table_id,
    table_seed,
)
from .tournament_parts import content_of, read_round, read_some_entrants


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
    entrants = await read_some_entrants(ctx, tournament_id, round_.tables[table_number - 1])
    pairing = Origin(tournament_id, round_number, table_number, attempt or counts)
    return _seating(record, round_, pairing, entrants, (wanted, reason))


@dataclass(frozen=True, slots=True)
class Block:
    """Seatings of some tables of a round, as its tournament was at one moment."""

    tournament_id: str
    seatings: Sequence[Seating]
    tables: int  # of the whole round; 0 once the tournament is done with it
    moment: Sequence[object]

    async def is_outdated(self, ctx: Context) -> bool:
        """Return whether something has changed that may mean another seating, or none."""
        record = (await read_tournament(ctx, self.tournament_id)).record
        return _moment(record) != self.moment


async def seat_tables(
    ctx: Context, tournament_id: str, round_number: int, table_numbers: Sequence[int]
) -> Block:
    """Return the seatings of those of the tables that are there and whose result is not in.

    Only the attempts that count. Of a tournament that is done with the round there are none.
    Raises NotFound.
    """
    record = (await read_tournament(ctx, tournament_id)).record
    wanted, reason = _wanted(record, replayed=False)
    if round_number != len(record.rounds) or record.begun < round_number or wanted is None:
        return Block(tournament_id, (), 0, _moment(record))
    round_ = await read_round(ctx, tournament_id, record.rounds[round_number - 1])
    pairings = [
        Origin(tournament_id, round_number, number, round_.attempts.get(number, 1))
        for number in table_numbers
        if number <= len(round_.tables)
    ]
    fields = [result_field(round_number, one.number, one.attempt) for one in pairings]
    results = await ctx.store.results(TOURNAMENTS, tournament_id, fields)
    open_ = [one for one, result in zip(pairings, results, strict=True) if result is None]
    numbers = [number for one in open_ for number in round_.tables[one.number - 1]]
    entrants = iter(await read_some_entrants(ctx, tournament_id, numbers))
    seatings = [
        _seating(
            record,
            round_,
            one,
            [next(entrants) for _ in round_.tables[one.number - 1]],
            (wanted, reason),
        )
        for one in open_
    ]
    return Block(tournament_id, seatings, len(round_.tables), _moment(record))


def _moment(record: TournamentRecord) -> Sequence[object]:
    return record.status, record.reason, record.begun, record.curtailed, content_of(record)


def _seating(
    record: TournamentRecord,
    round_: RoundRecord,
    pairing: Origin,
    entrants: Sequence[EntrantRecord],
    told: tuple[Wanted, str],
) -> Seating:
    table_number, attempt = pairing.number, pairing.attempt
    return Seating(
        table_id=table_id(pairing.tournament_id, round_.number, table_number, attempt),
        rule_set=record.rule_set,
        options={**record.options, **round_.options},
        seats=[
            SeatRecord(entrant.player_id, entrant.name, entrant.bot, number)
            for number, entrant in zip(round_.tables[table_number - 1], entrants, strict=True)
        ],
        seed=_seed(record, round_, table_number, attempt),
        origin=pairing,
        terms=_terms(record, round_, attempt),
        wanted=told[0],
        reason=told[1],
        curtailed=record.curtailed >= round_.number,
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
    if shares_deals(round_, attempt):
        return board_seed(record.seed, round_.number, round_.boards[number - 1])
    return table_seed(record.seed, round_.number, number, attempt)


def _terms(record: TournamentRecord, round_: RoundRecord, attempt: int) -> Terms:
    if not shares_deals(round_, attempt):
        return record.terms
    return msgspec.structs.replace(record.terms, seeds=SeedPolicy.SHARED)


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
