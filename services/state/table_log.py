"""What happens to a table besides its game; in the table's one log, between the game's events.

Everybody may see all of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from rummy_arena.game.events import EVENT_TYPES, Event


@dataclass(frozen=True, slots=True)
class TableOpened:
    """Somebody created the table, and players may take seats."""

    by: str


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player took a seat; ``bot`` names the house bot that plays for it."""

    seat: int
    player_id: str
    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat became free before the game began, or for another player in mid-game."""

    seat: int
    player_id: str


@dataclass(frozen=True, slots=True)
class SeatReady:
    """A player is ready to start, or no longer."""

    seat: int
    ready: bool


@dataclass(frozen=True, slots=True)
class TableStarted:
    """The game begins."""


@dataclass(frozen=True, slots=True)
class TablePaused:
    """All clocks stand still."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class TableResumed:
    """The clocks run again, from where they stood."""

    by: str


@dataclass(frozen=True, slots=True)
class TimeExpired:
    """A player let a decision expire, and the arena makes it."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatAbsent:
    """From now on ``bot`` plays the seat, or the standard move where it is empty (X-17)."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """The player of an absent seat plays it again."""

    seat: int


@dataclass(frozen=True, slots=True)
class TableAdjudicated:
    """A director ended the game; ``places`` by seat are its result."""

    by: str
    places: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table ended without a result; ``by`` is empty when its time had passed."""

    by: str
    reason: str


LIFE_EVENT_TYPES = (
    TableOpened,
    SeatTaken,
    SeatLeft,
    SeatReady,
    TableStarted,
    TablePaused,
    TableResumed,
    TimeExpired,
    SeatAbsent,
    SeatReturned,
    TableAdjudicated,
    TableClosed,
)
"""In the order of their tags in the store: append only."""

LifeEvent: TypeAlias = (
    TableOpened
    | SeatTaken
    | SeatLeft
    | SeatReady
    | TableStarted
    | TablePaused
    | TableResumed
    | TimeExpired
    | SeatAbsent
    | SeatReturned
    | TableAdjudicated
    | TableClosed
)
TableEvent: TypeAlias = Event | LifeEvent

_GAME_TYPES = frozenset(EVENT_TYPES)


def game_events(events: Iterable[TableEvent]) -> list[Event]:
    """Return the events of the game alone, which can be replayed."""
    return [event for event in events if type(event) in _GAME_TYPES]  # type: ignore[misc]
