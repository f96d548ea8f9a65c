"""What the edge itself refuses, besides fields of a request."""

from __future__ import annotations

from rummy_arena.game.series import SeatsError


class Garbled(Exception):
    """The bytes of a request are no message of its type."""


class TableSeats(Exception):
    """A table cannot have so many seats; ``error`` says how many it could, ``field`` who asked."""

    def __init__(self, error: SeatsError, field: str) -> None:
        super().__init__(str(error))
        self.error = error
        self.field = field


class CursorAhead(Exception):
    """A watcher's cursor lies beyond the end of the log."""

    def __init__(self, after_sequence: int, last_sequence: int) -> None:
        super().__init__(f"cursor {after_sequence} lies beyond {last_sequence}")
        self.after_sequence = after_sequence
        self.last_sequence = last_sequence


class Draining(Exception):
    """This server is about to stop."""


class RequestIdReused(Exception):
    """The id of a request came with other content before."""


class RateLimited(Exception):
    """The caller calls too often: wait ``retry_ms``; ``calls`` in ``seconds`` are allowed."""

    def __init__(self, retry_ms: int, calls: int, seconds: int) -> None:
        super().__init__(f"more than {calls} calls in {seconds} s; again in {retry_ms} ms")
        self.retry_ms = retry_ms
        self.calls = calls
        self.seconds = seconds


class TooManyStreams(Exception):
    """The caller holds as many streams to this server as one may."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} streams are open")
        self.most = most
