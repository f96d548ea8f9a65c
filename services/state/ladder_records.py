"""What is stored of a ladder: a small record, and parts beside it that its commits write.

| part | holds |
|---|---|
| ``entrant:<n>`` | an entrant and its rating: LadderEntrantRecord |
| ``player:<player id>`` | its entrant's number |
| ``active`` | numbers of those who take part, ascending |
| ``allowed`` | ids of the players who may enter, where only some may |
| ``owner:<owner>`` | how many entrants of an owner take part |
| ``results:<k>`` | RESULTS_A_PART results in their order: list of LadderResultRecord |
| ``history:<n>:<k>`` | RESULTS_A_PART of an entrant's results: list of RatingStepRecord |
| ``season:<s>`` | how a season ended: SeasonRecord |

Nothing but the number of parts grows with time. Ratings are whole millionths of a point, to which
the rules of ratings round, so that they are stored exactly. Fields are only added at the end.
"""

from __future__ import annotations

from enum import IntEnum

import msgspec

from .records import Count, Entry, Millis, Record, Small, Terms

RESULTS_A_PART = 50
MILLION = 1_000_000


class LadderStatus(IntEnum):
    """Where a ladder stands."""

    OPEN = 1  # pairs, unless its arena has not begun
    CLOSING = 2  # its end has come: tables are played out, no new one opens
    FINISHED = 3


class PairingRecord(Record):
    """``tournament.ladder.LadderTerms``."""

    seats: Small
    fewest: Small
    reach: Count
    widen: Count
    widest: Count
    again: Count
    lead: Count
    hold_ms: Count
    pause_ms: Count
    fewer_ms: Count
    anchors_ms: Count
    patience_ms: Count
    owners_apart: bool
    tables: Count


class RatingRulesRecord(Record):
    """``tournament.ratings.RatingRules``, in millionths of a point."""

    start_mean: int = 1500 * MILLION
    start_deviation: int = 350 * MILLION
    floor: int = 45 * MILLION
    season_drift: int = 100 * MILLION


class OpenTableRecord(Record):
    """A table that is being played; entrants in seat order."""

    number: Count
    entrants: list[Count]
    opened_ms: Millis
    sent_ms: Millis = 0  # when it was last sent for
    tries: Small = 0


class LadderRecord(Record):
    """A ladder or an arena; its id, version and log sequence are the store's."""

    title: str
    rule_set: str
    pairing: PairingRecord
    ratings: RatingRulesRecord
    seed: bytes
    created_by: str
    created_ms: Millis
    options: dict[str, str] = msgspec.field(
        default_factory=dict
    )  # of the rule set, chosen otherwise than by default
    terms: Terms = Terms()  # of all its tables
    capacity: Count = 0
    ranked_from: Count = 0  # games, with fewer of which an entrant has no rank
    season_ms: Millis = 0  # length of a season; 0 where a host ends them
    starts_ms: Millis = 0  # of an arena; 0 for at once
    ends_ms: Millis = 0  # after which no table opens; 0 for never
    overtime_ms: Count = 0  # for tables that are played at the end
    status: LadderStatus = LadderStatus.OPEN
    entrants: Count = 0  # who ever entered; numbers count from 1
    tables: Count = 0  # opened so far
    sequence: Count = 0  # results and ends of seasons so far
    results: Count = 0
    season: Count = 1
    season_ends: Millis = 0  # when this one ends by itself
    open: list[OpenTableRecord] = msgspec.field(default_factory=list)
    look_ms: Millis = 0  # when pairing may find something though nothing happens
    called_ms: Millis = 0  # since when a message that sends for pairing is under way
    finished_ms: Millis = 0
    active: Count = 0  # who takes part now
    arena: bool = False  # ranked by points, not by ratings
    reason: str = ""  # why its host closed it
    entry: Entry = Entry()
    fewest: Count = 0  # games this season of whoever had played the fewest when it was last paired


class LadderEntrantRecord(Record):
    """Who takes part; what it has done this season counts from ``season``, its rating too."""

    player_id: str
    name: str
    bot: str  # the house bot that plays for it, or empty
    owner: str
    mean: int
    deviation: int
    entered_ms: Millis
    since_ms: Millis  # when it last came free or got a table
    at_once: Small = 1
    anchor: bool = False
    gone: bool = False
    playing: list[Count] = msgspec.field(default_factory=list)  # numbers of its tables
    recent: list[Count] = msgspec.field(default_factory=list)  # opponents at its last tables
    games: Count = 0  # rated, in all
    season: Count = 1  # in which the next two were counted
    season_games: Count = 0
    credit: Count = 0  # games that it counts as having played when it came
    wins: Count = 0
    points: int = 0  # placement points of all its tables, in parts: tournament.ladder_standings
    left_ms: Millis = 0


class LadderResultRecord(Record):
    """A rated result: for recalculation, for lists, and for whoever asks how two have fared."""

    number: Count  # of the result, from 1
    sequence: Count  # among results and ends of seasons
    table: Count
    season: Count
    at_ms: Millis
    seats: list[tuple[int, int, int]]  # entrant, place, total penalties; in seat order


class RatingStepRecord(Record):
    """What one result did to one rating."""

    result: Count  # its number
    table: Count
    season: Count
    at_ms: Millis
    place: Small
    seats: Small
    mean_before: int
    deviation_before: int
    mean: int
    deviation: int


class SeasonRecord(Record):
    """How a season ended."""

    season: Count
    sequence: Count  # its own: the results before it are the season's and those of earlier ones
    ended_ms: Millis
    by: str  # who ended it; empty where its time was over
    reason: str
    standings: list[tuple[int, int, int, int]]  # rank, entrant, mean, deviation
