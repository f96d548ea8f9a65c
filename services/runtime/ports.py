"""The gRPC ports of an arena: kept for it while its API processes come and go.

The parent holds each port by a socket that is bound and never listens. So a port that the system
chose stays the arena's while a replica is replaced, and a server that does not ask to share cannot
take it in between. Replicas that share a port do so by SO_REUSEPORT: the kernel gives each new
*connection* to one of them, not each call. It also lets any process of the same user join in who
asks for it; ``strangers`` finds one.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterable
from pathlib import Path

LISTENS = "0A"
TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))


def hold(host: str, port: int) -> socket.socket:
    """Return a socket bound to the port, 0 for a free one; raises OSError if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    held = socket.socket(family, socket.SOCK_STREAM)
    try:
        # Both sides have SO_REUSEADDR and this one does not listen: so a child may bind as well.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((host.strip("[]"), port))
    except OSError:
        held.close()
        raise
    return held


def strangers(port: int, pids: Iterable[int]) -> list[str]:
    """Return the inodes of sockets that listen on the port and belong to none of the processes.

    Empty outside Linux. A server that listens on another address only counts as well.
    """
    found = _listeners(port)
    for pid in pids if found else ():
        with contextlib.suppress(OSError):
            for handle in os.scandir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    link = os.readlink(handle.path)
                    found.discard(link.removeprefix("socket:[").removesuffix("]"))
    return sorted(found)


def _listeners(port: int) -> set[str]:
    found = set()
    wanted = f":{port:04X}"
    for table in TABLES:
        with contextlib.suppress(OSError):
            for line in table.read_text().splitlines()[1:]:
                columns = line.split()
                if columns[3] == LISTENS and columns[1].endswith(wanted):
                    found.add(columns[9])
    return found
