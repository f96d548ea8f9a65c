"""Standings of a scored event: everybody's rank over all complete rounds by a chain of tie-breaks.

A round that is not complete does not count. Each row of the chain is looked at only for those whom
the rows before leave equal; who is equal to the last of them shares a rank, which only a chain
without a lot lets happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from .event import Event
from .rounds import Standing
from .scoresheet import Scoresheet
from .swiss_presence import MissedRounds
from .tiebreaks import CHAIN, EVENT, LOT, TieBreak, chain_of, lots_in_words


@dataclass(frozen=True, slots=True)
class ScoreRanking:
    """Entrants with the best first, and what told them apart."""

    groups: tuple[tuple[int, ...], ...]  # those who are equal to the last share one, by number
    lots: tuple[str, ...]  # that were drawn, in words
    values: dict[str, dict[int, Any]]  # by tie-break that was looked at: values by entrant

    @property
    def entrants(self) -> tuple[int, ...]:
        """The entrants, the best first; equal ones by number."""
        return tuple(entrant for group in self.groups for entrant in group)


def chain_for(event: Event, default: Sequence[str] = ()) -> tuple[TieBreak, ...]:
    """Return the event's tie-breaks: those chosen, else those given, else the house's."""
    return chain_of(event.terms.chain or default, EVENT)


def ranked(
    event: Event,
    *,
    missed: MissedRounds | None = None,
    chain: Sequence[str] = (),
) -> tuple[tuple[Standing, ...], tuple[str, ...]]:
    """Return everybody's line, the best first, and the lots that decided it; see below."""
    sheet = Scoresheet(event, missed)
    rows = chain_for(event, chain)
    ranking = rank_scores(sheet, rows, sheet.scores)
    return lines(sheet, ranking, rows), ranking.lots


def standings_of(
    event: Event,
    *,
    missed: MissedRounds | None = None,
    chain: Sequence[str] = (),
) -> tuple[Standing, ...]:
    """Return everybody's line after the complete rounds, the best first.

    ``chain`` holds the format's own tie-breaks, for events that chose none. Raises ResultsMismatch.
    """
    return ranked(event, missed=missed, chain=chain)[0]


def lots_of(
    event: Event,
    *,
    missed: MissedRounds | None = None,
    chain: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return the lots that were drawn to decide these standings, in words."""
    sheet = Scoresheet(event, missed)
    return rank_scores(sheet, chain_for(event, chain), sheet.scores).lots


def rank_scores(
    sheet: Scoresheet, chain: Sequence[TieBreak], entrants: Iterable[int]
) -> ScoreRanking:
    """Return these entrants in the order of the chain, whatever order they come in."""
    groups = [tuple(sorted(entrants))]
    lots: list[str] = []
    values: dict[str, dict[int, Any]] = {}
    for row in chain:
        if all(len(group) < 2 for group in groups):
            break
        told_apart: list[tuple[int, ...]] = []
        for group in groups:
            told_apart += _split(sheet, row, group, lots, values) if len(group) > 1 else [group]
        groups = told_apart
    return ScoreRanking(tuple(group for group in groups if group), tuple(lots), values)


def _split(
    sheet: Scoresheet,
    row: TieBreak,
    tied: tuple[int, ...],
    lots: list[str],
    values: dict[str, dict[int, Any]],
) -> list[tuple[int, ...]]:
    """Return those who are tied in the groups that a row makes of them, the best first."""
    assert row.of_rounds is not None  # noqa: S101  chains hold rows that apply
    found = row.of_rounds(sheet, tied)
    if not found:
        return [tied]
    order = sorted(tied, key=found.__getitem__, reverse=row.more)
    if row is LOT:
        lots.append(lots_in_words(tied, order, sheet.draw))
    if len(found) == len(tied):
        values.setdefault(row.id, {}).update(found)
    return [tuple(group) for _, group in groupby(order, key=found.__getitem__)]


def lines(
    sheet: Scoresheet, ranking: ScoreRanking, chain: Sequence[TieBreak] = CHAIN, *, group: str = ""
) -> tuple[Standing, ...]:
    """Return the standings of a ranking; ranks count from 1 within it."""
    shown = _shown(sheet, ranking, chain)
    reached = sheet.last_rounds | _reached(sheet.event)
    points = lru_cache(maxsize=None)(sheet.points)
    found: list[Standing] = []
    for equal in ranking.groups:
        rank = len(found) + 1
        found += [
            Standing(
                rank=rank,
                entrant=entrant,
                reached_round=reached[entrant],
                eliminated=False,
                points=points(sheet.last_points[entrant]),
                tables=sheet.tables[entrant],
                total=sheet.penalties[entrant],
                deals_won=sheet.all_deals_won[entrant],
                score=points(sheet.scores[entrant]),
                tiebreaks=shown[entrant],
                group=group,
            )
            for entrant in equal
        ]
    return tuple(found)


def _reached(event: Event) -> dict[int, int]:
    """Return the round that is being played, by entrant who plays in it."""
    pending = event.pending
    if pending is None:
        return {}
    everybody = (*pending.tables, pending.byes)
    return {entrant: pending.number for table in everybody for entrant in table}


def _shown(
    sheet: Scoresheet, ranking: ScoreRanking, chain: Sequence[TieBreak]
) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return by entrant the texts of all rows but the score, which is shown beside them.

    What is worked out for everybody is shown for everybody, the rest where it was looked at.
    """
    entrants = ranking.entrants
    columns = []
    for place, row in enumerate(chain):
        if place == 0 and row.id == "placement":
            continue
        assert row.of_rounds is not None  # noqa: S101  chains hold rows that apply
        values = row.of_rounds(sheet, ()) or ranking.values.get(row.id, {})
        texts: dict[Any, tuple[str, str] | None] = {
            value: (row.id, row.shown(sheet, value)) for value in set(values.values())
        }
        texts[None] = None
        columns.append([texts[values.get(entrant)] for entrant in entrants])
    if not columns:
        return dict.fromkeys(entrants, ())
    rows = zip(*columns, strict=True)
    return {entrant: tuple(filter(None, row)) for entrant, row in zip(entrants, rows, strict=True)}
