"""``rummy-arena status``: what runs in a data directory, and how it fares."""

from __future__ import annotations

import json
import time
from typing import Any

from .datadir import DataDir
from .figures import Figures, read_figures
from .run_record import is_running, probe, processes
from .settings import Settings


def status(settings: Settings, *, as_json: bool) -> int:
    """Print the state of every process; returns 0 when all are healthy, 1 otherwise."""
    data_dir = DataDir(settings.data_dir)
    record = data_dir.read_run()
    if record is None or not any(is_running(entry) for _, entry in processes(record)):
        problem = f"nothing runs in {data_dir.path}; start it with 'rummy-arena up'"
        if record is not None:
            problem += ", which goes on where it was killed"
        print(json.dumps({"running": False}) if as_json else problem)
        return 1
    states = {name: _state(entry) for name, entry in processes(record)}
    figures = read_figures(record)
    healthy = all(state == "healthy" for state in states.values()) and not record["strangers"]
    if as_json:
        print(json.dumps(_document(record, states, figures, healthy=healthy)))
    else:
        for line in _lines(record, states, figures):
            print(line)
    return 0 if healthy else 1


def _state(entry: dict[str, Any]) -> str:
    if not is_running(entry):
        return "not running"
    return probe(entry) or "healthy"


def _past(entry: dict[str, Any]) -> str:
    count = entry.get("restarts", 0)
    times = "once" if count == 1 else f"{count} times"
    return f" (started again {times}; last {entry['last_end']})" if count else ""


def _document(
    record: dict[str, Any], states: dict[str, str], figures: Figures, *, healthy: bool
) -> dict[str, Any]:
    return {
        "running": True,
        "healthy": healthy,
        "version": record["version"],
        "pid": record["parent"]["pid"],
        "api": record["api"],
        "apis": record["apis"],
        "strangers": record["strangers"],
        "processes": {
            name: {
                "pid": entry["pid"],
                "state": states[name],
                "metrics": entry.get("metrics", ""),
                "restarts": entry.get("restarts", 0),
                "last_end": entry.get("last_end", ""),
            }
            for name, entry in processes(record)
        },
        "figures": figures.document(),
    }


def _lines(record: dict[str, Any], states: dict[str, str], figures: Figures) -> list[str]:
    up_s = time.time() - float(record["started_at"])
    lines = [
        f"rummy-arena {record['version']}, pid {record['parent']['pid']}, "
        f"api {', '.join(record['apis'])}, up {up_s:.0f} s"
    ]
    for name, entry in processes(record):
        lines.append(f"  {name:<10} pid {entry['pid']:<8} {states[name]}{_past(entry)}")
    if record["strangers"]:
        lines.append("  another program listens on the gRPC port too: find it with 'ss -tlnp'")
    lines.append(f"  since the start: {figures.sentence()}")
    return lines
