"""The bracket of two-seat tables: who meets whom in every round is fixed by the first.

A bracket is a line of places, as many as a power of two; the first two meet, the next two, and so
on, and the winners form the line of the next round. Seeds stand in it so that 1 and 2 can meet only
in the final, 1 to 4 only in the semi-finals, and so on: 1-8, 4-5, 2-7, 3-6 for eight. Places that
nobody takes are empty, and who stands beside one goes on without playing: in the first round those
are the byes of the best seeds, later the walkovers of those whose opponent has left, or lost by
forfeit as their own opponent did. A round in which nobody would play is passed over.

In the first round, those of the weaker half of the seeds change places where otherwise two who are
to be kept apart would meet.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from .elimination_seating import EMPTY, Apart, Grid

Line = list[int]
Meeting = tuple[int, int]


def bracket_size(entrants: int) -> int:
    """Return the least power of two that holds so many, 2 or more."""
    return max(2, 1 << (entrants - 1).bit_length())


def seeds_in_place(size: int) -> list[int]:
    """Return the seeds, from 1, in the order of a bracket's places."""
    order = [1]
    while len(order) < size:
        last = 2 * len(order) + 1
        order = [seed for high in order for seed in (high, last - high)]
    return order


def drawn(order: Sequence[int], apart: Sequence[Apart]) -> Line:
    """Return the line of the first round, of entrants in the order of their seeding."""
    size = bracket_size(len(order))
    half = size // 2
    seeds = [*order, *[EMPTY] * (size - len(order))]
    grid = Grid([seeds[:half], seeds[half:][::-1]], apart)
    for kind in range(len(apart)):
        grid.part(kind, first_row=1)
    top, bottom = grid.rows
    beside = dict(zip(top, bottom, strict=True))
    seed_at = seeds_in_place(size)[::2]
    return list(chain.from_iterable((top[seed - 1], beside[top[seed - 1]]) for seed in seed_at))


def meetings(line: Sequence[int]) -> list[Meeting]:
    """Return the pairs of a line, also those with empty places."""
    return list(zip(line[::2], line[1::2], strict=True))


def narrowed(line: Sequence[int], present: Collection[int]) -> Line:
    """Return the line of those who are there, without rounds in which nobody would play."""
    left = [entrant if entrant in present else EMPTY for entrant in line]
    while len(left) > 1 and not any(one and other for one, other in meetings(left)):
        left = [one or other for one, other in meetings(left)]
    return left


def to_play(line: Sequence[int]) -> tuple[list[Meeting], list[int]]:
    """Return the tables of a line, and who goes on without playing."""
    pairs = meetings(line) if len(line) > 1 else []
    return (
        [(one, other) for one, other in pairs if one and other],
        [one or other for one, other in pairs if (one or other) and not (one and other)],
    )


def after_round(
    line: Line, tables: Sequence[Sequence[int]], byes: Sequence[int], won: Collection[int]
) -> Line:
    """Return the line after a round, of which these tables belong to the bracket.

    ``line`` is the one before it; an empty one before the first round.
    """
    if not line:
        line = _first_line(tables, byes)
    else:
        line = _as_played(narrowed(line, {*chain.from_iterable(tables), *byes}), tables, byes)
    return [
        (one if one in won else other if other in won else EMPTY) if one and other else one or other
        for one, other in meetings(line)
    ]


def _as_played(line: Line, tables: Sequence[Sequence[int]], byes: Sequence[int]) -> Line:
    """Return the line with everybody where they sat, also where a director had exchanged some.

    ``line`` has the same entrants; tables and byes are in the order of their places.
    """
    playing, free = iter(tables), iter(byes)
    found: Line = []
    for one, other in meetings(line):
        if one and other:
            found += next(playing, (one, other))
        else:
            found += (next(free, EMPTY) if one or other else EMPTY, EMPTY)
    return found


def _first_line(tables: Sequence[Sequence[int]], byes: Sequence[int]) -> Line:
    """Return the line of a first round, whose tables and byes are in the order of their places."""
    size = bracket_size(2 * (len(tables) + len(byes)))
    playing, free = iter(tables), iter(byes)
    line: Line = []
    for seed in seeds_in_place(size)[::2]:
        pair = [next(free, EMPTY), EMPTY] if seed <= len(byes) else next(playing, (EMPTY, EMPTY))
        line += [*pair, EMPTY, EMPTY][:2]
    return line
