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


def roles(settings: Settings) -> list[Role]:
    """Return the processes to start besides the store, in the order of draining."""
    names = [f"worker-{number}" for number in range(1, settings.workers + 1)]
    plan = [BEAT, RELAY, *((name, *WORKER[1:]) for name in names), API]
    first = settings.metrics_port
    ports = [first + offset if first else 0 for offset in range(len(plan))]
    # The API server comes first in the operator's mind, so it has the first port.
    order = {name: port for (name, *_), port in zip(reversed(plan), ports, strict=True)}
    return [Role(name, arguments, grace_s, order[name]) for name, arguments, grace_s in plan]
