"""Dealing a line of entrants out over tables, with those kept apart who are to be.

The line falls into rows of as many as there are tables, and each row gives one to every table: in
the order of the tables, or as a snake, in every other row from the last table to the first. Of a
last row that is not full, the first tables have one.

Those who are to be kept apart then change places within their rows, with the nearest table where
that leaves fewer meetings. What is to be kept apart first is not made worse for what comes after
it. Where changes of two leave more meetings than the least that there could be, rows are dealt
again by colours of edges, which finds the least for one kind of meetings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from rummy_arena.tournament.round_robin_colouring import edge_colours

Apart = Mapping[int, Hashable]
"""What entrants have in common who are to be kept apart; who is not in it may meet everybody."""

EMPTY = 0
"""A place of a row at which nobody sits."""
MOST_LOOKS = 200_000
"""Changes of two that are looked at for one kind of meetings, at most."""
MOST_COLOURS = 2_000_000
"""Rows are dealt again only where entrants times tables are no more than this."""


def dealt(
    line: Sequence[int], tables: int, *, snake: bool, apart: Sequence[Apart]
) -> list[list[int]]:
    """Return the tables with who sits at each, the larger ones first.

    ``apart`` has the kinds of meetings to avoid, the weightiest first.
    """
    rows = []
    for start in range(0, len(line), tables):
        row = list(line[start : start + tables])
        if snake and start // tables % 2:
            row.reverse()
        rows.append(row + [EMPTY] * (tables - len(row)))
    grid = Grid(rows, apart)
    for kind in range(len(apart)):
        if grid.part(kind) or kind or len(line) * tables > MOST_COLOURS:
            continue
        again = Grid(_by_colours(rows, apart[kind]), apart)
        if again.meetings(kind) < grid.meetings(kind):
            grid = again
    return sorted(grid.tables(), key=len, reverse=True)


class Grid:
    """Rows of entrants over tables, and how many of each kind meet at them."""

    def __init__(self, rows: Sequence[Sequence[int]], apart: Sequence[Apart]) -> None:
        self.rows = [list(row) for row in rows]
        self._apart = apart
        self._count = len(rows[0]) if rows else 0
        self._held: list[list[Counter[Hashable]]] = [
            [self._counted(kind, table) for table in range(self._count)] for kind in apart
        ]

    def _counted(self, kind: Apart, table: int) -> Counter[Hashable]:
        return Counter(kind[row[table]] for row in self.rows if row[table] in kind)

    def tables(self) -> list[list[int]]:
        """Return who sits at each table, in the order of the rows."""
        return [
            [row[table] for row in self.rows if row[table] != EMPTY] for table in range(self._count)
        ]

    def meetings(self, kind: int) -> int:
        """Return how many pairs of a kind sit together."""
        return sum(_pairs(held) for table in self._held[kind] for held in table.values())

    def part(self, kind: int, *, first_row: int = 0) -> bool:
        """Part those who meet; return whether as few meet as could.

        Rows before ``first_row`` stay as they are.
        """
        floor = self._floor(kind)
        looks = MOST_LOOKS
        while self.meetings(kind) > floor and looks > 0:
            changed = False
            for table in range(self._count):
                for row in range(first_row, len(self.rows)):
                    if not self._meets(kind, row, table):
                        continue
                    looks -= self._count
                    changed |= looks > 0 and self._moved(kind, row, table)
            if not changed:
                break
        return self.meetings(kind) == floor

    def _floor(self, kind: int) -> int:
        """Return how many pairs meet where everybody's are spread evenly."""
        sizes = Counter[Hashable]()
        for table in self._held[kind]:
            sizes.update(table)
        pairs = 0
        for size in sizes.values():
            each, more = divmod(size, self._count)
            pairs += (self._count - more) * _pairs(each) + more * _pairs(each + 1)
        return pairs

    def _meets(self, kind: int, row: int, table: int) -> bool:
        value = self._apart[kind].get(self.rows[row][table])
        return value is not None and self._held[kind][table][value] > 1

    def _moved(self, kind: int, row: int, table: int) -> bool:
        """Change places with the nearest table where that helps; return whether it did."""
        line = self.rows[row]
        for other in sorted(range(self._count), key=lambda there: abs(there - table)):
            if other == table or line[other] == EMPTY:
                continue
            if self._difference(kind, row, table, other) < [0] * (kind + 1):
                self._change(row, table, other)
                return True
        return False

    def _difference(self, last: int, row: int, table: int, other: int) -> list[int]:
        """Return how many more pairs of each kind meet if two of a row change places."""
        one, two = self.rows[row][table], self.rows[row][other]
        found = []
        for kind in range(last + 1):
            mine, theirs = self._apart[kind].get(one), self._apart[kind].get(two)
            here, there = self._held[kind][table], self._held[kind][other]
            more = 0
            if mine != theirs:
                if mine is not None:
                    more += there[mine] - here[mine] + 1
                if theirs is not None:
                    more += here[theirs] - there[theirs] + 1
            found.append(more)
        return found

    def _change(self, row: int, table: int, other: int) -> None:
        line = self.rows[row]
        line[table], line[other] = line[other], line[table]
        for kind, held in zip(self._apart, self._held, strict=True):
            for place in (table, other):
                held[place] = self._counted(kind, place)


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def _by_colours(rows: Sequence[Sequence[int]], apart: Apart) -> list[list[int]]:
    """Return the rows with everybody's spread evenly over the tables."""
    numbers: dict[Hashable, int] = {}
    seats = [
        (row, table, entrant)
        for row, line in enumerate(rows)
        for table, entrant in enumerate(line)
        if entrant != EMPTY
    ]
    edges = []
    for row, _, entrant in seats:
        common = ("of", apart[entrant]) if entrant in apart else ("alone", entrant)
        edges.append((row, numbers.setdefault(common, len(numbers))))
    found = edge_colours(edges, len(rows[0]), [table for _, table, _ in seats])
    again = [[EMPTY] * len(line) for line in rows]
    for (row, _, entrant), table in zip(seats, found, strict=True):
        again[row][table] = entrant
    return again
