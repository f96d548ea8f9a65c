"""Groups by snake seeding: 1, 2, 3 to the groups in turn, 4, 5, 6 the other way, and so on.

Sizes of groups differ by one at most, and each row of as many seeds as there are groups gives one
to each of them, so that groups are equally strong. Entrants of one owner are kept apart: each
group gets the same number of them, within one, so none meets another in a group while an owner has
no more entrants than there are groups. Where that needs changes, seeds of one row change places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .errors import DuplicateEntrants, InvalidFormat
from .round_robin_colouring import edge_colours


def snake(
    entrants: Sequence[int], groups: int, owners: Mapping[int, int] | None = None
) -> tuple[tuple[int, ...], ...]:
    """Return the groups, each with its best seed first.

    ``entrants`` are in order of seeding, the best first; ``owners`` says whose an entrant is,
    those whom it leaves out are their own. Raises InvalidFormat unless every group gets two or
    more, and DuplicateEntrants.
    """
    twice = sorted(one for one, times in Counter(entrants).items() if times > 1)
    if twice:
        raise DuplicateEntrants(twice)
    if not 1 <= groups <= len(entrants) // 2:
        raise InvalidFormat("groups", f"give 1 to {len(entrants) // 2}, not {groups}")
    whose = _owner_numbers(entrants, owners or {})
    edges = [(seed // groups, whose[seed]) for seed in range(len(entrants))]
    found = edge_colours(edges, groups, [_in_snake(seed, groups) for seed in range(len(entrants))])
    filled: list[list[int]] = [[] for _ in range(groups)]
    for entrant, group in zip(entrants, found, strict=True):
        filled[group].append(entrant)
    return tuple(tuple(group) for group in filled)


def _in_snake(seed: int, groups: int) -> int:
    row, place = divmod(seed, groups)
    return groups - 1 - place if row % 2 else place


def _owner_numbers(entrants: Sequence[int], owners: Mapping[int, int]) -> list[int]:
    """Return a number for each entrant's owner, by first appearance."""
    numbers: dict[tuple[bool, int], int] = {}
    keys = [(entrant in owners, owners.get(entrant, entrant)) for entrant in entrants]
    return [numbers.setdefault(key, len(numbers)) for key in keys]
