from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from services.runtime.children import Child, last_line, session_members, spawn, stop

SLEEP = "import time; time.sleep(60)"
DEAF = "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf', flush=True)\n"
DEAF += "time.sleep(60)"


def test_a_child_leads_its_own_session_and_logs_to_its_file(tmp_path: Path) -> None:
    child = _python(tmp_path, "print('hello'); import os; print(os.getsid(0) == os.getpid())")
    assert _soon(lambda: child.ended)
    assert child.log.read_text() == "hello\nTrue\n"
    assert last_line(child.log) == "True"
    assert child.ending == "exited with status 0"
    assert stop(child, grace_s=0)


def test_stop_asks_first(tmp_path: Path) -> None:
    child = _python(tmp_path, SLEEP)
    assert stop(child, grace_s=5)
    assert child.process.returncode == -signal.SIGTERM


def test_stop_kills_what_does_not_listen(tmp_path: Path) -> None:
    child = _python(tmp_path, DEAF)
    assert _soon(lambda: last_line(child.log) == "deaf")
    assert not stop(child, grace_s=0.2)
    assert child.process.returncode == -signal.SIGKILL


def test_haste_cuts_the_grace_short(tmp_path: Path) -> None:
    child = _python(tmp_path, DEAF)
    assert _soon(lambda: last_line(child.log) == "deaf")
    started = time.monotonic()
    assert not stop(child, grace_s=30, hurry=lambda: True)
    assert time.monotonic() - started < 5


def test_stop_takes_what_the_child_left_behind(tmp_path: Path) -> None:
    grandchild = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEP!r}])"
    child = _python(tmp_path, grandchild)
    assert _soon(lambda: child.ended)
    left = [pid for pid in session_members(child.pid) if pid != child.pid]
    assert left
    stop(child, grace_s=1)
    assert _soon(lambda: not any(_alive(pid) for pid in left))


def test_a_child_dies_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time; from pathlib import Path\n"
            "from services.runtime.children import spawn\n"
            f"c = spawn('c', [sys.executable, '-c', {SLEEP!r}], log=Path({str(tmp_path)!r}, 'c'))\n"
            "print(c.pid, flush=True); time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert _alive(pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert _soon(lambda: not _alive(pid))


def test_a_child_whose_parent_is_gone_already_does_not_run(tmp_path: Path) -> None:
    code = (
        "import os; from services.runtime.children import die_with_parent\n"
        "die_with_parent(os.getppid() + 1); print('still here')"
    )
    child = _python(tmp_path, code)
    assert _soon(lambda: child.ended)
    assert child.ending == "exited with status 1"
    assert last_line(child.log) == ""
    stop(child, grace_s=1)


def _python(folder: Path, code: str) -> Child:
    return spawn("child", [sys.executable, "-c", code], log=folder / "child.log")


def _alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _soon(question: object, limit_s: float = 10) -> bool:
    assert callable(question)
    deadline = time.monotonic() + limit_s
    while not question():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_os_has_what_children_needs() -> None:
    assert hasattr(os, "waitid")
