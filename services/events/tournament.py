"""A tournament in the hands of a use case: loading, ids, and the bridge to the pure rules."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass

from rummy_arena.tournament.results import SeatResult, TableResult
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.records import (
    Origin,
    SeatResultRecord,
    Status,
    TableResultRecord,
    TournamentRecord,
)

from .errors import WrongStatus

TOURNAMENTS = "tournament"
TABLES = "table"
INDEX = "tournaments"
LEASE_MS = 10_000
_TABLE_ID = re.compile(r"(.+)-r([1-9]\d{0,4})-t([1-9]\d{0,4})(?:-a([1-9]\d{0,4}))?")
WATCHDOG_MS = 15_000
"""A running tournament is looked at so often even if nothing is reported ..."""
MOST_DOUBLINGS = 5
"""... and half as often after each look that finds it unchanged, down to once in eight minutes:
people's tables take long, and are not to be sent for all the time."""


@dataclass(frozen=True, slots=True)
class TournamentSnapshot:
    """A tournament at one moment."""

    id: str
    record: TournamentRecord
    sequence: int


async def read_tournament(ctx: Context, tournament_id: str) -> TournamentSnapshot:
    """Return the tournament; raises NotFound."""
    snapshot = await ctx.store.read(TOURNAMENTS, tournament_id)
    return TournamentSnapshot(tournament_id, TOURNAMENT.decode(snapshot.data), snapshot.seq)


def require_status(tournament_id: str, record: TournamentRecord, wanted: Status) -> None:
    """Raise WrongStatus unless the tournament is in status ``wanted``."""
    if record.status is not wanted:
        raise WrongStatus(tournament_id, record.status.name.lower(), wanted.name.lower())


def table_id(tournament_id: str, round_number: int, table_number: int, attempt: int = 1) -> str:
    """Return the id of a round's table: derived, so that creating it twice creates it once.

    A table that is played again has another for each attempt.
    """
    again = f"-a{attempt}" if attempt > 1 else ""
    return f"{tournament_id}-r{round_number}-t{table_number}{again}"


def pairing_of(table_id: str) -> Origin | None:
    """Return which table of which tournament an id is of, or None if it is no tournament's."""
    found = _TABLE_ID.fullmatch(table_id)
    return Origin(found[1], int(found[2]), int(found[3]), int(found[4] or 1)) if found else None


def table_seed(seed: bytes, round_number: int, table_number: int, attempt: int = 1) -> bytes:
    """Return the 32-byte seed of a table's luck; a function of the tournament's seed alone."""
    place = round_number.to_bytes(4, "big") + table_number.to_bytes(4, "big")
    again = attempt.to_bytes(4, "big") if attempt > 1 else b""
    return hmac.digest(seed, b"table" + place + again, "sha256")


def board_seed(seed: bytes, round_number: int, board: int) -> bytes:
    """Return the 32-byte seed of the deals that several tables of a round share."""
    place = round_number.to_bytes(4, "big") + board.to_bytes(4, "big")
    return hmac.digest(seed, b"board" + place, "sha256")


def result_field(round_number: int, table_number: int, attempt: int = 1) -> str:
    """Return the field of the results hash that one table's result fills."""
    return f"{round_number}:{table_number}" + (f":{attempt}" if attempt > 1 else "")


def table_result(record: TableResultRecord) -> TableResult:
    """Return a stored result as the pure rules take it."""
    return TableResult(number=record.number, seats=tuple(map(_seat_result, record.seats)))


def _seat_result(seat: SeatResultRecord) -> SeatResult:
    return SeatResult(
        entrant=seat.entrant,
        total=seat.total,
        place=seat.place,
        deals_won=seat.deals_won,
        down_and_outs=seat.down_and_outs,
        calls=seat.calls,
        deal_points=tuple(seat.deal_points),
        forfeit=seat.forfeit,
        left_out=tuple(seat.left_out),
        sudden_wins=seat.sudden_wins,
    )
