"""One parent for all processes of an arena on one machine: start, watch, drain.

Start: the embedded Valkey first (unless a server's URL is given), then everything else at once,
each awaited until it answers its health check. Stop: those that make work before those that do
it, the store last, each within a bounded time and then killed with its whole session.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import psutil

from . import embedded
from .children import Child, last_line, spawn, stop
from .datadir import DataDir, DataDirError
from .probes import ask_grpc, ask_http, port_is_free
from .settings import Settings

PROBE_EVERY_S = 0.05
LEFTOVERS_S = 5.0
STORE = "valkey"

# Name, module and arguments, seconds that it may take to drain; in the order of draining.
BEAT = ("beat", ("workers.main", "beat"), 5.0)
RELAY = ("relay", ("workers.main", "relay"), 5.0)
WORKER = ("worker", ("workers.main", "worker"), 15.0)
API = ("api", ("services.runtime.api",), 10.0)
STORE_GRACE_S = 10.0


class SetupError(Exception):
    """Nothing can start as things are; the text says what to do."""


class ChildError(Exception):
    """A process did not start, or ended while it was needed; the text says which and why."""


@dataclass(frozen=True)
class Role:
    """One process to start: its name, its command line's tail, its grace, its metrics port."""

    name: str
    arguments: tuple[str, ...]
    grace_s: float
    metrics_port: int


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
        self._record(redis_url)  # from here on a status command sees what is starting
        self._wait_until_healthy()
        return self._record(redis_url)

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
        if self._store is not None and not stop(self._store, grace_s=STORE_GRACE_S, hurry=hurry):
            killed.append(STORE)
        self._store = None
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
            embedded.require_server(self._settings.redis_url, "RUMMY_ARENA_REDIS_URL")
            if self._settings.broker_url:
                embedded.require_server(self._settings.broker_url, "RUMMY_ARENA_BROKER_URL")
            return self._settings.redis_url
        self._data_dir.rotate_log(STORE)
        self._store, url = embedded.start_store(
            self._data_dir, durability=self._settings.durability
        )
        return url

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
        waiting = {name: "has not said where it listens" for name in self._children}
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

    def _record(self, redis_url: str) -> dict[str, Any]:
        entries = {}
        for name, child in self._running().items():
            notice = self._data_dir.notice(name) or {}
            started = {"pid": child.pid, "created": created(child.pid), "log": str(child.log)}
            entries[name] = {**notice, **started}
        record = {
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
        code = child.process.poll()
        how = f"was killed by signal {-code}" if code is not None and code < 0 else f"exited {code}"
        return f"{name} {how}{self._last_words(name)}"

    def _last_words(self, name: str) -> str:
        log = self._data_dir.log(name)
        words = last_line(log)
        return f"; {log}: {words}" if words else f"; {log} is empty"


class Interrupted(Exception):  # noqa: N818  an ending asked for, not a fault
    """A signal asked for the end while processes were starting."""


def roles(settings: Settings) -> list[Role]:
    """Return the processes to start besides the store, in the order of draining."""
    names = [f"worker-{number}" for number in range(1, settings.workers + 1)]
    plan = [BEAT, RELAY, *((name, *WORKER[1:]) for name in names), API]
    first = settings.metrics_port
    ports = [first + offset if first else 0 for offset in range(len(plan))]
    # The API server comes first in the operator's mind, so it has the first port.
    order = {name: port for (name, *_), port in zip(reversed(plan), ports, strict=True)}
    return [Role(name, arguments, grace_s, order[name]) for name, arguments, grace_s in plan]


def probe(entry: Mapping[str, Any]) -> str | None:
    """Ask a process, by its notice, how it fares: None when healthy, else what is wrong."""
    if "address" in entry:
        return ask_grpc(str(entry["address"]))
    return ask_http(str(entry["metrics"])) if "metrics" in entry else None


def processes(record: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return name and entry of each process of a run record."""
    return list(record.get("processes", {}).items())


def is_running(entry: Mapping[str, Any]) -> bool:
    """True while the very process that the entry names exists (pids are used again)."""
    found = created(int(entry["pid"]))
    return found is not None and abs(found - float(entry["created"] or 0)) < 1.0


def created(pid: int) -> float | None:
    """Return when the process was made, in seconds since the epoch, or None if there is none."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.NoSuchProcess:
        return None


def _inherited() -> dict[str, str]:
    import os

    dropped = {"PROMETHEUS_MULTIPROC_DIR"}
    return {name: value for name, value in os.environ.items() if name not in dropped}
