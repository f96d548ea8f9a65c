"""What the edge itself refuses, besides fields of a request."""

from __future__ import annotations


class Garbled(Exception):
    """The bytes of a request are no message of its type."""


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
