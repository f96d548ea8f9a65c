"""Swiss events played with results of chance, for tests."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from rummy_arena.tournament.results import placement_points
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing, meetings


class Event:
    """Who has what after the rounds that were played."""

    def __init__(self, count: int, seed: int) -> None:
        self.dice = random.Random(f"{count}/{seed}")
        self.seed = bytes([seed % 256])
        self.round_number = 1
        self.scores: dict[int, Fraction] = {e: Fraction(0) for e in range(1, count + 1)}
        self.byes = dict.fromkeys(self.scores, 0)
        self.seats: dict[int, tuple[int, ...]] = dict.fromkeys(self.scores, ())
        self.met: Counter[Pair] = Counter()

    def entries(self) -> list[Entry]:
        """Return everybody, in some order."""
        found = [Entry(e, self.scores[e], self.byes[e], self.seats[e]) for e in self.scores]
        self.dice.shuffle(found)
        return found

    def play(self, pairing: Pairing) -> None:
        """Give every table random places; a bye is worth a win."""
        for table in pairing.tables:
            for seat, entrant in enumerate(table):
                self.seats[entrant] += (seat,)
            places = self.dice.sample(table, len(table))
            for place, entrant in enumerate(places):
                self.scores[entrant] += placement_points(len(table), place, 0)
        for entrant in pairing.byes:
            self.byes[entrant] += 1
            self.scores[entrant] += 6
        self.met += meetings([pairing.tables])
        self.round_number += 1


def everybody(pairing: Pairing) -> list[int]:
    """Return whom the pairing names, sorted."""
    return sorted([*(e for table in pairing.tables for e in table), *pairing.byes])


def pairs_of(pairing: Pairing) -> Iterator[Pair]:
    """Yield the pairs that meet."""
    return iter(meetings([pairing.tables]))
