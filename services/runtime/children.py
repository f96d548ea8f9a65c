"""Child processes that never outlive their parent.

Each child leads a session of its own, so that a terminal's Ctrl-C reaches only the parent, which
then drains its children in order. The kernel's parent-death signal covers the parent that is
killed before it could do so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

PR_SET_PDEATHSIG = 1
POLL_S = 0.02


def tether(parent_pid: int, *, sig: int = signal.SIGKILL) -> Callable[[], None]:
    """Return a ``preexec_fn`` that makes the child die with the process ``parent_pid``.

    The signal follows the *thread* that forks, so start children from the main thread. Outside
    Linux there is no such signal and the returned function does nothing.
    """
    if sys.platform != "linux":
        return lambda: None
    prctl = ctypes.CDLL(None, use_errno=True).prctl  # resolved before the fork

    def tie() -> None:
        prctl(PR_SET_PDEATHSIG, int(sig), 0, 0, 0)
        if os.getppid() != parent_pid:  # the parent died between the fork and prctl
            os._exit(1)

    return tie


def die_with_parent(parent_pid: int, *, sig: int = signal.SIGKILL) -> None:
    """Tie the calling process, already forked, to ``parent_pid`` (pool children call this)."""
    tether(parent_pid, sig=sig)()


@dataclass(frozen=True)
class Child:
    """One running child: its name, its process, and the file that holds what it prints."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def pid(self) -> int:
        """The process id, which is its session's id too."""
        return self.process.pid

    @property
    def ended(self) -> bool:
        """True once the process has exited, whether reaped or not."""
        return self.process.returncode is not None or self._exit() is not None

    @property
    def ending(self) -> str:
        """How the process ended, in words: ``exited 1``, ``was killed by SIGKILL``."""
        result = self._exit()
        if result is None:
            return "runs"
        if result.si_code == os.CLD_EXITED:
            return f"exited with status {result.si_status}"
        return f"was killed by {signal.Signals(result.si_status).name}"

    @property
    def was_killed(self) -> bool:
        """Whether a signal ended the process, which then had no time for last words."""
        result = self._exit()
        return result is not None and result.si_code != os.CLD_EXITED

    def _exit(self) -> os.waitid_result | None:
        """Look at the exit without reaping: until then the pid and session number stay taken."""
        with contextlib.suppress(ChildProcessError):
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return None


def spawn(
    name: str,
    argv: Sequence[str | Path],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    death_signal: int = signal.SIGKILL,
    handed: Sequence[int] = (),
) -> Child:
    """Start ``argv`` in a new session, tied to this process, printing to the end of ``log``.

    ``death_signal`` is what it gets when this process dies; ``handed`` are file descriptors that
    it keeps open for as long as it lives. Raises OSError when the program cannot be started.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as out:
        process = subprocess.Popen(  # noqa: S603  the callers' own command lines
            [str(part) for part in argv],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=None if env is None else dict(env),
            cwd=cwd,
            start_new_session=True,
            preexec_fn=tether(os.getpid(), sig=death_signal),
            pass_fds=tuple(handed),
        )
    return Child(name=name, process=process, log=log)


def stop(child: Child, *, grace_s: float, hurry: Callable[[], bool] = lambda: False) -> bool:
    """Ask ``child`` to end, wait ``grace_s`` seconds, then kill its whole session.

    ``hurry`` is asked while waiting; once it says True the grace is over. Returns True when the
    child ended by itself within its grace.
    """
    if not child.ended:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGTERM)
    deadline = time.monotonic() + grace_s
    while not child.ended and time.monotonic() < deadline and not hurry():
        time.sleep(POLL_S)
    graceful = child.ended
    kill_session(child.pid)  # before the reaping: until then the session's number stays ours
    child.process.wait()
    return graceful


def kill_session(session: int) -> None:
    """SIGKILL every process of the session; those that are gone already are no error."""
    for pid in session_members(session):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def session_members(session: int) -> list[int]:
    """Return the pids of the session's processes, zombies included."""
    members = []
    for pid in psutil.pids():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(pid) == session:
                members.append(pid)
    return members


def last_line(log: Path) -> str:
    """Return the last line of a log file that is not blank, or an empty string."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 4096))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
