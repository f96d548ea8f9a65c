"""Round robin at tables of two: the Berger tables (FIDE Handbook C.05, Annex 1).

Of n entrants, n even, the last one meets in round r the entrant p with 2p = r + 1 (mod n - 1) and
has the second seat in odd rounds, the first in even ones; the others meet in pairs p + d, p - d
(mod n - 1), of whom p + d has the first seat. Of an odd number, whoever would meet the last of one
more has a bye: each has one bye, and each seat equally often. Of an even number, seats differ by
one. A second cycle changes seats; the last two rounds of a first cycle that is followed by another
are exchanged, as the annex recommends, so that nobody has the same seat three times running.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .errors import InvalidFormat
from .rounds import Round


def berger(entrants: Sequence[int], *, cycles: int = 1) -> tuple[Round, ...]:
    """Return the rounds in which everybody meets everybody ``cycles`` times.

    ``entrants`` are in the order of their numbers in the tables. Raises InvalidFormat for fewer
    than two entrants or no cycle.
    """
    if len(entrants) < 2:
        raise InvalidFormat("entrants", f"give two or more, not {len(entrants)}")
    if cycles < 1:
        raise InvalidFormat("cycles", f"give one or more, not {cycles}")
    rounds: list[Round] = []
    for cycle in range(cycles):
        played = [_pairs(len(entrants), number) for number in _order(len(entrants), cycle, cycles)]
        for pairs in played:
            rounds.append(_round(entrants, len(rounds) + 1, list(pairs), swapped=cycle % 2 == 1))
    return tuple(rounds)


def _order(entrants: int, cycle: int, cycles: int) -> list[int]:
    """Return the numbers of a cycle's rounds in the order in which they are played."""
    last = entrants - 1 + entrants % 2
    order = list(range(1, last + 1))
    if cycle % 2 == 0 and cycle + 1 < cycles and last > 2:
        order[-2:] = reversed(order[-2:])
    return order


def _pairs(entrants: int, number: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a round of Berger's table, places from 0; the last place may be empty."""
    last = entrants - 1 + entrants % 2
    middle = (number - 1) // 2 if number % 2 else last // 2 + number // 2
    yield (middle, last) if number % 2 else (last, middle)
    for distance in range(1, (last + 1) // 2):
        yield (middle + distance) % last, (middle - distance) % last


def _round(
    entrants: Sequence[int], number: int, pairs: list[tuple[int, int]], *, swapped: bool
) -> Round:
    absent = len(entrants)
    seated = [pair[::-1] if swapped else pair for pair in pairs]
    return Round(
        number,
        tuple((entrants[one], entrants[two]) for one, two in seated if absent not in (one, two)),
        tuple(entrants[min(pair)] for pair in seated if absent in pair),
    )
