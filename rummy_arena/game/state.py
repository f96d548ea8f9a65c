"""The state of one deal and of one whole game. Changed only by ``engine`` and ``series``."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from .actions import NONE
from .cards import Card
from .events import DealEnd
from .melds import TableMeld
from .rules import Contract, RuleSet


class Phase(IntEnum):
    """The phases of the turn automaton."""

    DRAW = 0
    PLAY = 1  # between the draw and the discard
    CALL_WINDOW = 2  # after a discard, while somebody may call it
    CALL_DECISION = 3  # the unopened next player takes it or allows the call
    OVER = 4


class Answer(IntEnum):
    """A seat's answer in a call window."""

    NOT_ASKED = 0
    WAITING = 1
    CALLED = 2
    PASSED = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended; ``doubled`` is set when the winner opened in the turn of going out."""

    end: DealEnd
    winner: int = NONE
    doubled: bool = False


@dataclass(slots=True)
class Deal:
    """One hand dealt and played. ``turn`` is the seat in turn, or the next player in a window."""

    rules: RuleSet
    number: int  # contract, from 1
    dealer: int
    hands: list[list[Card]]  # each sorted by id
    stock: list[Card]  # drawn from the end
    discards: list[Card]  # the last is the top
    melds: list[TableMeld] = field(default_factory=list)
    opened_turn: list[int] = field(default_factory=list)  # turn of each seat's opening, or 0
    calls: list[int] = field(default_factory=list)  # successful calls by seat
    phase: Phase = Phase.DRAW
    turn: int = 0
    turn_number: int = 1  # turns of this deal so far, the present one included
    reshuffles: int = 0  # used so far
    answers: list[Answer] = field(default_factory=list)  # by seat, in a window
    waived: bool = False  # the next player allowed before the window closed
    stock_only: bool = False  # the draw of a turn that a granted call interrupted (J-8)
    drawn: Card = NONE  # the card drawn in this turn
    outcome: Outcome | None = None

    @property
    def contract(self) -> Contract:
        """The contract of this deal."""
        return self.rules.contracts[self.number - 1]

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.hands)

    @property
    def top(self) -> Card:
        """The top discard, or NONE."""
        return self.discards[-1] if self.discards else NONE


@dataclass(slots=True)
class Game:
    """The whole series of deals of a rule set, seats 0 to n-1; seat 0 deals first (X-3)."""

    rules: RuleSet
    seats: int
    deal: Deal
    attempt: int = 0  # replays of the present contract so far
    scores: list[tuple[int, ...]] = field(default_factory=list)  # points by seat, per scored deal
    winners: list[int] = field(default_factory=list)  # seat that went out, or NONE, per scored deal
    down_and_outs: list[int] = field(default_factory=list)  # by seat
    calls: list[int] = field(default_factory=list)  # successful calls by seat over all deals
    over: bool = False
    _summed: tuple[int, ...] = field(default=(), repr=False, compare=False)
    _summed_deals: int = field(default=0, repr=False, compare=False)

    @property
    def totals(self) -> tuple[int, ...]:
        """Total penalties by seat; summed once for each scored deal."""
        if self._summed_deals != len(self.scores) or not self._summed:
            sums = tuple(map(sum, zip(*self.scores, strict=True)))
            self._summed, self._summed_deals = sums or (0,) * self.seats, len(self.scores)
        return self._summed
