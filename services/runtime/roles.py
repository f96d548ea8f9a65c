"""The processes of an arena besides its store: how each is started, and in which order it ends."""

from __future__ import annotations

from dataclasses import dataclass

from .settings import Settings

# Name, module and arguments, seconds that it may take to drain; in the order of draining.
BEAT = ("beat", ("workers.main", "beat"), 5.0)
RELAY = ("relay", ("workers.main", "relay"), 5.0)
WORKER = ("worker", ("workers.main", "worker"), 15.0)
API = ("api", ("services.runtime.api",), 10.0)


@dataclass(frozen=True)
class Role:
    """One process to start: its name, its command line's tail, its grace, its metrics port."""

    name: str
    arguments: tuple[str, ...]
    grace_s: float
    metrics_port: int
    api_number: int | None = None
    """Which of the API processes it is, from 0; None for all others."""


def roles(settings: Settings) -> list[Role]:
    """Return the processes to start besides the store, in the order of draining."""
    workers = [f"worker-{number}" for number in range(1, settings.workers + 1)]
    apis = api_names(settings.api_processes)
    plan = [BEAT, RELAY, *((name, *WORKER[1:]) for name in workers)]
    # The API processes come first in the operator's mind, so they have the first ports.
    names = [*apis, *(name for name, *_ in reversed(plan))]
    first = settings.metrics_port
    ports = {name: first + offset if first else 0 for offset, name in enumerate(names)}
    return [
        *(Role(name, arguments, grace_s, ports[name]) for name, arguments, grace_s in plan),
        *(Role(name, API[1], API[2], ports[name], at) for at, name in enumerate(apis)),
    ]


def api_names(count: int) -> list[str]:
    """Return the names of so many API processes: the only one has no number."""
    return ["api"] if count == 1 else [f"api-{number}" for number in range(1, count + 1)]
