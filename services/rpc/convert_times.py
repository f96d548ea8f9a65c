"""Times as messages: absolute, in UTC."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp


def timestamp(ms: int) -> Timestamp:
    """Return milliseconds since the epoch as a message."""
    seconds, rest = divmod(ms, 1000)
    return Timestamp(seconds=seconds, nanos=rest * 1_000_000)


def timestamp_or_none(ms: int) -> Timestamp | None:
    """Return milliseconds since the epoch as a message; 0, for not yet, leaves the field absent."""
    return timestamp(ms) if ms else None
