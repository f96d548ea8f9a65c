from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from .arenas import GONE_S, RunningArena, run_command, running


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_signal_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    arena = RunningArena(tmp_path / "arena")
    assert arena.end(number) == 0
    assert arena.left() == []
    assert not (tmp_path / "arena" / "run.json").exists()
    assert "killed" not in arena.output


def test_a_killed_parent_leaves_no_process_and_a_directory_that_can_be_used(
    tmp_path: Path,
) -> None:
    arena = RunningArena(tmp_path / "arena", "--workers", "2")
    assert len(arena.seen) >= 8  # parent, store, api, relay, beat, two workers, pool children
    assert arena.end(signal.SIGKILL) == -signal.SIGKILL
    assert arena.left() == []
    with running(tmp_path / "arena"):
        pass


def test_a_failing_child_stops_everything_with_one_line(tmp_path: Path) -> None:
    arena = RunningArena(tmp_path / "arena")
    os.kill(arena.pid("relay"), signal.SIGKILL)
    assert arena.parent.wait(timeout=GONE_S) == 1
    assert arena.left() == []
    assert "rummy-arena: relay was killed by SIGKILL" in arena.output
    assert "Traceback" not in arena.output


def test_status_and_a_second_start(tmp_path: Path) -> None:
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
