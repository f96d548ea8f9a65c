"""Colours for the edges of a bipartite graph: who sits where, and which group gets whom.

König (1916): where no vertex has more edges than there are colours, edges can be coloured so that
no two of a colour meet. Seats: an entrant's edges are its tables, a table's edges are its
entrants, a colour is a seat. Groups: one side are the rows of a seeding, the other the owners,
a colour is a group. Vertices with more edges than colours are split into parts that have as many
edges as there are colours, the first edges first: so each colour comes up equally often, within
one, and once in each part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

Edge = tuple[int, int]
"""A vertex of the one side and one of the other, each numbered for itself."""

_NONE = -1


def edge_colours(edges: Sequence[Edge], colours: int, wanted: Sequence[int] = ()) -> list[int]:
    """Return a colour from 0 for each edge; no two edges of a part of a vertex have the same.

    ``wanted`` names colours that are taken where they are free, edge by edge; a later edge may
    change an earlier one's. Time grows with edges times colours at worst times edges of a path.
    """
    ends = _in_parts(edges, colours)
    at: dict[tuple[int, int, int], list[int]] = defaultdict(lambda: [_NONE] * colours)
    found = [_NONE] * len(edges)
    for edge, (left, right) in enumerate(ends):
        here, there = at[left], at[right]
        colour = wanted[edge] if wanted else _NONE
        if colour == _NONE or here[colour] != _NONE or there[colour] != _NONE:
            colour = _free(here, there)
        if colour == _NONE:
            colour = here.index(_NONE)
            _flip(at, ends, found, right, colour, there.index(_NONE))
        found[edge] = colour
        here[colour] = there[colour] = edge
    return found


def _in_parts(
    edges: Sequence[Edge], size: int
) -> list[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    """Return the edges between parts of vertices; a part is its side, its vertex and a number."""
    degree: dict[tuple[int, int], int] = defaultdict(int)
    parts = []
    for edge in edges:
        ends = []
        for side, vertex in enumerate(edge):
            ends.append((side, vertex, degree[side, vertex] // size))
            degree[side, vertex] += 1
        parts.append((ends[0], ends[1]))
    return parts


def _free(here: list[int], there: list[int]) -> int:
    """Return the first colour that is free at both ends, or _NONE."""
    for colour, (one, other) in enumerate(zip(here, there, strict=True)):
        if one == other == _NONE:
            return colour
    return _NONE


def _flip(
    at: dict[tuple[int, int, int], list[int]],
    ends: Sequence[tuple[tuple[int, int, int], tuple[int, int, int]]],
    found: list[int],
    start: tuple[int, int, int],
    colour: int,
    other: int,
) -> None:
    """Exchange two colours along the path that leaves ``start`` by ``colour``, to free it there.

    The path cannot come back to the other end of the new edge: the graph is bipartite, and
    ``colour`` is free at that end.
    """
    path = []
    vertex, next_colour = start, colour
    while (edge := at[vertex][next_colour]) != _NONE:
        path.append(edge)
        one, two = ends[edge]
        vertex = two if vertex == one else one
        next_colour = colour + other - next_colour
    for edge in path:
        for end in ends[edge]:
            at[end][found[edge]] = _NONE
    for edge in path:
        found[edge] = colour + other - found[edge]
        for end in ends[edge]:
            at[end][found[edge]] = edge
