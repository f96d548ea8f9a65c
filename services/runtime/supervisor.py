"""One parent for all processes of an arena on one machine: start, watch, drain.

Start: the embedded Valkey first (unless a server's URL is given), then everything else at once,
each awaited until it answers its health check. Stop: those that make work before those that do
it, the store last, each within a bounded time and then killed with its whole session. Between the
two ``tend`` starts again what died, the store excepted: the end of the record is for a person.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from .children import Child, last_line, spawn, stop
from .datadir import DataDir, DataDirError
from .ports import hold, strangers
from .probes import port_is_free
from .restarts import Restarts
from .roles import Role, roles
from .run_record import created, is_running, probe, processes
from .server_check import require_broker, require_server
from .settings import Settings
from .valkey import start_valkey

PROBE_EVERY_S = 0.05
LEFTOVERS_S = 5.0
REMARK_EVERY_S = 5.0
LOOK_AT_PORTS_EVERY_S = 2.0
STORE = "valkey"

STORE_GRACE_S = 10.0


class SetupError(Exception):
    """Nothing can start as things are; the text says what to do."""


class Interrupted(Exception):
    """A signal asked for the end while processes were starting."""


class ChildError(Exception):
    """A process did not start, or ended while it was needed; the text says which and why."""


class Supervisor:
    """Starts, watches and stops the processes; use from the main thread only."""

    def __init__(
        self,
        settings: Settings,
        data_dir: DataDir,
        *,
        interrupted: Callable[[], bool] = lambda: False,
        remark: Callable[[str], None] = lambda line: None,
    ) -> None:
        """``interrupted`` is asked while waiting; a start that hears True raises Interrupted.

        ``remark`` is told, a line at a time, what is going on.
        """
        self._settings = settings
        self._data_dir = data_dir
        self._interrupted = interrupted
        self._remark = remark
        self._roles = roles(settings)
        self._children: dict[str, Child] = {}
        self._store: Child | None = None
        self._store_url = ""  # of the embedded server only
        self._started_at = time.time()
        self._redis_url = ""
        self._environment: dict[str, str] = {}
        self._ports: list[socket.socket] = []  # one for each API process, or the one they share
        self._restarts = Restarts(settings.restarts)
        self._starting: dict[str, float] = {}  # again, and until when
        self._strangers: list[str] = []
        self._looked_s = 0.0

    def start(self) -> dict[str, Any]:
        """Start everything and wait until it is healthy; returns the run record.

        Raises SetupError, DataDirError, ChildError or Interrupted; the caller then calls ``stop``.
        """
        self._check_ports()
        self._wait_for_leftovers()
        self._data_dir.clear_notices()
        if not self._settings.admin_token:
            self._data_dir.admin_token()
        self._redis_url = self._start_store()
        settings = self._settings.model_copy(update={"redis_url": self._redis_url})
        self._environment = {**_inherited(), **settings.environment()}
        self._environment["RUMMY_ARENA_BROKER_URL"] = settings.broker
        self._environment["RUMMY_ARENA_DATA_DIR"] = str(self._data_dir.path)
        for role in self._roles:
            self._remark(f"starting {role.name}")
            self._spawn(role)
        self._record(ready=False)  # from here on a status command sees what is starting
        self._wait_until_healthy()
        return self._record(ready=True)

    def failure(self) -> str | None:
        """Return a line on the first process that ended, or None while all run."""
        for name, child in self._running().items():
            if child.ended:
                return self._obituary(name, child)
        return None

    def tend(self) -> None:
        """Start again what has ended, and remark on it.

        Raises ChildError when it was the store, or one process too often.
        """
        changed = self._bury()
        for name in self._restarts.due():
            self._starting[name] = time.monotonic() + self._settings.start_deadline_s
            self._spawn(next(role for role in self._roles if role.name == name))
            changed = True
        changed |= self._look_at_starting() | self._look_at_ports()
        if changed:
            self._record(ready=True)

    def _bury(self) -> bool:
        changed = False
        for name, child in self._running().items():
            if self._restarts.waits(name) or not child.ended:
                continue
            how, obituary = child.ending, self._obituary(name, child)
            if name == STORE or not self._restarts.wanted:
                raise ChildError(obituary)
            as_told = how == "exited with status 0" and self._data_dir.notice(name) is not None
            again = self._restarts.ended(name, how, as_told=as_told)
            stop(child, grace_s=0)  # what it left behind in its session
            self._data_dir.clear_notice(name)
            self._starting.pop(name, None)
            if not again:
                raise ChildError(f"{obituary}; too often within a minute, so everything stops")
            what = f"{name} has drained" if as_told else obituary
            self._remark(f"{what}; it is started again")
            changed = True
        return changed

    def _look_at_starting(self) -> bool:
        """Forget those that have said where they listen; kill those that take too long."""
        said = [name for name in self._starting if self._data_dir.notice(name) is not None]
        for name in said:
            del self._starting[name]
            self._remark(f"{name} runs again")
        for name, until_s in self._starting.items():
            if time.monotonic() > until_s and not self._children[name].ended:
                self._remark(f"{name} takes too long to start: it is killed")
                os.kill(self._children[name].pid, signal.SIGKILL)
        return bool(said)

    def _look_at_ports(self) -> bool:
        """Remark on a server that is none of ours and listens on a port that ours share."""
        if not self._settings.shares_port or time.monotonic() < self._looked_s:
            return False
        self._looked_s = time.monotonic() + LOOK_AT_PORTS_EVERY_S
        port = self._ports[0].getsockname()[1]
        pids = [
            self._children[role.name].pid for role in self._roles if role.api_number is not None
        ]
        found = strangers(port, pids)
        if found == self._strangers:
            return False
        self._strangers = found
        if found:
            self._remark(
                f"another program listens on port {port} too and gets a part of the connections; "
                f"find it with 'ss -tlnp sport = :{port}' and stop it"
            )
        return True

    def stop(self, *, hurry: Callable[[], bool] = lambda: False) -> list[str]:
        """Drain and stop everything; returns the names of those that had to be killed."""
        killed = []
        for role in self._roles:
            if role.api_number == 0:
                self._tell_api_processes()
            child = self._children.pop(role.name, None)
            if child is not None and not stop(child, grace_s=role.grace_s, hurry=hurry):
                killed.append(role.name)
        # No hurry for the store: killed at a bad moment it may lose what was acknowledged.
        if self._store is not None and not stop(self._store, grace_s=STORE_GRACE_S):
            killed.append(STORE)
        self._store = None
        for held in self._ports:
            held.close()
        self._remove_socket()
        self._data_dir.clear_run()
        return killed

    def _tell_api_processes(self) -> None:
        """Let all of them drain at the same time."""
        for role in self._roles:
            child = self._children.get(role.name)
            if role.api_number is not None and child is not None and not child.ended:
                os.kill(child.pid, signal.SIGTERM)

    def _check_ports(self) -> None:
        settings = self._settings
        count = 1 if settings.shares_port else settings.api_processes
        for offset in range(count):
            port = settings.api_port + offset if settings.api_port else 0
            try:
                self._ports.append(hold(settings.api_host, port))
            except (OSError, OverflowError):
                raise SetupError(
                    _taken(settings.api_host, port, "--port or RUMMY_ARENA_API_PORT")
                ) from None
        for role in self._roles:
            port = role.metrics_port
            if port and not port_is_free(settings.metrics_host, port):
                raise SetupError(_taken(settings.metrics_host, port, "RUMMY_ARENA_METRICS_PORT"))

    def _wait_for_leftovers(self) -> None:
        """Processes of a parent that was killed die with it, though not in the same instant."""
        record = self._data_dir.read_run() or {}
        deadline = time.monotonic() + LEFTOVERS_S
        while names := [name for name, entry in processes(record) if is_running(entry)]:
            if time.monotonic() > deadline:
                raise DataDirError(
                    f"{', '.join(names)} of an earlier start still runs in "
                    f"{self._data_dir.path}; stop it first (pids are in run.json)"
                )
            time.sleep(PROBE_EVERY_S)

    def _start_store(self) -> str:
        if self._settings.broker_url:
            require_broker(self._settings.broker_url, "RUMMY_ARENA_BROKER_URL")
        if self._settings.redis_url:
            require_server(self._settings.redis_url, "RUMMY_ARENA_REDIS_URL")
            return self._settings.redis_url
        self._remark(f"starting {STORE}, with what {self._data_dir.path / STORE} holds")
        self._data_dir.rotate_log(STORE)
        self._store, self._store_url = start_valkey(
            self._data_dir.path / STORE,
            log=self._data_dir.log(STORE),
            durability=self._settings.durability,
            start_s=self._settings.start_deadline_s,
        )
        return self._store_url

    def _remove_socket(self) -> None:
        """A socket whose path would have been too long has a folder of its own elsewhere."""
        socket = Path(self._store_url.removeprefix("unix://"))
        if self._store_url and not socket.is_relative_to(self._data_dir.path):
            with contextlib.suppress(OSError):
                socket.unlink(missing_ok=True)
                socket.parent.rmdir()

    def _spawn(self, role: Role) -> None:
        self._data_dir.rotate_log(role.name)
        own = {
            "RUMMY_ARENA_PROCESS_NAME": role.name,
            "RUMMY_ARENA_PROCESS_RESTARTS": str(self._restarts.starts(role.name)),
            "RUMMY_ARENA_METRICS_PORT": str(role.metrics_port),
        }
        if role.api_number is not None:
            own["RUMMY_ARENA_API_PORT"] = str(self._api_port(role.api_number))
        # -P: the folder where the user stands must not shadow the installed packages.
        argv = [sys.executable, "-P", "-m", *role.arguments]
        self._children[role.name] = spawn(
            role.name, argv, log=self._data_dir.log(role.name), env={**self._environment, **own}
        )

    def _api_port(self, number: int) -> int:
        port: int = self._ports[0 if self._settings.shares_port else number].getsockname()[1]
        return port

    def _wait_until_healthy(self) -> None:
        remark_s = time.monotonic() + REMARK_EVERY_S
        deadline = time.monotonic() + self._settings.start_deadline_s
        waiting = dict.fromkeys(self._children, "has not said where it listens")
        while waiting:
            if self._interrupted():
                raise Interrupted
            if failure := self.failure():
                raise ChildError(failure)
            for name in list(waiting):
                problem = self._probe(name)
                if problem is None:
                    del waiting[name]
                else:
                    waiting[name] = problem
            if waiting and time.monotonic() > remark_s:
                remark_s += REMARK_EVERY_S
                self._remark(f"still waiting for {', '.join(waiting)}")
            if waiting and time.monotonic() > deadline:
                name, problem = next(iter(waiting.items()))
                raise ChildError(
                    f"{name} was not healthy after {self._settings.start_deadline_s:g} s: "
                    f"{problem}{self._last_words(name)}"
                )
            time.sleep(PROBE_EVERY_S)

    def _probe(self, name: str) -> str | None:
        notice = self._data_dir.notice(name)
        if notice is None:
            return "has not said where it listens"
        return probe(notice)

    def _record(self, *, ready: bool) -> dict[str, Any]:
        entries = {}
        for name, child in self._running().items():
            notice = self._data_dir.notice(name) or {}
            if name == STORE:
                notice["url"] = self._store_url
            started = {"pid": child.pid, "created": created(child.pid), "log": str(child.log)}
            entries[name] = {**notice, **started, **self._restarts.facts(name)}
        record = {
            "ready": ready,
            "version": version("rummy-arena"),
            "python": sys.version.split()[0],
            "started_at": self._started_at,
            "parent": {"pid": psutil.Process().pid, "created": psutil.Process().create_time()},
            "api": next(iter(self._api_addresses()), ""),
            "apis": self._api_addresses(),
            "strangers": self._strangers,
            "redis_url": self._redis_url,
            "token_file": "" if self._settings.admin_token else str(self._data_dir.token_file),
            "processes": entries,
        }
        self._data_dir.write_run(record)
        return record

    def _api_addresses(self) -> list[str]:
        host = self._settings.api_host
        return [f"{host}:{held.getsockname()[1]}" for held in self._ports]

    def _running(self) -> dict[str, Child]:
        store = {} if self._store is None else {STORE: self._store}
        return {**store, **self._children}

    def _obituary(self, name: str, child: Child) -> str:
        if child.was_killed:  # and could not say why
            return f"{name} {child.ending}; its log is {child.log}"
        return f"{name} {child.ending}{self._last_words(name)}"

    def _last_words(self, name: str) -> str:
        log = self._data_dir.log(name)
        words = last_line(log)
        return f"; {log}: {words}" if words else f"; {log} is empty"


def _taken(host: str, port: int, option: str) -> str:
    return (
        f"port {port} of {host} cannot be bound; choose another with {option} (0 takes a free one)"
    )


def _inherited() -> dict[str, str]:
    dropped = {"PROMETHEUS_MULTIPROC_DIR"}
    return {name: value for name, value in os.environ.items() if name not in dropped}
