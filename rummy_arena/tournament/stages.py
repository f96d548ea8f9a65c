"""Stages of an event, one after another: who goes on from one is seeded in the next by it.

Everything is a function of the stages, the field, the complete rounds and the seed. Rounds are
numbered through the whole event; within a stage its format sees them numbered from 1. The seed of
a stage after the first is HMAC-SHA-256(seed, "stage/<number>").

What was decided stays so: whoever is disqualified later than a round counts in it as before, and
whoever has gone on to a stage stays in its field. Where a stage cannot begin because too few have
come that far, the event is over, and the best of the stage before have won.
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
    number = _current(course)
    paired = course.stages[number - 1].format.pair(_event(course, number))
    if paired is None and course.rounds and number < len(course.stages):
        number += 1
        paired = course.stages[number - 1].format.pair(_event(course, number))
    if paired is None:
        return None
    return replace(paired, number=len(course.rounds) + 1, stage=number)


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
    if not stage.format.ended(event):
        return going_on
    taken = tuple(_qualified(course, number)) if _leads_on(course, number) else _winners(course)
    added = tuple(one for one in going_on.added if one in taken)
    return replace(going_on, entrants=taken, added=added)


def _leads_on(course: Course, number: int) -> bool:
    """Return whether there is a stage after one that is over, and it can begin."""
    if number == len(course.stages):
        return False
    following = course.stages[number].format
    return not following.ended(_event(course, number + 1))


def _winners(course: Course) -> tuple[int, ...]:
    out = _disqualified(course.field)
    return tuple(
        row.entrant for row in standings(course) if row.rank == 1 and row.entrant not in out
    )


def standings(course: Course) -> tuple[Standing, ...]:
    """Return everybody's line after the complete rounds, the best first.

    Those of a later stage come before those who did not reach it; the disqualified are last. When
    the last stage is over, all but its best are out. Raises ResultsMismatch.
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
    lines = _disqualified_last(course.field, lines)
    if course.pending is None and course.rounds and reached == len(course.stages):
        last = course.stages[-1].format
        if last.is_over is not None and last.is_over(_event(course, reached)):
            out = _disqualified(course.field)
            return tuple(
                replace(row, eliminated=row.rank != 1 or row.entrant in out) for row in lines
            )
    return tuple(lines)


def lots_of(course: Course) -> tuple[tuple[int, str], ...]:
    """Return all lots that were drawn, in words, each with the round whose end they decided.

    They are what was told when those rounds ended. Raises ResultsMismatch.
    """
    return tuple(
        (number, lot)
        for number in range(1, len(course.rounds) + 1)
        for lot in advancing(_after(course, number)).lots
    )


def _after(course: Course, number: int) -> Course:
    """Return the event as it was after so many rounds."""
    field = _as_of(course, number)
    return replace(course, rounds=course.rounds[:number], field=field, pending=None)


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
    known = _as_of(course, before + len(rounds))
    return Event(
        terms=course.stages[number - 1].terms,
        field=_field(course, number, before, known),
        rounds=rounds,
        seed=_seed(course.seed, number),
        pending=replace(pending, number=pending.number - before, stage=1)
        if pending is not None and pending.stage == number
        else None,
    )


def _seed(seed: bytes, number: int) -> bytes:
    return seed if number == 1 else hmac.digest(seed, f"stage/{number}".encode(), "sha256")


def _as_of(course: Course, number: int) -> Field:
    """Return the field as it was after so many rounds, by number.

    Whoever takes part in a later round was disqualified after it.
    """
    field = tuple(sorted(course.field, key=lambda entrant: entrant.number))
    if not any(entrant.disqualified for entrant in field):
        return field
    rounds: list[PlayedRound | Round] = list(course.rounds)
    rounds += [course.pending] if course.pending else []
    later = {
        entrant
        for round_ in rounds
        if round_.number > number
        for entrant in (*round_.byes, *(one for table in round_.tables for one in table))
    }
    return tuple(
        replace(entrant, disqualified=False) if entrant.number in later else entrant
        for entrant in field
    )


def _field(course: Course, number: int, before: int, known: Field) -> Field:
    """Return who enters a stage, seeded by the one before."""
    if number == 1:
        return known
    entrants = {entrant.number: entrant for entrant in known}
    found = [
        replace(
            entrants[entrant],
            seeding=seeding,
            group=group,
            stays=_later(entrants[entrant].stays, before),
        )
        for seeding, (entrant, group) in enumerate(_qualified(course, number - 1).items(), start=1)
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
    for _, tied in groupby(rows, key=lambda row: (row.rank, row.group)):
        rank = above + len(ranked) + 1
        ranked += [replace(row, rank=rank, eliminated=True, group="") for row in tied]
    return ranked


def _disqualified(field: Field) -> set[int]:
    return {entrant.number for entrant in field if entrant.disqualified}


def _disqualified_last(field: Field, rows: Sequence[Standing]) -> list[Standing]:
    """Return the lines with those of the disqualified at the end, and the others moved up."""
    out = _disqualified(field)
    if not out:
        return list(rows)
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
    return lines
