"""One parent for all processes of an arena on one machine: start, watch, drain.

Start: the embedded Valkey first (unless a server's URL is given), then everything else at once,
each awaited until it answers its health check. Stop: those that make work before those that do
it, the store last, each within a bounded time and then killed with its whole session.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from .children import Child, last_line, spawn, stop
from .datadir import DataDir, DataDirError
from .probes import port_is_free
from .roles import Role, roles
from .run_record import created, is_running, probe, processes
from .server_check import require_broker, require_server
from .settings import Settings
from .valkey import start_valkey

PROBE_EVERY_S = 0.05
LEFTOVERS_S = 5.0
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
    ) -> None:
        """``interrupted`` is asked while waiting; a start that hears True raises Interrupted."""
        self._settings = settings
        self._data_dir = data_dir
        self._interrupted = interrupted
        self._roles = roles(settings)
        self._children: dict[str, Child] = {}
        self._store: Child | None = None
        self._store_url = ""  # of the embedded server only
        self._started_at = time.time()

    def start(self) -> dict[str, Any]:
        """Start everything and wait until it is healthy; returns the run record.

        Raises SetupError, DataDirError, ChildError or Interrupted; the caller then calls ``stop``.
        """
        self._check_ports()
        self._wait_for_leftovers()
        self._data_dir.clear_notices()
        self._data_dir.admin_token()
        redis_url = self._start_store()
        settings = self._settings.model_copy(update={"redis_url": redis_url})
        environment = {**_inherited(), **settings.environment()}
        environment["RUMMY_ARENA_BROKER_URL"] = settings.broker
        environment["RUMMY_ARENA_DATA_DIR"] = str(self._data_dir.path)
        for role in self._roles:
            self._spawn(role, environment)
        self._record(redis_url, ready=False)  # from here on a status command sees what is starting
        self._wait_until_healthy()
        return self._record(redis_url, ready=True)

    def failure(self) -> str | None:
        """Return a line on the first process that ended, or None while all run."""
        for name, child in self._running().items():
            if child.ended:
                return self._obituary(name, child)
        return None

    def stop(self, *, hurry: Callable[[], bool] = lambda: False) -> list[str]:
        """Drain and stop everything; returns the names of those that had to be killed."""
        killed = []
        for role in self._roles:
            child = self._children.pop(role.name, None)
            if child is not None and not stop(child, grace_s=role.grace_s, hurry=hurry):
                killed.append(role.name)
        # No hurry for the store: killed at a bad moment it may lose what was acknowledged.
        if self._store is not None and not stop(self._store, grace_s=STORE_GRACE_S):
            killed.append(STORE)
        self._store = None
        self._remove_socket()
        self._data_dir.clear_run()
        return killed

    def _check_ports(self) -> None:
        settings = self._settings
        wanted = [(settings.api_host, settings.api_port, "--port or RUMMY_ARENA_API_PORT")]
        wanted += [
            (settings.metrics_host, role.metrics_port, "RUMMY_ARENA_METRICS_PORT")
            for role in self._roles
        ]
        for host, port, option in wanted:
            if port and not port_is_free(host, port):
                raise SetupError(
                    f"port {port} of {host} cannot be bound; choose another with {option} "
                    "(0 takes a free one)"
                )

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
        if self._settings.redis_url:
            require_server(self._settings.redis_url, "RUMMY_ARENA_REDIS_URL")
            if self._settings.broker_url:
                require_broker(self._settings.broker_url, "RUMMY_ARENA_BROKER_URL")
            return self._settings.redis_url
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

    def _spawn(self, role: Role, environment: Mapping[str, str]) -> None:
        self._data_dir.rotate_log(role.name)
        own = {
            "RUMMY_ARENA_PROCESS_NAME": role.name,
            "RUMMY_ARENA_METRICS_PORT": str(role.metrics_port),
        }
        # -P: the folder where the user stands must not shadow the installed packages.
        argv = [sys.executable, "-P", "-m", *role.arguments]
        self._children[role.name] = spawn(
            role.name, argv, log=self._data_dir.log(role.name), env={**environment, **own}
        )

    def _wait_until_healthy(self) -> None:
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

    def _record(self, redis_url: str, *, ready: bool) -> dict[str, Any]:
        entries = {}
        for name, child in self._running().items():
            notice = self._data_dir.notice(name) or {}
            if name == STORE:
                notice["url"] = self._store_url
            started = {"pid": child.pid, "created": created(child.pid), "log": str(child.log)}
            entries[name] = {**notice, **started}
        record = {
            "ready": ready,
            "version": version("rummy-arena"),
            "python": sys.version.split()[0],
            "started_at": self._started_at,
            "parent": {"pid": psutil.Process().pid, "created": psutil.Process().create_time()},
            "api": entries.get("api", {}).get("address", ""),
            "redis_url": redis_url,
            "processes": entries,
        }
        self._data_dir.write_run(record)
        return record

    def _running(self) -> dict[str, Child]:
        store = {} if self._store is None else {STORE: self._store}
        return {**store, **self._children}

    def _obituary(self, name: str, child: Child) -> str:
        return f"{name} {child.ending}{self._last_words(name)}"

    def _last_words(self, name: str) -> str:
        log = self._data_dir.log(name)
        words = last_line(log)
        return f"; {log}: {words}" if words else f"; {log} is empty"


def _inherited() -> dict[str, str]:
    dropped = {"PROMETHEUS_MULTIPROC_DIR"}
    return {name: value for name, value in os.environ.items() if name not in dropped}
