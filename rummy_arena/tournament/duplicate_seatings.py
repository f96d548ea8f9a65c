"""Seatings of a duplicate board: every order of the entrants, or a balanced subset.

Up to four seats a board can be played in all orders. Beyond (and below, where that is too much)
there are three sizes of subset, each of which gives everybody each seat equally often:

* rotations: n seatings; neighbours stay the same.
* balanced: a Williams design (1949), n seatings of an even number, 2 n of an odd one; read as a
  row, everybody has everybody else directly before it equally often (once, or twice), and round
  the table, where the first comes after the last, equally often within one.
* all orders: n! seatings.

A seating lists, by seat, the place of an entrant at its table, from 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import Enum
from functools import cache
from itertools import permutations

from .errors import InvalidFormat

Seating = tuple[int, ...]

MOST_SEATS_IN_ALL_ORDERS = 4
MOST_SEATS = 8


class Movement(Enum):
    """Which seatings a board is played in."""

    ROTATIONS = "rotations"
    BALANCED = "balanced"
    ALL = "all"


@cache
def seatings(seats: int, movement: Movement | None = None) -> tuple[Seating, ...]:
    """Return the seatings of a table; by default all orders up to four seats, balanced beyond.

    Raises InvalidFormat for fewer than two seats or more than eight, and for all orders of more
    than four.
    """
    if not 2 <= seats <= MOST_SEATS:
        raise InvalidFormat("seats", f"give 2 to {MOST_SEATS}, not {seats}")
    if movement is None:
        movement = Movement.ALL if seats <= MOST_SEATS_IN_ALL_ORDERS else Movement.BALANCED
    if movement is Movement.ROTATIONS:
        return _turned(tuple(range(seats)))
    if movement is Movement.BALANCED:
        return _williams(seats)
    if seats > MOST_SEATS_IN_ALL_ORDERS:
        raise InvalidFormat(
            "movement", f"all orders of {seats} seats are too many; take {Movement.BALANCED.value}"
        )
    last = seats - 1  # each circle once, so that n seatings in a row are the turns of one
    circles = [(*order, last) for order in permutations(range(last))]
    return tuple(row for circle in circles for row in _turned(circle))


def seated(
    tables: Sequence[Sequence[int]], board: int, movement: Movement | None = None
) -> tuple[tuple[int, ...], ...]:
    """Return who sits where at each table of a round for a board, numbered from 0.

    All tables have the same cards. Over n boards, the first a multiple of n, everybody at a table
    of n has each seat once. From one such block to the next each table's order is turned by a lot
    of its own, so that nobody is compared with the same few again and again.
    """
    orders = []
    for number, table in enumerate(tables):
        seats = len(table)
        chosen = seatings(seats, movement)
        turn = _lot(number, board // seats, seats)
        seating = chosen[board % len(chosen)]
        orders.append(tuple(table[(place + turn) % seats] for place in seating))
    return tuple(orders)


def _lot(table: int, block: int, seats: int) -> int:
    """Return a number below ``seats``, the same on every machine."""
    digest = hashlib.sha256(f"turn {table} {block}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % seats


def _turned(order: Seating) -> tuple[Seating, ...]:
    """Return the order with each number of steps added to its places."""
    seats = len(order)
    return tuple(tuple((place + step) % seats for place in order) for step in range(seats))


def _williams(seats: int) -> tuple[Seating, ...]:
    """Return Williams's square: 0, n-1, 1, n-2, ... and its turns; of an odd number, both ways."""
    order = tuple(
        place // 2 if place % 2 == 0 else seats - 1 - place // 2 for place in range(seats)
    )
    square = _turned(order)
    return square if seats % 2 == 0 else square + tuple(row[::-1] for row in square)
