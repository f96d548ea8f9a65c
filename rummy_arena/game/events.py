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
    """A deal began: ``number`` counts contracts from 1, ``attempt`` counts replays from 0."""

    number: int
    attempt: int
    dealer: int
    deck: bytes  # dealing order, first card dealt first; empty when redacted
    up_card: Card
    hand: bytes = b""  # the viewer's own cards, in a redacted event only


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


@dataclass(frozen=True, slots=True)
class JokerMoved:
    """A natural replaced a joker of run ``target``; the joker went to an end of ``meld``."""

    seat: int
    card: Card
    target: int
    meld: TableMeld


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
    """The last discard may be called by ``seats`` (J-5)."""

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
    """The next player lets a caller have the discard."""

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
    doubled: bool
    hands: tuple[bytes, ...]  # revealed to all
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over: total penalties and places by seat (1 is first, equal totals share)."""

    totals: tuple[int, ...]
    places: tuple[int, ...]


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
)
"""Every event type; the index is its stable tag in logs, so append only."""
