"""What is stored: msgspec structs in MessagePack, array-like, cards as bytes.

Fields are only ever added at the end, with a default, so that an older record still decodes.
Times are milliseconds since the epoch; 0 means "not yet". Numbers have bounds, which the decoder
checks far faster than code of ours could: wide ones, that no rule set reaches.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

import msgspec

from rummy_arena.game.melds import TableMeld
from rummy_arena.game.state import NO_PROGRESS, Leg, Progress

Small = Annotated[int, msgspec.Meta(ge=0, le=255)]
"""A number that is part of what a shuffle's seed is made of, or as small."""
Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 30)]
Points = Annotated[int, msgspec.Meta(ge=-(10**6), le=10**6)]
"""Of one deal, or what re-buys add."""
Units = Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)]
"""Of play money; a host may let a deal be played for a million of them."""
SeatOrNone = Annotated[int, msgspec.Meta(ge=-1, le=7)]
CardOrNone = Annotated[int, msgspec.Meta(ge=-1, le=255)]
Millis = Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799_999)]
"""A time, up to the end of the year 9999, after which messages have none."""


class Record(msgspec.Struct, array_like=True, forbid_unknown_fields=False):
    """The shape that all records share."""


class DealRecord(Record):
    """``game.state.Deal``; hands, stock and discards are card ids."""

    number: Small
    dealer: Small
    hands: list[bytes]
    stock: bytes
    discards: bytes
    melds: list[TableMeld]
    opened_turn: list[Count]
    calls: list[Small]
    phase: Small
    turn: Small
    turn_number: Count
    reshuffles: Small
    answers: bytes
    waived: bool
    stock_only: bool
    drawn: CardOrNone
    outcome: tuple[Small, SeatOrNone, bool] | None
    contract_number: Small
    players: tuple[Small, ...]
    discarder: SeatOrNone = -1
    progress: Progress = NO_PROGRESS
    offers: tuple[Small, ...] = ()


class GameRecord(Record):
    """``game.state.Game``."""

    deal: DealRecord
    attempt: Small
    scores: list[tuple[Points, ...]]
    winners: list[SeatOrNone]
    down_and_outs: list[Small]
    calls: list[Count]
    over: bool
    adjustments: list[Points]
    rebuys: list[Small]
    ledger: list[Units]
    pot: Count = 0
    eliminated: list[Small] = []
    playoff: tuple[Small, ...] = ()
    playoff_ranks: tuple[Points, ...] = ()
    legs: list[Leg] = []
    leg_start: Small = 0


class SeatRecord(Record):
    """Who sits at a seat; ``bot`` names the house bot that plays it, or is empty."""

    player_id: str
    name: str
    bot: str
    entrant: Count = 0  # number in the tournament
    missed: Count = 0  # turns in a row that its player let expire


class Origin(Record):
    """The tournament table that this table plays."""

    tournament_id: str
    round: Count
    number: Count


class TableRecord(Record):
    """A table; its id, version and log sequence are the store's."""

    rule_set: str
    seats: list[SeatRecord]
    seed: bytes
    game: GameRecord
    created_ms: Millis
    origin: Origin | None = None
    finished_ms: Millis = 0
    actions: Count = 0
    deals: Count = 0  # ended, replayed ones included
    deadline_ms: Millis = 0  # of the decision that is awaited
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
