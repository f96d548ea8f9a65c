"""Single elimination at tables of any size.

The best ``advance`` of every table go on, but always fewer than sit there. A round of one table is
the final, and the field shrinks with every round. "Best" is the order of ``tiebreaks``.

The field. Where the number that goes on cannot be seated, the best of the rest fill it up to the
nearest number that can (too few for one table: up to a full table); where no such number lies below
the present field, the last of those who go on are cut instead. Whoever has left, was disqualified
or forfeited does not go on, and the best of the rest come up for them. Where entrants cannot be
seated otherwise, as few as can be have a bye: those who had the fewest, and of them the best seeds.
Where too few are left for a table, the best of them has won.

Tables. By lot, the first round is drawn and every later one drawn anew; seeded, each round is dealt
as a snake in the order of seeding, and those whose seeding is not known come last, by lot. Those
who have just met are seated apart, in the first round those of one group, and before that those of
one owner, where that can be.

The bracket (see ``elimination_bracket``). Two-seat tables with ``byes``, or seeded with as many
entrants as a power of two, are paired by the bracket of the first round instead; without seeding
it is drawn by lot. Nobody comes up for those who have left: their opponents go on without playing.

Third place: beside the final plays one table of the best of the last round who did not reach it, as
many as a full table has; at two-seat tables those are the losers of the semi-finals.

Standings: the places of the final, whose winners share the title if they share the first place;
the table for the third place; then everybody else by the round that was their last, and within it
by the order of ``tiebreaks``. Where everybody at the final forfeited, nobody has won.

Rounds are a function of terms, entrants, results and seed alone; the order in which results come in
does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rummy_arena.tournament.draw import GROUP, SEAT, by_lot
from rummy_arena.tournament.errors import NothingPlayed, UnevenField
from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.options import Option, flag
from rummy_arena.tournament.results import finishes
from rummy_arena.tournament.rounds import Advancing, PlayedRound, Round, Standing
from rummy_arena.tournament.tables import fits, nearest, table_sizes
from rummy_arena.tournament.tiebreaks import TABLE

from .apart import owner_notes, owners_of
from .elimination import (
    BYES,
    LOTS,
    SEEDED,
    SEEDING,
    Places,
    by_place,
    byes_for,
    champions,
    here,
    in_round,
    next_field,
    ordered,
    places_of,
    seated_of,
    seed_order,
    staying,
)
from .elimination_bracket import after_round, bracket_size, drawn, narrowed, to_play
from .elimination_seating import Apart, dealt
from .elimination_standings import gone, lines, with_lots

FINAL, THIRD = "final", "third place"
"""Labels of the last round's tables, where there are two."""
ADVANCE = Option("advance", "2", "how many of each table go on, fewer than its seats", (1, 7))
THIRD_PLACE = flag(
    "third_place", "no", "whether the best who did not reach the final play beside it"
)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What follows from the last complete round."""

    advancing: Advancing
    third: tuple[int, ...] = ()  # who plays for the third place beside the final
    over: bool = False


def plan(terms: Terms, entrants: int) -> Plan:
    """Return the sizes of the tables of every round.

    Raises InvalidFormat for ``advance``, and UnevenField for too few entrants.
    """
    places = places_of(terms, terms.number(ADVANCE.name))
    limits = terms.limits
    if entrants < limits.min_seats:
        raise UnevenField(entrants, nearest(limits, entrants))
    if _by_bracket(terms, entrants):
        size = bracket_size(entrants)
        rounds = [(2,) * (entrants - size // 2)]
        while size > 2:
            size //= 2
            rounds.append((2,) * (size // 2))
        losers = 2 if entrants > 3 else 0
    else:
        rounds, losers = [], 0
        field = entrants
        while True:
            seated = seated_of(limits, field)
            sizes = table_sizes(limits, seated)
            rounds.append(sizes)
            if len(sizes) == 1 and seated == field:
                break
            through = next_field(limits, sum(map(places, sizes)) + field - seated, field)
            field, losers = through, field - through
    third = _third_size(terms, losers)
    if third:
        rounds[-1] = (*rounds[-1], third)
    return tuple(rounds)


def pair(event: Event) -> Round | None:
    """Return the next round, or None after the final or where too few are left.

    Raises ResultsMismatch.
    """
    if not event.rounds:
        return _first_round(event)
    outcome = _outcome(event)
    if outcome.over:
        return None
    going_on = outcome.advancing.entrants
    paired = _next_by_bracket(event) if _has_bracket(event) else _next_by_deal(event, going_on)
    if not outcome.third:
        return paired
    return Round(
        number=paired.number,
        tables=(*paired.tables, _in_seats(event, outcome.third)),
        labels=(FINAL, THIRD),
        notes=paired.notes,
    )


def advancing(event: Event) -> Advancing:
    """Return who goes on from the last round; after the last of all, who has won.

    Those who play for the third place come after those who play the final. Raises NothingPlayed,
    ResultsMismatch.
    """
    outcome = _outcome(event)
    found = outcome.advancing
    found = replace(found, entrants=(*found.entrants, *outcome.third))
    return with_lots(event, event.rounds[-1], found, THIRD)


def standings(event: Event) -> tuple[Standing, ...]:
    """Return everybody's line, the best first; raises ResultsMismatch."""
    leaders = _leaders(event)
    following = {entrant for group in leaders for entrant in group}
    out: list[int] = []
    for played in reversed(event.rounds):
        out += gone(event, played, following, THIRD)
        following = set(in_round(played))
    return lines(event, leaders, out)


FORMAT = Format(
    id="knockout",
    title="Single elimination",
    text="The best of every table go on until one table is left: the final.",
    options=(ADVANCE, SEEDING, BYES, THIRD_PLACE),
    plan=plan,
    pair=pair,
    goes_on=lambda terms, entrants: 1,
    advancing=advancing,
    standings=standings,
    ranks=TABLE,
)


def _by_bracket(terms: Terms, entrants: int) -> bool:
    if terms.limits.seats != 2:
        return False
    whole = bracket_size(entrants) == entrants
    return terms.flag(BYES.name) or (whole and terms.choice(SEEDING.name) == SEEDED)


def _has_bracket(event: Event) -> bool:
    return _by_bracket(event.terms, len(in_round(event.rounds[0])))


def _third_size(terms: Terms, losers: int) -> int:
    """Return the seats of the table for the third place; 0 for none."""
    size = min(losers, terms.limits.seats)
    return size if terms.flag(THIRD_PLACE.name) and size >= terms.limits.min_seats else 0


def _is_final(played: PlayedRound) -> bool:
    return THIRD in played.labels or (len(played.tables) == 1 and not played.byes)


def _first_round(event: Event) -> Round | None:
    present = event.present()
    if len(present) < event.terms.limits.min_seats:
        return None
    order = seed_order(event, (entrant.number for entrant in present))
    owners = owners_of(present)
    apart = (owners, {one.number: one.group for one in present if one.group})
    if not _by_bracket(event.terms, len(order)):
        return _seated(event, order, apart)
    tables, byes = to_play(drawn(order, apart))
    return _round(event, tables, byes, owners)


def _next_by_bracket(event: Event) -> Round:
    tables, byes = to_play(_line(event))
    return _round(event, tables, byes, owners_of(event.field))


def _next_by_deal(event: Event, going_on: Sequence[int]) -> Round:
    last = event.rounds[-1]
    met = {
        entrant: number for number, table in enumerate(last.tables, start=1) for entrant in table
    }
    if event.terms.choice(SEEDING.name) == LOTS:
        line = _line_by_lot(event, set(going_on))
    else:
        line = seed_order(event, going_on)
    return _seated(event, line, (owners_of(event.field), met))


def _line_by_lot(event: Event, going_on: set[int]) -> list[int]:
    """Return a line whose neighbours come to different tables: those who met are side by side."""
    last = event.rounds[-1]
    line: list[int] = []
    for table in by_lot(event.seed, GROUP, event.next_number, range(1, len(last.tables) + 1)):
        met = [entrant for entrant in last.tables[table - 1] if entrant in going_on]
        line += by_lot(event.seed, SEAT, last.number, met)
    return line + by_lot(event.seed, SEAT, last.number, going_on.intersection(last.byes))


def _seated(event: Event, line: Sequence[int], apart: Sequence[Apart]) -> Round:
    """Deal the line out over the tables; whoever cannot be seated has a bye."""
    limits = event.terms.limits
    seated = seated_of(limits, len(line))
    byes = byes_for(event, line, len(line) - seated)
    playing = [entrant for entrant in line if entrant not in byes]
    snake = event.terms.choice(SEEDING.name) == SEEDED
    tables = dealt(playing, len(table_sizes(limits, seated)), snake=snake, apart=apart)
    return _round(event, tables, byes, owners_of(event.field))


def _round(
    event: Event,
    tables: Iterable[Sequence[int]],
    byes: Sequence[int],
    owners: dict[int, str],
) -> Round:
    seated = tuple(_in_seats(event, table) for table in tables)
    return Round(
        number=event.next_number,
        tables=seated,
        byes=tuple(byes),
        notes=owner_notes(seated, owners),
    )


def _in_seats(event: Event, table: Iterable[int]) -> tuple[int, ...]:
    return tuple(by_lot(event.seed, SEAT, event.next_number, table))


def _outcome(event: Event) -> _Outcome:
    if not event.rounds:
        raise NothingPlayed
    last = event.rounds[-1]
    if _is_final(last):
        tables = [r for r in last.ordered_results() if last.label(r.number) != THIRD]
        return _Outcome(Advancing(champions(event, finishes(tables[0]))), over=True)
    found = by_place(event, last, None, places_of(event.terms, event.terms.number(ADVANCE.name)))
    present = here(event)
    byes = [entrant for entrant in last.byes if entrant in present]
    qualified = ordered(event, last.number, staying(found.qualified, present))
    rest = ordered(event, last.number, staying(found.rest, present))
    through = len(byes) + len(qualified.order)
    field = through if _has_bracket(event) else _field(event, last, through + len(rest.order))
    added = rest.entrants[: max(0, field - through)]
    going_on = (*byes, *qualified.entrants)
    too_few = field < 2 if _has_bracket(event) else field < event.terms.limits.min_seats
    entrants = (*going_on[:field], *added)
    drawn_lots = [*found.lots, *qualified.lots, *(rest.lots if added else ())]
    return _Outcome(
        Advancing(
            entrants=entrants[:1] if too_few else entrants,
            added=() if too_few else added,
            cut=going_on[field:],
            lots=tuple(dict.fromkeys(drawn_lots)),
        ),
        third=() if too_few else _third(event, found, entrants),
        over=too_few,
    )


def _third(event: Event, found: Places, finalists: tuple[int, ...]) -> tuple[int, ...]:
    """Return the best of the last round who are there and do not play the final that is next."""
    if not event.terms.flag(THIRD_PLACE.name) or not _sit_at_one(event, len(finalists)):
        return ()
    others = here(event).difference(finalists)
    last = event.rounds[-1].number
    order = ordered(event, last, staying(found.qualified + found.rest, others)).entrants
    return order[: _third_size(event.terms, len(order))]


def _sit_at_one(event: Event, entrants: int) -> bool:
    """Return whether so many play the final."""
    if _has_bracket(event):
        return entrants == 2
    limits = event.terms.limits
    return fits(limits, entrants) and len(table_sizes(limits, entrants)) == 1


def _field(event: Event, last: PlayedRound, left: int) -> int:
    """Return how many go on, of so many who are left of the round."""
    places = places_of(event.terms, event.terms.number(ADVANCE.name))
    going_on = sum(places(len(table)) for table in last.tables) + len(last.byes)
    return min(left, next_field(event.terms.limits, going_on, len(in_round(last))))


def _line(event: Event) -> list[int]:
    """Return the bracket's line for the next round."""
    line: list[int] = []
    for played in event.rounds:
        won = by_place(event, played, None, lambda _: 1).qualified
        winners = {finish.seat.entrant for finish in won}
        line = after_round(line, played.tables, played.byes, winners)
    return narrowed(line, here(event))


def _leaders(event: Event) -> list[list[int]]:
    """Return those who have won or still play, the best first, in groups that share a rank."""
    if event.pending is not None:
        return _playing(event, event.pending)
    if not event.rounds:
        return [[entrant.number for entrant in event.present()]]
    outcome = _outcome(event)
    return [list(outcome.advancing.entrants), list(outcome.third)]


def _playing(event: Event, pending: Round) -> list[list[int]]:
    if not event.rounds:
        return [sorted(in_round(pending))]
    known = {entrant: place for place, entrant in enumerate(_outcome(event).advancing.entrants)}

    def order(entrants: Iterable[int]) -> list[int]:
        return sorted(entrants, key=lambda entrant: (known.get(entrant, len(known)), entrant))

    aside = {
        entrant
        for number, table in enumerate(pending.tables, start=1)
        if pending.label(number) == THIRD
        for entrant in table
    }
    return [
        order(entrant for entrant in in_round(pending) if entrant not in aside),
        order(aside),
    ]
