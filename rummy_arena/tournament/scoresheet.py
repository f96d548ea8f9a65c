"""What everybody gathered over the complete rounds of a scored event: the values of tie-breaks.

Points are whole numbers in ``1 / scale`` of a placement point, which every score of the event is,
so that nothing is rounded. Values that not everybody needs are worked out when they are asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm

from .draw import Draw
from .endings import Ending, ahead, ending
from .event import Event
from .field import FROM_THE_START
from .results import TableResult
from .rounds import PlayedRound
from .swiss_presence import MissedRounds, missed_points

_TABLES, _POINTS, _TOTAL, _DEALS, _SUDDEN, _DOWN, _CALLS = range(7)
_COLUMNS = 7
_FEW_DEALS = 9
LAST = 1 << 2048
"""Stands for a number that is the better the smaller it is, of those who have none; ``-LAST`` for
one that is the better the greater it is. No mean comes near, for all that they are counted in the
parts of a table that every number of tables up to a thousand divides."""


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
        # Each seat is looked at once: of a large event they lie all over the memory.
        self._rows: dict[int, list[int]] = {one.number: [0] * _COLUMNS for one in event.field}
        self._byes: dict[int, int] = {}
        self._results: list[TableResult] = []  # of all tables, by round and number
        self._tables: list[tuple[int, ...]] = []  # their entrants, seat by seat
        self._endings: list[Ending] = []
        self._numbers: list[int] = []  # their rounds
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
        rows, scale = self._rows, self.scale
        results = played.ordered_results()
        for result in results:
            seats = result.seats
            ended = ending(
                tuple([seat.place for seat in seats]),
                tuple([seat.forfeit for seat in seats]),
                scale,
            )
            for seat, points in zip(seats, ended.points, strict=True):
                row = rows[seat.entrant]
                row[_TABLES] += 1
                row[_POINTS] += points
                row[_TOTAL] += seat.total
                row[_DEALS] += seat.deals_won
                row[_SUDDEN] += seat.sudden_wins
                row[_DOWN] += seat.down_and_outs
                row[_CALLS] += seat.calls
            self._endings.append(ended)
            self._tables.append(tuple([seat.entrant for seat in seats]))
        for entrant in played.byes:
            self._byes[entrant] = self._byes.get(entrant, 0) + 1
        self._results += results
        self._numbers += [played.number] * len(results)

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
        """Deals won over all of them."""
        return self._column(_DEALS)

    @cached_property
    def _last_tables(self) -> Mapping[int, tuple[int, int]]:
        """The round of the last table, and the placement points there, of those who had one."""
        found: dict[int, tuple[int, int]] = {}
        for at in range(len(self._tables) - 1, -1, -1):
            number = self._numbers[at]
            for entrant, points in zip(self._tables[at], self._endings[at].points, strict=True):
                if entrant not in found:
                    found[entrant] = number, points
            if len(found) == len(self._rows):
                break
        return found

    @cached_property
    def last_rounds(self) -> dict[int, int]:
        """The last complete round in which the entrant was at a table; 0 for none."""
        return dict.fromkeys(self._rows, 0) | {e: last[0] for e, last in self._last_tables.items()}

    @cached_property
    def last_points(self) -> Mapping[int, int]:
        """Placement points there."""
        return dict.fromkeys(self._rows, 0) | {e: last[1] for e, last in self._last_tables.items()}

    @cached_property
    def wins(self) -> Mapping[int, int]:
        """Tables with a first place."""
        found = dict.fromkeys(self._rows, 0)
        for table, ended in zip(self._tables, self._endings, strict=True):
            for seat in ended.won:
                found[table[seat]] += 1
        return found

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
        return self._mean(self._column(_POINTS), -LAST)

    @cached_property
    def totals(self) -> Mapping[int, int]:
        """Penalties, for each table played; a forfeit costs the most that was paid at the table."""
        found = dict(self.penalties)
        for result, ended in zip(self._results, self._endings, strict=True):
            if ended.forfeited:
                most = max(seat.total for seat in result.seats)
                for seat in result.seats:
                    found[seat.entrant] += most - seat.total if seat.forfeit else 0
        return self._mean(found, LAST)

    @cached_property
    def deals_won(self) -> Mapping[int, int]:
        """Deals won without sudden death, for each table played."""
        won = {entrant: row[_DEALS] - row[_SUDDEN] for entrant, row in self._rows.items()}
        return self._mean(won, -LAST)

    @cached_property
    def down_and_outs(self) -> Mapping[int, int]:
        """Deals opened and won in one turn, for each table played."""
        return self._mean(self._column(_DOWN), -LAST)

    @cached_property
    def calls(self) -> Mapping[int, int]:
        """Successful calls, for each table played."""
        return self._mean(self._column(_CALLS), LAST)

    def rank_text(self, value: int) -> str:
        """Return a place in the seeding, or nothing for none."""
        return "" if value == LAST else str(value)

    def mean_text(self, value: int, *, points: bool = False) -> str:
        """Return the sum where everybody played as many tables, else the mean for each table."""
        if abs(value) == LAST:
            return ""
        return decimal(value, self._parts[1] * (self.scale if points else 1))

    # --- of opponents --------------------------------------------------------------------------

    @cached_property
    def _opponents(self) -> Mapping[int, list[int]]:
        """By entrant the mean of its opponents' points, round by round, in no order."""
        found: dict[int, list[int]] = {entrant: [] for entrant in self._rows}
        scores, shares = self.scores, self.shares
        for table in self._tables:
            held = [scores[entrant] for entrant in table]
            whole, share = sum(held), shares // (len(held) - 1)
            for entrant, own in zip(table, held, strict=True):
                found[entrant].append((whole - own) * share)
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
        for table, ended in zip(self._tables, self._endings, strict=True):
            share, behind = 2 * self.shares // (len(table) - 1), 0
            for level in ended.from_below:
                if len(level) == 1:
                    entrant = table[level[0]]
                    found[entrant] += behind * share
                    behind += scores[entrant]
                    continue
                held = [scores[table[seat]] for seat in level]
                beside = sum(held)
                for seat, own in zip(level, held, strict=True):
                    halves = 2 * behind + (0 if ended.forfeits[seat] else beside - own)
                    found[table[seat]] += halves * share // 2
                behind += beside
        return found

    # --- of those who are tied -----------------------------------------------------------------

    @cached_property
    def _results_of(self) -> Mapping[int, list[tuple[tuple[int, ...], TableResult]]]:
        """By entrant the tables at which it sat, seat by seat, with their results."""
        found: dict[int, list[tuple[tuple[int, ...], TableResult]]] = {
            entrant: [] for entrant in self._rows
        }
        for both in zip(self._tables, self._results, strict=True):
            for entrant in both[0]:
                found[entrant].append(both)
        return found

    def last_deals(self, tied: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        """Return the penalties of counted deals, the last first; as many as tell all apart."""
        found = {entrant: self._deals(entrant, _FEW_DEALS) for entrant in tied}
        times = Counter(found.values())
        for entrant, deals in found.items():
            if times[deals] > 1:
                found[entrant] = self._deals(entrant)
        return found

    def _deals(self, entrant: int, most: int | None = None) -> tuple[int, ...]:
        deals: list[int] = []
        for table, result in reversed(self._results_of[entrant]):
            deals += result.seats[table.index(entrant)].counted_deals[::-1]
            if most is not None and len(deals) >= most:
                break
        return tuple(deals[:most])

    def encounters(self, tied: Sequence[int]) -> Mapping[int, Fraction]:
        """Return by entrant how it did against the others; nothing unless all of them have met."""
        group = set(tied)
        found: dict[int, Fraction] = {}
        for entrant in tied:
            results = self._results_of[entrant]
            if sum(len(table) - 1 for table, _ in results) < len(tied) - 1:
                return {}
            met: dict[int, list[int]] = {}
            for table, result in results:
                own = result.seats[table.index(entrant)]
                for other in result.seats:
                    if other.entrant in group and other is not own:
                        met.setdefault(other.entrant, []).append(ahead(own, other))
            if len(met) < len(tied) - 1:
                return {}
            found[entrant] = sum(
                (Fraction(sum(halves), 2 * len(halves)) for halves in met.values()), Fraction(0)
            )
        return found


def decimal(whole: int, parts: int) -> str:
    """Return ``whole`` / ``parts`` with up to four decimal places."""
    if whole % parts == 0:
        return str(whole // parts)
    return f"{whole / parts:.4f}".rstrip("0").rstrip(".")
