"""What every format must keep to, whatever the field: played to the end with results of chance.

``check`` plays one event and looks at every round. A case is a format with options, the limits of
a rule set, a number of entrants, and whether it is calm or a storm: entrants who leave, come back,
come late, forfeit and are disqualified, and owners of several.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from rummy_arena.tournament.errors import InvalidFormat, UnevenField
from rummy_arena.tournament.event import Event, Plan
from rummy_arena.tournament.field import Entrant, Field
from rummy_arena.tournament.registry import FORMATS
from rummy_arena.tournament.rounds import Round, Standing
from rummy_arena.tournament.stages import Stage

from .events import SEED, Chance, stage

KALUKI, JAMAICAN, BONUS = "kaluki-european", "kalooki-jamaican", "kalooki-bonus"
CARIOCA, AMERICAN = "carioca-argentine", "kaluki-american"
LIMITS: tuple[tuple[str, int, int, int], ...] = (
    (CARIOCA, 2, 2, 2),
    (KALUKI, 2, 2, 5),
    (JAMAICAN, 3, 3, 6),
    (JAMAICAN, 4, 3, 6),
    (CARIOCA, 4, 3, 4),
    (CARIOCA, 4, 4, 4),
    (KALUKI, 5, 2, 5),
    (AMERICAN, 6, 3, 6),
    (BONUS, 7, 5, 8),
    (BONUS, 8, 5, 8),
)
"""Rule sets with the seats of a full table, of the smallest and of the largest."""

Options = Mapping[str, object]
OPTIONS: Mapping[str, tuple[Options, ...]] = {
    "knockout": (
        {"advance": 1, "third_place": "yes"},
        {"advance": 1, "seeding": "seeded", "byes": "yes", "third_place": "yes"},
        {"advance": 2, "seeding": "seeded"},
    ),
    "double-elimination": ({}, {"advance": 1, "seeding": "seeded", "reset": "no"}),
    "swiss": ({}, {"last_entry": 3, "late": 1}),
    "danish": ({}, {"last_entry": 3}),
    "lobby": ({}, {"rounds": 5, "last_entry": 4}),
    "round-robin": ({}, {"legs": 2}, {"rounds": 4}),
    "groups": ({}, {"advance": 1, "wildcards": 2}, {"group_size": 5, "legs": 2}),
    "shrinking": ({"cut": 10}, {"out_above": 150, "reentries": 2, "reentry_rounds": 4}),
    "duplicate": ({}, {"pairing": "danish"}, {"tables": "stay", "last_entry": 2}),
}
"""Options beside the defaults; a format that is not here is played by its defaults."""

NEVER_TWICE = frozenset(("swiss", "danish", "lobby", "duplicate", "shrinking", "round-robin"))
"""Formats in which nobody has more byes than somebody who is at a table, by one."""
WAITING = frozenset(("double-elimination",))
"""Formats in which those who are in may wait for a round: then they are in a later one, or win."""
UNPLANNED = {"double-elimination": 1}
"""Rounds beyond the plan that results may ask for: a second final."""
AS_PLANNED = frozenset(("swiss", "danish", "lobby", "duplicate", "round-robin", "groups"))
"""Formats whose rounds are those of the plan if everybody stays, whatever the results."""


@dataclass(frozen=True, slots=True)
class Case:
    """One event to play."""

    format_id: str
    options: Options
    limits: tuple[str, int, int, int]
    entrants: int
    storm: bool

    @property
    def name(self) -> str:
        """What to call it."""
        chosen = "".join(f" {name}={value}" for name, value in self.options.items())
        rules, *sizes = self.limits
        weather = "storm" if self.storm else "calm"
        return f"{self.format_id}{chosen}, {self.entrants} entrants, {rules} {sizes}, {weather}"

    @property
    def stage(self) -> Stage:
        """The stage that is played."""
        rules, seats, least, most = self.limits
        return stage(self.format_id, (seats, least, most), rules=rules, options=self.options)


def cases(entrants: Iterable[int]) -> Iterator[Case]:
    """Yield a case of every format and limits with these numbers of entrants.

    Options and weather take turns, so that near numbers of entrants have all of them.
    """
    for count in entrants:
        for format_id in FORMATS:
            chosen = OPTIONS.get(format_id, ({},))
            weathers = list(product(chosen, (False, True)))
            for place, limits in enumerate(LIMITS):
                options, storm = weathers[(count + place) % len(weathers)]
                yield Case(format_id, options, limits, count, storm)


class Weather:
    """Who is there in which round: a function of the case alone."""

    def __init__(self, case: Case) -> None:
        self._dice = random.Random(case.name)
        self._out: dict[int, int] = {}
        stage_ = case.stage
        self._returns = stage_.format.returns
        self._late = stage_.format.last_entry(stage_.terms)
        self.everybody = tuple(
            self._entrant(number, case) for number in range(1, case.entrants + 1)
        )
        self.chance = Chance(
            seed=self._dice.randrange(1000), spread=40, forfeits=6 if case.storm else 0
        )

    def _entrant(self, number: int, case: Case) -> Entrant:
        dice = self._dice
        seeding = number if case.entrants % 2 else 0
        if not case.storm:
            return Entrant(number, seeding)
        first = dice.randint(2, self._late) if self._late > 1 and dice.random() < 0.15 else 1
        stays: tuple[tuple[int, int | None], ...] = ((first, None),)
        if dice.random() < 0.25:
            end = first + dice.randint(1, 4)
            stays = ((first, end),)
            if self._returns and dice.random() < 0.5:
                stays = (*stays, (end + dice.randint(1, 2), None))
        if dice.random() < 0.04:
            self._out[number] = dice.randint(2, 5)
        owner = f"owner {dice.randrange(case.entrants)}" if dice.random() < 0.5 else ""
        return Entrant(number, seeding, owner, stays=stays)

    def field(self, number: int) -> Field:
        """Return the field as it is when a round is paired."""
        return tuple(
            replace(one, disqualified=self._out.get(one.number, number + 1) <= number)
            for one in self.everybody
        )


class Broken(AssertionError):
    """A format did not keep to what it must."""


def _must(kept: object, what: str) -> None:
    if not kept:
        raise Broken(what)


def check(case: Case) -> int:
    """Play the case and look at all of it; return the number of rounds, 0 if it is refused."""
    try:
        return _checked(case)
    except Exception as error:
        raise Broken(f"{case.name}: {error!r}") from error


def _checked(case: Case) -> int:
    stage_ = case.stage
    plan = _plan(stage_, case.entrants)
    if plan is None:
        return 0
    weather = Weather(case)
    event = Event(stage_.terms, weather.field(1), (), SEED)
    byes: Counter[int] = Counter()
    looked_at = case.entrants % 3  # rounds are looked at in turn, not all of them from all sides
    while (round_ := stage_.format.pair(event)) is not None:
        most = len(plan) + UNPLANNED.get(case.format_id, 0)
        _must(len(event.rounds) < most, f"more than {most} rounds")
        _check_round(case, event, round_)
        _check_who(stage_, event, round_)
        if case.format_id in NEVER_TWICE and (not case.storm or case.format_id != "round-robin"):
            _check_byes(case, round_, byes)
        byes.update(round_.byes)
        if len(event.rounds) == looked_at:
            _check_order(stage_, event, round_)
        waiting = replace(event, pending=round_)
        if len(event.rounds) % 3 == looked_at:
            _check_standings(stage_, waiting)
        number = event.next_number + 1
        event = replace(
            event, field=weather.field(number), rounds=(*event.rounds, weather.chance.play(round_))
        )
    if not case.storm and case.format_id in AS_PLANNED:
        sizes = [sorted(map(len, round_.tables)) for round_ in event.rounds]
        planned = [sorted(round_) for round_ in plan]
        _must(sizes == planned, f"tables {sizes} are not those of the plan {planned}")
    if event.rounds:
        _check_end(case, stage_, event)
    else:
        _must(case.storm, "nothing was played")
    return len(event.rounds)


def paired(case: Case) -> tuple[Event, tuple[Standing, ...]]:
    """Return a case as it was played, with its standings; one that is refused has no rounds."""
    stage_, weather = case.stage, Weather(case)
    event = Event(stage_.terms, weather.field(1), (), SEED)
    if _plan(stage_, case.entrants) is None:
        return event, ()
    while (round_ := stage_.format.pair(event)) is not None:
        field = weather.field(event.next_number + 1)
        event = replace(event, field=field, rounds=(*event.rounds, weather.chance.play(round_)))
    return event, stage_.format.standings(event)


def _plan(stage_: Stage, entrants: int) -> Plan | None:
    """Return the plan, or None where the field or the limits are refused, with good reason."""
    try:
        return stage_.format.plan(stage_.terms, entrants)
    except UnevenField as error:
        _must(entrants not in error.works, "refused, and named as what works")
        for works in error.works:
            stage_.format.plan(stage_.terms, works)
        return None
    except InvalidFormat as error:
        _must(error.option and error.reason, "says no option")
        return None


def _check_round(case: Case, event: Event, round_: Round) -> None:
    _, _, least, most = case.limits
    seated = [one for table in round_.tables for one in table]
    everybody = [*seated, *round_.byes]
    _must(round_.number == event.next_number, "numbered wrongly")
    _must(round_.tables, f"round {round_.number} has no table")
    _must(len(set(everybody)) == len(everybody), f"somebody is twice in {round_}")
    _must(all(least <= len(table) <= most for table in round_.tables), f"sizes of {round_}")
    here = {one.number for one in event.present()}
    _must(here.issuperset(everybody), f"{set(everybody) - here} are absent and in {round_}")
    for said in (round_.labels, round_.boards):
        _must(len(said) in (0, len(round_.tables)), f"{said} are not of {round_.tables}")


def _check_who(stage_: Stage, event: Event, round_: Round) -> None:
    """Everybody who is here and not out is at a table or has a bye."""
    here = {one.number for one in event.present()}
    found = {one for table in round_.tables for one in table} | set(round_.byes)
    if not event.rounds:
        _must(found == here, f"{here - found} vanished in round 1")
        return
    going_on = stage_.format.advancing(event).entrants
    _must(len(set(going_on)) == len(going_on), "somebody goes on twice")
    lost = set() if stage_.format.id in WAITING else (here & set(going_on)) - found
    _must(not lost, f"{lost} vanished in round {round_.number}")
    before = {one for played in event.rounds for table in played.tables for one in table}
    before |= {one for played in event.rounds for one in played.byes}
    back = found & before - set(going_on)
    _must(stage_.format.id == "shrinking" or not back, f"{back} were out and are back")


def _check_byes(case: Case, round_: Round, byes: Counter[int]) -> None:
    """Nobody has a bye while somebody at a table has had fewer."""
    if not round_.byes:
        return
    fewest = min(byes[one] for table in round_.tables for one in table)
    most = max(byes[one] for one in round_.byes)
    owners = case.storm and case.limits[1] == 2  # there the bye also keeps owners apart
    _must(owners or most <= fewest, f"byes of {round_} after {dict(byes)}")


def _check_order(stage_: Stage, event: Event, round_: Round) -> None:
    """Neither the order of entrants nor that of results changes anything."""
    other = replace(
        event,
        field=event.field[::-1],
        rounds=tuple(replace(played, results=played.results[::-1]) for played in event.rounds),
    )
    _must(stage_.format.pair(other) == round_, f"order changes round {round_.number}")
    if event.rounds:
        same = stage_.format.advancing(other) == stage_.format.advancing(event)
        _must(same, f"order changes who goes on from round {event.rounds[-1].number}")
    lines, others = (sorted(map(repr, stage_.format.standings(one))) for one in (event, other))
    _must(lines == others, "order changes the standings")


def _check_standings(stage_: Stage, event: Event) -> None:
    lines = stage_.format.standings(event)
    numbers = sorted(line.entrant for line in lines)
    _must(numbers == [one.number for one in event.field], f"standings hold {numbers}")
    groups = {line.group for line in lines}
    for group in groups:
        ranks = [line.rank for line in lines if line.group == group]
        _must(ranks == sorted(ranks), f"ranks {ranks} of {group!r}")
        good = all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
        _must(good, f"ranks {ranks} of {group!r}")
    played = Counter(one for p in event.rounds for table in p.tables for one in table)
    _must(all(line.tables == played[line.entrant] for line in lines), "tables are miscounted")


def _check_end(case: Case, stage_: Stage, event: Event) -> None:
    _check_standings(stage_, event)
    going_on = stage_.format.advancing(event).entrants
    here = {one.number for one in event.present()}
    _must(going_on or not here, "nobody has won")
    goes_on = stage_.format.goes_on(stage_.terms, case.entrants)
    if not case.storm and case.format_id in AS_PLANNED | {"shrinking"}:
        _must(len(going_on) == goes_on, f"{len(going_on)} go on, not {goes_on}")
