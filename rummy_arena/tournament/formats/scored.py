"""What formats of scored rounds share: how many rounds, who sits out, who may enter late."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from rummy_arena.tournament.errors import NothingPlayed, UnevenField
from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.options import Option
from rummy_arena.tournament.results import BEST
from rummy_arena.tournament.rounds import Advancing, Round, Standing
from rummy_arena.tournament.seating_tables import byes_needed
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing
from rummy_arena.tournament.swiss_presence import MissedRounds, entries, met
from rummy_arena.tournament.tables import table_sizes

from .apart import kept_apart
from .ranking import by_points

MOST_ROUNDS = 99

BYE = Option("bye", str(BEST), "placement points of a bye; a sole winner has 6", (0, BEST))
LAST_ENTRY = Option(
    "last_entry", "1", "the last round in which somebody may enter", (1, MOST_ROUNDS)
)
LATE = Option(
    "late", "0", "placement points for each round before a late entrant's first", (0, BEST)
)

Kernel = Callable[[Event, list[Entry], Mapping[Pair, int], Collection[Pair]], Pairing]
"""What pairs the next round of an event: entries, earlier meetings, and who must not meet."""


def rounds_option(default: str, rule: str) -> Option:
    """Return the option for the number of rounds; 0 follows the rule."""
    return Option("rounds", default, f"how many rounds; 0 for {rule}", (0, MOST_ROUNDS))


LIKE_A_KNOCKOUT = "one more than a knockout with one winner a table has"


def like_a_knockout(terms: Terms, entrants: int) -> int:
    """Return the number of rounds: as chosen, or one more than a knockout to one winner has.

    At tables of two never more than it takes to meet everybody.
    """
    if chosen := terms.number("rounds"):
        return chosen
    seats, rounds, reach = terms.limits.seats, 1, 1
    while reach < entrants:
        rounds, reach = rounds + 1, reach * seats
    if terms.limits.max_seats == 2:
        rounds = min(rounds, entrants - 1 + entrants % 2)
    return max(rounds, 1)


def starters(event: Event) -> tuple[int, ...]:
    """Return who was there when the stage began, by number."""
    first = event.rounds[0] if event.rounds else event.pending
    if first is None:
        return tuple(entrant.number for entrant in event.present())
    return tuple(sorted([*first.byes, *(one for table in first.tables for one in table)]))


def missed_rounds(terms: Terms) -> MissedRounds:
    """Return what rounds are worth to those who did not play in them."""
    options = terms.options
    return MissedRounds(
        bye=Fraction(options.get("bye", "0")),
        late=Fraction(options.get("late", "0")),
        late_rounds=MOST_ROUNDS,
        last_entry=terms.number("last_entry"),
    )


def last_entry(terms: Terms) -> int:
    """Return the last round in which somebody may enter."""
    return terms.number("last_entry")


def same_sizes(terms: Terms, entrants: int, rounds: int) -> Plan:
    """Return the sizes of the tables of every round; raises UnevenField."""
    byes = byes_needed(terms.limits, entrants)
    return (table_sizes(terms.limits, entrants - byes),) * rounds


def too_few(event: Event) -> bool:
    """Return whether those who are present cannot fill a table."""
    try:
        byes_needed(event.terms.limits, len(event.present()))
    except UnevenField:
        return True
    return False


def paired(event: Event, kernel: Kernel) -> Round | None:
    """Return the next round, or None where too few are left for a table."""
    here = event.present()
    try:
        byes = byes_needed(event.terms.limits, len(here))
    except UnevenField:
        return None
    presences = {entrant.number: entrant.stays for entrant in event.field}
    present = {entrant.number for entrant in here}
    rule = missed_rounds(event.terms)
    line = [e for e in entries(event.rounds, presences, rule) if e.entrant in present]
    found, notes = kept_apart(
        here,
        met(event.rounds),
        len(table_sizes(event.terms.limits, len(here) - byes)),
        first=not event.rounds,
        pair=lambda meetings, forbidden: kernel(event, line, meetings, forbidden),
    )
    return Round(event.next_number, found.tables, found.byes, notes=notes)


def in_order(event: Event) -> Advancing:
    """Return everybody who goes on from the last complete round, the best first."""
    if not event.rounds:
        raise NothingPlayed
    here = {entrant.number for entrant in event.present()}
    lines, lots = by_points(event, missed_rounds(event.terms))
    return Advancing(tuple(line.entrant for line in lines if line.entrant in here), lots=lots)


def lines(event: Event) -> tuple[Standing, ...]:
    """Return everybody's line, the best first."""
    return by_points(event, missed_rounds(event.terms))[0]


def scored_format(
    format_id: str,
    title: str,
    text: str,
    rounds: Option,
    how_many: Callable[[Terms, int], int],
    kernel: Kernel,
) -> Format:
    """Return the format of so many scored rounds that a kernel pairs, with everybody in each.

    ``how_many`` says the number of rounds of so many entrants, as ``rounds`` lets hosts choose it.
    """

    def is_over(event: Event) -> bool:
        most = how_many(event.terms, len(starters(event)))
        return event.next_number > most or too_few(event)

    return Format(
        id=format_id,
        title=title,
        text=text,
        options=(rounds, BYE, LAST_ENTRY, LATE),
        plan=lambda terms, entrants: same_sizes(terms, entrants, how_many(terms, entrants)),
        pair=lambda event: None if is_over(event) else paired(event, kernel),
        goes_on=lambda terms, entrants: entrants,
        advancing=in_order,
        standings=lines,
        last_entry=last_entry,
        returns=True,
        is_over=is_over,
    )
