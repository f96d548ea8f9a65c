"""A Valkey for one bench, so that nothing else is in it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from services.runtime.children import stop
from services.runtime.valkey import start_valkey


@contextlib.contextmanager
def own_store() -> Iterator[tuple[Path, str]]:
    """Give a folder, which goes with the store, and the store's URL."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        child, url = start_valkey(folder, log=folder / "log")
        try:
            yield folder, url
        finally:
            stop(child, grace_s=5)
