"""What is stored: msgspec structs in MessagePack, array-like, cards as bytes.

Fields are only ever added at the end, with a default, so that an older record still decodes.
Times are milliseconds since the epoch; 0 means "not yet".
"""

from __future__ import annotations

from enum import IntEnum

import msgspec

from rummy_arena.game.melds import TableMeld
from rummy_arena.game.state import NO_PROGRESS, Leg, Progress


class Record(msgspec.Struct, array_like=True, forbid_unknown_fields=False):
    """The shape that all records share."""


class DealRecord(Record):
    """``game.state.Deal``; hands, stock and discards are card ids."""

    number: int
    dealer: int
    hands: list[bytes]
    stock: bytes
    discards: bytes
    melds: list[TableMeld]
    opened_turn: list[int]
    calls: list[int]
    phase: int
    turn: int
    turn_number: int
    reshuffles: int
    answers: bytes
    waived: bool
    stock_only: bool
    drawn: int
    outcome: tuple[int, int, bool] | None
    contract_number: int
    players: tuple[int, ...]
    discarder: int = -1
    progress: Progress = NO_PROGRESS
    offers: tuple[int, ...] = ()


class GameRecord(Record):
    """``game.state.Game``."""

    deal: DealRecord
    attempt: int
    scores: list[tuple[int, ...]]
    winners: list[int]
    down_and_outs: list[int]
    calls: list[int]
    over: bool
    adjustments: list[int]
    rebuys: list[int]
    ledger: list[int]
    pot: int = 0
    eliminated: list[int] = []
    playoff: tuple[int, ...] = ()
    playoff_ranks: tuple[int, ...] = ()
    legs: list[Leg] = []
    leg_start: int = 0


class SeatRecord(Record):
    """Who sits at a seat; ``bot`` names the house bot that plays it, or is empty."""

    player_id: str
    name: str
    bot: str
    entrant: int = 0  # number in the tournament
    missed: int = 0  # turns in a row that its player let expire


class Origin(Record):
    """The tournament table that this table plays."""

    tournament_id: str
    round: int
    number: int


class TableRecord(Record):
    """A table; its id, version and log sequence are the store's."""

    rule_set: str
    seats: list[SeatRecord]
    seed: bytes
    game: GameRecord
    created_ms: int
    origin: Origin | None = None
    finished_ms: int = 0
    actions: int = 0
    deals: int = 0  # ended, replayed ones included
    deadline_ms: int = 0  # of the decision that is awaited
    options: dict[str, str] = {}  # of the rule set, chosen otherwise than by default


class Status(IntEnum):
    """Where a tournament stands."""

    REGISTERING = 1
    RUNNING = 2
    FINISHED = 3
    CANCELLED = 4


class EntrantRecord(Record):
    """A registered player; entrant numbers count from 1 in the order of registration."""

    player_id: str
    name: str
    bot: str


class SeatResultRecord(Record):
    """One seat of a finished table, as ``tournament.results.SeatResult``."""

    entrant: int
    total: int
    place: int
    deals_won: int
    down_and_outs: int
    calls: int
    deal_points: list[int]


class TableResultRecord(Record):
    """A finished table of a round."""

    number: int
    table_id: str
    seats: list[SeatResultRecord]
    actions: int
    deals: int
    finished_ms: int


class RoundRecord(Record):
    """A round: tables of entrant numbers in seat order; ``results`` once all tables are done."""

    number: int
    tables: list[list[int]]
    started_ms: int
    byes: list[int] = []
    results: list[TableResultRecord] = []
    finished_ms: int = 0


class TournamentRecord(Record):
    """A tournament; its id, version and log sequence are the store's."""

    title: str
    rule_set: str
    format: str
    seats: int
    advance: int
    capacity: int
    seed: bytes
    status: Status
    created_by: str
    created_ms: int
    entrants: list[EntrantRecord] = []
    rounds: list[RoundRecord] = []
    started_ms: int = 0
    finished_ms: int = 0
    reason: str = ""  # why it was cancelled
    seen_seq: int = 0  # the log's sequence when the sweep last looked
    stalls: int = 0  # looks in a row that found it unchanged
    options: dict[str, str] = {}  # of the rule set, chosen otherwise than by default


class PlayerRecord(Record):
    """A player; ``bot`` names the house bot that plays for it, or is empty."""

    name: str
    bot: str
    role: str
    created_by: str
    created_ms: int


class TokenRecord(Record):
    """What a bearer token stands for; stored under the SHA-256 of the token."""

    player_id: str
    role: str
    expires_ms: int
