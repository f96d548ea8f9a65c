"""Schedules that geometry and difference families give: nobody meets anybody twice.

* Affine spaces: q^d entrants at tables of q, q a prime power. Entrants are the points, tables the
  lines, rounds the classes of parallel lines; everybody meets everybody exactly once.
* Starters: Kirkman triples (Ray-Chaudhuri and Wilson 1971: they exist for every 6t + 3 entrants)
  and resolvable quadruples (Hanani, Ray-Chaudhuri and Wilson 1972: for every 12t + 4) developed
  from base rounds modulo n; everybody meets everybody exactly once.
* Transversal designs: k q entrants at tables of k <= q; q rounds in which everybody meets
  everybody but those of the own group of q exactly once.

Entrants are numbered from 0 here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

Tables = list[list[int]]
"""The tables of one round."""


@dataclass(frozen=True, slots=True)
class Starter:
    """Base rounds that are developed modulo ``modulus``.

    Point orbit * modulus + x stands for x of an orbit; a point beyond all orbits stays where it
    is. A moving round gives one round for each residue; each row of offsets, one for each
    orbit, gives one round of a table for each residue.
    """

    modulus: int
    seats: int
    moving: tuple[tuple[int, ...], ...]  # table after table
    fixed: tuple[tuple[int, ...], ...] = ()

    @property
    def entrants(self) -> int:
        """How many the schedule is for."""
        return len(self.moving[0])

    def rounds(self) -> list[Tables]:
        """Return the rounds."""
        return [*self._moved(), *self._fixed()]

    def _moved(self) -> Iterator[Tables]:
        modulus, last = self.modulus, self.entrants // self.modulus * self.modulus
        for points in self.moving:
            for shift in range(modulus):
                moved = [
                    point if point >= last else point - point % modulus + (point + shift) % modulus
                    for point in points
                ]
                yield [moved[at : at + self.seats] for at in range(0, len(moved), self.seats)]

    def _fixed(self) -> Iterator[Tables]:
        for offsets in self.fixed:
            yield [
                [
                    orbit * self.modulus + (x + offset) % self.modulus
                    for orbit, offset in enumerate(offsets)
                ]
                for x in range(self.modulus)
            ]


_MODULI = {4: (2, 0b111), 8: (2, 0b1011), 16: (2, 0b10011), 9: (3, 0)}
"""By size of a field that is no prime: its prime, and of binary ones the polynomial as bits."""


class Field:
    """The finite field of ``size`` elements, numbered from 0; 0 and 1 are what they should be.

    Raises LookupError for a size that is no prime power, or is beyond what is known here.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        if _is_prime(size):
            self.prime = size
        elif size in _MODULI:
            self.prime = _MODULI[size][0]
        else:
            raise LookupError(f"no field of {size} elements")

    def add(self, one: int, other: int) -> int:
        """Return the sum."""
        if self.prime == 2 < self.size:
            return one ^ other
        if self.prime == 3 < self.size:
            high, low = one // 3 + other // 3, one % 3 + other % 3
            return high % 3 * 3 + low % 3
        return (one + other) % self.size

    def multiply(self, one: int, other: int) -> int:
        """Return the product; nine elements are a + b i with i i = -1, as a + 3 b."""
        if self.prime == self.size:
            return one * other % self.size
        if self.prime == 3:
            (b, a), (d, c) = divmod(one, 3), divmod(other, 3)
            return (a * c - b * d) % 3 + (a * d + b * c) % 3 * 3
        product_, modulus = 0, _MODULI[self.size][1]
        while other:
            if other & 1:
                product_ ^= one
            one <<= 1
            if one & self.size:
                one ^= modulus
            other >>= 1
        return product_


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def field_of(size: int) -> Field | None:
    """Return the field of so many elements, or None."""
    try:
        return Field(size)
    except LookupError:
        return None


def affine(field: Field, dimension: int) -> list[Tables]:
    """Return the classes of parallel lines of the affine space."""
    points = list(product(range(field.size), repeat=dimension))
    number = {point: place for place, point in enumerate(points)}
    rounds = []
    for direction in points:
        if next(filter(None, direction), 0) != 1:
            continue  # each direction once: its first element that is not nought is one
        leading = direction.index(1)
        rounds.append(
            [
                [
                    number[
                        tuple(
                            field.add(x, field.multiply(step, y))
                            for x, y in zip(point, direction, strict=True)
                        )
                    ]
                    for step in range(field.size)
                ]
                for point in points
                if point[leading] == 0
            ]
        )
    return rounds


def transversal(field: Field, seats: int) -> list[Tables]:
    """Return field.size rounds for seats * field.size entrants, groups one after the other.

    The entrants of a group never meet, all others do exactly once. ``seats`` is at most the size
    of the field.
    """
    return [
        [
            [
                group * field.size + field.add(field.multiply(group, slope), start)
                for group in range(seats)
            ]
            for start in range(field.size)
        ]
        for slope in range(field.size)
    ]


def exact(entrants: int, seats: int) -> list[Tables] | None:
    """Return rounds in which everybody meets everybody exactly once, where they are known."""
    field = field_of(seats)
    dimension, size = 1, seats
    while size < entrants:
        dimension, size = dimension + 1, size * seats
    if field is not None and size == entrants:
        return affine(field, dimension)
    known = STARTERS.get((entrants, seats))
    return None if known is None else known.rounds()


def without_repeats(entrants: int, seats: int) -> list[Tables]:
    """Return as many rounds without a repeated meeting as are known; none where none are."""
    rounds = exact(entrants, seats)
    if rounds is not None:
        return rounds
    size, rest = divmod(entrants, seats)
    field = field_of(size)
    if rest or size < seats or field is None:
        return []
    return transversal(field, seats)


def starter(modulus: int, seats: int, moving: str, fixed: str = "") -> Starter:
    """Return a starter from text: points of moving rounds, and rows of offsets; "/" in between."""
    return Starter(modulus, seats, _rows(moving), _rows(fixed))


def _rows(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(int, row.split())) for row in text.split("/") if row)


_FOUND = (
    starter(
        7,
        3,
        "6 1 5 9 4 14 2 13 8 3 12 11 7 0 10",
    ),
    starter(
        7,
        3,
        "8 5 19 7 9 13 20 2 10 18 17 15 16 0 11 14 6 12 4 1 3",
        "0 5 5/0 0 6/0 2 3",
    ),
    starter(
        11,
        3,
        "20 21 3 10 24 26 32 29 9 22 15 12 31 14 25 1 23 30 8 7 17 27 19 28 4 6 0 16 18 11 5 13 2",
        "0 1 2/0 2 4/0 3 6/0 4 8/0 5 10",
    ),
    starter(
        13,
        3,
        "32 31 27 15 36 13 21 17 24 7 10 1 33 2 4 8 3 16 12 26 0 28 30 6 34 37 25 23 11 18 29"
        " 35 22 9 19 20 14 38 5",
        "0 1 2/0 2 4/0 3 6/0 4 8/0 5 10/0 6 12",
    ),
    starter(
        15,
        3,
        "39 19 27 44 8 12 18 21 16 1 4 32 3 28 17 7 6 29 26 10 33 15 24 13 43 20 14 25 34 42 "
        "22 36 23 31 41 35 0 30 5 11 9 2 38 40 37",
        "0 4 5/0 3 7/0 12 12/0 0 3/0 9 4/0 5 11/0 13 9",
    ),
    starter(
        9,
        4,
        "18 20 26 2 1 16 3 6 5 4 24 13 7 10 19 12 22 17 9 14 15 25 8 21 0 27 11 23",
    ),
)
STARTERS = {(found.entrants, found.seats): found for found in _FOUND}
"""By entrants and seats; found by a search over base rounds, checked by the tests."""
