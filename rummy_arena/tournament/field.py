"""Who takes part in an event, and in which of its rounds."""

from __future__ import annotations

from dataclasses import dataclass

from .swiss_presence import Stay, is_present

FROM_THE_START: tuple[Stay, ...] = ((1, None),)


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entrant as the formats see it."""

    number: int
    seeding: int = 0  # 1 is the strongest; 0 for nobody knows: those come last, by lot
    owner: str = ""  # entrants of one owner are kept apart where that can be
    group: str = ""  # where the entrant comes from; such are kept apart in a stage's first round
    stays: tuple[Stay, ...] = FROM_THE_START  # rounds in which it is there
    disqualified: bool = False  # plays no more, and is last in the standings

    def is_present(self, round_number: int) -> bool:
        """Return whether the entrant is to be paired in a round."""
        return not self.disqualified and is_present(self.stays, round_number)


Field = tuple[Entrant, ...]
"""Everybody who ever entered, by number."""


def present(field: Field, round_number: int) -> tuple[Entrant, ...]:
    """Return those who are to be paired in a round, by number."""
    return tuple(entrant for entrant in field if entrant.is_present(round_number))


def entrants(count: int) -> Field:
    """Return so many entrants, numbered from 1, of whom nothing is known."""
    return tuple(Entrant(number) for number in range(1, count + 1))
