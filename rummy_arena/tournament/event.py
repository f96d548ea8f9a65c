"""What every format is given, and what it hands out: the contract of ``formats``.

A format runs one stage of an event, and knows nothing of others: its rounds count from 1, its
field is who enters the stage. ``stages`` puts stages together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .field import Entrant, Field, present
from .options import YES, Option
from .rounds import Advancing, PlayedRound, Round, Standing
from .tables import TableLimits
from .tiebreaks import EVENT


@dataclass(frozen=True, slots=True)
class Terms:
    """What was fixed when the event started: sizes of tables, and every option of the format."""

    limits: TableLimits
    options: Mapping[str, str]
    chain: tuple[str, ...] = ()  # ids of tie-breaks in their order; none for the house's
    contracts: int = 0  # deals of a game of the rule set; 0 where it goes on until one is left
    limit: int = 0  # penalties above which its games put a player out; 0 where they do not

    def number(self, name: str) -> int:
        """Return an option that is a number."""
        return int(self.options[name])

    def flag(self, name: str) -> bool:
        """Return an option that is yes or no."""
        return self.options[name] == YES

    def choice(self, name: str) -> str:
        """Return an option that is a word."""
        return self.options[name]


@dataclass(frozen=True, slots=True)
class Event:
    """A stage as far as it has been played; everything follows from it alone."""

    terms: Terms
    field: Field
    rounds: tuple[PlayedRound, ...]  # complete, numbered from 1
    seed: bytes
    pending: Round | None = None  # the round that is being played, for standings

    @property
    def next_number(self) -> int:
        """The number of the round that is to be paired."""
        return len(self.rounds) + 1

    def present(self) -> tuple[Entrant, ...]:
        """Return who is to be paired in the next round, by number."""
        return present(self.field, self.next_number)


Plan = tuple[tuple[int, ...], ...]
"""The sizes of the tables of every round, if everybody stays."""


def at_the_start(terms: Terms) -> int:
    """Return 1: nobody enters after the first round."""
    return 1


def never(terms: Terms, round_number: int) -> bool:
    """Return that nobody who is out comes back."""
    return False


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what to call it, what can be chosen, and the pure functions that run it.

    ``plan`` raises InvalidFormat for options that do not go together with each other or with the
    limits, and UnevenField for a number of entrants that it cannot seat. ``pair`` returns the next
    round, or None when the stage is over (also where too few are left to play on). It never fails
    for owners who cannot be kept apart: they meet, and the round's notes say so. ``advancing`` says
    who goes on after the last complete round; after the stage's last one, who goes on to the next
    stage or has won, the best first. ``goes_on`` is how many that will be, if everybody stays.
    ``standings`` gives the line of everybody in the field, the best first. ``last_entry`` is the
    last round in which somebody new may enter; ``returns`` says whether who left may come back.
    ``scheduled`` says that a schedule fixes who sits at which table: nobody changes to another.
    ``reenters`` says whether somebody who is out may come back for a round, by a new stay from it.
    ``is_over`` says what ``pair`` says by returning None, where that is cheaper to know.
    """

    id: str
    title: str
    text: str  # what it is, in a sentence or two
    options: tuple[Option, ...]
    plan: Callable[[Terms, int], Plan]
    pair: Callable[[Event], Round | None]
    goes_on: Callable[[Terms, int], int]
    advancing: Callable[[Event], Advancing]
    standings: Callable[[Event], tuple[Standing, ...]]
    last_entry: Callable[[Terms], int] = at_the_start
    returns: bool = False
    is_over: Callable[[Event], bool] | None = None
    reenters: Callable[[Terms, int], bool] = never
    ranks: str = EVENT  # what its tie-breaks tell apart: finishes at a ``TABLE``, or whole events
    chain: tuple[str, ...] = ()  # ids of its own tie-breaks; none for the house's
    scheduled: bool = False

    def ended(self, event: Event) -> bool:
        """Return whether the stage has no further round."""
        return self.pair(event) is None if self.is_over is None else self.is_over(event)
