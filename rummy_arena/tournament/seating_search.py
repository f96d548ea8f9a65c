"""Tables of several seats by local search: from tables cut off a line, swaps that lower the cost.

The cost is in levels: pairs that must not sit together, repeated meetings, and the sum over the
tables of the squared difference between the highest and the lowest score. The levels are packed
into one integer.

**Descent.** Tables that cost something wait in a queue. Of the first, everybody who has a bad
neighbour there (everybody, if it is only wide) is tried against everybody at the tables near by,
and the swap that lowers the cost most is made; of equal ones the first. Tables that it changed
wait again. Where nothing near by helps a table with bad pairs, all tables up to FAR are tried.

Smaller tables have an empty chair, which is swapped as if somebody sat there, but never to a table
that has one; so any of them can become the smaller one.

**Kicks.** While pairs are bad, or tables wider than the bound that none can go below, and the
budget lasts, one or two who sit badly swap with somebody drawn by lot, and the descent begins
again; what has made things worse is taken back.

The budget counts swaps that were weighed, not time, so that the result is the same everywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from .swiss_entries import Line, squares_floor

NEAR = 5
"""Tables on either side that are tried first."""
FAR = 40
"""Tables on either side that are tried where no swap near by helps."""
WEIGHED_EACH = 100
"""Swaps that may be weighed for each entrant."""
WEIGHED_LEAST = 50_000
"""Swaps that may be weighed for a small field."""
KICKED = 2
"""Swaps of one kick, at most."""
IDLE_KICKS = 100
"""Kicks in a row that may fail before the search ends."""

Draw = Callable[[int], int]
"""A number below the argument."""


class Search:
    """Tables of positions in a line, and what they cost."""

    def __init__(self, line: Line, tables: Sequence[Sequence[int]], *, widths: bool) -> None:
        """Begin with these tables; without ``widths`` scores do not start a swap."""
        self._count = len(line.entries)
        self._scores: tuple[int | None, ...] = line.scores
        self._widths = widths
        scores = [Fraction(score) for score in line.scores]
        self._floor = squares_floor(scores, [len(table) for table in tables])
        widest = line.scores[0] - line.scores[-1] if line.scores else 0
        repeat = widest * widest * len(tables) + 1
        self.forbidden = repeat * (1 + sum(sum(met.values()) for met in line.met))
        self._bad = [
            {
                other: repeat * line.met[place].get(other, 0)
                + (self.forbidden if other in line.apart[place] else 0)
                for other in line.bad(place)
            }
            for place in range(self._count)
        ]
        self._chairs = [list(table) for table in tables]
        self._add_empty_chairs()
        self._home = {place: n for n, table in enumerate(self._chairs) for place in table}
        self._left = WEIGHED_LEAST + WEIGHED_EACH * self._count
        self._done: list[tuple[int, int]] = []

    def _add_empty_chairs(self) -> None:
        full = max(map(len, self._chairs), default=0)
        small = [table for table in self._chairs if len(table) < full]
        empty = range(self._count, self._count + len(small))
        for place, table in zip(empty, small, strict=True):
            table.append(place)
        never = self.forbidden * (1 + self._count**2)
        self._bad += [{other: never for other in empty if other != place} for place in empty]
        self._scores += (None,) * len(small)

    @property
    def tables(self) -> list[list[int]]:
        """The positions at each table."""
        return [[place for place in table if place < self._count] for table in self._chairs]

    def run(self, draw: Draw) -> None:
        """Lower the cost until nothing helps or the budget is used up."""
        if len(self._chairs) < 2:
            return
        self._descend(range(len(self._chairs)))
        places = self._to_be_kicked()
        idle = 0
        while places and self._left > 0 and idle < IDLE_KICKS:
            self._done.clear()
            change = self._kick(places, draw)
            idle = 0 if change < 0 else idle + 1
            if change > 0:
                for one, other in reversed(self._done):
                    self._swap(one, other)
            else:
                places = self._to_be_kicked()

    def badly_seated(self, least: int = 1) -> list[int]:
        """Return who has neighbours that cost ``least`` or more together."""
        return [
            place
            for place in range(self._count)
            if self._bad[place] and self._conflict(place, self._table(place)) >= least
        ]

    def _to_be_kicked(self) -> list[int]:
        bad = self.badly_seated()
        if bad or not self._widths:
            return bad
        widths = [self._width(table) for table in self._chairs]
        if sum(widths) == self._floor:
            return []
        wide = [table for table, width in zip(self._chairs, widths, strict=True) if width]
        return [place for table in wide for place in table]

    def _table(self, place: int) -> list[int]:
        return self._chairs[self._home[place]]

    def _conflict(self, place: int, table: Sequence[int]) -> int:
        bad = self._bad[place]
        return sum([bad[other] for other in table if other in bad]) if bad else 0

    def _width(self, table: Sequence[int]) -> int:
        scores = [score for place in table if (score := self._scores[place]) is not None]
        # A kick may empty a small table for a moment.
        return (max(scores) - min(scores)) ** 2 if scores else 0

    def _kick(self, places: Sequence[int], draw: Draw) -> int:
        touched = []
        change = 0
        for _ in range(1 + draw(KICKED)):
            one = places[draw(len(places))]
            other = self._somebody_else(one, draw)
            touched += [self._home[one], self._home[other]]
            change += self._change(one, other)
            self._swap(one, other)
        return change + self._descend(touched)

    def _somebody_else(self, place: int, draw: Draw) -> int:
        here = self._home[place]
        low, high = max(0, here - FAR), min(len(self._chairs) - 1, here + FAR)
        there = low + draw(high - low)
        table = self._chairs[there + (there >= here)]
        return table[draw(len(table))]

    def _descend(self, tables: Sequence[int]) -> int:
        """Make swaps that help, beginning at these tables; return the change of the cost."""
        queue, total = deque(dict.fromkeys(tables)), 0
        waiting = set(queue)
        while queue and self._left > 0:
            number = queue.popleft()
            waiting.discard(number)
            found = self._best_swap(number)
            if found is None:
                continue
            change, one, other = found
            self._swap(one, other)
            total += change
            for changed in (number, self._home[one]):
                if changed not in waiting:
                    waiting.add(changed)
                    queue.append(changed)
        return total

    def _best_swap(self, number: int) -> tuple[int, int, int] | None:
        table = self._chairs[number]
        movers = [place for place in table if self._conflict(place, table)]
        if not movers and self._widths and self._width(table):
            return self._best_of(table, self._around(number, 0, NEAR))
        found = self._best_of(movers, self._around(number, 0, NEAR)) if movers else None
        if movers and found is None:
            found = self._best_of(movers, self._around(number, NEAR, FAR))
        return found

    def _around(self, number: int, after: int, until: int) -> Iterator[int]:
        for distance in range(after + 1, until + 1):
            for near in (number - distance, number + distance):
                if 0 <= near < len(self._chairs):
                    yield from self._chairs[near]

    def _best_of(self, movers: Sequence[int], others: Iterator[int]) -> tuple[int, int, int] | None:
        best: tuple[int, int, int] | None = None
        for other in others:
            for one in movers:
                change = self._change(one, other)
                if change < 0 and (best is None or change < best[0]):
                    best = change, one, other
            self._left -= len(movers)
        return best

    def _change(self, one: int, other: int) -> int:
        """Return what the swap of two at different tables changes."""
        here, there = self._table(one), self._table(other)
        mine, theirs = self._bad[one], self._bad[other]
        change = 0
        if mine:
            change += self._conflict(one, there) - self._conflict(one, here)
        if theirs:
            change += self._conflict(other, here) - self._conflict(other, there)
            change -= 2 * theirs.get(one, 0)
        if self._scores[one] == self._scores[other]:
            return change
        left = [place for place in here if place != one]
        right = [place for place in there if place != other]
        return (
            change
            + self._width([*left, other])
            + self._width([*right, one])
            - self._width(here)
            - self._width(there)
        )

    def _swap(self, one: int, other: int) -> None:
        here, there = self._table(one), self._table(other)
        here[here.index(one)], there[there.index(other)] = other, one
        self._home[one], self._home[other] = self._home[other], self._home[one]
        self._done.append((one, other))
