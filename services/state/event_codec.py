"""Table events to stored bytes and back; what comes back has the very types that went in."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable
from enum import IntEnum
from operator import attrgetter
from typing import Any

import msgspec

from rummy_arena.game import events as ev
from rummy_arena.game.melds import MeldKind, TableMeld

from .errors import CorruptRecord
from .table_log import LIFE_EVENT_TYPES, TableEvent

FIRST_LIFE_TAG = 64  # the game's own events have the tags below
_encoder = msgspec.msgpack.Encoder()
_TAGS: dict[type[Any], int] = {
    **{event_type: tag for tag, event_type in enumerate(ev.EVENT_TYPES)},
    **{event_type: tag for tag, event_type in enumerate(LIFE_EVENT_TYPES, FIRST_LIFE_TAG)},
}

Conversion = Callable[[Any], Any]


def _fields(event_type: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    names = tuple(event_type.__dataclass_fields__)
    if not names:
        return lambda event: ()
    if len(names) == 1:
        one = attrgetter(names[0])
        return lambda event: (one(event),)
    return attrgetter(*names)


def _meld(row: Any) -> TableMeld:
    owner, kind, low, suit, cards = row
    return TableMeld(owner, MeldKind(kind), low, suit, tuple(cards))


def _conversion(hint: Any) -> Conversion | None:
    """Return what makes a field of what MessagePack has for it; None where they are the same."""
    if hint is TableMeld:
        return _meld
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        # Members are slow to make of their numbers.
        return {int(member): member for member in hint}.__getitem__
    if typing.get_origin(hint) is tuple:
        inner = _conversion(typing.get_args(hint)[0])
        return tuple if inner is None else lambda items: tuple(map(inner, items))
    return None


def _conversions(event_type: type[Any]) -> tuple[tuple[int, Conversion], ...]:
    """Return the fields that need a conversion, by their place in the row behind its tag."""
    hints = typing.get_type_hints(event_type)
    found = []
    for place, name in enumerate(event_type.__dataclass_fields__):
        conversion = _conversion(hints[name])
        if conversion is not None:
            found.append((place, conversion))
    return tuple(found)


_FIELDS = {event_type: _fields(event_type) for event_type in _TAGS}
_READ: dict[int, tuple[Callable[..., TableEvent], tuple[tuple[int, Conversion], ...]]] = {
    tag: (event_type, _conversions(event_type)) for event_type, tag in _TAGS.items()
}
"""By tag: what makes the event, and the fields to convert before."""


def encode_events(events: Iterable[TableEvent]) -> bytes:
    """Return a batch of table events: a list of [tag, field, ...]."""
    return _encoder.encode([(_TAGS[type(e)], *_FIELDS[type(e)](e)) for e in events])


def decode_events(data: bytes, *, what: str = "a table's log", first: int = 1) -> list[TableEvent]:
    """Return the events of a batch, or raise CorruptRecord with the place.

    ``what`` names the log, and ``first`` is the sequence of the batch's first event. An event that
    was stored before a field was added has the field's default.
    """
    events: list[TableEvent] = []
    try:
        # What comes before a row that is no event stays in the list: it tells where that row is.
        events.extend(_event(row) for row in msgspec.msgpack.decode(data))
    except (msgspec.MsgspecError, TypeError, ValueError, LookupError) as error:
        raise CorruptRecord(what, f"event {first + len(events)}: {error}") from error
    return events


def _event(row: list[Any]) -> TableEvent:
    make, conversions = _READ[row[0]]
    fields = row[1:]
    for place, convert in conversions:
        if place < len(fields):
            fields[place] = convert(fields[place])
    return make(*fields)
