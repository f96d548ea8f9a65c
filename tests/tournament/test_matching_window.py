"""Pairs that the windows leave out are never needed: compared with all pairs, on short lines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import networkx
import pytest

from rummy_arena.tournament.matching import MOST_BITS, cheapest_matching, packed
from rummy_arena.tournament.matching_window import cuts, reaches
from tests.sweeps import sweeping, times


def chance_line(dice: random.Random, most: int) -> tuple[list[int], list[set[int]]]:
    """Return falling scores with ties, and bad partners, rather near each other, of everybody."""
    count = 2 * dice.randint(1, most // 2)
    spread = dice.choice([1, 3, 10, 40])
    scores = sorted((dice.randint(0, spread) for _ in range(count)), reverse=True)
    bad: list[set[int]] = [set() for _ in range(count)]
    density, near = dice.choice([0.02, 0.1, 0.3, 0.7]), dice.choice([2, 5, count])
    for a, b in combinations(range(count), 2):
        if b - a <= near and dice.random() < density:
            bad[a].add(b)
            bad[b].add(a)
    return scores, bad


def least(
    edges: Sequence[tuple[int, int]], scores: Sequence[int], bad: Sequence[set[int]]
) -> tuple[int, int] | None:
    """Return bad pairs and squares of the best perfect matching, by networkx."""
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(len(scores)))
    for a, b in edges:
        cost = (10**6 if b in bad[a] else 0) + (scores[a] - scores[b]) ** 2
        graph.add_edge(a, b, weight=-cost)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) < len(scores):
        return None
    return (
        sum(b in bad[a] for a, b in found),
        sum((scores[a] - scores[b]) ** 2 for a, b in found),
    )


@sweeping
@pytest.mark.parametrize("seed", range(times(80, 1000)))
def test_pairs_within_reach_do_as_well_as_all_pairs(seed: int) -> None:
    dice = random.Random(seed)
    scores, bad = chance_line(dice, 30)
    reach = reaches(bad, odd=False)
    every = list(combinations(range(len(scores)), 2))
    within = [(a, b) for a, b in every if b <= reach.right[a] and reach.needed(a, b)]
    assert least(within, scores, bad) == least(every, scores, bad)
    free = cuts(bad, reach)
    blocks = [sum(free[p] and p % 2 == 0 for p in range(1, a + 1)) for a in range(len(scores))]
    inside = [(a, b) for a, b in within if blocks[a] == blocks[b]]
    assert least(inside, scores, bad) == least(every, scores, bad)


@sweeping
@pytest.mark.parametrize("seed", range(times(40, 400)))
def test_pairs_within_reach_do_as_well_whoever_has_the_bye(seed: int) -> None:
    dice = random.Random(seed)
    scores, bad = chance_line(dice, 20)
    out = dice.randrange(len(scores) + 1)
    scores.insert(out, scores[min(out, len(scores) - 1)])
    moved = [{b + (b >= out) for b in partners} for partners in bad]
    moved.insert(out, set())
    reach = reaches(moved, odd=True)
    kept = [p for p in range(len(scores)) if p != out]
    every = list(combinations(kept, 2))
    within = [(a, b) for a, b in every if b <= reach.right[a] and reach.needed(a, b)]

    def renumbered(edges: list[tuple[int, int]]) -> tuple[int, int] | None:
        short = [(a - (a > out), b - (b > out)) for a, b in edges]
        return least(short, [scores[p] for p in kept], bad)

    assert renumbered(within) == renumbered(every)


def test_a_line_without_bad_pairs_falls_into_neighbours() -> None:
    bad: list[set[int]] = [set() for _ in range(10)]
    reach = reaches(bad, odd=False)
    assert [b for a in range(10) for b in range(a + 1, 10) if reach.needed(a, b)] == [*range(1, 10)]
    assert all(cuts(bad, reach))


def test_the_windows_of_a_long_line_are_short() -> None:
    dice = random.Random(1)
    bad: list[set[int]] = [set() for _ in range(2000)]
    for _ in range(9 * 1000):  # nine rounds, against neighbours in a group of 400
        a = dice.randrange(1600)
        b = a + dice.randint(1, 400)
        bad[a].add(b)
        bad[b].add(a)
    reach = reaches(bad, odd=False)
    assert sum(right - place for place, right in enumerate(reach.right)) < 8 * 2000
    assert sum(cuts(bad, reach)) > 1000


def test_levels_are_weighed_as_tuples_are() -> None:
    dice = random.Random(2)
    edges = list(combinations(range(8), 2))
    levels = [[dice.randint(0, top) for _ in edges] for top in (2, 50, 3)]
    costs = packed(levels, 8, [0] * len(edges))
    for _ in range(500):
        one, other = (
            [edges.index((min(p), max(p))) for p in zip(line[::2], line[1::2], strict=True)]
            for line in (dice.sample(range(8), 8), dice.sample(range(8), 8))
        )
        sums = [[sum(level[e] for e in found) for level in levels] for found in (one, other)]
        totals = [sum(costs[e] for e in found) for found in (one, other)]
        assert (sums[0] < sums[1]) == (totals[0] < totals[1])


def test_costs_that_would_not_fit_are_refused() -> None:
    with pytest.raises(OverflowError):
        packed([[1 << MOST_BITS]], 2, [0])


def test_what_cannot_be_paired_is_said() -> None:
    partners, whole = cheapest_matching(4, [(0, 1), (0, 2), (0, 3)], [0, 1, 1])
    assert not whole
    assert partners == [1, 0, None, None]
    assert cheapest_matching(0, [], []) == ([], True)
