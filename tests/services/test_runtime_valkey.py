"""The embedded Valkey: it answers, keeps what it was given, and never outlives its parent."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.runtime.children import Child, stop
from services.runtime.valkey import LONGEST_PATH, Durability, ValkeyError, start_valkey

PARENT = """
import sys, time
from pathlib import Path
from services.runtime.valkey import start_valkey
child, url = start_valkey(Path(sys.argv[1]), log=Path(sys.argv[1]) / "log")
print(child.pid, url, flush=True)
time.sleep(60)
"""


class Servers:
    """Starts servers in one folder, and stops what is left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.children: list[Child] = []

    def start(
        self, folder: Path | None = None, *, durability: Durability = "everysec", leave_s: float = 5
    ) -> tuple[Child, str]:
        folder = folder or self.folder
        child, url = start_valkey(
            folder, log=self.folder / "log", durability=durability, leave_s=leave_s
        )
        self.children.append(child)
        return child, url


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    servers = Servers(tmp_path)
    yield servers
    for child in servers.children:
        stop(child, grace_s=5)


def ask(url: str, *words: str) -> str:
    """Send one command and return the whole of a short reply."""
    with socket.socket(socket.AF_UNIX) as server:
        server.settimeout(5)
        server.connect(url.removeprefix("unix://"))
        server.sendall((" ".join(words) + "\r\n").encode())
        return server.recv(4096).decode()


def gone(pid: int, *, within_s: float) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":  # whoever adopted it has not looked yet
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("durability", ["everysec", "always"])
def test_it_answers_with_its_settings(servers: Servers, durability: Durability) -> None:
    _, url = servers.start(durability=durability)
    assert ask(url, "PING") == "+PONG\r\n"
    for name, value in {
        "maxmemory-policy": "noeviction",
        "appendonly": "yes",
        "appendfsync": durability,
        "port": "0",
    }.items():
        assert f"\r\n{value}\r\n" in ask(url, "CONFIG", "GET", name)


def test_it_leads_its_own_session(servers: Servers) -> None:
    child, _ = servers.start()
    assert os.getsid(child.pid) == child.pid
    assert os.getpgid(child.pid) == child.pid


def test_what_it_was_given_is_there_again(servers: Servers) -> None:
    child, url = servers.start()
    ask(url, "SET", "k", "v")
    assert stop(child, grace_s=5)
    _, again = servers.start()
    assert again == url
    assert ask(url, "GET", "k").endswith("\r\nv\r\n")


def test_a_dead_servers_socket_is_cleared(servers: Servers) -> None:
    child, url = servers.start()
    child.process.kill()
    child.process.wait()
    assert Path(url.removeprefix("unix://")).exists()
    _, url = servers.start()
    assert ask(url, "PING") == "+PONG\r\n"


def test_a_live_server_is_refused(servers: Servers) -> None:
    _, url = servers.start()
    ask(url, "SET", "k", "v")
    with pytest.raises(ValkeyError, match=r"runs on .* already; stop it"):
        servers.start(leave_s=0.1)
    assert ask(url, "GET", "k").endswith("\r\nv\r\n")


def test_somebody_elses_socket_is_refused(servers: Servers) -> None:
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.bind(str(servers.folder / "valkey.sock"))
        stranger.listen()
        with pytest.raises(ValkeyError, match="already listens"):
            servers.start()


def test_a_server_that_is_leaving_is_waited_for(servers: Servers) -> None:
    child, _ = servers.start()
    child.process.send_signal(signal.SIGTERM)
    _, url = servers.start()
    assert ask(url, "PING") == "+PONG\r\n"


def test_a_long_path_gets_a_short_socket(servers: Servers) -> None:
    folder = servers.folder / ("long" * 30)
    child, url = servers.start(folder)
    path = Path(url.removeprefix("unix://"))
    try:
        assert len(os.fsencode(path)) <= LONGEST_PATH
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert (folder / "appendonlydir").exists()
        stop(child, grace_s=5)
        _, again = servers.start(folder)
        assert again == url
        stop(servers.children[-1], grace_s=5)
    finally:
        path.parent.rmdir()


def test_the_child_dies_with_its_killed_parent_and_loses_nothing(servers: Servers) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(servers.folder)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with parent.stdout:
        pid, url = parent.stdout.readline().split()
    for number in range(500):
        ask(url, "SET", f"k{number}", "v")
    parent.kill()
    parent.wait()
    assert gone(int(pid), within_s=5)
    _, url = servers.start()
    assert ask(url, "DBSIZE") == ":500\r\n"


def test_damaged_data_is_told(servers: Servers) -> None:
    child, _ = servers.start()
    stop(child, grace_s=5)
    (servers.folder / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(ValkeyError, match=r"exited with status 1: .*manifest"):
        servers.start()


def test_a_folder_that_is_none(servers: Servers) -> None:
    file = servers.folder / "file"
    file.touch()
    with pytest.raises(ValkeyError, match="cannot keep the state"):
        servers.start(file)


def test_eight_starts_at_once(servers: Servers) -> None:
    urls = [servers.start(servers.folder / str(number))[1] for number in range(8)]
    assert {ask(url, "PING") for url in urls} == {"+PONG\r\n"}
