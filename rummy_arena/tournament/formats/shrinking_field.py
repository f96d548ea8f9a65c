"""Who is still in a shrinking field, with what total: all of it follows from the rounds played.

A round is one deal. It costs what the table says; a forfeit costs the most that anybody paid in
that round, and whoever sat out pays the mean of what the tables paid, rounded down. Who is not
seated any more has left. Who joins later begins with the highest total in the field, or with its
own if that is higher.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from rummy_arena.tournament.event import Event, Terms
from rummy_arena.tournament.rounds import PlayedRound
from rummy_arena.tournament.scores import chain_for, rank_scores
from rummy_arena.tournament.scoresheet import Scoresheet

TIES = ("deals-won", "down-and-outs", "last-deals", "calls", "lot")
"""What tells equal totals apart, unless the host chose otherwise."""
SUMS = ("placement", "mean-placement", "total")
"""Tie-breaks that say the same as the total, or nothing here."""


@dataclass(slots=True)
class FieldNow:
    """The field after some rounds."""

    totals: dict[int, int] = field(default_factory=dict)  # of everybody who was ever in it
    inside: set[int] = field(default_factory=set)  # who is not out
    last: dict[int, int] = field(default_factory=dict)  # the last round that everybody was in
    byes: Counter[int] = field(default_factory=Counter)
    joined: Counter[int] = field(default_factory=Counter)  # how often, the first time included
    lots: list[str] = field(default_factory=list)


def out_above(terms: Terms) -> int:
    """Return the total above which an entrant is out; 0 where there is none."""
    return terms.number("out_above") or terms.limit


def cut_of(terms: Terms, entrants: int) -> int:
    """Return how many of so many the cut puts out after a round; somebody always stays."""
    cut = terms.number("cut")
    return min(max(entrants * cut // 100, 1), entrants - 1) if cut else 0


def field_after(event: Event) -> FieldNow:
    """Return the field after the complete rounds; raises ResultsMismatch."""
    now = FieldNow()
    for position, played in enumerate(event.rounds, start=1):
        _seat(now, played)
        _pay(now, played)
        _put_out(now, replace(event, rounds=event.rounds[:position], pending=None))
    return now


def ordered(event: Event, now: FieldNow, entrants: Iterable[int]) -> list[int]:
    """Return entrants by total, and by the tie-breaks over the event's rounds; notes the lots."""
    order: list[int] = []
    sheet: Scoresheet | None = None
    chain = [row for row in chain_for(event, TIES) if row.id not in SUMS]
    known = sorted(entrants, key=lambda entrant: (now.totals[entrant], entrant))
    for _, equal in groupby(known, key=now.totals.__getitem__):
        tied = list(equal)
        if len(tied) > 1:
            sheet = sheet or Scoresheet(event)
            ranking = rank_scores(sheet, chain, tied)
            now.lots += ranking.lots
            tied = list(ranking.entrants)
        order += tied
    return order


def _seat(now: FieldNow, played: PlayedRound) -> None:
    there = {*played.byes, *(one for table in played.tables for one in table)}
    now.inside &= there
    highest = max((now.totals[one] for one in now.inside), default=0)
    for one in sorted(there - now.inside):
        now.totals[one] = max(now.totals.get(one, 0), highest)
        now.joined[one] += 1
    now.inside = there
    for one in there:
        now.last[one] = played.number
    now.byes.update(played.byes)


def _pay(now: FieldNow, played: PlayedRound) -> None:
    seats = [seat for result in played.ordered_results() for seat in result.seats]
    most = max(seat.total for seat in seats)
    paid = {seat.entrant: most if seat.forfeit else seat.total for seat in seats}
    mean = sum(paid.values()) // len(paid)
    for one in (*paid, *played.byes):
        now.totals[one] += paid.get(one, mean)


def _put_out(now: FieldNow, event: Event) -> None:
    """Leave in the field who is not above the limit, or the best if all are, and who is not cut."""
    limit = out_above(event.terms)
    least = min(now.totals[one] for one in now.inside)
    cut = cut_of(event.terms, len(now.inside))
    inside = {one for one in now.inside if not limit or now.totals[one] <= max(limit, least)}
    stay = len(now.inside) - cut
    if len(inside) > stay:
        inside = set(_best(now, event, inside, stay))
    now.inside = inside


def _best(now: FieldNow, event: Event, entrants: Iterable[int], count: int) -> Sequence[int]:
    """Return the best; ties are only looked at where they decide."""
    order = sorted(entrants, key=now.totals.__getitem__)
    edge = now.totals[order[count - 1]]
    tied = [one for one in order if now.totals[one] == edge]
    better = [one for one in order if now.totals[one] < edge]
    if len(better) + len(tied) == count:
        return [*better, *tied]
    return [*better, *ordered(event, now, tied)[: count - len(better)]]
