from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from services.runtime.probes import scrape
from services.runtime.run_record import created

from .arenas import COMMAND, GONE_S, RunningArena, environment, run_command, running


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A temporary folder whose path leaves room for that of a socket."""
    with tempfile.TemporaryDirectory(prefix="ra-") as folder:
        yield Path(folder)


def ended(arena: RunningArena, number: signal.Signals) -> None:
    """Stop an arena by a signal, and see that it leaves nothing; SIGTERM ends it everywhere."""
    before = len(arena.output)
    assert arena.end(number) == 0
    assert arena.left() == []
    assert not (arena.folder / "run.json").exists()
    assert "killed" not in arena.output[before:]


def test_a_killed_parent_leaves_no_process_and_a_directory_that_can_be_used(
    tmp_path: Path,
) -> None:
    arena = RunningArena(tmp_path / "arena", "--workers", "2")
    assert len(arena.seen) >= 8  # parent, store, api, relay, beat, two workers, pool children
    assert arena.end(signal.SIGKILL) == -signal.SIGKILL
    assert arena.left() == []
    ended(RunningArena(tmp_path / "arena"), signal.SIGHUP)


def test_where_nothing_is_restarted_a_death_stops_everything_with_one_line(tmp_path: Path) -> None:
    arena = RunningArena(tmp_path / "arena", env={"RUMMY_ARENA_RESTARTS": "0"})
    os.kill(arena.pid("relay"), signal.SIGKILL)
    assert arena.parent.wait(timeout=GONE_S) == 1
    assert arena.left() == []
    log = arena.folder / "logs" / "relay.log"
    assert f"rummy-arena: relay was killed by SIGKILL; its log is {log}\n" in arena.output
    assert "Traceback" not in arena.output


def test_what_dies_is_started_again_until_it_dies_too_often(tmp_path: Path) -> None:
    arena = RunningArena(tmp_path / "arena", env={"RUMMY_ARENA_RESTARTS": "1"})
    os.kill(arena.pid("worker-1"), signal.SIGKILL)
    relay = arena.pid("relay")
    os.kill(relay, signal.SIGKILL)
    after = _again(arena, "relay", relay)
    assert after["restarts"] == 1
    assert after["last_end"] == "was killed by SIGKILL"
    _again(arena, "worker-1", arena.pid("worker-1"))
    shown = run_command("status", "--data-dir", str(arena.folder)).stdout
    assert "(started again once; last was killed by SIGKILL)" in shown
    assert 'process_restarts{process="relay"} 1.0' in scrape(after["metrics"])
    arena.seen |= arena._everybody()
    os.kill(after["pid"], signal.SIGKILL)
    assert arena.parent.wait(timeout=GONE_S) == 1
    assert arena.left() == []
    assert "rummy-arena: relay was killed by SIGKILL" in arena.output
    assert "too often within a minute, so everything stops" in arena.output
    assert "Traceback" not in arena.output


def test_the_death_of_the_store_ends_everything(tmp_path: Path) -> None:
    arena = RunningArena(tmp_path / "arena")
    os.kill(arena.pid("valkey"), signal.SIGKILL)
    assert arena.parent.wait(timeout=GONE_S) == 1
    assert arena.left() == []
    assert "rummy-arena: valkey was killed by SIGKILL" in arena.output


def _again(arena: RunningArena, name: str, pid: int) -> dict[str, Any]:
    """Wait until another process has the name and says where it listens; return its entry."""
    deadline = time.monotonic() + 60
    while True:
        entry = json.loads((arena.folder / "run.json").read_text())["processes"][name]
        if entry["pid"] != pid and "metrics" in entry:
            assert isinstance(entry, dict)
            arena.record["processes"][name] = entry
            return entry
        assert time.monotonic() < deadline, arena.output
        time.sleep(0.05)


def test_status_and_a_second_start_and_a_stop_signal(tmp_path: Path) -> None:
    folder = str(tmp_path / "arena")
    with running(tmp_path / "arena") as arena:
        done = run_command("status", "--data-dir", folder)
        assert done.returncode == 0, done.stdout
        assert arena.api in done.stdout
        for name in ("valkey", "api", "relay", "beat", "worker-1"):
            assert any(name in line and "healthy" in line for line in done.stdout.splitlines())
        second = run_command("up", "--data-dir", folder, "--port", "0")
        assert second.returncode == 2
        assert "is in use by process" in second.stderr
        assert second.stderr.count("\n") == 1
        ended(arena, signal.SIGINT)


@pytest.mark.parametrize("how", ["closed", "Ctrl-C"])
def test_a_terminal_ends_everything(tmp_path: Path, how: str) -> None:
    terminal, inside = pty.openpty()
    command = [*COMMAND, "up", "--data-dir", str(tmp_path / "arena"), "--port", "0"]
    parent = subprocess.Popen(
        command, env=environment(), preexec_fn=lambda: os.login_tty(inside), pass_fds=[inside]
    )
    os.close(inside)
    seen = _when_it_says(terminal, b"Ctrl-C stops everything", parent)
    if how == "closed":
        os.close(terminal)
    else:
        os.write(terminal, b"\x03")
    assert parent.wait(timeout=GONE_S) == 0
    assert _gone(seen)
    if how == "Ctrl-C":
        told = os.read(terminal, 65536)
        os.close(terminal)
        assert b"stopping" in told
        assert b"killed" not in told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_demo_cut_short_leaves_no_process(short_path: Path, number: signal.Signals) -> None:
    command = [*COMMAND, "demo", "--entrants", "128", "--json"]
    demo = subprocess.Popen(
        command,
        env=environment({"TMPDIR": str(short_path)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert demo.stdout is not None
    assert demo.stderr is not None
    seen = _when_it_says(demo.stderr.fileno(), b"round 1", demo)
    demo.send_signal(number)
    out, err = demo.communicate(timeout=GONE_S)
    assert _gone(seen)
    assert out == b""
    assert b"Traceback" not in err
    if number is signal.SIGINT:
        assert demo.returncode == 128 + signal.SIGINT
        assert list(short_path.iterdir()) == []


def _when_it_says(
    output: int, words: bytes, parent: subprocess.Popen[bytes]
) -> list[tuple[int, float]]:
    """Wait for the words; returns pid and creation time of all processes below the parent."""
    told = b""
    while words not in told:
        part = os.read(output, 4096)
        assert part, told
        told += part
    below = [process.pid for process in psutil.Process(parent.pid).children(recursive=True)]
    assert len(below) >= 6
    return [(pid, made) for pid in below if (made := created(pid)) is not None]


def _gone(seen: list[tuple[int, float]]) -> bool:
    deadline = time.monotonic() + GONE_S
    while any(created(pid) == made for pid, made in seen):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
