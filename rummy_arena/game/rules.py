"""A rule set as data: the parameters and named policies that one engine plays.

Two rule sets never differ by a branch on a name; what differs is a field here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from .cards import JOKER_BASE, RANKS, SUIT_OF, Card, full_pack

UNLIMITED = 1 << 30
"""A count that nothing reaches."""

EVERYWHERE = {
    "CARD_NOT_HELD": "X-2",
    "REPEATED_CARD": "X-2",
    "UNKNOWN_SEAT": "X-2",
    "PILE_EMPTY": "X-6",
    "UP_CARD.NO_CALL_WINDOW": "X-7",
    "THROWN_BACK": "X-8",
    "RUN_LEAVES_ACES": "X-13",
    "RUN_NOT_CONSECUTIVE": "X-13",
    "WRONG_PHASE": "X-14",
    "RUN_SUITS_DIFFER": "X-1",
    "SET_RANKS_DIFFER": "X-1",
    "DEAL_OVER": "X-19",
    "NOT_YOUR_TURN": "X-19",
    "UNKNOWN_MELD": "X-20",
}
"""Clauses that refusals cite in every game, by code."""


class PilePolicy(Enum):
    """Who may draw the top of the discard pile."""

    UNOPENED = "unopened"  # only who has not opened (J-25)
    ANYBODY = "anybody"  # always (B-17, C-14)
    TO_OPEN = "to-open"  # first turn of the deal, if opened, or to open with it at once (E-7, E-8)


class RunEnds(Enum):
    """Where a run on the table grows."""

    UPWARDS = "upwards"  # at its high end until that is an ace, then at the low end (J-16)
    EITHER = "either"  # at the end that the player names (B-11)


class JokerExchange(Enum):
    """What happens when a natural takes the place of a joker on the table."""

    SHIFT = "shift"  # the joker moves to an end of its run (J-19, B-10, C-7)
    TAKE = "take"  # the joker is taken and used again at once (E-13)


class NewMelds(Enum):
    """When an opened player may lay down further melds."""

    ALWAYS = "always"
    BEFORE_LAY_OFF = "before-lay-off"  # not after a lay-off in the same turn (B-12)
    NEVER = "never"  # C-15


class CallAuthority(Enum):
    """Who decides about a call."""

    NEXT_PLAYER = "next_player"  # by taking the card (J-5)
    DISCARDER = "discarder"  # allows or forbids (B-1)


class CallPriority(Enum):
    """Which of several callers is heard."""

    CLOCKWISE = "clockwise"  # in turn order after the next player (J-6)
    FIRST_RECEIVED = "first_received"  # B-6


class TieForFirst(Enum):
    """What equal lowest totals at the end of a game mean."""

    SHARED = "shared"
    SUDDEN_DEATH = "sudden-death"  # the tied play the last contract once more (B-19)


class StakeDoubling(Enum):
    """When a deal pays its winner twice the stake."""

    NEVER = "never"
    DOWN_AND_OUT = "down-and-out"  # Kaluki: opened and went out in one turn (E-20)
    BONUS = "bonus"  # whenever the winner takes the bonus for going out (B-24)


@dataclass(frozen=True)
class Contract:
    """What an opening must hold, and how many cards a deal of it gives.

    Either sets and runs, or the points that its melds are worth at least.
    """

    sets: int = 0
    runs: int = 0
    hand_size: int = 0
    points: int = 0
    hand_sizes: tuple[int, ...] = ()  # by players where it depends on them; empty otherwise (E-2)

    @property
    def text(self) -> str:
        """The contract as the field writes it: ``2 sets + 1 run``, ``40 points``."""
        if self.points:
            return f"{self.points} points"
        parts = []
        if self.sets:
            parts.append(f"{self.sets} set{'s' if self.sets > 1 else ''}")
        if self.runs:
            parts.append(f"{self.runs} run{'s' if self.runs > 1 else ''}")
        return " + ".join(parts)

    def cards_each(self, players: int) -> int:
        """Return how many cards each of ``players`` is dealt."""
        return self.hand_sizes[players] if self.hand_sizes else self.hand_size


@dataclass(frozen=True)
class HandValues:
    """Penalty points of the cards left in a hand, and points of the cards of an opening."""

    joker: int
    black_ace: int
    red_ace: int
    court: int  # ten, jack, queen, king; lower ranks count their face

    def of(self, card: Card) -> int:
        """Return the penalty points of one card."""
        if card >= JOKER_BASE:
            return self.joker
        rank = (card >> 2) % RANKS
        if rank == 0:
            return self.red_ace if SUIT_OF[card] in (1, 2) else self.black_ace
        return self.court if rank >= 9 else rank + 1


@dataclass(frozen=True)
class Head:
    """Where a rule set comes from."""

    source: str
    clauses: str  # letter of its clauses in the rule book; those of X hold as well
    deviations: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Everything that the engine must know of one game; compared and hashed by identity.

    The registry makes one object for each choice of options, so that tables can be kept by it.
    """

    id: str
    title: str
    head: Head
    min_seats: int
    max_seats: int
    packs: int
    jokers: int
    contracts: tuple[Contract, ...]
    values: HandValues
    clauses: Mapping[str, str]  # clause that a refusal's code cites
    options: tuple[tuple[str, str], ...] = ()  # chosen otherwise than by default, sorted by name
    clockwise: bool = True
    # Melds.
    set_min: int = 3
    set_max: int = UNLIMITED
    set_min_naturals: int = 2
    set_spare_jokers: int = UNLIMITED  # how many more jokers than naturals a set may hold (B-8)
    set_suits_differ: bool = False
    run_min: int = 4
    run_max: int = 14
    ace_low: bool = True  # aces are always high; also low?
    jokers_adjacent: bool = False  # may they stand side by side in a run?
    own_melds_differ: bool = True  # no two own sets of a rank, no two own runs of a suit (J-12)
    # The opening.
    opening_exact: bool = False  # melds of the least length, and nothing else that turn (C-2)
    opening_jokers: int = UNLIMITED  # jokers of one meld of the opening (C-3)
    # After the opening.
    new_melds: NewMelds = NewMelds.ALWAYS
    run_ends: RunEnds = RunEnds.UPWARDS
    build_per_end: int = UNLIMITED  # cards laid off on one end of a run in one turn (E-12)
    joker_exchange: JokerExchange = JokerExchange.SHIFT
    joker_owner_only: bool = False  # only the owner of the run moves its jokers (B-10)
    joker_later_turn: bool = False  # and only in a turn after the run came to the table
    exchange_naturals: int = 1  # cards, each of a suit that the set lacks, for its joker (E-13)
    # Draws, calls and discards.
    pile: PilePolicy = PilePolicy.UNOPENED
    throw_back: bool = True  # the card taken from the pile may be discarded in that turn
    joker_discard: bool = False
    final_discard: bool = False  # going out needs a discard (C-10, E-19)
    max_calls: int = 0  # successful calls per seat and deal (J-1)
    call_authority: CallAuthority = CallAuthority.NEXT_PLAYER
    call_priority: CallPriority = CallPriority.CLOCKWISE
    open_hands: bool = False  # every seat and spectator sees all hands (B-24)
    # The deal's end and the score.
    reshuffles: int = 1  # per deal (J-27)
    max_replays: int = 2  # of a void deal
    turns_cap_per_seat: int = 60  # per deal
    down_and_out_factor: int = 1  # penalties of the others when the winner opened in that turn
    down_and_out_extra: int = 0  # and what is added to them
    out_points: int = 0  # of who goes out
    unopened_points: int = 0  # beside the hand
    # The game's end.
    limit: int = 0  # a higher total eliminates; 0: the game has one deal for each contract
    rebuys: int = 0  # per seat and game (E-17)
    deals_cap: int = UNLIMITED  # scored deals of a game by elimination, then the lowest total wins
    tie_for_first: TieForFirst = TieForFirst.SHARED
    best_of: int = 1  # legs; the majority wins (B-24)
    # The ledger of play money, in units.
    buy_in: int = 0  # into the pot, at the start and for each re-buy (E-23)
    deal_stake: int = 0  # from each loser of a deal to its winner
    stake_doubling: StakeDoubling = StakeDoubling.NEVER

    def __deepcopy__(self, memo: dict[int, object]) -> RuleSet:
        """Return the rule set itself: copies of a state are played by the same rules."""
        return self

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """Every card of the game in id order."""
        return full_pack(self.packs, self.jokers)

    @cached_property
    def card_values(self) -> tuple[int, ...]:
        """Penalty points by card id (256 entries)."""
        return tuple(self.values.of(card) for card in range(256))

    @property
    def by_elimination(self) -> bool:
        """Whether the game goes on until one player is left (E)."""
        return self.limit > 0

    def hand_points(self, hand: list[Card]) -> int:
        """Return the penalty points of a hand before any doubling."""
        values = self.card_values
        return sum(values[card] for card in hand)

    def clause(self, code: str) -> str:
        """Return the clause that a refusal with this code cites.

        A code with a point, ``MOVE.RUN_CLOSED``, cites as its last part does where it has no own.
        """
        bare = code.rpartition(".")[2]
        for known in (code, bare):
            clause = self.clauses.get(known) or EVERYWHERE.get(known)
            if clause:
                return clause
        return "X-18"


@dataclass(frozen=True)
class Option:
    """A choice that a host has for each table of a rule set.

    Values are text, as in a request: one of ``choices``, or a whole number in ``numbers``.
    """

    name: str
    clause: str
    default: str
    text: str  # what it does
    choices: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None  # least and most
    sets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """By value: the fields of the rule set that it sets."""
    sets_number: str = ""  # the field that takes the number
    one_contract: bool = False  # the number leaves this contract alone, 0 all of them

    def allowed(self) -> str:
        """Return the values in words."""
        if self.numbers is not None:
            return f"a whole number from {self.numbers[0]} to {self.numbers[1]}"
        return " or ".join(self.choices)
