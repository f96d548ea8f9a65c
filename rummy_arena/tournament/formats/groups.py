"""Groups: a round robin in each; the best of every group go on, and the best of the rest.

Groups are drawn by snake seeding and keep owners apart (``round_robin_groups``). Standings are by
group. Who has the same rank in different groups, or is a candidate for a wildcard, is ordered by
placement points for each table and the tie-breaks, since groups differ in size. A group whose
schedule is shorter than the others' is through before them: its entrants then have byes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

from rummy_arena.tournament.errors import InvalidFormat, NothingPlayed, UnevenField
from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.options import Option
from rummy_arena.tournament.results import TableResult
from rummy_arena.tournament.round_robin_groups import snake
from rummy_arena.tournament.rounds import Advancing, PlayedRound, Round, Standing
from rummy_arena.tournament.seating_tables import byes_needed

from .apart import owner_notes
from .ranking import BY_TABLE, by_table
from .schedules import (
    LEGS,
    ROUNDS,
    described,
    in_order_of_seeding,
    missed,
    next_sheet,
    schedule,
)
from .scored import starters


@dataclass(frozen=True, slots=True)
class _Group:
    label: str
    entrants: tuple[int, ...]  # the best seed first
    schedule: tuple[Round, ...]
    event: Event  # the group as a round robin of its own


def _count(terms: Terms, entrants: int) -> int:
    """Return how many groups there are; raises InvalidFormat and UnevenField.

    Each has enough for a table, and more than go on from it, or there is only one.
    """
    groups, size = terms.number("groups"), terms.number("group_size")
    if groups and size:
        raise InvalidFormat("groups", "give groups or group_size, not both")
    byes_needed(terms.limits, entrants)
    smallest = max(terms.limits.min_seats, terms.number("advance") + 1)
    most = max(entrants // smallest, 1)
    if groups > most:
        raise UnevenField(entrants, (smallest * groups,))
    return groups or min(most, -(-entrants // (size or 2 * terms.limits.seats)))


def _sizes(terms: Terms, entrants: int) -> list[int]:
    small, larger = divmod(entrants, groups := _count(terms, entrants))
    return [small + 1] * larger + [small] * (groups - larger)


def _plan(terms: Terms, entrants: int) -> Plan:
    sizes = _sizes(terms, entrants)
    schedules = [schedule(terms, range(1, size + 1)) for size in sizes]
    return tuple(
        tuple(
            len(table)
            for rounds in schedules
            if number < len(rounds)
            for table in rounds[number].tables
        )
        for number in range(max(map(len, schedules)))
    )


def _goes_on(terms: Terms, entrants: int) -> int:
    groups = _count(terms, entrants)
    return min(terms.number("advance") * groups + terms.number("wildcards"), entrants)


def _label(place: int) -> str:
    """Return A to Z, then AA, AB and so on."""
    rest, letter = divmod(place, len(ascii_uppercase))
    return (_label(rest - 1) if rest else "") + ascii_uppercase[letter]


def _groups(event: Event) -> list[_Group]:
    order = in_order_of_seeding(event, starters(event))
    owners = {entrant.number: entrant.owner for entrant in event.field if entrant.owner}
    numbers = {owner: number for number, owner in enumerate(sorted(set(owners.values())))}
    drawn = snake(
        order,
        _count(event.terms, len(order)),
        {entrant: numbers[owner] for entrant, owner in owners.items()},
    )
    alone = _split(event, drawn)
    return [
        _Group(_label(place), group, schedule(event.terms, group), alone[place])
        for place, group in enumerate(drawn)
    ]


def _split(event: Event, groups: Sequence[Sequence[int]]) -> list[Event]:
    """Return the event of each group alone; its rounds are those in which it played."""
    group_of = {entrant: place for place, group in enumerate(groups) for entrant in group}
    rounds: list[list[PlayedRound]] = [[] for _ in groups]
    for round_ in event.rounds:
        own: dict[int, list[TableResult]] = {}
        tables: dict[int, list[tuple[int, ...]]] = {}
        byes: dict[int, list[int]] = {}
        for table, result in zip(round_.tables, round_.ordered_results(), strict=True):
            group = group_of[table[0]]
            tables.setdefault(group, []).append(table)
            own.setdefault(group, []).append(TableResult(len(tables[group]), result.seats))
        for entrant in round_.byes:
            byes.setdefault(group_of[entrant], []).append(entrant)
        for group, results in own.items():
            out = tuple(byes.get(group, ()))
            rounds[group].append(
                PlayedRound(round_.number, tuple(tables[group]), tuple(results), out)
            )
    known = {entrant.number: entrant for entrant in event.field}
    return [
        replace(
            event,
            field=tuple(known[entrant] for entrant in sorted(group)),
            rounds=tuple(rounds[place]),
            pending=None,
        )
        for place, group in enumerate(groups)
    ]


def _pair(event: Event) -> Round | None:
    limits = event.terms.limits
    here = {entrant.number for entrant in event.present()}
    if len(here) < limits.min_seats:
        return None
    groups = _groups(event)
    sheet = next_sheet(_together(groups), event.rounds, here, limits.min_seats)
    if sheet is None:
        return None
    group_of = {entrant: group.label for group in groups for entrant in group.entrants}
    return Round(
        event.next_number,
        sheet.tables,
        sheet.byes,
        labels=tuple(group_of[table[0]] for table in sheet.tables),
        notes=() if event.rounds else _notes(event, groups),
    )


def _together(groups: Sequence[_Group]) -> tuple[Round, ...]:
    """Return the schedules of all groups as one."""
    rounds = []
    for place in range(max(len(group.schedule) for group in groups)):
        tables: list[tuple[int, ...]] = []
        byes: list[int] = []
        for group in groups:
            if place < len(group.schedule):
                tables += group.schedule[place].tables
                byes += group.schedule[place].byes
            else:
                byes += group.entrants
        rounds.append(Round(place + 1, tuple(tables), tuple(byes)))
    return tuple(rounds)


def _notes(event: Event, groups: Sequence[_Group]) -> tuple[str, ...]:
    """Return what is to be said of the groups when they have been drawn."""
    notes: dict[str, list[str]] = {}
    for group in groups:
        text = described(event.terms.limits, group.schedule)
        notes.setdefault(text, []).append(group.label)
    owners = {entrant.number: entrant.owner for entrant in event.field if entrant.owner}
    told = [f"groups {', '.join(labels)}: {text}" for text, labels in notes.items()]
    return (*told, *owner_notes([group.entrants for group in groups], owners))


@dataclass(frozen=True, slots=True)
class _Ranked:
    lines: tuple[Standing, ...]  # the best first, with group and rank in it
    lots: tuple[str, ...]


def _ranked(event: Event) -> _Ranked:
    """Return everybody's line: all winners of groups, then all seconds, and so on."""
    groups = _groups(event)
    away = missed(_together(groups), event.rounds)
    everywhere, lots = by_table(event, away)
    overall = {line.entrant: place for place, line in enumerate(everywhere)}
    drawn = list(lots)
    lines = []
    for group in groups:
        inside, lots = by_table(group.event, away)
        drawn += lots
        lines += [replace(line, group=group.label) for line in inside]
    lines.sort(key=lambda line: (line.rank, overall[line.entrant]))
    known = {line.entrant for line in lines}
    lines += [line for line in everywhere if line.entrant not in known]
    return _Ranked(tuple(lines), tuple(dict.fromkeys(drawn)))


def _advancing(event: Event) -> Advancing:
    if not event.rounds:
        raise NothingPlayed
    here = {entrant.number for entrant in event.present()}
    ranked = _ranked(event)
    if _pair(event) is not None:
        going_on = tuple(line.entrant for line in ranked.lines if line.entrant in here)
        return Advancing(going_on, lots=ranked.lots)
    through, rest = _through(event.terms, ranked.lines, here)
    added = rest[: event.terms.number("wildcards")]
    return Advancing((*through, *added), added=tuple(added), lots=ranked.lots)


def _through(
    terms: Terms, lines: Sequence[Standing], here: set[int]
) -> tuple[list[int], list[int]]:
    """Split those who are here into the best of every group and the rest, the best first.

    Whoever has left is passed over, and the next of the group takes the place.
    """
    taken: dict[str, int] = {}
    places: dict[int, int] = {}
    for line in lines:
        if line.entrant in here and line.group:
            taken[line.group] = places[line.entrant] = taken.get(line.group, 0) + 1
    order = {line.entrant: at for at, line in enumerate(lines)}
    best = sorted(places, key=lambda entrant: (places[entrant], order[entrant]))
    advance = terms.number("advance")
    through = [entrant for entrant in best if places[entrant] <= advance]
    return through, [entrant for entrant in best if places[entrant] > advance]


def _standings(event: Event) -> tuple[Standing, ...]:
    if not event.rounds and event.pending is None:
        return by_table(event, {})[0]
    lines = _ranked(event).lines
    if event.pending is not None or not event.rounds or _pair(event) is not None:
        return lines
    going_on = set(_advancing(event).entrants)
    return tuple(replace(line, eliminated=line.entrant not in going_on) for line in lines)


FORMAT = Format(
    id="groups",
    title="Groups",
    text="A round robin in each group; the best of every group go on, with the best of the rest. "
    "Ranked by placement points for each table, as groups may differ in size.",
    options=(
        Option("groups", "0", "how many groups; 0 by their size", (0, 256)),
        Option(
            "group_size",
            "0",
            "how many a group has, at most where that can be; 0 for two tables",
            (0, 64),
        ),
        Option("advance", "2", "how many of each group go on", (1, 32)),
        Option("wildcards", "0", "how many of the rest go on, the best of all groups", (0, 256)),
        LEGS,
        ROUNDS,
    ),
    plan=_plan,
    pair=_pair,
    goes_on=_goes_on,
    advancing=_advancing,
    standings=_standings,
    returns=True,
    chain=BY_TABLE,
    scheduled=True,
)
