"""Double elimination at larger tables; the rules are those that ``double_elimination`` states."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rummy_arena.tournament.draw import SEAT, by_lot
from rummy_arena.tournament.event import Event, Plan, Terms
from rummy_arena.tournament.results import finishes
from rummy_arena.tournament.rounds import PlayedRound
from rummy_arena.tournament.swiss_presence import is_present
from rummy_arena.tournament.tables import TableLimits, fits, table_sizes

from .apart import owners_of
from .double_brackets import FINAL, LOWER, UPPER, Brackets, Outlook, labelled
from .elimination import (
    LOTS,
    SEEDING,
    by_place,
    byes_for,
    champions,
    here,
    next_field,
    ordered,
    places_of,
    seated_of,
    seed_order,
)
from .elimination_seating import Apart, dealt


def advance_of(terms: Terms) -> int:
    """Return how many of a full table stay up: as chosen, or half of its seats."""
    return terms.number("advance") or terms.limits.seats // 2


def upper_share(limits: TableLimits) -> int:
    """Return how many of the upper bracket come to the final."""
    return (limits.seats + 1) // 2


def upper_is_done(limits: TableLimits, upper: int) -> bool:
    """Return whether so many of the upper bracket only wait for the final."""
    return upper <= upper_share(limits) or upper < limits.min_seats


def plan_tables(terms: Terms, entrants: int) -> Plan:
    """Return the sizes of the tables of every round."""
    limits = terms.limits
    upper, lower = entrants, 0
    rounds: list[tuple[int, ...]] = []
    while not _at_one_table(limits, upper + lower):
        done = upper_is_done(limits, upper)
        above = () if done else _sizes(limits, upper)
        under = _sizes(limits, lower) if lower >= limits.min_seats else ()
        if not above and not under:
            break
        rounds.append(above + under)
        if under:
            lower = _lower_through(terms, under, lower - sum(under), upper if done else None)
        if above:
            through = _upper_through(terms, above, upper - sum(above))
            upper, lower = through, lower + upper - through
    left = upper + lower
    return (*rounds, (left if _at_one_table(limits, left) else min(left, limits.seats),))


def brackets_of_tables(event: Event) -> Brackets:
    """Return where everybody is after the complete rounds."""
    found = Brackets()
    for played in event.rounds:
        found.lots = []
        if labelled(played, FINAL):
            _final_played(event, found, played)
        else:
            down = _upper_played(event, found, played)
            _lower_played(event, found, played)
            found.lower += down
    return found


def outlook_of_tables(event: Event, found: Brackets) -> Outlook:
    """Return what comes after the complete rounds."""
    limits, present = event.terms.limits, here(event)
    if found.won is not None:
        return Outlook((), (), found.won)
    upper = [one for one in (found.upper if event.rounds else sorted(present)) if one in present]
    lower = [one for one in found.lower if one in present]
    done = upper_is_done(limits, len(upper))
    together = _at_one_table(limits, len(upper) + len(lower))
    if not together and (not done or len(lower) >= limits.min_seats):
        above, free = _tables(event, [] if done else upper, first=not event.rounds)
        under, waiting = _tables(event, lower, first=False)
        tables = [(UPPER, table) for table in above] + [(LOWER, table) for table in under]
        return Outlook(tuple(upper), tuple(lower), None, tuple(tables), (*free, *waiting))
    last = lower if together else lower[: max(0, limits.seats - len(upper))]
    if len(upper) + len(last) < limits.min_seats:
        return Outlook((), (), (*upper, *last)[:1])
    return Outlook(tuple(upper), tuple(last), None, ((FINAL, (*upper, *last)),))


def _at_one_table(limits: TableLimits, entrants: int) -> bool:
    """Return whether so many are seated at one table, or are too few for any."""
    if entrants < limits.min_seats:
        return True
    return fits(limits, entrants) and len(table_sizes(limits, entrants)) == 1


def _sizes(limits: TableLimits, entrants: int) -> tuple[int, ...]:
    seated = seated_of(limits, entrants)
    return table_sizes(limits, seated) if seated else ()


def _upper_through(terms: Terms, sizes: Sequence[int], byes: int) -> int:
    """Return how many stay up after upper tables of these sizes."""
    limits = terms.limits
    if len(sizes) == 1 and not byes:
        return min(upper_share(limits), sizes[0] - 1)
    through = sum(map(places_of(terms, advance_of(terms)), sizes)) + byes
    if through < limits.min_seats or fits(limits, through):
        return through
    return next_field(limits, through, sum(sizes) + byes)


def _lower_through(terms: Terms, sizes: Sequence[int], byes: int, waiting: int | None) -> int:
    """Return how many stay in after lower tables; ``waiting`` of the upper ones for the final."""
    limits = terms.limits
    places = advance_of(terms)
    through = sum(min(places, size - 1) for size in sizes) + byes
    if waiting is None:
        return through
    free = limits.seats - waiting
    if waiting + through < limits.min_seats or (len(sizes) == 1 and byes < free):
        return min(free, sum(sizes) + byes - 1)
    return through


def _upper_played(event: Event, found: Brackets, played: PlayedRound) -> list[int]:
    """Return who comes down; who stays up is in the order of places."""
    tables = labelled(played, UPPER)
    if not tables:
        return []
    known = set(found.upper)
    byes = [entrant for entrant in played.byes if not known or entrant in known]
    sizes = [len(table) for table in tables]
    through = _upper_through(event.terms, sizes, len(byes)) - len(byes)
    single = len(tables) == 1 and not byes
    places = places_of(event.terms, through if single else advance_of(event.terms))
    split = by_place(event, played, UPPER, places)
    best = ordered(event, played.number, split.qualified)
    rest = ordered(event, played.number, split.rest)
    found.lots += [*split.lots, *best.lots, *rest.lots]
    stay = (*best.entrants, *rest.entrants)[:through]
    found.upper = [*byes, *stay]
    everybody = (finish for result in played.ordered_results() for finish in finishes(result))
    leaving = {entrant for table in tables for entrant in table}.difference(stay)
    down = [finish for finish in everybody if finish.seat.entrant in leaving]
    return list(ordered(event, played.number, down).entrants)


def _lower_played(event: Event, found: Brackets, played: PlayedRound) -> None:
    tables = labelled(played, LOWER)
    if not tables:
        return
    known = set(found.lower)
    byes = [entrant for entrant in played.byes if entrant in known]
    waiting = None
    if not labelled(played, UPPER):
        waiting = len(_there(event, played.number).intersection(found.upper))
    sizes = [len(table) for table in tables]
    through = _lower_through(event.terms, sizes, len(byes), waiting) - len(byes)
    places = through if len(tables) == 1 else advance_of(event.terms)
    split = by_place(event, played, LOWER, lambda seats: min(places, seats - 1))
    best = ordered(event, played.number, split.qualified)
    rest = ordered(event, played.number, split.rest)
    found.lots += [*split.lots, *best.lots, *rest.lots]
    stay = (*best.entrants, *rest.entrants)[:through]
    found.lower = [*byes, *stay]
    out = {one for table in tables for one in table}.difference(stay)
    found.lost.update(dict.fromkeys(out, played.number))


def _final_played(event: Event, found: Brackets, played: PlayedRound) -> None:
    (result,) = played.ordered_results()
    found.won = champions(event, finishes(result))
    seated = [seat.entrant for seat in result.seats]
    out = (entrant for entrant in seated if entrant not in found.won)
    found.lost.update(dict.fromkeys(out, played.number))
    cut = (entrant for entrant in found.lower if entrant not in seated)
    found.cut.update(dict.fromkeys(cut, played.number - 1))


def _there(event: Event, round_number: int) -> set[int]:
    """Return who had not left before a round; who was disqualified may have."""
    return {one.number for one in event.field if is_present(one.stays, round_number)}


def _tables(
    event: Event, entrants: Collection[int], *, first: bool
) -> tuple[list[list[int]], list[int]]:
    """Return the tables of one bracket, and who cannot be seated."""
    limits = event.terms.limits
    seated = seated_of(limits, len(entrants))
    if not seated:
        return [], []
    lots = event.terms.choice(SEEDING.name) == LOTS
    line = by_lot(event.seed, SEAT, event.next_number, entrants) if lots else []
    line = line or seed_order(event, entrants)
    byes = byes_for(event, line, len(line) - seated)
    free = set(byes)
    playing = [entrant for entrant in line if entrant not in free]
    apart: Apart = _last_tables(event.rounds)
    if first:
        apart = {one.number: one.group for one in event.field if one.group}
    count = len(table_sizes(limits, seated))
    return dealt(playing, count, snake=not lots, apart=(owners_of(event.field), apart)), byes


def _last_tables(rounds: Iterable[PlayedRound]) -> dict[int, tuple[int, int]]:
    """Return the table that everybody played last."""
    return {
        entrant: (played.number, number)
        for played in rounds
        for number, table in enumerate(played.tables, start=1)
        for entrant in table
    }
