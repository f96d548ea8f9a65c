"""What every process does first and last: settings, logs, metrics, its endpoint, its notice.

process = enter("relay")            # before anything imports prometheus_client
...
process.expose(health)              # once it can say how it fares
... health.pulse() after each round of work that went well ...
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from . import metrics
from .datadir import DataDir
from .health import Health
from .logs import configure_logs
from .settings import Settings, SettingsError, load_settings

Result = TypeVar("Result")
COLLECTED_AFTER = (50_000, 20, 100)
"""New objects until the young are looked through, and how often that is until older ones are."""


@dataclass(frozen=True)
class Process:
    """The surroundings of one running process."""

    name: str
    settings: Settings
    data_dir: DataDir

    def expose(self, health: Health, **facts: Any) -> metrics.Endpoint:
        """Serve metrics and health, and leave a notice of the addresses for the parent.

        ``facts`` go into the notice too. Raises SettingsError when the port is taken.
        """
        host, port = self.settings.metrics_host, self.settings.metrics_port
        try:
            endpoint = metrics.Endpoint(host, port, health.problem)
        except OSError as error:
            raise SettingsError(
                f"cannot serve metrics on {host}:{port}: {error.strerror}; choose another port "
                "with RUMMY_ARENA_METRICS_PORT (0 takes a free one)"
            ) from None
        self._count_restarts()
        endpoint.start()
        self.data_dir.announce(
            self.name, {"pid": os.getpid(), "metrics": endpoint.address, **facts}
        )
        return endpoint

    def _count_restarts(self) -> None:
        from prometheus_client import CollectorRegistry, Gauge

        Gauge(
            "rummy_arena_process_restarts",
            "How often the arena's parent started this process again after it had ended.",
            ["process"],
            registry=CollectorRegistry(),  # in multiprocess mode the files are what is scraped
            multiprocess_mode="max",
        ).labels(self.name).set(self.settings.process_restarts)


def enter(role: str) -> Process:
    """Set this process up as ``role``; raises SettingsError or DataDirError, each in one line."""
    settings = load_settings()
    name = settings.process_name or role
    data_dir = DataDir(settings.data_dir)
    data_dir.create()
    metrics.prepare_metrics(data_dir.metrics(name))
    configure_logs(name, settings.log_level)
    return Process(name=name, settings=settings, data_dir=data_dir)


def settle_memory() -> None:
    """Tell the garbage collector what it need not look at; call it once everything is loaded.

    What is loaded stays. What a call leaves behind is nearly all freed at once by its counts, and
    looking for cycles after every 700 objects took a fifth of what an action at a table costs.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)


def run_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a process's whole work, on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)
