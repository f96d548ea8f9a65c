"""Why an entrant of a ladder waits: a type for each cause, with its facts.

``until_ms`` is when that changes if nothing else does; None where it depends on others alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Pausing:
    """It came free a moment ago."""

    until_ms: int

    def words(self) -> str:
        """Return the reason for people."""
        return "the pause between two tables is not over"


@dataclass(frozen=True, slots=True)
class TooFew:
    """Fewer entrants are free than sit at the smallest table."""

    free: int  # itself included
    needed: int
    until_ms: int | None = None

    def words(self) -> str:
        """Return the reason for people."""
        return f"{self.free} free of {self.needed} that make a table"


@dataclass(frozen=True, slots=True)
class SameOwner:
    """Of those in its reach too many belong to its owner, or to one another's."""

    owner: str
    in_reach: int  # whoever it might meet but for the owners
    owners: int  # different ones among them, its own left out
    until_ms: int | None

    def words(self) -> str:
        """Return the reason for people."""
        if not self.owners:
            return f"everybody in reach ({self.in_reach}) belongs to its owner {self.owner}"
        return f"the {self.in_reach} in reach belong to {self.owners} other owners; more are needed"


@dataclass(frozen=True, slots=True)
class NobodyNear:
    """Not enough entrants lie within its reach."""

    reach: int  # points, now
    in_reach: int
    needed: int  # others, for a table of the size that it may have now
    nearest: float | None  # the distance of the nearest that it does not reach yet
    until_ms: int | None

    def words(self) -> str:
        """Return the reason for people."""
        if self.nearest is None:
            return f"{self.in_reach} within {self.reach} points, and {self.needed} are needed"
        return (
            f"{self.in_reach} within {self.reach} points, and {self.needed} are needed; "
            f"the next is {self.nearest:.0f} away"
        )


@dataclass(frozen=True, slots=True)
class Ahead:
    """It has played more than others, who come first."""

    games: int
    fewest: int  # of anybody in the pool
    lead: int  # so many more are allowed
    until_ms: int

    def words(self) -> str:
        """Return the reason for people."""
        return f"{self.games} games, more than {self.lead} above the fewest, {self.fewest}"


@dataclass(frozen=True, slots=True)
class TablesFull:
    """As many tables are open as the ladder may have."""

    tables: int
    until_ms: int | None = None

    def words(self) -> str:
        """Return the reason for people."""
        return f"{self.tables} tables are open, as many as the ladder may have"


@dataclass(frozen=True, slots=True)
class NotBegun:
    """The arena has not begun."""

    until_ms: int

    def words(self) -> str:
        """Return the reason for people."""
        return "the arena has not begun"


Reason: TypeAlias = Pausing | TooFew | SameOwner | NobodyNear | Ahead | TablesFull | NotBegun
