"""What everybody gathered over the complete rounds of a scored event: the values of tie-breaks.

Points are whole numbers in ``1 / scale`` of a placement point, which every score of the event is,
so that nothing is rounded. Values that not everybody needs are worked out when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm

from .draw import Draw
from .event import Event
from .field import FROM_THE_START
from .results import BEST, SeatResult, TableResult
from .rounds import PlayedRound
from .swiss_presence import MissedRounds, missed_points

_TABLES, _POINTS, _TOTAL, _WINS, _DEALS, _DOWN, _CALLS, _ROUND, _LAST = range(9)
_COLUMNS = 9
LAST = 1 << 62
"""What stands for a number that is the better the smaller it is, of those who have none."""


class Scoresheet:
    """The complete rounds of an event, added up; raises ResultsMismatch when it is made."""

    def __init__(self, event: Event, missed: MissedRounds | None = None) -> None:
        rule = missed or MissedRounds()
        self.event = event
        self.rounds = len(event.rounds)
        self.draw: Draw = Draw(event.seed, self.rounds)
        sizes = {len(table) for played in event.rounds for table in played.tables}
        self.shares: int = lcm(*[size - 1 for size in sizes])
        """Into so many equal parts a table can be divided among the opponents there."""
        worths = (rule.bye, rule.late, rule.away)
        self.scale: int = lcm(self.shares, *[worth.denominator for worth in worths])
        self._rows: dict[int, list[int]] = {one.number: [0] * _COLUMNS for one in event.field}
        self._byes: dict[int, int] = {}
        self._results: list[tuple[TableResult, ...]] = []
        for played in event.rounds:
            self._add(played)
        self.scores: dict[int, int] = self._column(_POINTS)
        """Placement points with what byes and missed rounds are worth."""
        for entrant, byes in self._byes.items():
            self.scores[entrant] += byes * self.whole(rule.bye)
        for one in event.field:
            if one.stays != FROM_THE_START:
                worth = missed_points(one.stays, self.rounds, rule)
                self.scores[one.number] += self.whole(worth)

    def whole(self, points: Fraction) -> int:
        """Return points as the sheet counts them."""
        return int(points * self.scale)

    def points(self, whole: int) -> Fraction:
        """Return points as they are."""
        return Fraction(whole, self.scale)

    def text(self, whole: int, parts: int = 1) -> str:
        """Return points, or ``parts`` of them, with up to four decimal places."""
        return decimal(whole, self.scale * parts)

    def _add(self, played: PlayedRound) -> None:
        rows, number, scale = self._rows, played.number, self.scale
        results = played.ordered_results()
        for result in results:
            seats = result.seats
            for seat, (points, won) in zip(seats, _worth(*_pattern(seats), scale), strict=True):
                row = rows[seat.entrant]
                row[_TABLES] += 1
                row[_POINTS] += points
                row[_TOTAL] += seat.total
                row[_WINS] += won
                row[_DEALS] += seat.deals_won - seat.sudden_wins
                row[_DOWN] += seat.down_and_outs
                row[_CALLS] += seat.calls
                row[_ROUND] = number
                row[_LAST] = points
        for entrant in played.byes:
            self._byes[entrant] = self._byes.get(entrant, 0) + 1
        self._results.append(results)

    def _column(self, which: int) -> dict[int, int]:
        return {entrant: row[which] for entrant, row in self._rows.items()}

    @cached_property
    def tables(self) -> Mapping[int, int]:
        """Finished tables of complete rounds."""
        return self._column(_TABLES)

    @cached_property
    def penalties(self) -> Mapping[int, int]:
        """Penalties over all of them."""
        return self._column(_TOTAL)

    @cached_property
    def all_deals_won(self) -> Mapping[int, int]:
        """Deals won over all of them, without sudden death."""
        return self._column(_DEALS)

    @cached_property
    def last_rounds(self) -> Mapping[int, int]:
        """The last complete round in which the entrant was at a table; 0 for none."""
        return self._column(_ROUND)

    @cached_property
    def last_points(self) -> Mapping[int, int]:
        """Placement points there."""
        return self._column(_LAST)

    @cached_property
    def wins(self) -> Mapping[int, int]:
        """Tables with a first place."""
        return self._column(_WINS)

    @cached_property
    def seedings(self) -> Mapping[int, int]:
        """Places in the seeding."""
        return {one.number: one.seeding or LAST for one in self.event.field}

    # --- for each table played ---------------------------------------------------------------

    @cached_property
    def _parts(self) -> tuple[int, int]:
        """A number that each number of tables divides; and 1 if everybody played as many, or it."""
        counts = {tables for tables in self.tables.values() if tables}
        common = lcm(*counts)
        return common, 1 if len(counts) < 2 else common

    def _mean(self, sums: Mapping[int, int], none: int) -> dict[int, int]:
        """Return the mean for each table in parts of one; ``none`` for who played none.

        Where everybody played as many tables these are the sums.
        """
        common, tables = self._parts[0], self.tables
        return {
            entrant: value * common // tables[entrant] if tables[entrant] else none
            for entrant, value in sums.items()
        }

    @cached_property
    def mean_scores(self) -> Mapping[int, int]:
        """Placement points of tables, for each table played."""
        return self._mean(self._column(_POINTS), -1)

    @cached_property
    def totals(self) -> Mapping[int, int]:
        """Penalties, for each table played."""
        return self._mean(self.penalties, LAST)

    @cached_property
    def deals_won(self) -> Mapping[int, int]:
        """Deals won without sudden death, for each table played."""
        return self._mean(self.all_deals_won, -1)

    @cached_property
    def down_and_outs(self) -> Mapping[int, int]:
        """Deals opened and won in one turn, for each table played."""
        return self._mean(self._column(_DOWN), -1)

    @cached_property
    def calls(self) -> Mapping[int, int]:
        """Successful calls, for each table played."""
        return self._mean(self._column(_CALLS), LAST)

    def rank_text(self, value: int) -> str:
        """Return a place in the seeding, or nothing for none."""
        return "" if value == LAST else str(value)

    def mean_text(self, value: int, *, points: bool = False) -> str:
        """Return the sum where everybody played as many tables, else the mean for each table."""
        if value in (-1, LAST):
            return ""
        return decimal(value, self._parts[1] * (self.scale if points else 1))

    # --- of opponents --------------------------------------------------------------------------

    @cached_property
    def _opponents(self) -> Mapping[int, list[int]]:
        """By entrant the mean of its opponents' points, round by round, in no order."""
        found: dict[int, list[int]] = {entrant: [] for entrant in self._rows}
        scores, shares = self.scores, self.shares
        for results in self._results:
            for result in results:
                held = [scores[seat.entrant] for seat in result.seats]
                whole, share = sum(held), shares // (len(held) - 1)
                for seat, own in zip(result.seats, held, strict=True):
                    found[seat.entrant].append((whole - own) * share)
        for entrant, byes in self._byes.items():
            found[entrant] += [scores[entrant] * shares] * byes
        for means in found.values():
            if len(means) < self.rounds:
                means += [0] * (self.rounds - len(means))
        return found

    def buchholz(self, least: int, most: int) -> Mapping[int, int]:
        """Return the sums of opponents' points without so many of the least and most rounds.

        None where that would leave nothing.
        """
        if self.rounds <= least + most:
            return {}
        return self._cut[least, most]

    @cached_property
    def _cut(self) -> Mapping[tuple[int, int], Mapping[int, int]]:
        sums, cut, median = {}, {}, {}
        for entrant, means in self._opponents.items():
            sums[entrant] = whole = sum(means)
            cut[entrant] = whole = whole - min(means)
            median[entrant] = whole - max(means)
        return {(0, 0): sums, (1, 0): cut, (1, 1): median}

    @cached_property
    def sonneborn_berger(self) -> Mapping[int, int]:
        """The points of those left behind, in ``1 / (2 scale shares)``."""
        found = dict.fromkeys(self._rows, 0)
        scores = self.scores
        for results in self._results:
            for result in results:
                seats = result.seats
                share, behind = 2 * self.shares // (len(seats) - 1), 0
                for level in _from_below(*_pattern(seats)):
                    if len(level) == 1:
                        entrant = seats[level[0]].entrant
                        found[entrant] += behind * share
                        behind += scores[entrant]
                        continue
                    held = [scores[seats[seat].entrant] for seat in level]
                    beside = sum(held)
                    for seat, own in zip(level, held, strict=True):
                        halves = 2 * behind + (0 if seats[seat].forfeit else beside - own)
                        found[seats[seat].entrant] += halves * share // 2
                    behind += sum(held)
        return found

    # --- of those who are tied -----------------------------------------------------------------

    @cached_property
    def _results_of(self) -> Mapping[int, list[TableResult]]:
        """The results by entrant, the last first."""
        found: dict[int, list[TableResult]] = {entrant: [] for entrant in self._rows}
        for results in reversed(self._results):
            for result in results:
                for seat in result.seats:
                    found[seat.entrant].append(result)
        return found

    def last_deals(self, tied: Iterable[int]) -> Mapping[int, tuple[int, ...]]:
        """Return the penalties of each counted deal, the last first."""
        found: dict[int, tuple[int, ...]] = {}
        for entrant in tied:
            deals: list[int] = []
            for result in self._results_of[entrant]:
                own = next(seat for seat in result.seats if seat.entrant == entrant)
                deals += own.counted_deals[::-1]
            found[entrant] = tuple(deals)
        return found

    def encounters(self, tied: Sequence[int]) -> Mapping[int, Fraction]:
        """Return by entrant how it did against the others; nothing unless all of them have met."""
        group = set(tied)
        found: dict[int, Fraction] = {}
        for entrant in tied:
            results = self._results_of[entrant]
            if sum(len(result.seats) - 1 for result in results) < len(tied) - 1:
                return {}
            met: dict[int, list[int]] = {}
            for result in results:
                own = next(seat for seat in result.seats if seat.entrant == entrant)
                for other in result.seats:
                    if other.entrant in group and other is not own:
                        met.setdefault(other.entrant, []).append(ahead(own, other))
            if len(met) < len(tied) - 1:
                return {}
            found[entrant] = sum(
                (Fraction(sum(halves), 2 * len(halves)) for halves in met.values()), Fraction(0)
            )
        return found


def ahead(seat: SeatResult, other: SeatResult) -> int:
    """Return 2 if a seat came before another, 1 if they share a place, and 0 if not.

    A forfeit comes before nobody.
    """
    if seat.forfeit:
        return 0
    if other.forfeit or seat.place < other.place:
        return 2
    return int(seat.place == other.place)


def decimal(whole: int, parts: int) -> str:
    """Return ``whole`` / ``parts`` with up to four decimal places."""
    if whole % parts == 0:
        return str(whole // parts)
    return f"{whole / parts:.4f}".rstrip("0").rstrip(".")


def _pattern(seats: Sequence[SeatResult]) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Return how the table ended: places and forfeits by seat."""
    return tuple([seat.place for seat in seats]), tuple([seat.forfeit for seat in seats])


@lru_cache(maxsize=1 << 14)
def _worth(
    places: tuple[int, ...], forfeits: tuple[bool, ...], scale: int
) -> tuple[tuple[int, int], ...]:
    """Return each seat's placement points in ``1 / scale``, and 1 if it came first."""
    opponents = len(places) - 1
    found = []
    for place, forfeit in zip(places, forfeits, strict=True):
        better = sum([other < place for other in places])
        worse_twice = 2 * (opponents - better) - (places.count(place) - 1)
        points = BEST * worse_twice * scale // (2 * opponents)
        found.append((0, 0) if forfeit else (points, int(better == 0)))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _from_below(places: tuple[int, ...], forfeits: tuple[bool, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the seats in groups that share a place, the last first; forfeits are one group."""
    levels: dict[tuple[bool, int], list[int]] = {}
    for seat, (place, forfeit) in enumerate(zip(places, forfeits, strict=True)):
        levels.setdefault((forfeit, 0 if forfeit else place), []).append(seat)
    return tuple(tuple(levels[level]) for level in sorted(levels, reverse=True))
