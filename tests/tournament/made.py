"""Results made up for tests of tournaments."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

from rummy_arena.tournament.results import Finish, SeatResult, TableResult

Report = Callable[[int, int, tuple[int, ...]], TableResult]
"""Round number, table number, entrants in seat order: how that table ends."""


def seat(entrant: int, total: int = 0, place: int = 1, **other: object) -> SeatResult:
    """Return a seat's result with zeros for what does not matter."""
    facts: dict[str, object] = {"deals_won": 0, "down_and_outs": 0, "calls": 0, "deal_points": ()}
    return SeatResult(entrant=entrant, total=total, place=place, **(facts | other))  # type: ignore[arg-type]


def finish(entrant: int, *, points: int = 0, **facts: object) -> Finish:
    """Return a seat's finish with zeros for what does not matter."""
    return Finish(seat(entrant, **facts), Fraction(points))  # type: ignore[arg-type]


def table(number: int, entrants: Sequence[int], totals: Sequence[int]) -> TableResult:
    """Return a table that ended with these totals; equal totals share a place."""
    return TableResult(
        number,
        tuple(
            seat(entrant, total, 1 + sum(other < total for other in totals))
            for entrant, total in zip(entrants, totals, strict=True)
        ),
    )


def chance(seed: int, *, spread: int = 900) -> Report:
    """Return a report of random totals up to ``spread``, a function of its arguments alone."""

    def report(round_number: int, number: int, entrants: tuple[int, ...]) -> TableResult:
        dice = random.Random(f"{seed}/{round_number}/{number}")
        return table(number, entrants, [dice.randint(0, spread) for _ in entrants])

    return report
