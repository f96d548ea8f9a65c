"""Elimination events with entrants who leave, are disqualified and forfeit, for tests."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace

from rummy_arena.tournament.event import Event, Format
from rummy_arena.tournament.field import Entrant, Field, entrants
from rummy_arena.tournament.results import TableResult
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.stages import Stage

from .events import SEED, Chance, stage
from .made import table

Report = Callable[[int, int, tuple[int, ...]], TableResult]
"""Round number, table number, entrants in seat order: how that table ends."""


def knockout(
    seats: int = 4, advance: int = 2, smallest: int = 3, largest: int = 6, **options: str
) -> Stage:
    """Return a knockout by itself."""
    chosen = {"advance": advance, **options}
    return stage("knockout", (seats, smallest, largest), options=chosen)


def opened(stage_: Stage, field: Field | int, seed: bytes = SEED) -> Event:
    """Return an event before its first round."""
    return Event(stage_.terms, entrants(field) if isinstance(field, int) else field, (), seed)


def with_round(format_: Format, event: Event, report: Report) -> Event:
    """Return the event with one more round, whose tables end as reported."""
    round_ = format_.pair(event)
    assert round_ is not None
    results = (
        report(round_.number, number, seats) for number, seats in enumerate(round_.tables, start=1)
    )
    return replace(event, rounds=(*event.rounds, round_.played(results)))


def by_number(_round: int, number: int, entrants: tuple[int, ...]) -> TableResult:
    """The smaller entrant number always does better."""
    return table(number, entrants, entrants)


def seeded(count: int) -> Field:
    """Return entrants seeded in the order of their numbers."""
    return tuple(Entrant(number, seeding=number) for number in range(1, count + 1))


def sizes(round_: Round) -> tuple[int, ...]:
    """Return the sizes of a round's tables."""
    return tuple(map(len, round_.tables))


def followed(event: Event, *, left: Collection[int], after: int) -> Event:
    """Return the event with some who left after a round."""
    return replace(
        event,
        field=tuple(
            replace(one, stays=((1, after + 1),)) if one.number in left else one
            for one in event.field
        ),
    )


def check_any_history(stage: Stage, seed: int, *, disqualified: bool = True) -> Event:
    """Play with withdrawals, disqualifications, forfeits and ties; check what always holds.

    Nobody is at two tables or comes back; whoever has left plays no more; places once decided stay.
    Where some are disqualified, those below them may move up in double elimination, but not past
    one another. Returns the whole event.
    """
    dice = random.Random(seed)
    format_, limits = stage.format, stage.terms.limits
    count = dice.randint(limits.min_seats, 24)
    field = seeded(count)
    chance = Chance(seed, spread=dice.choice((2, 60)), forfeits=dice.choice((0, 10, 40)))
    leaving = dice.choice((0, 5, 25))
    event = Event(stage.terms, field, (), SEED)
    exact = not disqualified or format_.id == "knockout"
    decided: dict[int, tuple[int, int]] = {}
    while (round_ := format_.pair(event)) is not None:
        assert round_.tables, "a round is played"
        event = replace(event, pending=round_)
        _check_round(event, round_, decided)
        _decided(stage, event, decided, exact=exact)
        chosen = chance.play(round_)
        event = replace(event, rounds=(*event.rounds, chosen), pending=None)
        event = replace(event, field=_thinned(event, dice, leaving, disqualified=disqualified))
        format_.advancing(event)
        assert len(event.rounds) < 40
    _decided(stage, event, decided, exact=exact)
    if event.rounds:
        _check_end(event, stage)
    return event


def losses(rounds: Collection[PlayedRound]) -> Counter[int]:
    """Return how many tables of two everybody lost."""
    return Counter(
        seat.entrant
        for played in rounds
        for result in played.results
        for seat in result.seats
        if (seat.place > 1 or seat.forfeit) and len(result.seats) == 2
    )


def _thinned(event: Event, dice: random.Random, percent: int, *, disqualified: bool) -> Field:
    """Return the field without some, who leave or are disqualified before the next round."""
    found: list[Entrant] = []
    for one in event.field:
        here = one.is_present(event.next_number)
        if here and dice.randrange(100) < percent:
            changed = (
                replace(one, disqualified=True)
                if disqualified and dice.randrange(3) == 0
                else replace(one, stays=((1, event.next_number),))
            )
            found.append(changed)
        else:
            found.append(one)
    return tuple(found)


def _check_round(event: Event, round_: Round, decided: dict[int, tuple[int, int]]) -> None:
    seated = [*(one for seats in round_.tables for one in seats), *round_.byes]
    assert len(seated) == len(set(seated))
    here = {one.number for one in event.present()}
    assert set(seated) <= here
    assert not set(seated) & set(decided)
    limits = event.terms.limits
    assert all(limits.min_seats <= len(seats) <= limits.max_seats for seats in round_.tables)


def _decided(
    stage: Stage, event: Event, decided: dict[int, tuple[int, int]], *, exact: bool
) -> None:
    rows = stage.format.standings(event)
    assert sorted(row.entrant for row in rows) == [one.number for one in event.field]
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    told = {row.entrant: (row.rank, row.reached_round) for row in rows}
    if exact:
        assert {entrant: told[entrant] for entrant in decided} == decided
    else:
        out = {one.number for one in event.field if one.disqualified}
        order = sorted(decided.keys() - out, key=lambda entrant: told[entrant][0])
        assert order == sorted(order, key=lambda entrant: decided[entrant][0])
    decided.update({row.entrant: told[row.entrant] for row in rows if row.eliminated})


def _check_end(event: Event, stage: Stage) -> None:
    won = stage.format.advancing(event).entrants
    rows = stage.format.standings(event)
    assert {row.entrant for row in rows if not row.eliminated} == set(won)
    assert all(row.rank == 1 for row in rows if not row.eliminated)
