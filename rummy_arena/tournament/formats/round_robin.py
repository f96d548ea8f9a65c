"""Round robin: everybody meets everybody, by a schedule that is fixed when the stage begins.

Two seats by Berger's tables, more by ``tournament.round_robin``. Ranked by placement points for
each table, see ``schedules``.
"""

from __future__ import annotations

from rummy_arena.tournament.errors import NothingPlayed
from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.rounds import Advancing, Round, Standing
from rummy_arena.tournament.seating_tables import byes_needed

from .ranking import BY_TABLE, Ranked, by_table
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


def _plan(terms: Terms, entrants: int) -> Plan:
    byes_needed(terms.limits, entrants)
    rounds = schedule(terms, range(1, entrants + 1))
    return tuple(tuple(map(len, round_.tables)) for round_ in rounds)


def _schedule(event: Event) -> tuple[Round, ...]:
    return schedule(event.terms, in_order_of_seeding(event, starters(event)))


def _pair(event: Event) -> Round | None:
    limits = event.terms.limits
    here = {entrant.number for entrant in event.present()}
    if len(here) < limits.min_seats:
        return None
    rounds = _schedule(event)
    sheet = next_sheet(rounds, event.rounds, here, limits.min_seats)
    if sheet is None:
        return None
    notes = () if event.rounds else (described(limits, rounds),)
    return Round(event.next_number, sheet.tables, sheet.byes, notes=notes)


def _ranked(event: Event) -> Ranked:
    if not event.rounds:
        return by_table(event, {})
    return by_table(event, missed(_schedule(event), event.rounds))


def _advancing(event: Event) -> Advancing:
    if not event.rounds:
        raise NothingPlayed
    here = {entrant.number for entrant in event.present()}
    lines, lots = _ranked(event)
    return Advancing(tuple(line.entrant for line in lines if line.entrant in here), lots=lots)


def _standings(event: Event) -> tuple[Standing, ...]:
    return _ranked(event)[0]


FORMAT = Format(
    id="round-robin",
    title="Round robin",
    text="Everybody meets everybody, by a schedule that is fixed at the start; ranked by placement "
    "points for each table.",
    options=(LEGS, ROUNDS),
    plan=_plan,
    pair=_pair,
    goes_on=lambda terms, entrants: entrants,
    advancing=_advancing,
    standings=_standings,
    returns=True,
    chain=BY_TABLE,
    scheduled=True,
)
