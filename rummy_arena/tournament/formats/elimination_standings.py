"""The standings of elimination formats: the later somebody is out, the better the place.

Those who are out have a place of their own each, and keep it whatever is played later. Those who
never played share the last one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from rummy_arena.tournament.event import Event
from rummy_arena.tournament.results import Finish, finishes
from rummy_arena.tournament.rounds import Advancing, PlayedRound, Standing
from rummy_arena.tournament.tiebreaks import Ranking

from .elimination import in_round, ordered


def lines(
    event: Event, leaders: Sequence[Collection[int]], out: Iterable[int]
) -> tuple[Standing, ...]:
    """Return everybody's line: groups who share a rank and are not out, then who is out.

    Raises ResultsMismatch.
    """
    tallies = _tallies(event)
    playing = set(in_round(event.pending)) if event.pending else set()
    rows: list[Standing] = []

    def add(entrant: int, rank: int, *, eliminated: bool) -> None:
        reached = event.pending.number if event.pending and entrant in playing else 0
        tally = tallies.pop(entrant, None) or _Tally()
        rows.append(tally.standing(rank, entrant, reached, eliminated=eliminated))

    for group in leaders:
        rank = len(rows) + 1
        for entrant in group:
            add(entrant, rank, eliminated=False)
    for entrant in out:
        add(entrant, len(rows) + 1, eliminated=True)
    told = {row.entrant for row in rows}
    last = len(rows) + 1
    for one in event.field:
        if one.number not in told:
            add(one.number, last, eliminated=True)
    return tuple(rows)


def gone(event: Event, played: PlayedRound, staying: Collection[int], side: str = "") -> list[int]:
    """Return who takes part in a round and does not stay, the best first.

    Those with a bye come before those who played, and those at tables labelled ``side`` last.
    """
    first = [entrant for entrant in played.byes if entrant not in staying]
    tables, aside = _gone(event, played, staying, side)
    return [*first, *tables.entrants, *aside.entrants]


def with_lots(event: Event, played: PlayedRound, found: Advancing, side: str = "") -> Advancing:
    """Return who goes on from a round with all lots: those that order who does not, too."""
    drawn = [lot for group in _gone(event, played, set(found.entrants), side) for lot in group.lots]
    return replace(found, lots=tuple(dict.fromkeys([*found.lots, *drawn])))


def _gone(
    event: Event, played: PlayedRound, staying: Collection[int], side: str
) -> tuple[Ranking, Ranking]:
    """Return who was at a table and does not stay: at the tables, and at those aside."""
    tables: list[Finish] = []
    aside: list[Finish] = []
    for result in played.ordered_results():
        group = aside if side and played.label(result.number) == side else tables
        group += [one for one in finishes(result) if one.seat.entrant not in staying]
    return ordered(event, played.number, tables), ordered(event, played.number, aside)


class _Tally:
    """What an entrant has gathered so far."""

    def __init__(self) -> None:
        self.round = self.tables = self.total = self.deals_won = 0
        self.points = Fraction(0)

    def add(self, finish: Finish) -> None:
        """Count one finished table."""
        self.points = finish.points
        self.tables += 1
        self.total += finish.seat.total
        self.deals_won += finish.seat.deals_won

    def standing(self, rank: int, entrant: int, reached: int, *, eliminated: bool) -> Standing:
        """Return the line of the standings."""
        return Standing(
            rank=rank,
            entrant=entrant,
            reached_round=max(self.round, reached),
            eliminated=eliminated,
            points=self.points,
            tables=self.tables,
            total=self.total,
            deals_won=self.deals_won,
        )


def _tallies(event: Event) -> dict[int, _Tally]:
    tallies: dict[int, _Tally] = {}
    for played in event.rounds:
        for entrant in in_round(played):
            tallies.setdefault(entrant, _Tally()).round = played.number
        for result in played.ordered_results():
            for finish in finishes(result):
                tallies[finish.seat.entrant].add(finish)
    return tallies
