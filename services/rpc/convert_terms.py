"""The terms of tables and tournaments as messages, and back."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1 import terms_pb2 as pb
from services.state.records import SeedPolicy, Terms, TimeControl, Visibility

from .violations import Fields

_TIMES = {
    "draw_time": "draw_ms",
    "play_time": "play_ms",
    "call_window": "window_ms",
    "decision_time": "decision_ms",
    "rebuy_time": "rebuy_ms",
    "bank": "bank_ms",
    "increment": "increment_ms",
    "disconnect_grace": "grace_ms",
    "between_deals": "between_deals_ms",
    "absent_time": "absent_ms",
}
"""What the times of a TimeControl are called in a message, and here."""
_SCALARS = ("absent_after", "stand_in")
_VISIBILITIES = {
    Visibility.PUBLIC: pb.VISIBILITY_PUBLIC,
    Visibility.UNLISTED: pb.VISIBILITY_UNLISTED,
    Visibility.PRIVATE: pb.VISIBILITY_PRIVATE,
}
_VISIBILITIES_ASKED = {
    pb.VISIBILITY_UNSPECIFIED: Visibility.PUBLIC,
    **{message: visibility for visibility, message in _VISIBILITIES.items()},
}
_SEEDS = {
    SeedPolicy.SYSTEM: pb.DEAL_SEEDS_SYSTEM,
    SeedPolicy.DERIVED: pb.DEAL_SEEDS_DERIVED,
    SeedPolicy.SHARED: pb.DEAL_SEEDS_SHARED,
}
_MOST_SECONDS = 315_576_000_000
"""The most that a Duration may hold; whether so much can be used is for others to say."""


class Delay(NamedTuple):
    """How far spectators follow behind: so many deals, or so long."""

    deals: int = 0
    ms: int = 0


def duration(ms: int) -> Duration:
    """Return milliseconds as a message."""
    seconds, rest = divmod(ms, 1000)
    return Duration(seconds=seconds, nanos=rest * 1_000_000)


def duration_ms(fields: Fields, field: str, message: Duration) -> int:
    """Return a message in milliseconds; refuse what is no Duration, or less than nothing."""
    seconds, nanos = message.seconds, message.nanos
    if not (0 <= seconds <= _MOST_SECONDS and 0 <= nanos < 1_000_000_000):
        fields.refuse(field, "give a duration of 0 or more")
        return 0
    return seconds * 1000 + nanos // 1_000_000


@lru_cache(maxsize=256)
def time_control_message(control: TimeControl) -> pb.TimeControl:
    """Return a time control as a message with all its fields, for others to copy: never change it.

    Most tables have one of few, and each picture of a table shows it.
    """
    times = {name: duration(getattr(control, ours)) for name, ours in _TIMES.items()}
    return pb.TimeControl(
        absent_after=control.absent_after,
        stand_in=control.stand_in,
        **times,
    )


def time_control_of(fields: Fields, field: str, message: pb.TimeControl) -> TimeControl:
    """Return the time control that a message asks for; what it leaves out has its default."""
    given: dict[str, Any] = {
        ours: duration_ms(fields, f"{field}.{name}", getattr(message, name))
        for name, ours in _TIMES.items()
        if message.HasField(name)  # type: ignore[arg-type]  # the names are those of its fields
    }
    for name in _SCALARS:
        if message.HasField(name):  # type: ignore[arg-type]  # likewise
            given[name] = getattr(message, name)
    return TimeControl(**given)


def delay_message(terms: Terms) -> pb.SpectatorDelay | None:
    """Return how far spectators follow behind, or None, which leaves the field absent."""
    if terms.delay_deals:
        return pb.SpectatorDelay(deals=terms.delay_deals)
    return pb.SpectatorDelay(time=duration(terms.delay_ms)) if terms.delay_ms else None


def delay_of(fields: Fields, field: str, message: pb.SpectatorDelay) -> Delay:
    """Return the delay that a message asks for; refuse what is no duration."""
    if message.WhichOneof("delay") == "time":
        return Delay(ms=duration_ms(fields, f"{field}.time", message.time))
    return Delay(deals=message.deals)


def visibility_message(visibility: Visibility) -> pb.Visibility.ValueType:
    """Return who may find a table as a message."""
    return _VISIBILITIES[visibility]


def visibility_of(fields: Fields, field: str, message: pb.Visibility.ValueType) -> Visibility:
    """Return who may find a table, everybody where it is not said; refuse what is not known."""
    visibility = _VISIBILITIES_ASKED.get(message)
    if visibility is None:
        fields.refuse(field, f"give one of {', '.join(pb.Visibility.keys()[1:])}")
        return Visibility.PRIVATE
    return visibility


def deal_seeds_message(policy: SeedPolicy) -> pb.DealSeeds.ValueType:
    """Return where the seeds of deals come from as a message."""
    return _SEEDS[policy]
