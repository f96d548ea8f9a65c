"""Schedules that are fixed when a stage begins, and what is played of them when somebody leaves.

A schedule does not change. A table that somebody has left is played without them while the rule
set allows so few; else those who are left there have a bye, which is worth nothing: points count
by the table played. A table that somebody missed by being away counts as one without points. Who
comes back sits at its own tables again. A round of which no table can be played is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rummy_arena.tournament.draw import SEAT, by_lot
from rummy_arena.tournament.errors import InvalidFormat, UnevenField
from rummy_arena.tournament.event import Event, Terms
from rummy_arena.tournament.options import Option
from rummy_arena.tournament.round_robin import everybody_meets, quality
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.tables import TableLimits

MOST_ENTRANTS = 300
"""A schedule for more at tables of several seats takes too long to find, and to play."""
MOST_ROUNDS = 999

LEGS = Option("legs", "1", "how often everybody meets everybody", (1, 2))
ROUNDS = Option(
    "rounds", "0", "how many rounds are played; 0 for all of the schedule", (0, MOST_ROUNDS)
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What of a scheduled round is played."""

    place: int  # of the round in the schedule, from 0
    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


def in_order_of_seeding(event: Event, entrants: Iterable[int]) -> list[int]:
    """Return the entrants, the strongest first; those of whom nothing is known last, by lot."""
    seeding = {entrant.number: entrant.seeding for entrant in event.field}
    drawn = by_lot(event.seed, SEAT, 0, entrants)
    return sorted(drawn, key=lambda entrant: (not seeding[entrant], seeding[entrant]))


def schedule(terms: Terms, order: Sequence[int]) -> tuple[Round, ...]:
    """Return all rounds for these entrants; raises UnevenField and InvalidFormat."""
    limits, rounds = terms.limits, terms.number("rounds")
    if rounds and terms.number("legs") > 1:
        raise InvalidFormat("rounds", "give legs or rounds, not both")
    if len(order) > MOST_ENTRANTS and not _of_two(limits, len(order)):
        raise UnevenField(len(order), (MOST_ENTRANTS,))
    if rounds:
        return everybody_meets(limits, order, rounds=rounds)
    once = everybody_meets(limits, order)
    if terms.number("legs") == 1:
        return once
    return everybody_meets(limits, order, rounds=2 * len(once))


def _of_two(limits: TableLimits, entrants: int) -> bool:
    return limits.seats == 2 and (limits.max_seats == 2 or entrants % 2 == 0)


def described(limits: TableLimits, rounds: Sequence[Round]) -> str:
    """Return what a schedule is worth, in words."""
    found = quality(limits, rounds)
    return (
        f"rounds of the schedule: {found.rounds}, {found.least_rounds} at least for all to meet; "
        f"pairs that never meet: {found.never_met}; that meet again: {found.met_again}, in "
        f"{found.repeats} repeated meetings; seats differ by {found.seat_spread}, byes by "
        f"{found.bye_spread}"
    )


def next_sheet(
    rounds: Sequence[Round], played: Iterable[PlayedRound], here: Collection[int], smallest: int
) -> Sheet | None:
    """Return what is played next of a schedule by those who are here; None at its end."""
    place = max((place for place, _ in _matched(rounds, played)), default=-1) + 1
    for later in range(place, len(rounds)):
        found = _attended(later, rounds[later], here, smallest)
        if found.tables:
            return found
    return None


def missed(rounds: Sequence[Round], played: Iterable[PlayedRound]) -> Counter[int]:
    """Return how many tables of the rounds that were played everybody missed by being away."""
    away: Counter[int] = Counter()
    for place, round_ in _matched(rounds, played):
        there = {*round_.byes, *(one for table in round_.tables for one in table)}
        away.update(one for table in rounds[place].tables for one in table if one not in there)
    return away


def _matched(
    rounds: Sequence[Round], played: Iterable[PlayedRound]
) -> Iterator[tuple[int, PlayedRound]]:
    """Yield each played round with the place of the scheduled one that it is a part of.

    A round is left out only where none of its tables could be played, so the next that holds what
    was played is the right one.
    """
    place = 0
    for round_ in played:
        while not _holds(rounds[place], round_.tables):
            place += 1
        yield place, round_
        place += 1


def _holds(scheduled: Round, tables: Iterable[Sequence[int]]) -> bool:
    at = {one: number for number, table in enumerate(scheduled.tables) for one in table}
    return all(len({at.get(one, -1) for one in table}) == 1 and table[0] in at for table in tables)


def _attended(place: int, scheduled: Round, here: Collection[int], smallest: int) -> Sheet:
    tables: list[tuple[int, ...]] = []
    byes = [one for one in scheduled.byes if one in here]
    for table in scheduled.tables:
        left = tuple(one for one in table if one in here)
        if len(left) >= smallest:
            tables.append(left)
        else:
            byes += left
    return Sheet(place, tuple(tables), tuple(byes))
