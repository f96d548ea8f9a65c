"""Events of every format played to their end with results of chance, for tests."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rummy_arena.rulesets.registry import get_rule_set
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.field import Field, entrants
from rummy_arena.tournament.registry import stage_of
from rummy_arena.tournament.results import SeatResult, TableResult
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.stages import Course, Stage, next_round
from rummy_arena.tournament.tables import TableLimits

SEED = b"a seed of the tests, 32 bytes ..."


@dataclass(frozen=True, slots=True)
class Chance:
    """How tables end: a function of the seed, the round and the table alone."""

    seed: int = 0
    spread: int = 60  # totals are 0 to this: the smaller, the more ties
    forfeits: int = 0  # percent of seats

    def result(self, round_: Round, number: int) -> TableResult:
        """Return how a table of a round ends."""
        dice = random.Random(f"{self.seed}/{round_.stage}/{round_.number}/{number}")
        table = round_.tables[number - 1]
        totals = [dice.randint(0, self.spread) for _ in table]
        out = [dice.randrange(100) < self.forfeits for _ in table]
        keys = list(zip(out, totals, strict=True))
        return TableResult(
            number,
            tuple(
                SeatResult(
                    entrant=entrant,
                    total=total,
                    place=1 + sum(other < (gone, total) for other in keys),
                    deals_won=int((gone, total) == min(keys)),
                    down_and_outs=dice.randrange(2),
                    calls=dice.randrange(3),
                    deal_points=(total,),
                    forfeit=gone,
                )
                for entrant, total, gone in zip(table, totals, out, strict=True)
            ),
        )

    def play(self, round_: Round) -> PlayedRound:
        """Return a round with its results."""
        return round_.played(
            self.result(round_, number) for number in range(1, len(round_.tables) + 1)
        )


def stage(
    format_id: str,
    limits: TableLimits | tuple[int, int, int],
    *,
    rules: str = "",
    take: int = 0,
    options: Mapping[str, object] | None = None,
    **chosen: object,
) -> Stage:
    """Return a stage; ``rules`` names the rule set whose contracts and limit it is to know."""
    found = get_rule_set(rules) if rules else None
    return stage_of(
        format_id,
        limits if isinstance(limits, TableLimits) else TableLimits(*limits),
        {name: str(value) for name, value in {**(options or {}), **chosen}.items()},
        take=take,
        contracts=len(found.contracts) if found and not found.by_elimination else 0,
        limit=found.limit if found else 0,
    )


def played(
    stage: Stage,
    field: Field | int,
    chance: Chance = Chance(),
    *,
    rounds: int = 1000,
    seed: bytes = SEED,
) -> tuple[Event, list[Round]]:
    """Play a stage by itself, at most so many rounds; return it and the rounds as paired."""
    event = Event(stage.terms, entrants(field) if isinstance(field, int) else field, (), seed)
    paired: list[Round] = []
    while len(paired) < rounds:
        round_ = stage.format.pair(event)
        if round_ is None:
            break
        paired.append(round_)
        event = replace(event, rounds=(*event.rounds, chance.play(round_)))
    return event, paired


def played_course(
    stages: Sequence[Stage],
    field: Field | int,
    chance: Chance = Chance(),
    *,
    seed: bytes = SEED,
) -> tuple[Course, list[Round]]:
    """Play stages one after another; return the course and the rounds as paired."""
    known = entrants(field) if isinstance(field, int) else field
    course = Course(tuple(stages), known, (), seed)
    paired: list[Round] = []
    while (round_ := next_round(course)) is not None:
        paired.append(round_)
        course = replace(course, rounds=(*course.rounds, chance.play(round_)))
    return course, paired
