"""Cheapest perfect matchings, with costs in levels.

The blossom method (Edmonds 1965, in the form of Galil, ACM Computing Surveys 18, 1986) by
rustworkx, which holds weights and duals in 128 bits. Levels are packed into one integer, each
level's unit above all that the levels after it can add up to, so that the sum orders matchings as
the tuple of the levels' sums would.
"""

from __future__ import annotations

from collections.abc import Sequence

Edge = tuple[int, int]
MOST_BITS = 110
"""Of a packed cost. Duals grow up to half the vertices times the costs: 13 bits at 16,384."""


def packed(levels: Sequence[Sequence[int]], vertices: int, spare: Sequence[int]) -> list[int]:
    """Return one cost for each edge from its costs on every level, the weightiest first.

    ``spare`` is a last level of 64-bit numbers that gets what bits are left, at most 40. Raises
    OverflowError when the levels alone need more than MOST_BITS.
    """
    edges = vertices // 2
    costs = [0] * len(spare)
    for level in levels:
        unit = edges * max(level, default=0) + 1
        costs = [cost * unit + own for cost, own in zip(costs, level, strict=True)]
    room = MOST_BITS - max(costs, default=0).bit_length() - edges.bit_length()
    if room < 0:
        raise OverflowError(f"costs of {MOST_BITS - room} bits; {MOST_BITS} can be handled")
    bits = min(40, room)
    unit = bits + edges.bit_length()
    return [(cost << unit) + (last >> (64 - bits)) for cost, last in zip(costs, spare, strict=True)]


def cheapest_matching(
    vertices: int, edges: Sequence[Edge], costs: Sequence[int]
) -> tuple[list[int | None], bool]:
    """Return everybody's partner and whether all have one.

    Of the matchings with the most pairs it is one of the least cost; which, is sure only where no
    two cost the same. Needs rustworkx, which the extra ``server`` installs.
    """
    import rustworkx  # a bot's author who only plays installs the library without it

    top = max(costs, default=0)
    graph = rustworkx.PyGraph(multigraph=False, node_count_hint=vertices)
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(
        [(one, other, top - cost) for (one, other), cost in zip(edges, costs, strict=True)]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    partners: list[int | None] = [None] * vertices
    for one, other in found:
        partners[one], partners[other] = other, one
    return partners, 2 * len(found) == vertices
