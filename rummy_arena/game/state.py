"""The state of one deal and of one whole game. Changed only by ``engine`` and ``series``."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

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
    CALL_DECISION = 3  # the next player or the discarder lets the caller have it, or not
    OVER = 4
    REBUY = 5  # between deals: a seat above the limit buys back or does not (E-17)


class Answer(IntEnum):
    """A seat's answer in a call window."""

    NOT_ASKED = 0
    WAITING = 1
    CALLED = 2
    PASSED = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended; ``down_and_out``: the winner opened in the turn of going out."""

    end: DealEnd
    winner: int = NONE
    down_and_out: bool = False


class Progress(NamedTuple):
    """What the present turn has done so far, where a rule set makes something of it."""

    taken: Card = NONE  # the card taken from the discard pile
    melds_before: int = 0  # melds on the table when the turn began (B-10)
    laid_off: bool = False  # a card was laid off or a joker moved (B-12)
    built: tuple[tuple[int, int, int], ...] = ()  # target, end of a run, cards laid off (E-12)

    def built_on(self, target: int, end: int) -> int:
        """Return how many cards this turn laid off on that end of run ``target``."""
        for built_target, built_end, cards in self.built:
            if built_target == target and built_end == end:
                return cards
        return 0

    def with_lay_off(self, target: int, end: int) -> Progress:
        """Return the progress after a lay-off, counted where it has an end of a run."""
        built = self.built
        if end != NONE:
            count = self.built_on(target, end) + 1
            rest = [entry for entry in built if entry[:2] != (target, end)]
            built = tuple(sorted([*rest, (target, end, count)]))
        return self._replace(laid_off=True, built=built)


NO_PROGRESS = Progress()
"""The first turn of a deal, before anything was done."""


@lru_cache(maxsize=1024)
def following(seats: int, players: tuple[int, ...], clockwise: bool) -> tuple[int, ...]:
    """Return by seat the player who comes after it."""
    step = 1 if clockwise else -1
    after = []
    for seat in range(seats):
        other = (seat + step) % seats
        while other not in players:
            other = (other + step) % seats
        after.append(other)
    return tuple(after)


@dataclass(slots=True)
class Deal:
    """One hand dealt and played. ``turn`` is the seat in turn, or the next player in a window."""

    rules: RuleSet
    number: int  # of the deal in its game, from 1; replays keep it
    dealer: int
    hands: list[list[Card]]  # each sorted by id
    stock: list[Card]  # drawn from the end
    discards: list[Card]  # the last is the top
    contract_number: int  # from 1
    players: tuple[int, ...]  # the seats that are dealt in
    after: tuple[int, ...]  # by seat: the player who comes next
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
    discarder: int = NONE  # the seat whose discard is on top, in a window or decision
    progress: Progress = NO_PROGRESS
    offers: tuple[int, ...] = ()  # seats that have yet to say whether they buy back (E-17)

    @property
    def contract(self) -> Contract:
        """The contract of this deal."""
        return self.rules.contracts[self.contract_number - 1]

    @property
    def seats(self) -> int:
        """How many seats the table has, players or not."""
        return len(self.hands)

    @property
    def top(self) -> Card:
        """The top discard, or NONE."""
        return self.discards[-1] if self.discards else NONE


class Leg(NamedTuple):
    """One finished game of a best of three, by seat."""

    totals: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(slots=True)
class Game:
    """The whole series of deals of a rule set, seats 0 to n-1; seat 0 deals first (X-3)."""

    rules: RuleSet
    seats: int
    deal: Deal
    attempt: int = 0  # replays of the present deal so far
    scores: list[tuple[int, ...]] = field(default_factory=list)  # points by seat, per scored deal
    winners: list[int] = field(default_factory=list)  # seat that went out, or NONE, per scored deal
    down_and_outs: list[int] = field(default_factory=list)  # by seat, sudden death not
    calls: list[int] = field(default_factory=list)  # successful calls by seat, sudden death not
    over: bool = False
    adjustments: list[int] = field(default_factory=list)  # by seat: what re-buys changed (E-17)
    rebuys: list[int] = field(default_factory=list)  # by seat: re-buys used
    eliminated: list[int] = field(default_factory=list)  # lowest in the final order first (E-23)
    playoff: tuple[int, ...] = ()  # seats that play sudden death (B-19)
    playoff_ranks: tuple[int, ...] = ()  # by seat: its points or lots there, decided
    legs: list[Leg] = field(default_factory=list)  # finished games of a best of three (B-24)
    leg_start: int = 0  # scored deals of earlier legs
    ledger: list[int] = field(default_factory=list)  # units of play money by seat
    pot: int = 0
    withheld: list[tuple[int, int]] = field(default_factory=list)
    """Number and attempt of void deals that were committed to and whose seeds come at the end."""
    _summed: tuple[int, ...] = field(default=(), repr=False, compare=False)
    _summed_deals: int = field(default=-1, repr=False, compare=False)

    @property
    def totals(self) -> tuple[int, ...]:
        """Penalties by seat in the present leg, re-buys included, sudden death not (B-19)."""
        if self._summed_deals != len(self.scores):
            self.sum_again()
        return self._summed

    def sum_again(self) -> None:
        """Work the totals out anew, after a row or a re-buy was written."""
        sums = list(self.adjustments) or [0] * self.seats
        for row in self.scores[self.leg_start : self._contract_deals]:
            sums = [total + points for total, points in zip(sums, row, strict=True)]
        self._summed, self._summed_deals = tuple(sums), len(self.scores)

    @property
    def _contract_deals(self) -> int:
        """How many rows count to the end of the present leg's contracts."""
        if self.rules.by_elimination:
            return len(self.scores)
        return self.leg_start + len(self.rules.contracts)
