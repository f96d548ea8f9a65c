"""Who may do what at a table, by role and by seat.

| who                              | may                                                         |
|----------------------------------|-------------------------------------------------------------|
| admin                            | everything that a director may, at every table              |
| director: who created the table, | start, pause, resume, adjudicate, close; seat other players |
| of a tournament's table its host | and take them out before the game begins                    |
| player, bot                      | take a free seat, leave it, be ready; act at the own seat   |
| whoever may see the table        | watch it as a spectator, behind by what its terms say       |

A private table is seen by its director, who sits there, who is invited, and admins. A table that
plays the same deals as others is sealed until all of these have ended: who sits there sees what
that seat sees, its director and admins where it is in its life and no card, and nobody else that it
is there.
"""

from __future__ import annotations

from typing import Protocol

from rummy_arena.game.actions import NONE
from services.state.records import TableRecord, Visibility
from services.state.tables import is_sealed

from .errors import HouseBotSeat, NotDirector, NotInvited, NotSeated, TableSealed

HOLDERS = ("player", "bot")
"""Roles that may hold a seat."""
CREATORS = ("admin", "host", "player", "bot")
"""Roles that may create a table."""
SEEDERS = ("admin", "host")
"""Roles that may give a table its seed, and create as many as they like."""


class Person(Protocol):
    """Who asks: an authenticated caller."""

    @property
    def player_id(self) -> str:
        """Return the caller's id."""
        ...

    @property
    def role(self) -> str:
        """Return the caller's role."""
        ...


def directs(record: TableRecord, person: Person) -> bool:
    """Return whether the person may direct the table."""
    return person.role == "admin" or person.player_id == record.terms.created_by


def require_director(table_id: str, record: TableRecord, person: Person) -> None:
    """Raise NotDirector unless the person may direct the table."""
    if not directs(record, person):
        raise NotDirector(table_id)


def seat_held(record: TableRecord, player_id: str) -> int:
    """Return the seat of this player, whose cards it may see, or NONE for a spectator."""
    if player_id:
        for seat, seated in enumerate(record.seats):
            if seated.player_id == player_id:
                return seat
    return NONE


def seat_of(table_id: str, record: TableRecord, player_id: str) -> int:
    """Return the seat that this player plays itself; raises NotSeated or HouseBotSeat."""
    seat = seat_held(record, player_id)
    if seat == NONE:
        raise NotSeated(table_id, player_id)
    if record.seats[seat].bot:
        raise HouseBotSeat(table_id, seat, record.seats[seat].bot)
    return seat


def require_sight(table_id: str, record: TableRecord, person: Person) -> None:
    """Raise NotInvited unless the person may see the table, be it only where it is in its life."""
    if seat_held(record, person.player_id) != NONE or directs(record, person):
        return
    invited = person.player_id in record.terms.invited
    private = record.terms.visibility is Visibility.PRIVATE
    if is_sealed(record) or (private and not invited):
        raise NotInvited(table_id)


def sees_cards(record: TableRecord, person: Person) -> bool:
    """Return whether somebody who may see the table may see it being played."""
    return not is_sealed(record) or seat_held(record, person.player_id) != NONE


def require_cards(table_id: str, record: TableRecord, person: Person) -> None:
    """Raise NotInvited or TableSealed unless the person may see the table being played."""
    require_sight(table_id, record, person)
    if not sees_cards(record, person):
        raise TableSealed(table_id)


def require_export(table_id: str, record: TableRecord, person: Person) -> None:
    """Raise NotInvited or TableSealed unless the person may see every card once it is over."""
    require_sight(table_id, record, person)
    if is_sealed(record):
        raise TableSealed(table_id)
