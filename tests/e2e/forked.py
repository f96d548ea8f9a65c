"""Many commands for the price of one start: each runs in a fork of a process that has imported all.

What a command prints, and its exit status, are those of the real thing; ``arenas.run_command``
starts the real thing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .arenas import environment

FORKS = """
import json, os, sys
from services.runtime import arena, cli, demo, supervisor

for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if child == 0:
        os.environ.update(asked["env"])
        for number, name in ((0, os.devnull), (1, asked["out"]), (2, asked["err"])):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
        status = 1
        try:
            cli.main(asked["arguments"])
        except SystemExit as end:
            status = end.code
        except BaseException:
            sys.excepthook(*sys.exc_info())
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)
    _, ended = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(ended), flush=True)
"""


class Done(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


class Forked:
    """Runs ``rummy-arena`` with these and those arguments, one after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", FORKS],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, arguments: Sequence[str], env: Mapping[str, str]) -> Done:
        """Run a command to its end."""
        out, err = self._folder / "out", self._folder / "err"
        for file in (out, err):
            file.unlink(missing_ok=True)
        asked = {"arguments": arguments, "env": dict(env), "out": str(out), "err": str(err)}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        return Done(status, out.read_text(), err.read_text())

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)
