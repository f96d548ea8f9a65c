"""Bounded search for rounds in which everybody meets everybody with few repeated meetings.

Entrants of different tables of a round change places, and a change that makes the schedule worse
is taken now and then, ever more rarely (annealing). All arithmetic is of integers, dice are a
linear congruential generator with a fixed start, and the bound is a number of tries, not a time:
the same question has the same answer on every machine. Entrants are numbered from 0 here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .round_robin_designs import Tables

MOST_ROUNDS = 1000
_STRANGERS = 6
"""What a pair costs that never meets; one that meets n times costs n (n - 1) / 2."""
_UP = [-_STRANGERS, *range(1, MOST_ROUNDS)]
"""By how often a pair meets: what one meeting more costs."""


class Dice:
    """Knuth's 64-bit linear congruential generator; its high bits are used."""

    def __init__(self, start: int) -> None:
        self._state = start

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to below ``bound``."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        return (self._state >> 32) * bound >> 32


class Plan:
    """Rounds that are being improved, and how often each pair meets in them."""

    def __init__(self, entrants: int, rounds: Sequence[Tables], dice: Dice) -> None:
        self.entrants = entrants
        self.dice = dice
        self.met = [[0] * entrants for _ in range(entrants)]
        self.rounds: list[Tables] = []
        self.table_of: list[list[int]] = []  # by round and entrant; -1 for who has a bye
        for tables in rounds:
            self.add(tables)

    def add(self, tables: Tables) -> None:
        """Append a round."""
        self._count(tables, 1)
        self.rounds.append([list(table) for table in tables])
        places = [-1] * self.entrants
        for number, table in enumerate(tables):
            for entrant in table:
                places[entrant] = number
        self.table_of.append(places)

    def drop(self, number: int) -> None:
        """Take a round away."""
        self._count(self.rounds.pop(number), -1)
        del self.table_of[number]

    def _count(self, tables: Tables, times: int) -> None:
        for one, other in pairs(tables):
            self.met[one][other] += times
            self.met[other][one] += times

    def strangers(self) -> list[tuple[int, int]]:
        """Return the pairs that never meet."""
        return [
            (one, other)
            for one, row in enumerate(self.met)
            for other in range(one)
            if not row[other]
        ]

    def improve(self, numbers: Sequence[int], tries: int, *, stop: bool = True) -> bool:
        """Change the rounds with these numbers; return whether everybody meets everybody now.

        With ``stop`` that is enough; without, repeated meetings are spread with all the tries.
        """
        strangers = len(self.strangers())
        worse: list[int] = []
        for left in range(tries, 0, -1):
            if stop and not strangers:
                return True
            if left % 256 == 0 or left == tries:
                worse = _chances(left, tries)
            number = numbers[self.dice.below(len(numbers))]
            move = self._pick(number)
            if move is None:
                continue
            one, other = move
            gain, met_anew = self._change(number, one, other)
            if gain > 0 and (gain >= len(worse) or self.dice.below(1 << 24) >= worse[gain]):
                continue
            strangers -= met_anew
            self._swap(number, one, other)
        return not strangers

    def _pick(self, number: int) -> tuple[int, int] | None:
        """Return two entrants of different tables to change places, as often as not to a purpose.

        The purpose: one of them comes to the table of somebody whom it never meets.
        """
        places, dice = self.table_of[number], self.dice
        one = dice.below(self.entrants)
        row = self.met[one]
        other = dice.below(self.entrants)
        for _ in range(6):
            if not row[other] and other != one:
                break
            other = dice.below(self.entrants)
        at, to = places[one], places[other]
        if at == to or at < 0 or to < 0:
            return None
        table = self.rounds[number][to]
        return one, table[dice.below(len(table))]

    def _change(self, number: int, one: int, other: int) -> tuple[int, int]:
        """Return what it costs if two change places, and how many pairs meet by it less not."""
        places, tables = self.table_of[number], self.rounds[number]
        row, another = self.met[one], self.met[other]
        cost = met_anew = 0
        for rest in tables[places[one]]:
            if rest != one:
                times, now = row[rest], another[rest]
                cost += _UP[now] - _UP[times - 1]
                met_anew += (now == 0) - (times == 1)
        for rest in tables[places[other]]:
            if rest != other:
                times, now = another[rest], row[rest]
                cost += _UP[now] - _UP[times - 1]
                met_anew += (now == 0) - (times == 1)
        return cost, met_anew

    def _swap(self, number: int, one: int, other: int) -> None:
        places, tables, met = self.table_of[number], self.rounds[number], self.met
        for leaves, comes in ((one, other), (other, one)):
            table = tables[places[leaves]]
            for rest in table:
                if rest != leaves:
                    met[leaves][rest] -= 1
                    met[rest][leaves] -= 1
                    met[comes][rest] += 1
                    met[rest][comes] += 1
        first, second = tables[places[one]], tables[places[other]]
        first[first.index(one)], second[second.index(other)] = other, one
        places[one], places[other] = places[other], places[one]


def pairs(tables: Tables) -> Iterator[tuple[int, int]]:
    """Yield who meets whom in a round."""
    for table in tables:
        for place, one in enumerate(table):
            for other in table[:place]:
                yield one, other


def _chances(left: int, tries: int) -> list[int]:
    """Return by cost how often, of 2^24 times, a change is taken that costs so much.

    The chance falls from a half for a cost of one to a thirty-second, geometrically with the cost.
    """
    ratio = (1 << 19) + ((1 << 23) - (1 << 19)) * left // tries
    chances = [1 << 24]
    while chances[-1]:
        chances.append(chances[-1] * ratio >> 24)
    return chances
