"""Melds: what a player proposes, what lies on the table, and where cards fit (J-11 to J-20).

A run's cards stand in order, low to high; position 0 is the low ace, 1 the two, ... 12 the king,
13 the high ace. ``TableMeld.low`` is the position of the first card of a run, or the rank of a set.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from .cards import Card


class MeldKind(IntEnum):
    """A set (equal ranks) or a run (consecutive ranks of one suit)."""

    SET = 0
    RUN = 1


class Meld(NamedTuple):
    """A meld as a player proposes it; a run's cards in order, low to high (X-13)."""

    kind: MeldKind
    cards: tuple[Card, ...]


class TableMeld(NamedTuple):
    """A meld on the table. It is replaced, never changed, so that views may share it."""

    owner: int  # seat that laid it down
    kind: MeldKind
    low: int  # run: position 0-13 of its first card; set: rank 0-12
    suit: int  # run: its suit; set: -1
    cards: tuple[Card, ...]
