"""Round robin at tables of several seats: everybody meets everybody in few rounds.

Every round seats everybody as ``tables`` says (byes in turn where a field does not fit), so that
the number of rounds decides how many meetings are repeated: fewest rounds, fewest repeats. A round
of tables of n lets an entrant meet n - 1 others, and ``least_rounds`` is a bound that no schedule
can beat. Where a design is known that repeats nothing (``round_robin_designs``) or little
(``round_robin_coverings``), it is used, and with an entrant or more taken out of it where it is a
little too large; else rounds are added until
everybody has met everybody, and taken away again while a bounded search can repair that
(``round_robin_search``). ``quality`` reports what came out. At tables of two: ``berger``.

A schedule is a function of limits, entrants and options alone, and is kept for the next question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from .errors import DuplicateEntrants, InvalidFormat, UnevenField
from .round_robin_berger import berger
from .round_robin_coverings import best_known
from .round_robin_designs import Tables, without_repeats
from .round_robin_search import MOST_ROUNDS, Dice, Plan, pairs
from .round_robin_seats import seat_counts, seated
from .rounds import Round
from .tables import TableLimits, fits, nearest, table_sizes

TRIES = 20_000
"""Changes that the search may try before it gives up a number of rounds; about half a second."""
_TRIES_A_ROUND = 60
"""Changes tried in a round that is added, times the number of entrants."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What a schedule is worth."""

    rounds: int
    least_rounds: int  # a bound: no schedule in which everybody meets everybody has fewer
    never_met: int  # pairs of entrants
    met_again: int  # pairs that meet more than once
    repeats: int  # meetings beyond each pair's first
    fewest_meetings: int  # of a pair
    most_meetings: int  # of a pair
    seat_spread: int  # the worst entrant's most less fewest times in the seats that all tables have
    bye_spread: int  # most less fewest byes of an entrant


def everybody_meets(
    limits: TableLimits, entrants: Sequence[int], *, rounds: int | None = None, tries: int = TRIES
) -> tuple[Round, ...]:
    """Return a schedule in which everybody meets everybody; with ``rounds``, as far as those go.

    ``entrants`` are in the order of their numbers in the schedule. ``tries`` bounds the search.
    Raises UnevenField for too few entrants for a table, InvalidFormat and DuplicateEntrants.
    """
    if len(set(entrants)) < len(entrants):
        counted = Counter(entrants)
        raise DuplicateEntrants(sorted(one for one, times in counted.items() if times > 1))
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        raise InvalidFormat("rounds", f"give 1 to {MOST_ROUNDS}, not {rounds}")
    if len(entrants) > 1 and limits.seats == 2 and (limits.max_seats == 2 or not len(entrants) % 2):
        return _of_two(entrants, rounds)
    return tuple(
        Round(
            number,
            tuple(tuple(entrants[place] for place in table) for table in tables),
            tuple(entrants[place] for place in byes),
        )
        for number, (tables, byes) in enumerate(
            _schedule(limits, len(entrants), rounds, tries), start=1
        )
    )


def quality(limits: TableLimits, rounds: Sequence[Round]) -> Quality:
    """Return what a schedule is worth."""
    tables = [[list(table) for table in round_.tables] for round_ in rounds]
    entrants = sorted({e for round_ in rounds for e in _everybody(round_)})
    met = {(high, low): 0 for high in entrants for low in entrants if low < high}
    for round_tables in tables:
        for one, other in pairs(round_tables):
            met[max(one, other), min(one, other)] += 1
    seats = min(len(table) for round_tables in tables for table in round_tables)
    byes = [sum(entrant in round_.byes for round_ in rounds) for entrant in entrants]
    return Quality(
        rounds=len(rounds),
        least_rounds=least_rounds(limits, len(entrants)),
        never_met=sum(not times for times in met.values()),
        met_again=sum(times > 1 for times in met.values()),
        repeats=sum(times - 1 for times in met.values() if times),
        fewest_meetings=min(met.values()),
        most_meetings=max(met.values()),
        seat_spread=max(max(row) - min(row) for row in seat_counts(tables, seats).values()),
        bye_spread=max(byes) - min(byes),
    )


def least_rounds(limits: TableLimits, entrants: int) -> int:
    """Return how many rounds everybody needs to meet everybody, if not more.

    The largest of three bounds: a round's pairs, an entrant's opponents, and Schönheim's (1964)
    on the number of tables that cover all pairs.
    """
    sizes = table_sizes(limits, entrants - _byes(limits, entrants))
    by_pairs = _ceiling(comb(entrants, 2), sum(comb(size, 2) for size in sizes))
    others = _ceiling(entrants - 1, sizes[0] - 1)
    tables = _ceiling(entrants * others, sizes[0])
    return max(by_pairs, others, _ceiling(tables, len(sizes)))


def _ceiling(whole: int, parts: int) -> int:
    return -(-whole // parts)


def _of_two(entrants: Sequence[int], rounds: int | None) -> tuple[Round, ...]:
    cycle = len(entrants) - 1 + len(entrants) % 2
    if rounds is None:
        return berger(entrants)
    return berger(entrants, cycles=-(-rounds // cycle))[:rounds]


def _everybody(round_: Round) -> Iterable[int]:
    yield from round_.byes
    for table in round_.tables:
        yield from table


def _byes(limits: TableLimits, entrants: int) -> int:
    """Return how many have a bye in each round: as few as let the others sit."""
    for byes in range(entrants):
        if fits(limits, entrants - byes):
            return byes
    raise UnevenField(entrants, nearest(limits, entrants))


@lru_cache(maxsize=64)
def _schedule(
    limits: TableLimits, entrants: int, rounds: int | None, tries: int
) -> list[tuple[Tables, list[int]]]:
    """Return the tables and the byes of each round, entrants numbered from 0."""
    byes = _byes(limits, entrants)
    search = _Search(table_sizes(limits, entrants - byes), entrants, tries)
    least = least_rounds(limits, entrants)
    if rounds is None:
        search.cover(least)
    else:
        search.fill(rounds, least)
    return [
        (tables, [one for one in range(entrants) if search.plan.table_of[number][one] < 0])
        for number, tables in enumerate(seated(search.plan.rounds))
    ]


class _Search:
    """How a schedule is put together."""

    def __init__(self, sizes: Sequence[int], entrants: int, tries: int) -> None:
        self.sizes = sizes
        self.entrants = entrants
        self.tries = tries
        self.byes = entrants - sum(sizes)
        self.plan = Plan(entrants, [], Dice(entrants))

    def cover(self, least: int) -> None:
        """Add rounds until everybody meets everybody, then do with fewer while that can be."""
        plan = self._begun(best_known)
        while plan.strangers():
            self._add()
        while len(plan.rounds) > least:
            kept = [[list(table) for table in tables] for tables in plan.rounds]
            plan.drop(self._least_needed())
            if not plan.improve(range(len(plan.rounds)), self.tries):
                self.plan = Plan(self.entrants, kept, plan.dice)
                return

    def fill(self, rounds: int, least: int) -> None:
        """Have just so many rounds: as good as can be, or all of a cover again and again."""
        start = [*self._begun(without_repeats).rounds]
        if rounds > len(start):
            self.cover(least)
        cover = [*self.plan.rounds]
        again, rest = (0, rounds) if self.byes else divmod(rounds, len(cover))
        self.plan = Plan(self.entrants, cover * again, self.plan.dice)
        for tables in start[:rest]:
            self.plan.add(tables)
        fresh = range(len(cover) * again, rounds)
        while len(self.plan.rounds) < rounds:
            self._add()
        if rest > len(start):
            self.plan.improve(fresh, self.tries, stop=False)

    def _begun(self, known: Callable[[int, int], list[Tables]]) -> Plan:
        """Begin with what is known for full tables, less who is missing from them."""
        full, tables = self.sizes[0], len(self.sizes)
        rounds = [] if self.byes else known(full * tables, full)
        start = [_cut(tables, self.sizes, self.entrants) for tables in rounds]
        self.plan = Plan(self.entrants, start, self.plan.dice)
        return self.plan

    def _add(self) -> None:
        """Append a round in which at least one pair meets that never did, if there is any."""
        plan = self.plan
        number = len(plan.rounds)
        strangers = plan.strangers()
        order = self._shuffled(number)
        plan.add(self._dealt(order))
        plan.improve([number], _TRIES_A_ROUND * self.entrants)
        if strangers and len(plan.strangers()) == len(strangers):
            plan.drop(number)
            playing = set(order)
            known = [pair for pair in strangers if playing.issuperset(pair)]
            first = known[0] if known else ()
            plan.add(self._dealt([*first, *[one for one in order if one not in first]]))

    def _shuffled(self, number: int) -> list[int]:
        """Return those who play in a round; byes go round in turn."""
        absent = {(number * self.byes + turn) % self.entrants for turn in range(self.byes)}
        order = [one for one in range(self.entrants) if one not in absent]
        for place in range(len(order) - 1, 0, -1):
            other = self.plan.dice.below(place + 1)
            order[place], order[other] = order[other], order[place]
        return order

    def _dealt(self, order: Sequence[int]) -> Tables:
        tables, at = [], 0
        for size in self.sizes:
            tables.append(list(order[at : at + size]))
            at += size
        return tables

    def _least_needed(self) -> int:
        """Return the round without which the fewest pairs never meet; the last of equals.

        With byes the last of all, since byes go round in turn.
        """
        plan = self.plan
        if self.byes:
            return len(plan.rounds) - 1
        only = [
            sum(plan.met[one][other] == 1 for one, other in pairs(tables)) for tables in plan.rounds
        ]
        return min(range(len(only)), key=lambda number: (only[number], -number))


def _cut(tables: Tables, sizes: Sequence[int], entrants: int) -> Tables:
    """Return a round without those who are missing; some change tables where sizes ask for it."""
    tables = [[one for one in table if one < entrants] for table in tables]
    tables.sort(key=len, reverse=True)
    for table, size in zip(tables, sizes, strict=True):
        while len(table) > size:
            short = next(
                other for other, least in zip(tables, sizes, strict=True) if len(other) < least
            )
            short.append(table.pop())
    return tables
