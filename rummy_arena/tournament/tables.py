"""How many tables a field fills, and how many entrants sit at each.

A field sits at as few tables as hold it with ``seats`` at each, spread as evenly as can be: with
four seats that is tables of four and three. Where that would leave a table below what the rule set
allows, there are fewer tables and they are larger, up to what the rule set allows: five entrants
at four seats are one table of five. A field that fits neither way is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from .errors import InvalidFormat, UnevenField


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Seats of a full table, and the fewest and most that the rule set allows."""

    seats: int
    min_seats: int
    max_seats: int

    def __post_init__(self) -> None:
        if not 2 <= self.min_seats <= self.max_seats:
            raise InvalidFormat("min_seats", f"give 2 to {self.max_seats}, not {self.min_seats}")
        if not self.min_seats <= self.seats <= self.max_seats:
            raise InvalidFormat(
                "seats", f"give {self.min_seats} to {self.max_seats}, not {self.seats}"
            )


def fits(limits: TableLimits, entrants: int) -> bool:
    """Return whether a field of this size can be seated."""
    tables = _table_count(limits, entrants)
    return tables > 0 and entrants <= tables * limits.max_seats


def table_sizes(limits: TableLimits, entrants: int) -> tuple[int, ...]:
    """Return the seats of each table, the larger first; raises UnevenField."""
    if not fits(limits, entrants):
        raise UnevenField(entrants, nearest(limits, entrants))
    tables = _table_count(limits, entrants)
    small, larger = divmod(entrants, tables)
    return (small + 1,) * larger + (small,) * (tables - larger)


def nearest(limits: TableLimits, entrants: int) -> tuple[int, ...]:
    """Return the nearest smaller field that fits, if there is one, and the nearest larger one."""
    below = next((size for size in range(entrants - 1, 0, -1) if fits(limits, size)), None)
    above = next(size for size in count(max(entrants, 0) + 1) if fits(limits, size))
    return (above,) if below is None else (below, above)


def _table_count(limits: TableLimits, entrants: int) -> int:
    full = -(-entrants // limits.seats)
    return min(full, entrants // limits.min_seats)
