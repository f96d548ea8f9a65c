"""Scored events of chance, and their standings worked out slowly from the definitions."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rummy_arena.tournament.event import Event, Terms
from rummy_arena.tournament.field import Entrant
from rummy_arena.tournament.results import SeatResult, TableResult
from rummy_arena.tournament.rounds import PlayedRound
from rummy_arena.tournament.swiss_presence import MissedRounds
from rummy_arena.tournament.tables import TableLimits

Value = Callable[["Slow", int, Sequence[int]], Any]


def chance_event(dice: random.Random, chain: Sequence[str], *, rounds: int, most: int = 9) -> Event:
    """Return an event of few values, so that many are tied; not everybody plays every round."""
    entrants = [
        Entrant(
            number,
            seeding=dice.choice((0, 0, number)),
            stays=dice.choice((((1, None),), ((2, None),), ((1, 2), (3, None)), ((1, 3),))),
        )
        for number in sorted(dice.sample(range(1, 2 * most), dice.randint(2, most)))
    ]
    return Event(
        Terms(TableLimits(4, 2, 4), {}, tuple(chain)),
        tuple(entrants),
        tuple(
            chance_round(dice, number, [e.number for e in entrants if e.is_present(number)])
            for number in range(1, rounds + 1)
        ),
        bytes([dice.randrange(256)]),
    )


def chance_round(dice: random.Random, number: int, here: list[int]) -> PlayedRound:
    """Return a round of tables of two to four, the rest with a bye."""
    line = dice.sample(here, len(here))
    tables = []
    while len(line) > 1:
        size = min(dice.randint(2, 4), len(line))
        tables.append(tuple(line[:size]))
        line = line[size:]
    results = [
        chance_result(dice, table, entrants) for table, entrants in enumerate(tables, start=1)
    ]
    return PlayedRound(number, tuple(tables), tuple(results), tuple(line))


def chance_result(dice: random.Random, number: int, entrants: tuple[int, ...]) -> TableResult:
    """Return a table that ended somehow, with shared places and now and then a forfeit."""
    totals = [dice.randint(0, 2) for _ in entrants]
    forfeits = [dice.random() < 0.1 for _ in entrants]
    keys = list(zip(forfeits, totals, strict=True))
    seats = [
        SeatResult(
            entrant=entrant,
            total=totals[seat],
            place=1 + sum(other < keys[seat] for other in keys),
            deals_won=1 + dice.randint(0, 1),
            down_and_outs=dice.randint(0, 1),
            calls=dice.randint(0, 1),
            deal_points=tuple(dice.randint(0, 1) for _ in range(3)),
            forfeit=forfeits[seat],
            left_out=dice.choice(((), (2,), (1, 2))),
            sudden_wins=dice.randint(0, 1),
        )
        for seat, entrant in enumerate(entrants)
    ]
    return TableResult(number, tuple(seats))


class Slow:
    """Everything from its definition, again and again."""

    def __init__(self, event: Event, rule: MissedRounds) -> None:
        self.event, self.rule = event, rule

    def tables(self, entrant: int) -> list[tuple[SeatResult, list[SeatResult]]]:
        """Return the entrant's seat and the others', table by table."""
        return [
            (own, [seat for seat in result.seats if seat is not own])
            for played in self.event.rounds
            for result in sorted(played.results, key=lambda result: result.number)
            for own in result.seats
            if own.entrant == entrant
        ]

    def points(self, own: SeatResult, others: list[SeatResult]) -> Fraction:
        """Return three points for each left behind, over the number of others, times two."""
        behind = [Fraction(2 * (own.place < x.place) + (own.place == x.place)) for x in others]
        return Fraction(0) if own.forfeit else 3 * sum(behind, Fraction(0)) / len(others)

    def score(self, entrant: int) -> Fraction:
        """Return the points of tables, byes and missed rounds."""
        found = sum((self.points(*table) for table in self.tables(entrant)), Fraction(0))
        stays = next(one.stays for one in self.event.field if one.number == entrant)
        entered, last = stays[0][0], stays[-1][0]
        rounds = range(1, len(self.event.rounds) + 1)
        late = [number for number in rounds if number < entered][-self.rule.late_rounds :]
        away = [
            number
            for number in rounds
            if entered <= number < last
            and not any(a <= number and (b is None or number < b) for a, b in stays)
        ]
        byes = sum(entrant in played.byes for played in self.event.rounds)
        found += byes * self.rule.bye + len(away) * self.rule.away
        return found + (len(late) * self.rule.late if self.rule.late_rounds else 0)

    def mean(self, entrant: int, value: Callable[[SeatResult], int], none: int) -> Fraction:
        """Return the mean over the tables, or what stands for it."""
        found = [value(own) for own, _ in self.tables(entrant)]
        return Fraction(sum(found), len(found)) if found else Fraction(none)

    def mean_penalties(self, entrant: int) -> Fraction:
        """Return the mean of what was paid, of a forfeit the most at the table."""
        found = [
            max(seat.total for seat in (own, *others)) if own.forfeit else own.total
            for own, others in self.tables(entrant)
        ]
        return Fraction(sum(found), len(found)) if found else Fraction(10**9)

    def opponents(self, entrant: int) -> list[Fraction]:
        """Return the mean of the opponents' scores in each round, the least first."""
        found = []
        for played in self.event.rounds:
            here: Fraction = Fraction(0)
            if entrant in played.byes:
                here = self.score(entrant)
            for table in played.tables:
                if entrant in table:
                    others = [self.score(other) for other in table if other != entrant]
                    here = sum(others, Fraction(0)) / len(others)
            found.append(here)
        return sorted(found)

    def sonneborn_berger(self, entrant: int) -> Fraction:
        """Return the scores of those left behind, halves for shared places, over opponents."""
        found = Fraction(0)
        for own, others in self.tables(entrant):
            for other in others:
                found += beaten(own, other) * self.score(other.entrant) / len(others)
        return found

    def encounter(self, entrant: int, tied: Sequence[int]) -> Fraction:
        """Return the result against the others, or 0 for all if some have not met."""
        found = Fraction(0)
        for one in tied:
            for two in tied:
                shares = [
                    beaten(own, other)
                    for own, others in self.tables(one)
                    for other in others
                    if other.entrant == two
                ]
                if one != two and not shares:
                    return Fraction(0)
                if one == entrant and shares:
                    found += sum(shares, Fraction(0)) / len(shares)
        return found

    def last_deals(self, entrant: int) -> list[int]:
        """Return the penalties of all deals that count, the last first."""
        deals = []
        for own, _ in self.tables(entrant):
            deals += [p for at, p in enumerate(own.deal_points) if at not in own.left_out]
        return deals[::-1]

    def lot(self, entrant: int) -> bytes:
        """Return the lot after the last round."""
        text = f"tie/{len(self.event.rounds)}/{entrant}"
        return hmac.new(self.event.seed, text.encode(), hashlib.sha256).digest()

    def seeding(self, entrant: int) -> float:
        """Return the seeding, nobody's being last."""
        return next(e.seeding or float("inf") for e in self.event.field if e.number == entrant)


def beaten(own: SeatResult, other: SeatResult) -> Fraction:
    """Return 1 for an opponent left behind and 1/2 for one beside; forfeits leave nobody behind."""
    if own.forfeit:
        return Fraction(0)
    if other.forfeit:
        return Fraction(1)
    return Fraction((own.place < other.place) * 2 + (own.place == other.place), 2)


# By row, what is smaller for the better.
VALUES: dict[str, Value] = {
    "placement": lambda slow, e, _: -slow.score(e),
    "mean-placement": lambda slow, e, _: (
        -sum((slow.points(*t) for t in slow.tables(e)), Fraction(0)) / len(slow.tables(e))
        if slow.tables(e)
        else Fraction(1)
    ),
    "total": lambda slow, e, _: slow.mean_penalties(e),
    "wins": lambda slow, e, _: -sum(o.place == 1 and not o.forfeit for o, _ in slow.tables(e)),
    "deals-won": lambda slow, e, _: (
        -slow.mean(e, lambda seat: seat.deals_won - seat.sudden_wins, -1)
    ),
    "down-and-outs": lambda slow, e, _: -slow.mean(e, lambda seat: seat.down_and_outs, -1),
    "last-deals": lambda slow, e, _: slow.last_deals(e),
    "calls": lambda slow, e, _: slow.mean(e, lambda seat: seat.calls, 10**9),
    "direct-encounter": lambda slow, e, tied: -slow.encounter(e, tied),
    "buchholz": lambda slow, e, _: -sum(slow.opponents(e)),
    "buchholz-cut": lambda slow, e, _: -sum(slow.opponents(e)[1:]),
    "buchholz-median": lambda slow, e, _: -sum(slow.opponents(e)[1:-1]),
    "sonneborn-berger": lambda slow, e, _: -slow.sonneborn_berger(e),
    "rounds-played": lambda slow, e, _: -len(slow.tables(e)),
    "seeding": lambda slow, e, _: slow.seeding(e),
    "lot": lambda slow, e, _: slow.lot(e),
}


def slow_ranks(slow: Slow, chain: Sequence[str]) -> dict[int, int]:
    """Return the rank of everybody."""
    ranks: dict[int, int] = {}

    def rank(tied: list[int], rows: Sequence[str], above: int) -> None:
        if not rows or len(tied) == 1:
            ranks.update(dict.fromkeys(tied, above + 1))
            return
        values = {entrant: VALUES[rows[0]](slow, entrant, tied) for entrant in tied}
        for entrant in tied:
            equal = [other for other in tied if values[other] == values[entrant]]
            better = [other for other in tied if values[other] < values[entrant]]
            if equal[0] == entrant:
                rank(equal, rows[1:], above + len(better))

    rank([entrant.number for entrant in slow.event.field], chain, 0)
    return ranks
