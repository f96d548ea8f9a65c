"""Whole arenas as an operator runs them: started by the command, watched from outside."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from services.runtime.children import session_members
from services.runtime.run_record import created

COMMAND = [sys.executable, "-P", "-m", "services.runtime.cli"]
READY_S = 60.0
GONE_S = 20.0


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment without the settings of some other arena."""
    own = {name: value for name, value in os.environ.items() if "RUMMY_ARENA" not in name}
    own.pop("PROMETHEUS_MULTIPROC_DIR", None)
    own.pop("PYTHONDONTWRITEBYTECODE", None)  # or each of hundreds of processes compiles anew
    return {**own, **(extra or {})}


def run_command(
    *arguments: str,
    env: Mapping[str, str] | None = None,
    stdin: str | None = None,
    timeout_s: float = 100,
) -> subprocess.CompletedProcess[str]:
    """Run ``rummy-arena`` to its end."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(env),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


def demo(*options: str, env: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Run ``rummy-arena demo --json`` and return its document."""
    done = run_command("demo", "--json", *options, env=env)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert isinstance(document, dict)
    return document


class RunningArena:
    """One ``rummy-arena up`` and everything that it started."""

    def __init__(self, folder: Path, *options: str, env: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._output = folder.with_name(f"{folder.name}.out")
        command = [*COMMAND, "up", "--data-dir", str(folder), "--port", "0", *options]
        with self._output.open("ab") as out:
            self.parent = subprocess.Popen(
                command,
                env=environment(env),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self.record = self._wait_until_ready()
        self.seen = self._everybody()

    @property
    def api(self) -> str:
        """The gRPC address."""
        return str(self.record["api"])

    @property
    def token(self) -> str:
        """The administrator's token."""
        return (self.folder / "admin.token").read_text().strip()

    @property
    def output(self) -> str:
        """What the command printed."""
        return self._output.read_text()

    def pid(self, name: str) -> int:
        """Return the pid of a process by name."""
        return int(self.record["processes"][name]["pid"])

    def end(self, number: signal.Signals) -> int:
        """Send a signal to the parent; returns its exit status once it has ended."""
        self.seen |= self._everybody()
        self.parent.send_signal(number)
        return self.parent.wait(timeout=GONE_S)

    def kill_all(self) -> None:
        """SIGKILL every process of the arena at once."""
        self.seen |= self._everybody()
        for pid in self.seen:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.parent.wait(timeout=GONE_S)
        assert self.left() == []

    def left(self) -> list[int]:
        """Wait until nothing of the arena runs; returns the pids that stay all the same."""
        deadline = time.monotonic() + GONE_S
        while left := [pid for pid, made in self.seen.items() if created(pid) == made]:
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        return left

    def _everybody(self) -> dict[int, float]:
        """Return pid and creation time of the parent, its children, and their children."""
        pids = {self.parent.pid}
        for entry in self.record["processes"].values():
            pids.update(session_members(int(entry["pid"])))
        return {pid: made for pid in pids if (made := created(pid)) is not None}

    def _wait_until_ready(self) -> dict[str, Any]:
        deadline = time.monotonic() + READY_S
        while self.parent.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError, ValueError):
                record = json.loads((self.folder / "run.json").read_text())
                if record["ready"] and record["parent"]["pid"] == self.parent.pid:
                    assert isinstance(record, dict)
                    return record
            time.sleep(0.05)
        self.parent.kill()
        raise AssertionError(f"the arena did not start: {self.output}")


@contextlib.contextmanager
def running(
    folder: Path, *options: str, env: Mapping[str, str] | None = None
) -> Iterator[RunningArena]:
    """Yield a running arena and stop it, come what may."""
    arena = RunningArena(folder, *options, env=env)
    status = None
    try:
        yield arena
    finally:
        if arena.parent.poll() is None:
            status = arena.end(signal.SIGTERM)
        assert arena.left() == []
    if status is not None:  # it is this that ended it
        assert status == 0, arena.output
        assert not (folder / "run.json").exists()
        assert "had to be killed" not in arena.output
