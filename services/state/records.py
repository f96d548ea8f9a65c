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
    withheld: list[tuple[Small, Small]] = []


class SeatRecord(Record):
    """Who sits at a seat; ``bot`` names the house bot that plays it, or is empty.

    A seat that nobody has taken has no ``player_id``.
    """

    player_id: str
    name: str
    bot: str
    entrant: Count = 0  # number in the tournament
    missed: Count = 0  # turns in a row that its player let expire
    ready: bool = False  # to start
    acted: bool = False  # at least once in this game
    bank_ms: Count = 0  # left of its bank
    grace_ms: Count = 0  # left of its disconnect grace
    no_show: bool = False  # its player did nothing in the whole first deal


class Life(IntEnum):
    """Where a table is in its life."""

    OPEN = 1  # waits for players
    PLAYING = 2
    PAUSED = 3  # no clock runs, nobody acts
    FINISHED = 4  # with a result
    CLOSED = 5  # without one


ENDED = (Life.FINISHED, Life.CLOSED)
"""Stages of life in which nothing more happens at a table."""


class Visibility(IntEnum):
    """Who may find and watch a table."""

    PUBLIC = 1  # everybody
    UNLISTED = 2  # whoever knows its id
    PRIVATE = 3  # who sits there, is invited, or directs it


class SeedPolicy(IntEnum):
    """Where the seeds of a table's deals come from."""

    SYSTEM = 1  # each from the operating system, when it is dealt
    DERIVED = 2  # all from the table's seed, so that the table can be played again
    SHARED = 3  # the same, and other tables have that seed too: nothing is told before all are done


class TimeControl(msgspec.Struct, array_like=True, frozen=True):
    """How long players may take; all times in milliseconds."""

    draw_ms: Count = 30_000
    play_ms: Count = 60_000
    window_ms: Count = 5_000  # to call a discard
    decision_ms: Count = 5_000  # to allow or forbid a call
    rebuy_ms: Count = 20_000  # E-17
    bank_ms: Count = 300_000  # of each seat for the game, used once a turn's own time is over
    increment_ms: Count = 0  # that the bank gains with each turn that its player finishes
    grace_ms: Count = 60_000  # more for the game, only while the player is not connected
    between_deals_ms: Count = 10_000  # before the first clock of a further deal starts
    absent_after: Small = 3  # turns in a row that expire; then ``stand_in`` plays the seat
    absent_ms: Count = 1_000  # how long each turn still waits for an absent player
    stand_in: str = "greedy"  # a house bot, or empty for the standard move


class Terms(msgspec.Struct, array_like=True, frozen=True):
    """What was fixed when a table was created, besides its rules."""

    created_by: str = ""
    clock: TimeControl = TimeControl()
    visibility: Visibility = Visibility.PUBLIC
    delay_deals: Small = 0  # behind which spectators follow, in deals ...
    delay_ms: Count = 0  # ... or in time
    seeds: SeedPolicy = SeedPolicy.DERIVED
    invited: tuple[str, ...] = ()  # players who may see and join a private table
    title: str = ""


class Origin(Record):
    """The tournament table that this table plays."""

    tournament_id: str
    round: Count
    number: Count
    attempt: Count = 1  # grows where a director has the table played again
    ladder_id: str = ""  # of a ladder's table, which has no tournament and no round


class TableRecord(Record):
    """A table; its id, version and log sequence are the store's."""

    rule_set: str
    seats: list[SeatRecord]
    seed: bytes
    game: GameRecord | None  # None until the table starts
    created_ms: Millis
    origin: Origin | None = None
    finished_ms: Millis = 0
    actions: Count = 0
    deals: Count = 0  # ended, replayed ones included
    deadline_ms: Millis = 0  # of the decision that is awaited from players, bank included
    options: dict[str, str] = {}  # of the rule set, chosen otherwise than by default
    terms: Terms = Terms()
    life: Life = Life.PLAYING
    decided_ms: Millis = 0  # when the clock of that decision started
    credited_ms: Millis = 0  # added to it for time in which the arena was away
    graced: bool = False  # whether its disconnect grace runs
    paused_ms: Millis = 0  # since when the table is paused
    reason: str = ""  # why it was closed or adjudicated
    places: tuple[Small, ...] = ()  # by seat, where the game was adjudicated
    deal_seeds: list[tuple[Small, Small, bytes]] = []  # (deal, attempt, seed) not yet revealed
    archived_ms: Millis = 0  # when its log and score sheet were put into the archive
    archive_tries: Count = 0  # how often it was sent for again because it was not there yet
    resumed_ms: Millis = 0  # when the clock of that decision ran on after a pause
    held: bool = False  # paused because its tournament is
    curtailed: bool = False  # the deal that is being played is its last
    ruled_by: str = ""  # the director who adjudicated it
    unsealed_ms: Millis = 0  # since when all may see the cards that it shared with other tables


class Status(IntEnum):
    """Where a tournament stands."""

    REGISTERING = 1
    RUNNING = 2
    FINISHED = 3
    CANCELLED = 4
    PAUSED = 5  # running, but held


class EntrantRecord(Record):
    """A registered player; entrant numbers count from 1 in the order of registration."""

    player_id: str
    name: str
    bot: str
    owner: str = ""  # entrants of one owner are kept apart
    seeding: int = 0  # 1 is the strongest; 0 where nobody has said
    stays: tuple[tuple[int, int], ...] = (
        (1, 0),
    )  # first round, and the first one without it; 0: none
    checked_in_ms: int = 0
    disqualified: bool = False
    formerly: list[str] = []  # players who had the place before, the first one first


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """Who may enter a tournament; every condition that is given must be met."""

    roles: tuple[str, ...] = ()  # none for all
    code: bytes = b""  # SHA-256 of the invitation code
    allowed: bytes = b""  # SHA-256 of the part ``allowed``: the players who may, if not all
    no_bots: bool = False
    ladder_id: str = ""  # whose ratings count
    min_rating: float | None = None
    max_rating: float | None = None
    max_per_owner: int = 0  # 0 for any number


class Schedule(msgspec.Struct, array_like=True, frozen=True):
    """When a tournament starts, who must be there by then, and how long rounds wait."""

    start_ms: Millis = 0  # by itself; 0 where its host starts it
    when_full: bool = False
    min_entrants: int = 0  # 0 for what the first stage needs
    check_in_ms: int = 0  # before ``start_ms``; 0 where nobody has to check in
    late_rounds: int = 0  # the last round in which somebody may enter
    break_ms: int = 0  # from the pairing of a round to the opening of its tables
    round_ms: int = 0  # from the opening of its tables to its end; 0 without end


class SeatResultRecord(Record):
    """One seat of a finished table, as ``tournament.results.SeatResult``."""

    entrant: int
    total: int
    place: int
    deals_won: int
    down_and_outs: int
    calls: int
    deal_points: list[int]
    forfeit: bool = False
    left_out: list[int] = []  # which of these deals, from 0, break no ties
    sudden_wins: int = 0  # of the deals won, those in sudden death


class TableResultRecord(Record):
    """A finished table of a round."""

    number: int
    table_id: str
    seats: list[SeatResultRecord]
    actions: int
    deals: int
    finished_ms: int
    adjudication: str = ""  # why it was not played to its end but decided
    ruled_by: str = ""  # the director who did; none where the time was over


class StageRecord(Record):
    """A stage of a tournament, with every option of its format settled."""

    format: str
    seats: int  # of a full table
    smallest: int  # seats of the smallest table
    options: dict[str, str]
    take: int = 0  # how many go on to the next stage; 0 for as many as the format says
    chain: list[str] = []  # ids of tie-breaks in their order; none for the format's own


class RoundRecord(Record):
    """A round: tables of entrant numbers in seat order; ``results`` once all tables are done."""

    number: int
    tables: list[list[int]]
    started_ms: int
    byes: list[int] = []
    results: list[TableResultRecord] = []
    finished_ms: int = 0
    stage: int = 1
    labels: list[str] = []  # what each table is, where they are not all alike
    boards: list[int] = []  # tables with the same number get the same cards
    options: dict[str, str] = {}  # of the rule set, for this round instead of the tournament's
    notes: list[str] = []  # what had to be decided otherwise than the rules would have it
    begins_ms: int = 0  # when its tables open
    attempts: dict[int, int] = {}  # by table number, where it is played again: 2 for the second
    advancing: list[int] = []  # of a finished round, who went on, the best first
    ends_ms: int = 0  # when its time is over; 0 where it has no end


class RoundHead(Record):
    """What the tournament's record says of a round; the rest is its part ``round:<number>``."""

    number: int
    tables: int
    started_ms: int
    finished_ms: int = 0
    begins_ms: int = 0  # when its tables open
    digest: bytes = b""  # of the part
    ends_ms: int = 0  # when its time is over; 0 where it has no end


class TournamentRecord(Record):
    """A tournament; its id, version and log sequence are the store's.

    It is the head of parts, so that what one entrant does costs the same in a field of any size:
    ``entrant:<n>`` an EntrantRecord, ``player:<player id>`` the number of that player's entrant,
    ``round:<n>`` a RoundRecord, ``standings:<n>`` a thousand StandingRecords.
    """

    title: str
    rule_set: str
    stages: list[StageRecord]
    capacity: int
    seed: bytes
    status: Status
    created_by: str
    created_ms: int
    entrant_count: int = 0
    rounds: list[RoundHead] = []
    started_ms: int = 0
    finished_ms: int = 0
    reason: str = ""  # why it was cancelled
    seen_seq: int = 0  # the log's sequence when the sweep last looked
    stalls: int = 0  # looks in a row that found it unchanged
    options: dict[str, str] = {}  # of the rule set, chosen otherwise than by default
    terms: Terms = Terms()  # of all its tables
    entry: Entry = Entry()
    schedule: Schedule = Schedule()
    active: int = 0  # entrants who are neither gone nor disqualified
    checked_in: int = 0
    paused_ms: int = 0  # since when it is held
    pause_reason: str = ""
    field: bytes = b""  # a digest of all that was ever written of entrants, in order
    begun: int = 0  # the last round whose tables were sent for
    stage: int = 1  # of the last round that was paired
    curtailed: int = 0  # the last round whose time was over before all its tables had finished
    standing_parts: int = 0  # how many parts hold the final standings; 0 before they are decided


class PlayerRecord(Record):
    """A player; ``bot`` names the house bot that plays for it, or is empty."""

    name: str
    bot: str
    role: str
    created_by: str
    created_ms: int


class TokenRecord(Record):
    """What a bearer token stands for; stored under the token's id."""

    player_id: str
    role: str
    expires_ms: int
    digest: bytes = b""  # SHA-256 of the token; where there is none, the id is its hash
    scopes: int = 0  # what it may be used for; 0 for all that the role has
    created_ms: int = 0
    salt: bytes = b""  # its secret was made with it; none where an operator made the token up
    asked: str = ""  # what the request that led to it said
    successor: str = ""  # the id of the token into which it was rotated
