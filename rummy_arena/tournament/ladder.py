"""A ladder's pool and terms: who waits for a table, and how the limits relax with waiting.

A table is made around the entrant whose turn it is, and the others must lie within its reach. The
distance of two is the gap of their ratings, and ``again`` points more for each time that they met
at the last tables of the one whose turn it is. Its reach grows as it waits. All times are
milliseconds; distances and reaches are points of rating.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from .errors import InvalidFormat

MOST_SEATS = 8
LONGEST_MS = 7 * 24 * 3_600_000
FARTHEST = 100_000
MINUTE_MS = 60_000
MOST_HOLDS = 5


@dataclass(frozen=True, slots=True)
class LadderTerms:
    """What a host decides about pairing."""

    seats: int  # of a full table
    fewest: int = 2  # seats that a table may have after ``fewer_ms``
    reach: int = 200  # points, at first
    widen: int = 600  # points that the reach gains in a minute of waiting
    widest: int = 0  # the reach never grows beyond; 0 for no limit
    again: int = 100  # points that each earlier meeting counts
    lead: int = 5  # games that an entrant may be ahead of whoever has played the fewest
    hold_ms: int = 60_000  # who is further ahead waits so long, once more for each further ``lead``
    pause_ms: int = 2_000  # between coming free and the next table
    fewer_ms: int = 60_000  # after which a table may be smaller
    anchors_ms: int = 10_000  # after which anchors may fill a table
    patience_ms: int = 60_000  # who waits longer comes first, whatever it has played
    owners_apart: bool = True  # no two entrants of one owner at a table
    tables: int = 100  # open at once, at most

    def __post_init__(self) -> None:
        _within("seats", self.seats, 2, MOST_SEATS)
        _within("fewest", self.fewest, 2, self.seats)
        for name in ("reach", "widen", "widest", "again"):
            _within(name, getattr(self, name), 0, FARTHEST)
        if self.widest and self.widest < self.reach:
            raise InvalidFormat("widest", f"give at least the reach, {self.reach}, or 0")
        _within("lead", self.lead, 0, 10_000)
        for name in ("hold_ms", "pause_ms", "fewer_ms", "anchors_ms", "patience_ms"):
            _within(name, getattr(self, name), 0, LONGEST_MS)
        _within("tables", self.tables, 1, 200)

    def reach_after(self, waited_ms: int) -> int:
        """Return how far an entrant reaches that has waited so long."""
        reach = self.reach + self.widen * max(waited_ms, 0) // MINUTE_MS
        return min(reach, self.widest) if self.widest else reach

    def held_ms(self, ahead: int) -> int:
        """Return how long an entrant waits so many games ahead; MOST_HOLDS holds at most."""
        holds = -(-(ahead - self.lead) // max(self.lead, 1))
        return self.hold_ms * min(max(holds, 0), MOST_HOLDS)

    def waits_for(self, distance: float) -> int | None:
        """Return how long an entrant must wait to reach so far; None if it never will."""
        missing = ceil(distance - self.reach)
        if missing <= 0:
            return 0
        if not self.widen or (self.widest and distance > self.widest):
            return None
        return -(-missing * MINUTE_MS // self.widen)


@dataclass(frozen=True, slots=True)
class Contender:
    """An entrant of the pool, at this moment."""

    entrant: int
    mean: float  # of its rating
    since_ms: int = 0  # when it last came free or got a table
    owner: str = ""  # nobody's is its own
    games: int = 0  # counted this season, with what it was credited when it came
    recent: tuple[int, ...] = ()  # opponents at its last tables, one for each meeting
    playing: int = 0  # tables at which it sits
    at_once: int = 1  # tables at which it may sit
    anchor: bool = False  # fills tables of others, and asks for none

    @property
    def party(self) -> tuple[str, int]:
        """Whom it belongs to; two of one party may have to be kept apart."""
        return (self.owner, 0) if self.owner else ("", self.entrant)

    @property
    def counted(self) -> int:
        """Games played and begun."""
        return self.games + self.playing

    def met(self, other: int) -> int:
        """Return how often it met another at its last tables."""
        return self.recent.count(other)


def _within(option: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise InvalidFormat(option, f"give {low} to {high}, not {value}")
