"""API servers as processes of their own, on a store that the test holds too."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.ports import free_port

from .arenas import environment

READY_S = 30.0


class Replica:
    """One ``rummy-arena api`` on a port of its own."""

    def __init__(self, folder: Path, redis_url: str, *, port: int = 0) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.address = f"127.0.0.1:{self.port}"
        self._log = folder.with_name(f"{folder.name}.out")
        with self._log.open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "services.runtime.api"],
                env=environment(
                    {
                        "RUMMY_ARENA_REDIS_URL": redis_url,
                        "RUMMY_ARENA_DATA_DIR": str(folder),
                        "RUMMY_ARENA_API_PORT": str(self.port),
                        "RUMMY_ARENA_CALLS_PER_S": "0",
                        "RUMMY_ARENA_STRANGER_CALLS_PER_S": "0",
                    }
                ),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )

    @property
    def output(self) -> str:
        """What it printed, and logged where it logs to its output."""
        return self._log.read_text()

    def wait(self) -> None:
        """Return once it listens."""
        deadline = time.monotonic() + READY_S
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            assert self.process.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL it."""
        self.process.kill()
        self.process.wait()

    def end(self) -> int:
        """Let it drain; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=20)


@contextlib.contextmanager
def replicas(folder: Path, redis_url: str, count: int) -> Iterator[list[Replica]]:
    """Run so many API servers until the end of the block."""
    started = [Replica(folder / f"api-{number}", redis_url) for number in range(1, count + 1)]
    try:
        for replica in started:
            replica.wait()
        yield started
    finally:
        for replica in started:
            replica.end()
