"""Seats of a schedule: each entrant sits in each seat equally often, whoever it meets.

At tables of one size that is exact: in each run of as many of its rounds as a table has seats,
from its first, an entrant sits in each seat once (``round_robin_colouring`` says why that can be).
Where sizes differ, an entrant cannot have the last seat at a smaller table; seats are then
exchanged at the tables until no exchange makes them more even.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .round_robin_colouring import edge_colours
from .round_robin_designs import Tables


def seated(rounds: Sequence[Tables]) -> list[Tables]:
    """Return the rounds with each table in seat order."""
    tables = [table for tables in rounds for table in tables]
    seats = max(map(len, tables))
    edges = [(number, entrant) for number, table in enumerate(tables) for entrant in sorted(table)]
    found = iter(edge_colours(edges, seats))
    ordered = [
        [entrant for _, entrant in sorted((next(found), entrant) for entrant in sorted(table))]
        for table in tables
    ]
    if min(map(len, tables)) < seats:
        _even_out(ordered, seats)
    again = iter(ordered)
    return [[next(again) for _ in tables] for tables in rounds]


def seat_counts(rounds: Sequence[Tables], seats: int) -> dict[int, list[int]]:
    """Return by entrant how often it sits in each of the first ``seats`` seats."""
    counts: dict[int, list[int]] = {}
    for tables in rounds:
        for table in tables:
            for seat, entrant in enumerate(table):
                row = counts.setdefault(entrant, [0] * seats)
                if seat < seats:
                    row[seat] += 1
    return counts


def _even_out(tables: Tables, seats: int) -> None:
    """Exchange seats within tables while that makes the sum of the counts' squares smaller."""
    counts = seat_counts([tables], seats)
    changed = True
    while changed:
        changed = False
        for table in tables:
            for here, there in combinations(range(len(table)), 2):
                one, other = counts[table[here]], counts[table[there]]
                if one[here] - one[there] + other[there] - other[here] > 2:
                    one[here], one[there] = one[here] - 1, one[there] + 1
                    other[there], other[here] = other[there] - 1, other[here] + 1
                    table[here], table[there] = table[there], table[here]
                    changed = True
