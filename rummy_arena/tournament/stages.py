"""Stages of an event, one after another: who goes on from one is seeded in the next by it.

Everything is a function of the stages, the field, the complete rounds and the seed. Rounds are
numbered through the whole event; within a stage its format sees them numbered from 1. The seed of
a stage after the first is HMAC-SHA-256(seed, "stage/<number>").
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from .event import Event, Format, Plan, Terms
from .field import Field
from .rounds import Advancing, PlayedRound, Round, Standing
from .swiss_presence import Stay


@dataclass(frozen=True, slots=True)
class Stage:
    """A format with its terms; ``take`` of its entrants go on to the next stage.

    0 takes as many as the format says.
    """

    format: Format
    terms: Terms
    take: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """An event as far as it has been played."""

    stages: tuple[Stage, ...]
    field: Field
    rounds: tuple[PlayedRound, ...]  # complete ones
    seed: bytes
    pending: Round | None = None  # the round that is being played


def plan(stages: Sequence[Stage], entrants: int) -> Plan:
    """Return the sizes of the tables of every round, if everybody stays.

    Raises InvalidFormat and UnevenField.
    """
    rounds: list[tuple[int, ...]] = []
    for stage in stages:
        rounds += stage.format.plan(stage.terms, entrants)
        goes_on = stage.format.goes_on(stage.terms, entrants)
        entrants = min(stage.take or goes_on, goes_on)
    return tuple(rounds)


def next_round(course: Course) -> Round | None:
    """Return the round after those that are complete, or None when the event is over.

    Raises ResultsMismatch.
    """
    first = _current(course)
    for number in range(first, len(course.stages) + 1):
        paired = course.stages[number - 1].format.pair(_event(course, number))
        if paired is not None:
            return replace(paired, number=len(course.rounds) + 1, stage=number)
    return None


def advancing(course: Course) -> Advancing:
    """Return who goes on from the last complete round; from the last of all, who has won.

    Raises NothingPlayed, ResultsMismatch.
    """
    number = _current(course)
    stage, event = course.stages[number - 1], _event(course, number)
    going_on = stage.format.advancing(event)
    if number > 1:
        lots = tuple(f"stage {number}, {lot}" for lot in going_on.lots)
        going_on = replace(going_on, lots=lots)
    if number == len(course.stages) or not stage.take or stage.format.pair(event) is not None:
        return going_on
    taken = tuple(_qualified(course, number))
    return replace(going_on, entrants=taken)


def standings(course: Course) -> tuple[Standing, ...]:
    """Return everybody's line after the complete rounds, the best first.

    Those of a later stage come before those who did not reach it; the disqualified are last.
    Raises ResultsMismatch.
    """
    reached = course.pending.stage if course.pending else _current(course)
    lines: list[Standing] = []
    earlier: dict[int, Standing] = {}
    for number in range(1, reached + 1):
        stage = course.stages[number - 1]
        rows = _in_the_event(course, number, stage.format.standings(_event(course, number)))
        added = [_with_earlier(row, earlier) for row in rows]
        through = {row.entrant for row in rows}
        lines = added + _below([row for row in lines if row.entrant not in through], len(added))
        earlier = {row.entrant: row for row in lines}
    return _disqualified_last(course.field, lines)


def lots_of(course: Course) -> tuple[tuple[int, str], ...]:
    """Return all lots that were drawn, in words, each with the round whose end they decided.

    They are what was told when those rounds ended. Raises ResultsMismatch.
    """
    return tuple(
        (number, lot)
        for number in range(1, len(course.rounds) + 1)
        for lot in advancing(replace(course, rounds=course.rounds[:number], pending=None)).lots
    )


def _current(course: Course) -> int:
    return course.rounds[-1].stage if course.rounds else 1


def _event(course: Course, number: int) -> Event:
    """Return a stage as its format sees it."""
    before = sum(played.stage < number for played in course.rounds)
    rounds = tuple(
        replace(played, number=local, stage=1)
        for local, played in enumerate(
            (played for played in course.rounds if played.stage == number), start=1
        )
    )
    pending = course.pending
    return Event(
        terms=course.stages[number - 1].terms,
        field=_field(course, number, before),
        rounds=rounds,
        seed=_seed(course.seed, number),
        pending=replace(pending, number=pending.number - before, stage=1)
        if pending is not None and pending.stage == number
        else None,
    )


def _seed(seed: bytes, number: int) -> bytes:
    return seed if number == 1 else hmac.digest(seed, f"stage/{number}".encode(), "sha256")


def _field(course: Course, number: int, before: int) -> Field:
    """Return who enters a stage, seeded by the one before."""
    if number == 1:
        return course.field
    known = {entrant.number: entrant for entrant in course.field}
    qualified = _qualified(course, number - 1)
    found = [
        replace(
            known[entrant],
            seeding=seeding,
            group=group,
            stays=_later(known[entrant].stays, before),
        )
        for seeding, (entrant, group) in enumerate(qualified.items(), start=1)
    ]
    return tuple(sorted(found, key=lambda entrant: entrant.number))


def _qualified(course: Course, number: int) -> Mapping[int, str]:
    """Return who went on from a stage that is over, the best first, with the group they came from.

    Whoever has left by then is passed over, and the next best takes the place where the format
    names more than are taken.
    """
    stage, event = course.stages[number - 1], _event(course, number)
    here = {entrant.number for entrant in event.present()}
    groups = {row.entrant: row.group for row in stage.format.standings(event)}
    going_on = [one for one in stage.format.advancing(event).entrants if one in here]
    return {one: groups.get(one, "") for one in going_on[: stage.take or None]}


def _later(stays: Sequence[Stay], before: int) -> tuple[Stay, ...]:
    """Return stays as a stage counts that begins after so many rounds."""
    return tuple(
        (max(first - before, 1), None if end is None else end - before)
        for first, end in stays
        if end is None or end - before > 1
    )


def _in_the_event(course: Course, number: int, rows: Sequence[Standing]) -> list[Standing]:
    before = sum(played.stage < number for played in course.rounds)
    if not before:
        return list(rows)
    return [
        replace(row, reached_round=row.reached_round + before if row.reached_round else 0)
        for row in rows
    ]


def _with_earlier(row: Standing, earlier: Mapping[int, Standing]) -> Standing:
    """Return a line with what its entrant gathered in the stages before."""
    old = earlier.get(row.entrant)
    if old is None:
        return row
    return replace(
        row,
        reached_round=max(row.reached_round, old.reached_round),
        tables=row.tables + old.tables,
        total=row.total + old.total,
        deals_won=row.deals_won + old.deals_won,
    )


def _below(rows: Sequence[Standing], above: int) -> list[Standing]:
    """Return the lines of those who are out, ranked after so many others."""
    ranked: list[Standing] = []
    position = above
    for _, tied in groupby(rows, key=lambda row: (row.rank, row.group)):
        group = list(tied)
        shared = position + 1
        for place, row in enumerate(group):
            rank = shared if not row.group else shared + place
            ranked.append(replace(row, rank=rank, eliminated=True, group=""))
        position += len(group)
    return ranked


def _disqualified_last(field: Field, rows: Sequence[Standing]) -> tuple[Standing, ...]:
    """Return the lines with those of the disqualified at the end, and the others moved up."""
    out = {entrant.number for entrant in field if entrant.disqualified}
    if not out:
        return tuple(rows)
    lines: list[Standing] = []
    better: dict[str, list[int]] = {}
    for row in rows:
        if row.entrant in out:
            better.setdefault(row.group, []).append(row.rank)
            continue
        passed = sum(rank < row.rank for rank in better.get(row.group, ()))
        lines.append(replace(row, rank=row.rank - passed))
    last = len(lines) + 1
    lines += [
        replace(row, rank=last, eliminated=True, group="") for row in rows if row.entrant in out
    ]
    return tuple(lines)
