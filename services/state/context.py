"""What every use case is given: the store, the meters, and the sources of time, ids and chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .archive import Archive
from .meters import Meters
from .store import Store

DAY_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Retention:
    """How long what has ended can still be read, in milliseconds; then it is gone."""

    tables_ms: int = 30 * DAY_MS
    tournaments_ms: int = 90 * DAY_MS


@dataclass(frozen=True, slots=True)
class Context:
    """Built once per process by the composition root."""

    store: Store
    meters: Meters
    now_ms: Callable[[], int]  # milliseconds since the epoch
    new_id: Callable[[], str]  # a fresh ULID
    random_bytes: Callable[[int], bytes]  # from the operating system
    retention: Retention = Retention()
    archive: Archive | None = None  # where tables go before they expire
    private_webhooks: bool = False  # whether webhooks may go to private networks, and by http
