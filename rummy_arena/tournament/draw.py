"""Drawing of lots: every choice that nothing decides, made by the tournament's seed alone.

A lot is HMAC-SHA-256(seed, "<purpose>/<round>/<entrant>") with decimal numbers; the smallest comes
first. Anyone who knows the seed can draw again, in any language, and gets the same order.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass

SEAT = "seat"
"""Purpose of a lot that seats: who sits at which table, and where."""
GROUP = "group"
"""Purpose of a lot that orders the tables of the last round; the entrant is a table's number."""
TURN = "turn"
"""Purpose of a lot that says who of a ladder's pool is looked at first; the round is a table."""
TIE = "tie"
"""Purpose of a lot that breaks a tie."""


def lot(seed: bytes, purpose: str, round_number: int, entrant: int) -> bytes:
    """Return the 32-byte lot of one entrant in one round."""
    return hmac.digest(seed, f"{purpose}/{round_number}/{entrant}".encode(), "sha256")


def by_lot(seed: bytes, purpose: str, round_number: int, entrants: Iterable[int]) -> list[int]:
    """Return the entrants in the order of their lots."""
    return sorted(entrants, key=lambda entrant: lot(seed, purpose, round_number, entrant))


@dataclass(frozen=True, slots=True)
class Draw:
    """The lots of one round that break ties."""

    seed: bytes
    round_number: int

    def lot(self, entrant: int) -> bytes:
        """Return the entrant's lot in a tie."""
        return lot(self.seed, TIE, self.round_number, entrant)
