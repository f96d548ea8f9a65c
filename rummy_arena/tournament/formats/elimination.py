"""What all elimination formats look at: who is still there, and who did how well at the tables.

At a table, and between tables, the order is that of ``tiebreaks``; whoever forfeited comes after
everybody else and never goes on. Whoever has left, or was disqualified, does not go on either, and
the next best of the rest come up in their stead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from rummy_arena.tournament.draw import SEAT, Draw, lot
from rummy_arena.tournament.errors import InvalidFormat
from rummy_arena.tournament.event import Event, Terms
from rummy_arena.tournament.options import Option, flag
from rummy_arena.tournament.results import Finish, finishes
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.tables import TableLimits, fits
from rummy_arena.tournament.tiebreaks import TABLE, Ranking, chain_of, rank

LOTS, SEEDED = "lot", "seeded"
SEEDING = Option(
    "seeding",
    LOTS,
    "how the first round is seated: by lot, or by seeding so that the best meet late",
    choices=(LOTS, SEEDED),
)
BYES = flag(
    "byes",
    "no",
    "whether a field of two-seat tables is filled up to a power of two by byes for the best seeds "
    "in the first round; otherwise there are as few byes as can be",
)


@dataclass(frozen=True, slots=True)
class Places:
    """Those at some tables whose place lets them go on, and the rest; without forfeits."""

    qualified: list[Finish]
    rest: list[Finish]
    lots: list[str]


def ordered(event: Event, round_number: int, found: Iterable[Finish]) -> Ranking:
    """Return finishes of one round, the best first and forfeits last."""
    draw = Draw(event.seed, round_number)
    chain = chain_of(event.terms.chain, TABLE)
    kept: list[Finish] = []
    lost: list[Finish] = []
    for finish in found:
        (lost if finish.seat.forfeit else kept).append(finish)
    best, last = rank(kept, draw, chain), rank(lost, draw, chain)
    return Ranking(best.order + last.order, best.lots + last.lots)


def by_place(
    event: Event, played: PlayedRound, label: str | None, places: Callable[[int], int]
) -> Places:
    """Return who goes on from the tables with a label, or from all, by their place alone.

    ``places`` says how many do from a table of so many.
    """
    found = Places([], [], [])
    for result in played.ordered_results():
        if label is not None and played.label(result.number) != label:
            continue
        ranking = ordered(event, played.number, finishes(result))
        kept = [finish for finish in ranking.order if not finish.seat.forfeit]
        count = places(len(result.seats))
        found.qualified.extend(kept[:count])
        found.rest.extend(kept[count:])
        found.lots.extend(ranking.lots)
    return found


def here(event: Event) -> frozenset[int]:
    """Return who is there for the next round."""
    return frozenset(entrant.number for entrant in event.present())


def staying(found: Iterable[Finish], present: Collection[int]) -> list[Finish]:
    """Return the finishes of those who are there."""
    return [finish for finish in found if finish.seat.entrant in present]


def champions(event: Event, table: Iterable[Finish]) -> tuple[int, ...]:
    """Return who shares the best place of a final, by number; nobody if all forfeited."""
    fair = {entrant.number for entrant in event.field if not entrant.disqualified}
    seats = [
        finish.seat for finish in table if finish.seat.entrant in fair and not finish.seat.forfeit
    ]
    first = min((seat.place for seat in seats), default=0)
    return tuple(sorted(seat.entrant for seat in seats if seat.place == first))


def in_round(round_: Round | PlayedRound) -> list[int]:
    """Return who takes part in a round, those with a bye too."""
    return [*round_.byes, *(entrant for table in round_.tables for entrant in table)]


def places_of(terms: Terms, advance: int) -> Callable[[int], int]:
    """Return how many go on from a table of so many; raises InvalidFormat."""
    if advance >= terms.limits.seats:
        raise InvalidFormat("advance", f"give 1 to {terms.limits.seats - 1}, not {advance}")
    return lambda seats: min(advance, seats - 1)


def next_field(limits: TableLimits, places: int, entrants: int) -> int:
    """Return how many of the entrants are to go on where ``places`` qualify by their place.

    As many or, if they cannot be seated, the nearest larger number that can and is below the
    present one, else the nearest smaller one; too few for one table become a full one.
    """
    if places < limits.min_seats:
        return limits.seats
    larger = (field for field in range(places, entrants) if fits(limits, field))
    smaller = (field for field in range(places - 1, 0, -1) if fits(limits, field))
    # A full table is smaller than any field of two tables, so one of the two always has a number.
    return next(larger, 0) or next(smaller)


def seated_of(limits: TableLimits, entrants: int) -> int:
    """Return how many of the entrants can be seated at once, the others having byes; 0 for none."""
    return next((field for field in range(entrants, 0, -1) if fits(limits, field)), 0)


def seed_order(event: Event, entrants: Iterable[int]) -> list[int]:
    """Return entrants by their seeding, the best first, or by lot where they are not seeded."""
    seeds = {entrant.number: entrant.seeding for entrant in event.field}
    seeded = event.terms.choice(SEEDING.name) == SEEDED

    def key(entrant: int) -> tuple[bool, int, bytes]:
        seeding = seeds.get(entrant, 0) if seeded else 0
        return seeding == 0, seeding, lot(event.seed, SEAT, 0, entrant)

    return sorted(entrants, key=key)


def byes_for(event: Event, entrants: Sequence[int], count: int) -> list[int]:
    """Return who has a bye: of those who had the fewest, the best seeds."""
    if not count:
        return []
    had = Counter(entrant for played in event.rounds for entrant in played.byes)
    return sorted(seed_order(event, entrants), key=lambda entrant: had[entrant])[:count]
