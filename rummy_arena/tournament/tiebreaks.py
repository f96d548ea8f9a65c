"""The order of entrants who played different tables, and of those who did equally well.

One table of rows, applied from the top until something tells two entrants apart. A row's key is
smaller for the better entrant. The last row is a lot, drawn only for those whom every other row
leaves equal.

| id | the better entrant has |
|---|---|
| placement | more placement points (see ``results``) |
| total | fewer penalties over the whole game |
| deals-won | won more deals |
| down-and-outs | more often opened and gone out in one turn |
| last-deals | fewer penalties in the last deal, else in the one before, and so on |
| calls | fewer successful calls |
| lot | the smaller lot of the tournament's seed |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from .draw import TIE, lot
from .results import Finish

Key = Callable[[Finish, "Draw"], Any]


@dataclass(frozen=True, slots=True)
class Draw:
    """The lots of one round."""

    seed: bytes
    round_number: int

    def lot(self, entrant: int) -> bytes:
        """Return the entrant's lot in a tie."""
        return lot(self.seed, TIE, self.round_number, entrant)


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One row: an id, what the better entrant has, and the key that is smaller for it."""

    id: str
    definition: str
    key: Key


LOT = TieBreak("lot", "the smaller lot", lambda finish, draw: draw.lot(finish.seat.entrant))

CHAIN: tuple[TieBreak, ...] = (
    TieBreak("placement", "more placement points", lambda finish, _: -finish.points),
    TieBreak("total", "fewer penalties", lambda finish, _: finish.seat.total),
    TieBreak("deals-won", "more deals won", lambda finish, _: -finish.seat.deals_won),
    TieBreak("down-and-outs", "more down-and-outs", lambda finish, _: -finish.seat.down_and_outs),
    TieBreak(
        "last-deals",
        "fewer penalties in the last deal, else in the one before",
        lambda finish, _: finish.seat.deal_points[::-1],
    ),
    TieBreak("calls", "fewer successful calls", lambda finish, _: finish.seat.calls),
    LOT,
)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Finishes with the best first, and the lots that were drawn, in words."""

    order: tuple[Finish, ...]
    lots: tuple[str, ...]

    @property
    def entrants(self) -> tuple[int, ...]:
        """The entrants, the best first."""
        return tuple(finish.seat.entrant for finish in self.order)


def rank(finishes: Iterable[Finish], draw: Draw, chain: Sequence[TieBreak] = CHAIN) -> Ranking:
    """Return the finishes in the order of the chain; the order that they come in does not matter.

    A chain without a lot leaves those who are equal in the order of their entrant numbers.
    """
    lots: list[str] = []
    order = sorted(finishes, key=lambda finish: finish.seat.entrant)
    return Ranking(tuple(_ranked(order, draw, chain, lots)), tuple(lots))


def _ranked(
    tied: list[Finish], draw: Draw, chain: Sequence[TieBreak], lots: list[str]
) -> list[Finish]:
    """Sort by the first row, then each group that it leaves equal by the rest."""
    if len(tied) < 2 or not chain:
        return tied
    first, rest = chain[0], chain[1:]
    keyed = [(first.key(finish, draw), finish) for finish in tied]
    keyed.sort(key=lambda pair: pair[0])
    if first is LOT:
        lots.append(_in_words(tied, [finish for _, finish in keyed], draw.round_number))
    order: list[Finish] = []
    for _, group in groupby(keyed, key=lambda pair: pair[0]):
        order += _ranked([finish for _, finish in group], draw, rest, lots)
    return order


def _in_words(tied: list[Finish], drawn: list[Finish], round_number: int) -> str:
    def shown(finishes: list[Finish]) -> str:
        return ", ".join(str(finish.seat.entrant) for finish in finishes)

    return f"round {round_number}: entrants {shown(tied)} were equal; lots put {shown(drawn)}"


def decided_by(better: Finish, worse: Finish, draw: Draw) -> str:
    """Return the id of the first row that tells two finishes apart."""
    return next(row.id for row in CHAIN if row.key(better, draw) != row.key(worse, draw))
