"""A whole arena on this machine: a locked data directory and the supervised processes in it."""

from __future__ import annotations

import contextlib
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from .datadir import DataDir
from .settings import Settings, load_settings
from .signals import StopSignals
from .supervisor import Interrupted, Supervisor

WATCH_EVERY_S = 0.2


def say(line: str) -> None:
    """Print a line for the operator on stderr; a terminal that has gone is no reason to fail."""
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


@contextlib.contextmanager
def running_arena(
    settings: Settings,
    data_dir: DataDir,
    signals: StopSignals,
    remark: Callable[[str], None] = lambda line: None,
) -> Iterator[tuple[Supervisor, dict[str, Any]]]:
    """Start everything in ``data_dir`` and stop it at the end, whatever happens between.

    ``remark`` is told what is going on.

    Raises SetupError, DataDirError, ChildError, or Interrupted when a signal came while starting.
    """
    data_dir.create()
    data_dir.lock()
    supervisor = Supervisor(settings, data_dir, interrupted=signals.received, remark=remark)
    try:
        yield supervisor, supervisor.start()
    finally:
        killed = supervisor.stop(hurry=signals.hurried)
        data_dir.unlock()
        if killed:
            say(f"had to be killed: {', '.join(killed)}")


def serve_until_stopped(supervisor: Supervisor, signals: StopSignals) -> None:
    """Watch over the processes until a signal comes; raises ChildError when one is given up."""
    while not signals.received():
        supervisor.tend()
        time.sleep(WATCH_EVERY_S)


def up(settings: Settings) -> int:
    """Run ``rummy-arena up``; returns the exit status."""
    if settings.tls_cert or settings.tls_key or settings.tls_client_ca:
        from .edge import check_tls  # takes a while, and is seldom needed

        check_tls(settings)
    if settings.archive_url:
        from services.state.archive import FolderArchive  # likewise

        from .wiring import archive_of

        archive = archive_of(settings)
        if isinstance(archive, FolderArchive) and not archive.is_there:
            say(
                f"the archive {archive.folder} is not there, or no folder: games that end wait "
                "until you make or mount it"
            )
    signals = StopSignals()
    signals.install()
    data_dir = DataDir(settings.data_dir)
    try:
        with running_arena(settings, data_dir, signals, say) as (supervisor, record):
            for line in addresses(record, data_dir, settings):
                say(line)
            serve_until_stopped(supervisor, signals)
            say("stopping: what is being played is committed and goes on at the next start")
    except Interrupted:
        say("stopped while starting")
    return 0


def addresses(record: dict[str, Any], data_dir: DataDir, settings: Settings) -> list[str]:
    """Return what an operator wants to know of a running arena, as lines."""
    entries = record["processes"].values()
    how = "TLS" if any(entry.get("tls") for entry in entries) else "plain text"
    lines = [f"api      {address}  (gRPC, {how})" for address in record["apis"]]
    for name, entry in record["processes"].items():
        if "metrics" in entry:
            lines.append(f"{name:<8} http://{entry['metrics']}/metrics")
    token = "RUMMY_ARENA_ADMIN_TOKEN" if settings.admin_token else data_dir.token_file
    lines += [
        f"token    {token}  (administrator's)",
        f"logs     {data_dir.logs}",
        f"Ctrl-C stops everything; '{_status_command(data_dir)}' says how it fares",
    ]
    return lines


def _status_command(data_dir: DataDir) -> str:
    usual = DataDir(load_settings().data_dir).path
    where = [] if data_dir.path == usual else ["--data-dir", str(data_dir.path)]
    return shlex.join(["rummy-arena", "status", *where])
