"""A rule set as data: the parameters that one engine plays.

Two rule sets never differ by a branch on a name; what differs is a field here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .cards import JOKER_BASE, RANKS, SUIT_OF, Card, full_pack


@dataclass(frozen=True)
class Contract:
    """What an opening must hold, and how many cards the deal of this contract gives."""

    sets: int
    runs: int
    hand_size: int

    @property
    def text(self) -> str:
        """The contract as the field writes it: ``2 sets + 1 run``."""
        parts = []
        if self.sets:
            parts.append(f"{self.sets} set{'s' if self.sets > 1 else ''}")
        if self.runs:
            parts.append(f"{self.runs} run{'s' if self.runs > 1 else ''}")
        return " + ".join(parts)


@dataclass(frozen=True)
class HandValues:
    """Penalty points of the cards left in a hand."""

    joker: int
    black_ace: int
    red_ace: int
    court: int  # ten, jack, queen, king; lower ranks count their face

    def of(self, card: Card) -> int:
        """Return the penalty points of one card."""
        if card >= JOKER_BASE:
            return self.joker
        rank = (card >> 2) % RANKS
        if rank == 0:
            return self.red_ace if SUIT_OF[card] in (1, 2) else self.black_ace
        return self.court if rank >= 9 else rank + 1


@dataclass(frozen=True)
class RuleSet:
    """Everything that the engine must know of one game."""

    id: str
    title: str
    min_seats: int
    max_seats: int
    packs: int
    jokers: int
    contracts: tuple[Contract, ...]
    values: HandValues
    set_min: int  # cards in a set
    set_min_naturals: int
    run_min: int  # cards in a run
    max_calls: int  # successful calls per seat and deal (J-1)
    reshuffles: int  # per deal (J-27)
    max_replays: int  # of a void deal
    turns_cap_per_seat: int  # per deal

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """Every card of the game in id order."""
        return full_pack(self.packs, self.jokers)

    @cached_property
    def card_values(self) -> tuple[int, ...]:
        """Penalty points by card id (256 entries)."""
        return tuple(self.values.of(card) for card in range(256))

    def hand_points(self, hand: list[Card]) -> int:
        """Return the penalty points of a hand before any doubling."""
        values = self.card_values
        return sum(values[card] for card in hand)
