"""Pairing on a ladder: from the pool at this moment to tables, and why whoever is left waits.

Whoever is more than ``lead`` games ahead of the fewest waits for the others a while. The rest get
their turn in this order: who has waited beyond the ladder's patience, the longest
first; then who has played the fewest games; then who has waited longest; then by lot. Around each a
table is made of those in its reach (see ``ladder``), the cheapest first: a seat costs its distance,
``GAME`` points for each game more than the fewest, and ``again`` for each meeting with those who
sit there already. Whoever is free and could be given a table has one when this returns.

Anchors fill tables when others do not suffice, and have no turn. An entrant that may play at
several tables gets one of them at a time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .draw import SEAT, TURN, lot
from .errors import DuplicateEntrants
from .ladder import MOST_HOLDS, Contender, LadderTerms
from .ladder_reasons import Ahead, Pausing, Reason, TablesFull
from .ladder_waits import Sight, why

GAME = 10
"""Points that each game more than the fewest counts, when seats are given."""
WIDTH = 24
"""So many parties in reach are looked at for a table, the nearest first."""


@dataclass(frozen=True, slots=True)
class LadderPairing:
    """Tables to open, in seat order, and everybody who waits."""

    tables: tuple[tuple[int, ...], ...]
    waits: dict[int, Reason]
    look_ms: int | None  # when to pair again though nothing happens
    fewest: int = 0  # games of whoever has played the fewest, by which others are held back

    @property
    def seated(self) -> frozenset[int]:
        """Everybody who gets a table."""
        return frozenset(entrant for table in self.tables for entrant in table)


def pair(
    pool: Iterable[Contender],
    terms: LadderTerms,
    now_ms: int,
    *,
    seed: bytes = b"",
    number: int = 1,
    open_tables: int = 0,
) -> LadderPairing:
    """Return the tables to open now, the first of which gets ``number``; raises DuplicateEntrants.

    A function of its arguments; the order of the pool changes nothing.
    """
    run = _Run(sorted(pool, key=lambda one: one.entrant), terms, now_ms, seed, number)
    for head in run.turns:
        if open_tables + len(run.tables) >= terms.tables:
            break
        if run.is_free(head) and (table := run.table_around(head)):
            run.seat(table)
    run.explain(full=open_tables + len(run.tables) >= terms.tables)
    looks = [reason.until_ms for reason in run.waits.values() if reason.until_ms is not None]
    waits = dict(sorted(run.waits.items()))
    return LadderPairing(tuple(run.tables), waits, min(looks, default=None), run.fewest)


class _Run:
    """The pool while it is paired."""

    def __init__(
        self, pool: list[Contender], terms: LadderTerms, now_ms: int, seed: bytes, number: int
    ) -> None:
        numbers = [one.entrant for one in pool]
        if len(set(numbers)) < len(numbers):
            raise DuplicateEntrants(sorted({n for n in numbers if numbers.count(n) > 1}))
        self.terms, self.now_ms, self.seed, self.number = terms, now_ms, seed, number
        self.tables: list[tuple[int, ...]] = []
        self.waits: dict[int, Reason] = {}
        self.fewest = _fewest(pool, now_ms - MOST_HOLDS * terms.hold_ms)
        self.lots = {one.entrant: lot(seed, TURN, number, one.entrant) for one in pool}
        self.room = {one.entrant: one.at_once - one.playing for one in pool if one.anchor}
        free = [one for one in pool if one.playing < one.at_once]
        self.anchors = sorted(((o.mean, o.entrant, o) for o in free if o.anchor), key=_place)
        askers = [one for one in free if not one.anchor and not self._put_off(one)]
        self.others = sorted(((o.mean, o.entrant, o) for o in askers), key=_place)
        self.free = {one.entrant for one in askers}
        self.turns = sorted(askers, key=self._turn)

    def _put_off(self, one: Contender) -> bool:
        """Return whether an entrant is not free yet, which is then its reason."""
        waited_ms, terms = self.now_ms - one.since_ms, self.terms
        if waited_ms < terms.pause_ms:
            self.waits[one.entrant] = Pausing(one.since_ms + terms.pause_ms)
        elif waited_ms < (held_ms := terms.held_ms(one.counted - self.fewest)):
            until_ms = one.since_ms + held_ms
            self.waits[one.entrant] = Ahead(one.counted, self.fewest, terms.lead, until_ms)
        return one.entrant in self.waits

    def _turn(self, one: Contender) -> tuple[int, int, int, bytes]:
        patient = self.now_ms - one.since_ms < self.terms.patience_ms
        games = one.counted if patient else 0
        return int(patient), games, one.since_ms, self.lots[one.entrant]

    def is_free(self, one: Contender) -> bool:
        return one.entrant in self.free

    def table_around(self, head: Contender) -> list[Contender] | None:
        """Return the best table for an entrant, itself first; None if there is none."""
        waited_ms, terms = self.now_ms - head.since_ms, self.terms
        reach = terms.reach_after(waited_ms)
        near = self._in_reach(head, self.others, reach)
        table = self._filled([head], near)
        if len(table) < terms.seats and waited_ms >= terms.anchors_ms:
            table = self._filled(table, self._in_reach(head, self.anchors, reach))
        fewest = terms.fewest if waited_ms >= terms.fewer_ms else terms.seats
        return table if len(table) >= fewest else None

    def _in_reach(
        self, head: Contender, places: list[_Place], reach: int
    ) -> list[tuple[float, Contender]]:
        """Return whom an entrant may meet with what the seat costs; of WIDTH parties at least."""
        found: list[tuple[float, Contender]] = []
        parties: set[tuple[str, int]] = set()
        for gap, one in outward(places, head):
            if gap > reach or len(parties) >= WIDTH:
                break
            distance = self.distance(head, one)
            if distance <= reach and self._apart(head, one):
                parties.add(one.party)
                cost = distance if one.anchor else distance + GAME * (one.counted - self.fewest)
                found.append((cost, one))
        return found

    def distance(self, head: Contender, one: Contender) -> float:
        """Return how far another lies from the entrant whose turn it is."""
        gap = abs(head.mean - one.mean)
        return gap if one.anchor else gap + self.terms.again * head.met(one.entrant)

    def _apart(self, one: Contender, other: Contender) -> bool:
        return not self.terms.owners_apart or one.party != other.party

    def _filled(
        self, table: list[Contender], near: list[tuple[float, Contender]]
    ) -> list[Contender]:
        """Return the table with the cheapest of those in reach at the seats that are left."""
        table, left = list(table), list(near)
        while len(table) < self.terms.seats:
            left = [item for item in left if all(self._apart(item[1], one) for one in table)]
            if not left:
                break
            best = min(left, key=lambda item: (self._cost(item, table), self.lots[item[1].entrant]))
            left.remove(best)
            table.append(best[1])
        return table

    def _cost(self, item: tuple[float, Contender], table: list[Contender]) -> float:
        cost, one = item
        return cost + self.terms.again * sum(one.met(other.entrant) for other in table[1:])

    def seat(self, table: list[Contender]) -> None:
        """Take a table's entrants out of the pool, and draw their seats."""
        number = self.number + len(self.tables)
        entrants = [one.entrant for one in table]
        self.tables.append(tuple(sorted(entrants, key=lambda e: lot(self.seed, SEAT, number, e))))
        for one in table:
            if one.anchor:
                self.room[one.entrant] -= 1
                if not self.room[one.entrant]:
                    self.anchors.remove((one.mean, one.entrant, one))
            else:
                self.free.discard(one.entrant)
                del self.others[bisect_left(self.others, (one.mean, one.entrant), key=_place)]

    def explain(self, *, full: bool) -> None:
        """Say of everybody who is free and has no table why."""
        for _, entrant, one in list(self.others):
            if full:
                self.waits[entrant] = TablesFull(self.terms.tables)
                continue
            sights = []
            for places in (self.others, self.anchors):
                seen: list[Sight] = []
                parties: set[tuple[str, int]] = set()
                for _, other in outward(places, one):
                    if len(parties) >= WIDTH:
                        break
                    parties.add(other.party)
                    seen.append(Sight(self.distance(one, other), other))
                sights.append(seen)
            self.waits[entrant] = why(one, sights[0], sights[1], self.terms, self.now_ms)


def _fewest(pool: list[Contender], after_ms: int) -> int:
    """Return the fewest games of those who came free or got a table after a moment.

    Nobody waits longer than that for one who plays slowly or cannot be given a table.
    """
    asking = [one for one in pool if not one.anchor]
    all_of_them = max((one.counted for one in asking), default=0)
    return min((one.counted for one in asking if one.since_ms >= after_ms), default=all_of_them)


_Place = tuple[float, int, Contender]


def _place(place: _Place) -> tuple[float, int]:
    return place[:2]


def outward(places: list[_Place], head: Contender) -> Iterator[tuple[float, Contender]]:
    """Yield everybody else by the gap of ratings, the nearest first, the lower one of a tie."""
    middle = bisect_left(places, (head.mean, head.entrant), key=_place)
    low, high = middle - 1, middle
    while low >= 0 or high < len(places):
        below = head.mean - places[low][0] if low >= 0 else None
        above = places[high][0] - head.mean if high < len(places) else None
        if above is None or (below is not None and below <= above):
            gap, one = below, places[low][2]
            low -= 1
        else:
            gap, one = above, places[high][2]
            high += 1
        assert gap is not None  # noqa: S101  one of the two ends is left
        if one.entrant != head.entrant:
            yield gap, one
