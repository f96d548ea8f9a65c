"""Standings of the formats that add up rounds: by points, or by points for each table.

By points for each table, a table that somebody missed by being away counts as one without points,
so that nobody gains by leaving early.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from rummy_arena.tournament.event import Event
from rummy_arena.tournament.rounds import Standing
from rummy_arena.tournament.scores import chain_for, lines, rank_scores, ranked
from rummy_arena.tournament.scoresheet import LAST, Scoresheet
from rummy_arena.tournament.swiss_presence import MissedRounds
from rummy_arena.tournament.tiebreaks import HOUSE

Ranked = tuple[tuple[Standing, ...], tuple[str, ...]]
"""Everybody's line, the best first, and the lots that were drawn, in words."""

MEAN = "mean-placement"
BY_TABLE = (MEAN, *HOUSE[1:])
"""The chain of formats in which not everybody plays as many tables."""


def by_points(event: Event, missed: MissedRounds) -> Ranked:
    """Return the standings by placement points, with what missed rounds are worth."""
    found, lots = ranked(event, missed=missed)
    return without_the_gone(event, found), lots


def by_table(event: Event, away: Mapping[int, int]) -> Ranked:
    """Return the standings by placement points for each table.

    ``away`` is how many tables everybody missed by being away; byes are worth nothing.
    """
    sheet = _ByTable(event, away)
    chain = chain_for(event, BY_TABLE)
    ranking = rank_scores(sheet, chain, sheet.scores)
    found: Iterable[Standing] = lines(sheet, ranking, chain)
    if chain[0].id == MEAN:
        found = [replace(line, score=sheet.mean(line.entrant)) for line in found]
    return without_the_gone(event, found), ranking.lots


class _ByTable(Scoresheet):
    """A sheet whose points for each table count those that were missed."""

    def __init__(self, event: Event, away: Mapping[int, int]) -> None:
        super().__init__(event, MissedRounds(bye=Fraction(0)))
        self._away = away

    def _due(self, entrant: int) -> int:
        return self.tables[entrant] + self._away.get(entrant, 0)

    def mean(self, entrant: int) -> Fraction:
        """Return the points for each table; 0 before the first."""
        return self.points(self.scores[entrant]) / (self._due(entrant) or 1)

    @cached_property
    def _parts(self) -> tuple[int, int]:
        counts = {self._due(entrant) for entrant in self.tables} | set(self.tables.values())
        common = lcm(*(counts - {0}))
        return common, 1 if len(counts - {0}) < 2 else common

    @cached_property
    def mean_scores(self) -> Mapping[int, int]:
        """Placement points for each table, missed ones too."""
        common = self._parts[0]
        return {
            entrant: points * common // self._due(entrant) if self._due(entrant) else -LAST
            for entrant, points in self.scores.items()
        }


def gone(event: Event) -> frozenset[int]:
    """Return who has left or was disqualified, and does not come back by what is known."""
    number = event.pending.number if event.pending else event.next_number
    return frozenset(
        entrant.number
        for entrant in event.field
        if entrant.disqualified or not any(end is None or end > number for _, end in entrant.stays)
    )


def without_the_gone(event: Event, found: Iterable[Standing]) -> tuple[Standing, ...]:
    """Return the lines with those eliminated who have left for good."""
    out = gone(event)
    if not out:
        return tuple(found)
    return tuple(replace(line, eliminated=line.entrant in out) for line in found)
