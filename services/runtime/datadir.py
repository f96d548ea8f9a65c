"""The data directory: its layout and version, its lock, and the record of what runs in it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LAYOUT = 2
LOG_KEPT_BYTES = 16 * 1024 * 1024


class DataDirError(Exception):
    """The directory cannot be used; the text says why and what to do."""


class DataDir:
    """One data directory, checked; ``lock`` it before starting anything in it."""

    def __init__(self, path: Path) -> None:
        self.path = path.expanduser().absolute()
        self.logs = self.path / "logs"
        self.notices = self.path / "run"
        self.run_file = self.path / "run.json"
        self.token_file = self.path / "admin.token"
        self._layout = self.path / "layout"
        self._lock_file = self.path / "lock"
        self._lock: int | None = None

    def create(self) -> None:
        """Make the directory, or check that it is ours and of this layout version."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if all(entry.name.startswith(".") for entry in self.path.iterdir()):
                write_whole(self._layout, f"{LAYOUT}\n")
            self._check_layout()
            for folder in (self.logs, self.notices):
                folder.mkdir(exist_ok=True)
        except OSError as error:
            raise DataDirError(
                f"cannot use the data directory {self.path}: {error.strerror}; "
                "name another with --data-dir or RUMMY_ARENA_DATA_DIR"
            ) from None

    def _check_layout(self) -> None:
        try:
            found = self._layout.read_text().strip()
        except FileNotFoundError:
            raise DataDirError(
                f"{self.path} is not empty and not a Rummy Arena data directory; "
                "name another with --data-dir"
            ) from None
        if found != str(LAYOUT):
            raise DataDirError(
                f"{self.path} has layout version {found[:20]!r}, this program reads version "
                f"{LAYOUT}; use the program that wrote it, or another --data-dir"
            )

    def lock(self) -> None:
        """Take the directory for this process until it ends; raises DataDirError if it is taken."""
        handle = os.open(self._lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(handle, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(handle)
            raise DataDirError(
                f"{self.path} is in use by process {holder}; stop it, or name another --data-dir"
            ) from None
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        self._lock = handle

    def unlock(self) -> None:
        """Give the directory back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def log(self, name: str) -> Path:
        """Return the log file of a process."""
        return self.logs / f"{name}.log"

    def rotate_log(self, name: str) -> None:
        """Put a long log aside, over the one put aside before."""
        log = self.log(name)
        with contextlib.suppress(FileNotFoundError):
            if log.stat().st_size > LOG_KEPT_BYTES:
                log.replace(log.with_suffix(".log.1"))

    def metrics(self, name: str) -> Path:
        """Return the folder of a process's metric files."""
        return self.path / "metrics" / name

    def announce(self, name: str, facts: Mapping[str, Any]) -> None:
        """Leave a notice of what process ``name`` found out for itself: pid, ports."""
        write_whole(self.notices / f"{name}.json", json.dumps(dict(facts)))

    def notice(self, name: str) -> dict[str, Any] | None:
        """Return the notice of process ``name``, or None."""
        return _read_json(self.notices / f"{name}.json")

    def clear_notice(self, name: str) -> None:
        """Forget what process ``name`` said at its last start."""
        (self.notices / f"{name}.json").unlink(missing_ok=True)

    def clear_notices(self) -> None:
        """Forget the notices of an earlier start."""
        for file in self.notices.glob("*.json"):
            file.unlink(missing_ok=True)

    def write_run(self, record: Mapping[str, Any]) -> None:
        """Record what runs: pids, addresses, versions."""
        write_whole(self.run_file, json.dumps(dict(record), indent=2) + "\n")

    def read_run(self) -> dict[str, Any] | None:
        """Return the record of the last start, or None."""
        return _read_json(self.run_file)

    def clear_run(self) -> None:
        """Say that nothing runs any more."""
        self.run_file.unlink(missing_ok=True)

    def admin_token(self) -> str:
        """Return the administrator's token, made at the first call and kept at mode 0600."""
        if not self.token_file.exists():
            write_whole(self.token_file, secrets.token_urlsafe(32) + "\n")
        token = self.token_file.read_text().strip()
        if not token:
            raise DataDirError(f"{self.token_file} is empty; delete it to have a new token made")
        return token


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one step, readable by its owner alone."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    part.replace(path)


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
