"""``python -m workers.main worker|beat|relay``: the processes that carry the work."""

from __future__ import annotations

import sys
from collections.abc import Callable

from services.runtime.datadir import DataDirError
from services.runtime.process import Process, enter
from services.runtime.settings import SettingsError


def main(arguments: list[str]) -> int:
    """Run the named role until it is told to stop; return the exit status."""
    if len(arguments) != 1 or arguments[0] not in ROLES:
        print(f"say what to run: {' | '.join(ROLES)}", file=sys.stderr)
        return 2
    try:
        return ROLES[arguments[0]](enter(arguments[0]))
    except (DataDirError, SettingsError) as error:
        print(f"rummy-arena: {error}", file=sys.stderr)
        return 2


def _worker(process: Process) -> int:
    from .worker import run_worker

    return run_worker(process)


def _beat(process: Process) -> int:
    from .beat import run_beat

    return run_beat(process)


def _relay(process: Process) -> int:
    from .relay_main import run_relay

    return run_relay(process)


ROLES: dict[str, Callable[[Process], int]] = {
    "worker": _worker,
    "beat": _beat,
    "relay": _relay,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
