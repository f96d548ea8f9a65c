"""The order of entrants who did equally well: one table of rows, applied from the top.

A row applies to a single finish at a table (who goes on from a knockout's round), to all complete
rounds of a scored event, or to both. A chain of rows is fixed when the event starts. It goes from
row to row until something tells two entrants apart; a lot is drawn only for those whom every other
row leaves equal.

| id | applies to | the better entrant has |
|---|---|---|
| placement | table, event | more placement points (see ``results``) |
| mean-placement | event | more placement points for each table played |
| total | table, event | fewer penalties; in an event for each table played |
| wins | event | come first at more tables |
| deals-won | table, event | won more deals; in an event for each table played |
| down-and-outs | table, event | more often opened and gone out in one turn; the same |
| last-deals | table, event | fewer penalties in the last deal, else in the one before, and so on |
| calls | table, event | fewer successful calls; in an event for each table played |
| direct-encounter | event | done better against the others who are tied, if all of them have met |
| buchholz | event | opponents with more points |
| buchholz-cut | event | the same without the round in which they had fewest |
| buchholz-median | event | the same without the rounds in which they had fewest and most |
| sonneborn-berger | event | left behind opponents with more points |
| rounds-played | event | played more tables |
| seeding | event | been seeded higher |
| lot | table, event | the smaller lot of the tournament's seed |

Deals of sudden death, and deals that were not dealt to a seat, break no ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from .draw import Draw
from .errors import InvalidFormat
from .results import Finish

if TYPE_CHECKING:
    from .scoresheet import Scoresheet

TIE_BREAKS = "tie_breaks"
"""What InvalidFormat names where a chain cannot be used."""
TABLE, EVENT = "table", "event"
"""Where a row may apply: to one finish at a table, or to all rounds of a scored event."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One row: an id, what the better entrant has, and where the values come from.

    ``of_finish`` returns the value of a finish. ``of_rounds`` returns values by entrant, of those
    who are tied at least; none at all where the row cannot be applied to them.
    """

    id: str
    definition: str
    more: bool  # whether the greater value is the better
    of_finish: Callable[[Finish, Draw], Any] | None = None
    of_rounds: Callable[[Scoresheet, Sequence[int]], Mapping[int, Any]] | None = None
    shown: Callable[[Scoresheet, Any], str] = lambda _, value: str(value)

    @property
    def where(self) -> tuple[str, ...]:
        """What it applies to: ``TABLE``, ``EVENT`` or both."""
        places = ((TABLE, self.of_finish), (EVENT, self.of_rounds))
        return tuple(place for place, values in places if values is not None)

    def key(self, finish: Finish, draw: Draw) -> Any:
        """Return what is smaller for the better of two finishes at tables."""
        assert self.of_finish is not None  # noqa: S101  chains hold rows that apply
        value = self.of_finish(finish, draw)
        return -value if self.more else value


LOT = TieBreak(
    "lot",
    "The smaller lot, drawn by the tournament's seed.",
    more=False,
    of_finish=lambda finish, draw: draw.lot(finish.seat.entrant),
    of_rounds=lambda sheet, tied: {entrant: sheet.draw.lot(entrant) for entrant in tied},
    shown=lambda _, drawn: drawn.hex()[:8],
)

ROWS: tuple[TieBreak, ...] = (
    TieBreak(
        "placement",
        "More placement points: 6 (n - p) / (n - 1) for place p of n, a shared place the mean of "
        "what it takes up; in an event their sum, with what byes and missed rounds are worth.",
        more=True,
        of_finish=lambda finish, _: finish.points,
        of_rounds=lambda sheet, _: sheet.scores,
        shown=lambda sheet, points: sheet.text(points),
    ),
    TieBreak(
        "mean-placement",
        "More placement points for each table played, for entrants who played different numbers.",
        more=True,
        of_rounds=lambda sheet, _: sheet.mean_scores,
        shown=lambda sheet, points: sheet.mean_text(points, points=True),
    ),
    TieBreak(
        "total",
        "Fewer penalties; in an event for each table played, a forfeit being the most that anybody "
        "paid at that table.",
        more=False,
        of_finish=lambda finish, _: finish.seat.total,
        of_rounds=lambda sheet, _: sheet.totals,
        shown=lambda sheet, mean: sheet.mean_text(mean),
    ),
    TieBreak(
        "wins",
        "Came first at more tables, alone or with others.",
        more=True,
        of_rounds=lambda sheet, _: sheet.wins,
    ),
    TieBreak(
        "deals-won",
        "Won more deals, without sudden death; in an event for each table played.",
        more=True,
        of_finish=lambda finish, _: finish.seat.counted_wins,
        of_rounds=lambda sheet, _: sheet.deals_won,
        shown=lambda sheet, mean: sheet.mean_text(mean),
    ),
    TieBreak(
        "down-and-outs",
        "More often opened and went out in one turn; in an event for each table played.",
        more=True,
        of_finish=lambda finish, _: finish.seat.down_and_outs,
        of_rounds=lambda sheet, _: sheet.down_and_outs,
        shown=lambda sheet, mean: sheet.mean_text(mean),
    ),
    TieBreak(
        "last-deals",
        "Fewer penalties in the last deal, else in the one before, and so on; without deals that "
        "were not dealt to the entrant, and sudden death. In an event it goes on with the round "
        "before that the entrant played.",
        more=False,
        of_finish=lambda finish, _: finish.seat.counted_deals[::-1],
        of_rounds=lambda sheet, tied: sheet.last_deals(tied),
        shown=lambda _, deals: " ".join(map(str, deals[:3])) + (" ..." if len(deals) > 3 else ""),
    ),
    TieBreak(
        "calls",
        "Fewer successful calls; in an event for each table played.",
        more=False,
        of_finish=lambda finish, _: finish.seat.calls,
        of_rounds=lambda sheet, _: sheet.calls,
        shown=lambda sheet, mean: sheet.mean_text(mean),
    ),
    TieBreak(
        "direct-encounter",
        "Only where all who are tied have met one another: the sum, over the others, of the share "
        "of the tables they met at at which the entrant came before the other; a shared place is "
        "half of one.",
        more=True,
        of_rounds=lambda sheet, tied: sheet.encounters(tied),
        shown=lambda _, share: f"{float(share):.4g}",
    ),
    TieBreak(
        "buchholz",
        "A greater sum, over the rounds, of the mean of the points that the opponents at the table "
        "have now. A bye counts as an opponent with the entrant's own points, a missed round 0.",
        more=True,
        of_rounds=lambda sheet, _: sheet.buchholz(0, 0),
        shown=lambda sheet, points: sheet.text(points, sheet.shares),
    ),
    TieBreak(
        "buchholz-cut",
        "As buchholz, without the round in which it was least.",
        more=True,
        of_rounds=lambda sheet, _: sheet.buchholz(1, 0),
        shown=lambda sheet, points: sheet.text(points, sheet.shares),
    ),
    TieBreak(
        "buchholz-median",
        "As buchholz, without the rounds in which it was least and most; from three rounds on.",
        more=True,
        of_rounds=lambda sheet, _: sheet.buchholz(1, 1),
        shown=lambda sheet, points: sheet.text(points, sheet.shares),
    ),
    TieBreak(
        "sonneborn-berger",
        "A greater sum, over the rounds, of the points that those have now whom the entrant left "
        "behind at the table, and half the points of those who share its place, divided by the "
        "number of its opponents there. Byes count nothing.",
        more=True,
        of_rounds=lambda sheet, _: sheet.sonneborn_berger,
        shown=lambda sheet, points: sheet.text(points, 2 * sheet.shares),
    ),
    TieBreak(
        "rounds-played",
        "Played more tables.",
        more=True,
        of_rounds=lambda sheet, _: sheet.tables,
    ),
    TieBreak(
        "seeding",
        "Was seeded higher; who was not seeded comes last.",
        more=False,
        of_rounds=lambda sheet, _: sheet.seedings,
        shown=lambda sheet, seeding: sheet.rank_text(seeding),
    ),
    LOT,
)

BY_ID: Mapping[str, TieBreak] = {row.id: row for row in ROWS}
HOUSE = ("placement", "total", "deals-won", "down-and-outs", "last-deals", "calls", "lot")
"""The chain where nothing else is chosen."""
CHAIN: tuple[TieBreak, ...] = tuple(BY_ID[name] for name in HOUSE)


def rows_of(where: str) -> tuple[TieBreak, ...]:
    """Return the rows that apply to finishes at tables, or to the rounds of a scored event."""
    return tuple(row for row in ROWS if where in row.where)


def chain_of(ids: Sequence[str], where: str) -> tuple[TieBreak, ...]:
    """Return the rows with these ids, or the house's chain for none.

    For finishes at tables a lot comes after them, as somebody must go on.
    Raises InvalidFormat for a row that there is not, that does not apply there or comes twice, for
    rows after a lot, and for finishes at tables whose places would not come first.
    """
    return _checked_chain(tuple(ids), where)


@lru_cache(maxsize=64)  # it is asked for at every table of a round
def _checked_chain(ids: tuple[str, ...], where: str) -> tuple[TieBreak, ...]:
    known = {row.id: row for row in rows_of(where)}
    for place, name in enumerate(ids):
        if name not in known:
            other = f"{name!r} does not apply to this format" if name in BY_ID else "unknown"
            reason = f"{other}; there are: {', '.join(known)}"
            raise InvalidFormat(TIE_BREAKS, reason)
        if name in ids[:place]:
            raise InvalidFormat(TIE_BREAKS, f"{name!r} is there twice")
        if LOT.id in ids[:place]:
            raise InvalidFormat(TIE_BREAKS, f"{name!r} has no use after a lot")
    if where == TABLE and ids and ids[0] != "placement":
        raise InvalidFormat(TIE_BREAKS, "put placement first: who goes on is said by the places")
    chain = tuple(known[name] for name in ids or HOUSE)
    return chain if where == EVENT or LOT in chain else (*chain, LOT)


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
        drawn = [finish.seat.entrant for _, finish in keyed]
        lots.append(lots_in_words([finish.seat.entrant for finish in tied], drawn, draw))
    order: list[Finish] = []
    for _, group in groupby(keyed, key=lambda pair: pair[0]):
        order += _ranked([finish for _, finish in group], draw, rest, lots)
    return order


def lots_in_words(tied: Iterable[int], drawn: Iterable[int], draw: Draw) -> str:
    """Return what is said of a lot that was drawn: who was equal, and in what order they come."""
    equal, order = (", ".join(map(str, entrants)) for entrants in (tied, drawn))
    return f"round {draw.round_number}: entrants {equal} were equal; lots put {order}"
