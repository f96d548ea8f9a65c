"""Tables of a shrinking field from one deal to the next: which is broken, and who moves.

1. Who is out leaves; the others keep their table and their order, in which the turn to deal passes
   on: the first of a table deals.
2. There are as few tables as hold the field. While there are too many, the one with the fewest
   entrants is broken, of equal ones the last; if there are too few, empty ones are opened.
3. Those of broken tables, in their order, and then those who join go to the shortest table each,
   of equal ones the first, and deal there last.
4. While two tables differ by more than one, who is next to deal at the longest, of equal ones the
   first, moves to the shortest and deals there last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def moved(
    before: Iterable[Sequence[int]], here: Collection[int], joining: Iterable[int], count: int
) -> tuple[tuple[int, ...], ...]:
    """Return so many tables for the next deal, the dealer of each first.

    ``before`` are the tables of the last deal, ``here`` who of them plays on, ``joining`` who comes
    to a table that was at none.
    """
    tables = [[one for one in (*table[1:], *table[:1]) if one in here] for table in before]
    moving: list[int] = []
    while len(tables) > count:
        moving += tables.pop(min(range(len(tables)), key=lambda at: (len(tables[at]), -at)))
    tables += [[] for _ in range(count - len(tables))]
    for one in (*moving, *joining):
        min(tables, key=len).append(one)
    while True:
        longest, shortest = max(tables, key=len), min(tables, key=len)
        if len(longest) - len(shortest) < 2:
            return tuple(map(tuple, tables))
        shortest.append(longest.pop(0))
