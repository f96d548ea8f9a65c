"""Events made up for tests of how they are shown: real pairings, results by chance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from rummy_arena.tournament.field import entrants
from rummy_arena.tournament.registry import stage_of
from rummy_arena.tournament.results import SeatResult, TableResult
from rummy_arena.tournament.rounds import PlayedRound
from rummy_arena.tournament.rounds import Round as Paired
from rummy_arena.tournament.stages import Course, advancing, next_round, standings
from rummy_arena.tournament.stages import Stage as PureStage
from rummy_arena.tournament.tables import TableLimits
from services.runtime.event_record import Event, Line, Round, Seat, Stage, Table

SEED = b"shown"


def format_stage(format_id: str, seats: int, *, take: int = 0, **options: str) -> PureStage:
    """Return a stage at tables of so many seats, which three may sit at too."""
    return stage_of(format_id, TableLimits(seats, min(3, seats), seats), options, take=take)


def played_event(
    stages: Sequence[PureStage], size: int, *, rounds: int = 1000, unfinished: int = 0
) -> Event:
    """Return an event after so many rounds; of the last so many tables are still played."""
    course = Course(tuple(stages), entrants(size), (), SEED)
    shown: list[Round] = []
    while (paired := next_round(course)) is not None and len(shown) < rounds:
        tables = tuple(
            _table(paired.number, number, seats, paired.label(number))
            for number, seats in enumerate(paired.tables, start=1)
        )
        shown.append(
            Round(paired.number, tables, paired.stage, paired.byes, (), tuple(paired.notes))
        )
        course = replace(course, rounds=(*course.rounds, _played(paired)))
        shown[-1] = replace(shown[-1], advancing=advancing(course).entrants)
    over = next_round(course) is None and not unfinished
    if unfinished:
        shown[-1] = _cut(shown[-1], unfinished)
        last = course.rounds[-1]
        pending = Paired(last.number, last.tables, last.byes, last.stage, last.labels)
        course = replace(course, rounds=course.rounds[:-1], pending=pending)
    return Event(
        title="Cup",
        state="finished" if over else f"running round {len(shown)}",
        stages=tuple(Stage(stage.format.id, "") for stage in stages),
        names={number: f"player-{number}" for number in range(1, size + 1)},
        rounds=tuple(shown),
        standings=tuple(
            Line(
                place=row.rank,
                entrant=row.entrant,
                group=row.group,
                reached_round=row.reached_round,
                eliminated=row.eliminated,
                tables=row.tables,
                total=row.total,
                deals_won=row.deals_won,
                score=str(row.score) if row.score else "",
                tie_breaks=row.tiebreaks,
            )
            for row in standings(course)
        ),
        rule_set="kalooki-jamaican",
    )


def _played(paired: Paired) -> PlayedRound:
    return paired.played(
        _result(paired.number, number, seats) for number, seats in enumerate(paired.tables, start=1)
    )


def _result(round_number: int, number: int, entrants: tuple[int, ...]) -> TableResult:
    dice = random.Random(f"{round_number}/{number}")
    totals = [dice.randint(0, 900) for _ in entrants]
    return TableResult(
        number,
        tuple(
            SeatResult(
                entrant, total, 1 + sum(other < total for other in totals), 0, 0, 0, (total,)
            )
            for entrant, total in zip(entrants, totals, strict=True)
        ),
    )


def _table(round_number: int, number: int, seats: tuple[int, ...], label: str) -> Table:
    result = _result(round_number, number, seats)
    return Table(
        number, tuple(Seat(seat.entrant, seat.place, seat.total) for seat in result.seats), label
    )


def _cut(round_: Round, unfinished: int) -> Round:
    """Return a round of which the last tables are still played."""
    count = len(round_.tables) - unfinished
    playing = tuple(
        replace(table, seats=tuple(Seat(seat.entrant) for seat in table.seats))
        for table in round_.tables[count:]
    )
    return replace(round_, tables=(*round_.tables[:count], *playing), advancing=())
