"""What every format hands out: rounds, rounds with their results, who goes on, standings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from .errors import ResultsMismatch
from .results import TableResult


@dataclass(frozen=True, slots=True)
class Round:
    """A paired round: tables of entrants in seat order, table 1 first."""

    number: int
    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    stage: int = 1
    labels: tuple[str, ...] = ()
    """What each table is, such as a group or a bracket; none where all are alike."""
    boards: tuple[int, ...] = ()
    """Tables with the same number get the same cards; none where each has its own."""
    options: tuple[tuple[str, str], ...] = ()
    """Options of the rule set that this round is played with instead of the event's."""
    notes: tuple[str, ...] = ()
    """What had to be decided otherwise than the rules would have it, in words."""

    def label(self, table: int) -> str:
        """Return what table number ``table`` (from 1) is."""
        return self.labels[table - 1] if self.labels else ""

    def played(self, results: Iterable[TableResult]) -> PlayedRound:
        """Return the round with its results."""
        return PlayedRound(
            self.number,
            self.tables,
            tuple(results),
            self.byes,
            self.stage,
            self.labels,
            self.boards,
            self.options,
        )


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round with the results of all its tables, in whatever order they came in."""

    number: int
    tables: tuple[tuple[int, ...], ...]
    results: tuple[TableResult, ...]
    byes: tuple[int, ...] = ()
    stage: int = 1
    labels: tuple[str, ...] = ()
    boards: tuple[int, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def label(self, table: int) -> str:
        """Return what table number ``table`` (from 1) was."""
        return self.labels[table - 1] if self.labels else ""

    def ordered_results(self) -> tuple[TableResult, ...]:
        """Return the results by table number; raises ResultsMismatch unless they fit the tables."""
        if self._in_order():
            return self.results
        found: dict[int, list[TableResult]] = {n: [] for n in range(1, len(self.tables) + 1)}
        for result in self.results:
            found.setdefault(result.number, []).append(result)
        wrong = sorted(number for number, got in found.items() if not self._fits(number, got))
        if wrong:
            raise ResultsMismatch(self.number, wrong)
        return tuple(got[0] for _, got in sorted(found.items()))

    def _in_order(self) -> bool:
        """Return whether the results are those of the tables one by one, as they mostly are."""
        numbers = [result.number for result in self.results]
        seated = [tuple([seat.entrant for seat in result.seats]) for result in self.results]
        return numbers == list(range(1, len(self.tables) + 1)) and seated == list(self.tables)

    def _fits(self, number: int, got: list[TableResult]) -> bool:
        if len(got) != 1 or not 1 <= number <= len(self.tables):
            return False
        return sorted(seat.entrant for seat in got[0].seats) == sorted(self.tables[number - 1])


@dataclass(frozen=True, slots=True)
class Advancing:
    """Who goes on from a round; of the last round, who won."""

    entrants: tuple[int, ...]  # the best first
    added: tuple[int, ...] = ()  # of them, those who fill the field up though their place did not
    cut: tuple[int, ...] = ()  # whose place was good enough, but the field could not seat them
    lots: tuple[str, ...] = ()
    """Lots that were drawn to decide this, and the places of who does not go on, in words."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's line in the standings."""

    rank: int  # 1 is first; entrants who are not told apart share it
    entrant: int
    reached_round: int
    eliminated: bool  # false for those who still play, and for who has won
    points: Fraction  # placement points in the last round played; 0 before
    tables: int  # finished tables
    total: int  # penalties over all of them
    deals_won: int  # deals won over all of them
    score: Fraction = Fraction(0)  # what the format ranks by first; 0 where it has no score
    tiebreaks: tuple[tuple[str, str], ...] = ()  # ids of ``tiebreaks`` with this entrant's values
    group: str = ""  # the group within which ``rank`` counts, where standings are by group
