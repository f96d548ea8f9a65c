"""What the pairing of a Swiss round looks at, and what it hands out.

A pairing is a function of its arguments alone: entries may come in any order, and everything that
nothing else decides is a lot of the seed (see ``draw``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import lcm

from .draw import lot
from .errors import DuplicateEntrants

Pair = tuple[int, int]
"""Two entrants, the smaller number first."""

PAIR = "pair"
"""Purpose of a lot that orders entrants of equal score in a Swiss round."""
FINEST_SCORES = 1 << 24
"""Integer scores farther apart than this are replaced by their ranks among the scores held."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entrant as the next pairing sees it."""

    entrant: int
    score: Fraction | int
    byes: int = 0  # so far
    seats: tuple[int, ...] = ()  # taken so far, 0 is the first seat, the oldest round first


@dataclass(frozen=True, slots=True)
class Quality:
    """How good a pairing is; each figure is better when smaller."""

    repeats: int = 0  # earlier meetings, summed over all pairs at a table
    spread: Fraction = Fraction(0)  # highest less lowest score, summed over the tables
    widest: Fraction = Fraction(0)  # the largest spread of a table
    squares: Fraction = Fraction(0)  # squared spreads, summed over the tables
    squares_floor: Fraction = Fraction(0)  # no pairing has smaller squares, repeats or not
    uneven_seats: int = 0  # entrants with a seat taken two times more often than another


@dataclass(frozen=True, slots=True)
class Pairing:
    """A paired round: tables of entrants in seat order, the highest scores first."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    quality: Quality


class KeptApart(ValueError):
    """No pairing keeps everybody apart who must be; ``entrants`` names those left over."""

    def __init__(self, entrants: Iterable[int]) -> None:
        self.entrants = tuple(sorted(entrants))
        shown = ", ".join(map(str, self.entrants))
        super().__init__(
            f"nobody is left whom these entrants may meet: {shown}; "
            "allow them to meet, or let some of them sit out"
        )


def pair_of(one: int, other: int) -> Pair:
    """Return the two as a pair."""
    return (one, other) if one < other else (other, one)


def meetings(rounds: Iterable[Iterable[Sequence[int]]]) -> Counter[Pair]:
    """Return how often each two entrants sat at one table, given the tables of every round."""
    return Counter(
        pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2)
    )


def owner_pairs(owners: Mapping[int, Hashable]) -> frozenset[Pair]:
    """Return every two entrants of one owner; who has no owner is not in the mapping."""
    held: dict[Hashable, list[int]] = defaultdict(list)
    for entrant in sorted(owners):
        held[owners[entrant]].append(entrant)
    return frozenset(pair for group in held.values() for pair in combinations(group, 2))


@dataclass(frozen=True, slots=True)
class Line:
    """Entries from the highest score to the lowest, and how those of equal score are mixed.

    Everything is by position in this line.
    """

    entries: tuple[Entry, ...]
    scores: tuple[int, ...]  # falling integers in the ratio of the scores, see FINEST_SCORES
    lots: tuple[int, ...]  # 64 bits
    met: tuple[dict[int, int], ...]  # position of each earlier opponent: number of meetings
    apart: tuple[frozenset[int], ...]  # positions that must not meet this one

    def bad(self, position: int) -> set[int]:
        """Return whom this position should not meet."""
        return {*self.met[position], *self.apart[position]}


def line_up(
    entries: Collection[Entry],
    *,
    met: Mapping[Pair, int],
    forbidden: Collection[Pair],
    seed: bytes,
    round_number: int,
    kind: Callable[[Entry], int],
) -> Line:
    """Return the line of a round; raises DuplicateEntrants.

    Those of equal score stand in the order of their lots, but every ``kind`` is spread evenly
    among them: neighbours are of different kinds where that can be. Pairs in ``met`` and
    ``forbidden`` with somebody who is not here do not matter.
    """
    times = Counter(entry.entrant for entry in entries)
    if len(times) < len(entries):
        raise DuplicateEntrants(sorted(entrant for entrant, n in times.items() if n > 1))
    drawn = {entrant: lot(seed, PAIR, round_number, entrant) for entrant in times}
    ordered = _mixed(sorted(entries, key=lambda entry: drawn[entry.entrant]), kind)
    places = {entry.entrant: place for place, entry in enumerate(ordered)}
    opponents: list[dict[int, int]] = [{} for _ in ordered]
    for (one, other), count in met.items():
        if one in places and other in places and count > 0:
            a, b = places[one], places[other]
            opponents[a][b] = opponents[b][a] = count
    apart: list[set[int]] = [set() for _ in ordered]
    for one, other in forbidden:
        if one in places and other in places:
            apart[places[one]].add(places[other])
            apart[places[other]].add(places[one])
    return Line(
        entries=tuple(ordered),
        scores=_whole([Fraction(entry.score) for entry in ordered]),
        lots=tuple(int.from_bytes(drawn[entry.entrant][:8], "big") for entry in ordered),
        met=tuple(opponents),
        apart=tuple(map(frozenset, apart)),
    )


def _mixed(entries: Sequence[Entry], kind: Callable[[Entry], int]) -> list[Entry]:
    groups: dict[tuple[Fraction | int, int], list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.score, kind(entry)].append(entry)
    # The middles of as many equal shares of the score group as there are of the kind in it.
    shares = {
        entry.entrant: ((2 * place + 1) << 32) // len(group)
        for group in groups.values()
        for place, entry in enumerate(group)
    }
    return sorted(entries, key=lambda entry: (-entry.score, shares[entry.entrant]))


def _whole(scores: Sequence[Fraction]) -> tuple[int, ...]:
    unit = lcm(*{score.denominator for score in scores})
    whole = [int(score * unit) for score in scores]
    if whole and whole[0] - whole[-1] > FINEST_SCORES:
        ranks = {score: rank for rank, score in enumerate(sorted(set(whole)))}
        whole = [ranks[score] for score in whole]
    return tuple(whole)


def quality(
    tables: Sequence[Sequence[int]], entries: Iterable[Entry], met: Mapping[Pair, int]
) -> Quality:
    """Return how good tables of entrants in seat order are."""
    known = {entry.entrant: entry for entry in entries}
    spreads = []
    uneven = repeats = 0
    for table in tables:
        scores = [known[entrant].score for entrant in table]
        spreads.append(Fraction(max(scores) - min(scores)))
        repeats += sum(met.get(pair, 0) for pair in combinations(sorted(table), 2))
        for seat, entrant in enumerate(table):
            taken = Counter(dict.fromkeys(range(len(table)), 0))
            taken.update([*known[entrant].seats, seat])
            uneven += max(taken.values()) - min(taken.values()) > 1
    seated = sorted((Fraction(known[e].score) for table in tables for e in table), reverse=True)
    return Quality(
        repeats=repeats,
        spread=sum(spreads, Fraction(0)),
        widest=max(spreads, default=Fraction(0)),
        squares=sum((spread * spread for spread in spreads), Fraction(0)),
        squares_floor=squares_floor(seated, [len(table) for table in tables]),
        uneven_seats=uneven,
    )


def squares_floor(scores: Sequence[Fraction], sizes: Sequence[int]) -> Fraction:
    """Return a bound that the sum of squared spreads cannot go below, from falling scores.

    Some table holds entrants from both sides of every gap between neighbours in the line, unless
    whole tables fill one side of it; and the square of a sum is not below the sum of the squares.
    """
    whole = {0}
    for size, tables in Counter(sizes).items():
        whole = {sum_ + size * n for sum_ in whole for n in range(tables + 1)}
    gaps = ((k, scores[k - 1] - scores[k]) for k in range(1, len(scores)))
    return sum((gap * gap for k, gap in gaps if gap and k not in whole), Fraction(0))
