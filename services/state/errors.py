"""Why the store refused. Different causes are different types."""

from __future__ import annotations


class StoreError(Exception):
    """The root of what the store raises."""


class NotFound(StoreError):
    """There is no such thing; ``what`` is its kind and ``id`` its id."""

    def __init__(self, what: str, entity: str) -> None:
        super().__init__(f"there is no {what} {entity}")
        self.what = what
        self.id = entity


class Busy(StoreError):
    """Others held the lease for as long as the caller would wait; try again."""

    def __init__(self, what: str, entity: str) -> None:
        super().__init__(f"{what} {entity} is busy; try again")
        self.what = what
        self.id = entity


class LeaseLost(StoreError):
    """The lease ran out before the commit, and nothing was written."""


class Conflict(StoreError):
    """Somebody else wrote meanwhile, and nothing was written."""


class RequestReused(StoreError):
    """A request id came before, with other content."""

    def __init__(self, request_id: str) -> None:
        super().__init__(f"request id {request_id} was used for another request; make a new one")
        self.request_id = request_id


class CursorTooOld(StoreError):
    """The log no longer reaches back to the cursor; read a snapshot and go on from there."""

    def __init__(self, after: int, first: int) -> None:
        super().__init__(f"events after {after} are no longer kept; the oldest is {first}")
        self.after = after
        self.first = first


class CorruptRecord(StoreError):
    """Stored bytes are not what was written; ``what`` names the record."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what} is damaged: {reason}; restore it from a backup")
        self.what = what


class StoreUnavailable(StoreError):
    """The server does not answer, or refuses; the text says how."""
