"""What happened: frozen records that replay a game and feed every log and stream.

Events as the engine returns them hold every fact; ``view.redact`` is the only way to show one to
a seat or a spectator. Hidden cards are ``NONE`` or empty there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from .actions import NONE
from .cards import Card
from .melds import TableMeld


class Source(IntEnum):
    """Where a drawn card came from."""

    STOCK = 0
    DISCARD = 1


class DealEnd(IntEnum):
    """How a deal ended."""

    OUT = 0  # a seat went out
    VOID = 1  # the stock was exhausted for the last time
    CAP = 2  # the cap on turns was reached, scored like a void


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal began: ``number`` counts the game's deals from 1, ``attempt`` replays from 0."""

    number: int
    attempt: int
    dealer: int
    deck: bytes  # dealing order, first card dealt first; empty when redacted
    up_card: Card
    contract: int  # number of the contract, from 1
    players: tuple[int, ...]  # the seats that are dealt in
    hand: bytes = b""  # the viewer's own cards, in a redacted event only
    hands: tuple[bytes, ...] = ()  # every seat's, redacted events of open hands only (B-24)


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat took its card of the turn."""

    seat: int
    source: Source
    card: Card  # NONE for others when it came from the stock


@dataclass(frozen=True, slots=True)
class Opened:
    """A seat laid down its contract."""

    seat: int
    melds: tuple[TableMeld, ...]


@dataclass(frozen=True, slots=True)
class Melded:
    """A seat laid down one further meld."""

    seat: int
    meld: TableMeld


@dataclass(frozen=True, slots=True)
class LaidOff:
    """A card was added to table meld ``target``, which is now ``meld``."""

    seat: int
    card: Card
    target: int
    meld: TableMeld
    end: int = NONE  # of a run


@dataclass(frozen=True, slots=True)
class JokerMoved:
    """A natural replaced a joker of run ``target``; the joker went to an end of ``meld``."""

    seat: int
    card: Card
    target: int
    meld: TableMeld
    end: int = NONE  # where the joker went


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat ended its turn with a discard."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat that holds only jokers ended its turn without a discard (J-21)."""

    seat: int


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """The last discard may be called by ``seats`` (J-5); they are heard when the window closes."""

    card: Card
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Called:
    """A seat requested the discard."""

    seat: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat let the discard go."""

    seat: int


@dataclass(frozen=True, slots=True)
class Allowed:
    """The next player or the discarder lets a caller have the discard, or the former waived it."""

    seat: int


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """The window ended; ``granted`` is the seat whose call stands, or NONE."""

    granted: int = NONE


@dataclass(frozen=True, slots=True)
class CallGranted:
    """A caller received the discard and one penalty card from the stock (J-10)."""

    seat: int
    card: Card
    penalty: Card  # NONE for others


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The discard pile but its top became the new stock, in this order (last card drawn first)."""

    order: bytes  # empty when redacted
    count: int


@dataclass(frozen=True, slots=True)
class DealEnded:
    """A deal ended. ``points`` are its penalties by seat; empty when it will be replayed."""

    end: DealEnd
    winner: int  # NONE unless somebody went out
    down_and_out: bool  # the winner opened in the turn of going out
    hands: tuple[bytes, ...]  # revealed to all
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over: total penalties and places by seat (1 is first, equal totals share)."""

    totals: tuple[int, ...]
    places: tuple[int, ...]
    ledger: tuple[int, ...] = ()  # units of play money won or lost by seat; empty without stakes


@dataclass(frozen=True, slots=True)
class Forbade:
    """The discarder keeps the discard from the caller (B-1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class TookAndOpened:
    """A seat took the top discard ``card`` and opened with it (E-7)."""

    seat: int
    card: Card
    melds: tuple[TableMeld, ...]


@dataclass(frozen=True, slots=True)
class JokerTaken:
    """A seat gave ``cards`` for a joker of meld ``target`` and used it at once (E-13)."""

    seat: int
    cards: tuple[Card, ...]
    joker: Card
    target: int
    meld: TableMeld  # meld ``target`` after the exchange
    placed: TableMeld  # the new meld with the joker, or meld ``onto`` with it
    onto: int = NONE  # NONE: ``placed`` is a new meld
    end: int = NONE  # of run ``onto``


@dataclass(frozen=True, slots=True)
class RebuyOffered:
    """These seats may buy back into the game, in this order (E-17)."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rebought:
    """A seat bought back into the game; its total is now ``total``."""

    seat: int
    total: int


@dataclass(frozen=True, slots=True)
class Declined:
    """A seat did not buy back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Eliminated:
    """These seats are out of the game, the lowest in the final order first (E-15, E-23)."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LotsDrawn:
    """Lots decided between tied seats, the first drawn first (B-19)."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LegEnded:
    """One game of a best of three is over: its totals, and places by seat (B-24)."""

    leg: int  # from 1
    totals: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealCommitted:
    """Comes just before a deal: what binds the seed of its deck, reshuffles and lots (chance)."""

    number: int
    attempt: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class DealRevealed:
    """Comes after a scored deal: the seed that was committed to before it.

    Of a void deal that was dealt again it comes after the end of the game (X-15).
    """

    number: int
    attempt: int
    seed: bytes


Event: TypeAlias = (
    DealStarted
    | Drew
    | Opened
    | Melded
    | LaidOff
    | JokerMoved
    | Discarded
    | TurnEnded
    | WindowOpened
    | Called
    | Passed
    | Allowed
    | WindowClosed
    | CallGranted
    | Reshuffled
    | DealEnded
    | GameEnded
    | Forbade
    | TookAndOpened
    | JokerTaken
    | RebuyOffered
    | Rebought
    | Declined
    | Eliminated
    | LotsDrawn
    | LegEnded
    | DealCommitted
    | DealRevealed
)
EVENT_TYPES: tuple[type[Event], ...] = (
    DealStarted,
    Drew,
    Opened,
    Melded,
    LaidOff,
    JokerMoved,
    Discarded,
    TurnEnded,
    WindowOpened,
    Called,
    Passed,
    Allowed,
    WindowClosed,
    CallGranted,
    Reshuffled,
    DealEnded,
    GameEnded,
    Forbade,
    TookAndOpened,
    JokerTaken,
    RebuyOffered,
    Rebought,
    Declined,
    Eliminated,
    LotsDrawn,
    LegEnded,
    DealCommitted,
    DealRevealed,
)
"""Every event type; the index is its stable tag in logs, so append only."""
