from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament.errors import DuplicateEntrants, InvalidFormat
from rummy_arena.tournament.round_robin_colouring import edge_colours
from rummy_arena.tournament.round_robin_groups import snake


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=60),
    st.integers(1, 5),
    st.randoms(use_true_random=False),
)
@settings(max_examples=300, deadline=None)
def test_no_two_edges_of_a_part_share_a_colour(
    edges: list[tuple[int, int]], colours: int, dice: object
) -> None:
    wanted = [(7 * left + right) % colours for left, right in edges]
    found = edge_colours(edges, colours, wanted)
    assert all(0 <= colour < colours for colour in found)
    for side in range(2):
        history: dict[int, list[int]] = defaultdict(list)
        for edge, colour in zip(edges, found, strict=True):
            history[edge[side]].append(colour)
        for met in history.values():
            for start in range(0, len(met), colours):
                part = met[start : start + colours]
                assert len(set(part)) == len(part)


def test_the_snake() -> None:
    assert snake(range(1, 13), 4) == ((1, 8, 9), (2, 7, 10), (3, 6, 11), (4, 5, 12))
    assert snake([30, 10, 20, 40, 50], 2) == ((30, 40, 50), (10, 20))


def test_owners_that_the_snake_would_seat_together_change_places_within_their_row() -> None:
    groups = snake(range(1, 9), 4, {1: 7, 8: 7})
    assert [set(group) & {1, 8} for group in groups].count({1, 8}) == 0
    assert sorted(len(set(group) & {1, 2, 3, 4}) for group in groups) == [1, 1, 1, 1]


@st.composite
def fields(draw: st.DrawFn) -> tuple[list[int], int, dict[int, int]]:
    entrants = draw(st.lists(st.integers(1, 500), min_size=2, max_size=70, unique=True))
    groups = draw(st.integers(1, len(entrants) // 2))
    owners = draw(st.dictionaries(st.sampled_from(entrants), st.integers(1, 6)))
    return entrants, groups, owners


@given(fields())
@settings(max_examples=300, deadline=None)
def test_sizes_rows_and_owners_are_even(field: tuple[list[int], int, dict[int, int]]) -> None:
    entrants, count, owners = field
    groups = snake(entrants, count, owners)
    assert sorted(entrant for group in groups for entrant in group) == sorted(entrants)
    sizes = [len(group) for group in groups]
    assert max(sizes) - min(sizes) <= 1
    seed = {entrant: place for place, entrant in enumerate(entrants)}
    for group in groups:  # one of each row, the best first
        assert [seed[entrant] // count for entrant in group] == list(range(len(group)))
    for owner in set(owners.values()):
        have = [sum(owners.get(entrant) == owner for entrant in group) for group in groups]
        assert max(have) - min(have) <= 1
    lone = {e: -e for e in entrants}
    assert snake(entrants, count) == snake(entrants, count, lone)


@given(fields())
@settings(max_examples=50, deadline=None)
def test_without_owners_it_is_the_snake(field: tuple[list[int], int, dict[int, int]]) -> None:
    entrants, count, _ = field
    groups: list[list[int]] = [[] for _ in range(count)]
    way = [*range(count), *reversed(range(count))]
    for place, entrant in enumerate(entrants):
        groups[way[place % (2 * count)]].append(entrant)
    assert snake(entrants, count) == tuple(map(tuple, groups))


def test_a_large_field_of_few_owners() -> None:
    owners = {entrant: entrant * entrant % 97 for entrant in range(1, 1001)}
    groups = snake(range(1, 1001), 125, owners)
    for group in groups:
        assert max(Counter(owners[entrant] for entrant in group).values()) == 1


def test_what_cannot_be_grouped_is_refused() -> None:
    with pytest.raises(InvalidFormat):
        snake([1, 2, 3], 2)
    with pytest.raises(InvalidFormat):
        snake([1, 2, 3], 0)
    with pytest.raises(DuplicateEntrants):
        snake([1, 2, 2, 3], 2)
