"""Terms of tables, with times in seconds."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1.terms_pb2 import SpectatorDelay, TimeControl


def time_control(
    *, absent_after: int | None = None, stand_in: str | None = None, **seconds: float
) -> TimeControl:
    """Return a time control; what is left out keeps the arena's default.

    ``seconds`` are ``draw_time``, ``play_time``, ``call_window``, ``decision_time``,
    ``rebuy_time``, ``bank``, ``increment``, ``disconnect_grace``, ``between_deals`` and
    ``absent_time``. ValueError for any other name.
    """
    control = TimeControl(absent_after=absent_after, stand_in=stand_in)
    for name, length_s in seconds.items():
        _time(control, name).CopyFrom(duration(length_s))
    return control


def _time(control: TimeControl, name: str) -> Duration:
    time = getattr(control, name, None)
    if not isinstance(time, Duration):
        names = [field.name for field in TimeControl.DESCRIPTOR.fields if field.message_type]
        raise ValueError(f"there is no {name} in a time control; there are: {', '.join(names)}")
    return time


def spectator_delay(*, deals: int = 0, seconds: float = 0) -> SpectatorDelay:
    """Return how far spectators follow behind: by so many deals, or by so long."""
    if seconds:
        return SpectatorDelay(time=duration(seconds))
    return SpectatorDelay(deals=deals)


def duration(seconds: float) -> Duration:
    """Return seconds, exact to the millisecond, as a message."""
    whole, rest_ms = divmod(round(seconds * 1000), 1000)
    return Duration(seconds=whole, nanos=rest_ms * 1_000_000)
